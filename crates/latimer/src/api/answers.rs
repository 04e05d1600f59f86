//! The problems that requests can end in, for the API's description; [`Rejection`](super::Rejection) makes them.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use utoipa::IntoResponses;
use utoipa::openapi::{Content, Ref, RefOr, Response, ResponseBuilder};

use latimer_wire::v1::PROBLEM_MEDIA_TYPE;

/// One answer with problem details.
pub(super) fn problem(description: &str) -> Response {
    let content = Content::new(Some(Ref::from_schema_name("Problem")));
    ResponseBuilder::new().description(description).content(PROBLEM_MEDIA_TYPE, content).build()
}

fn problems(answers: &[(StatusCode, &str)]) -> BTreeMap<String, RefOr<Response>> {
    let answer = |(status, description): &(StatusCode, &str)| {
        (status.as_str().to_owned(), problem(description).into())
    };
    answers.iter().map(answer).collect()
}

/// Parameters that make no sense.
pub(super) struct WrongParameter;

impl IntoResponses for WrongParameter {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[(
            StatusCode::BAD_REQUEST,
            "A parameter makes no sense; the problem says which and what to write",
        )])
    }
}

/// A client that is no admin.
pub(super) struct NotAdmin;

impl IntoResponses for NotAdmin {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[(StatusCode::FORBIDDEN, "The client is no admin; of gateways with users")])
    }
}

/// A body that makes no sense.
pub(super) struct WrongBody;

impl IntoResponses for WrongBody {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[
            (StatusCode::BAD_REQUEST, "The body makes no sense; the problem says where and what to write"),
            (StatusCode::REQUEST_TIMEOUT, "The body did not come in time"),
            (StatusCode::PAYLOAD_TOO_LARGE, "The body is bigger than 64 KiB"),
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body is not called JSON"),
        ])
    }
}

/// A robot that is not there.
pub(super) struct NoRobot;

impl IntoResponses for NoRobot {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[
            (StatusCode::BAD_REQUEST, "This cannot be a robot's name"),
            (StatusCode::NOT_FOUND, "There is no such robot; the problem says which there are"),
        ])
    }
}

/// Something that was asked of a robot or of the world and is not done.
pub(super) struct NotDone;

impl IntoResponses for NotDone {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[
            (
                StatusCode::BAD_REQUEST,
                "The body or a parameter makes no sense; the problem says where and what to write",
            ),
            (StatusCode::FORBIDDEN, "The client has no role that allows it; of gateways with users"),
            (StatusCode::NOT_FOUND, "There is no such robot, or no simulated world"),
            (StatusCode::REQUEST_TIMEOUT, "The body did not come in time"),
            (
                StatusCode::CONFLICT,
                "It was refused; `outcome` is `refused`, `code` and `detail` say why. An argument that the robot refuses is 400, a robot that is not reached 503",
            ),
            (StatusCode::PAYLOAD_TOO_LARGE, "The body is bigger than 64 KiB"),
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body is not called JSON"),
            (
                StatusCode::SERVICE_UNAVAILABLE,
                "The robot is not reached, or the simulated world is busy or has stopped",
            ),
            (StatusCode::GATEWAY_TIMEOUT, "No answer within `patience`; `outcome` is `timed_out`"),
        ])
    }
}
