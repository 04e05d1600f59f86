//! The calls below `/api/`: commands for the robot, and questions that the gateway answers itself.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Method as HttpMethod, StatusCode, header};
use axum::response::{IntoResponse, Response};
use latimer_core::access::Role;
use latimer_core::limits::COMMAND_TIMEOUT;
use latimer_core::model::{Refusal, RefusalCode};
use latimer_core::{Author, Outcome};

use super::answers::answer;
use super::picture;
use super::robot::FacadeRobot;
use crate::body::{self, BodyError, BodyLimits};
use crate::entrance;
use crate::misty::NAME;
use crate::misty::rest::catalogue;
use crate::misty::rest::command::command_from_call;
use crate::misty::rest::envelope::{
    ALLOW_HEADERS, ALLOW_METHODS, COMMAND_VERSION_HEADER, Reply, ReplyStatus,
};
use crate::misty::rest::params::Params;
use crate::misty::rest::row::{Category, Method, Row as Entry};
use crate::pace::Stops;

/// How the body of a call may be: its bytes, and as text and parameters.
const BODY: BodyLimits = BodyLimits { most: 64 * 1024, copies: 2 };

/// Answers one call.
pub(super) async fn handle(robot: Arc<FacadeRobot>, endpoint: &str, call: Request) -> Response {
    if call.method() == HttpMethod::OPTIONS {
        return with_headers(StatusCode::OK.into_response(), None);
    }
    let author = entrance::author(NAME, call.extensions());
    // What moves the robot is asked of its hub, which lets everybody stop it who sees it.
    if let Err(forbidden) = entrance::permit(&author, Role::See, &robot.robot) {
        return with_headers(forbidden.into_response(), None);
    }
    let (entry, response) = reply(&robot, endpoint, author, call).await;
    with_headers(response, entry)
}

/// Answers what is no call at all.
pub(super) async fn not_found() -> Response {
    let text = "Nothing is here. Events are at /pubsub, calls below /api/; GET /api/help lists them.";
    with_headers(into_response(&Reply::failure(ReplyStatus::NotFound, text)), None)
}

/// Whether a call of a path stops the robot.
pub(in crate::misty) fn stops(http_method: &HttpMethod, path: &str) -> Stops {
    let call = path.strip_prefix("/api/").zip(method(http_method));
    let entry = call.and_then(|(endpoint, method)| catalogue::find(method, endpoint));
    match entry {
        Some(Entry { name: "Stop" | "Halt", .. }) => Stops::Yes,
        _ => Stops::No,
    }
}

fn method(http_method: &HttpMethod) -> Option<Method> {
    match *http_method {
        HttpMethod::GET | HttpMethod::HEAD => Some(Method::Get),
        HttpMethod::POST => Some(Method::Post),
        HttpMethod::DELETE => Some(Method::Delete),
        HttpMethod::PUT => Some(Method::Put),
        _ => None,
    }
}

/// The call that was meant, and its answer.
async fn reply(
    robot: &FacadeRobot,
    endpoint: &str,
    author: Author,
    call: Request,
) -> (Option<&'static Entry>, Response) {
    let Some(method) = method(call.method()) else {
        let reply = Reply::failure(ReplyStatus::NotFound, "Use GET, POST or DELETE.");
        return (None, into_response(&reply));
    };
    let Some(entry) = catalogue::find(method, endpoint) else {
        return (None, into_response(&unknown(endpoint)));
    };
    let query = call.uri().query().unwrap_or_default().to_owned();
    let (body, _room) = match body::read(call.into_body(), BODY, robot.hub.memory(), &author).await {
        Ok(body) => body,
        Err(error) => {
            let status = match error {
                BodyError::Memory(_) => ReplyStatus::ServiceUnavailable,
                BodyError::Long(_) | BodyError::Slow => ReplyStatus::BadArgument,
            };
            let mut problem = error.to_string();
            if let Some(first) = problem.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            let text = format!("Cannot {}  - {problem}.", entry.verb);
            return (Some(entry), into_response(&Reply::failure(status, text)));
        }
    };
    let params = std::str::from_utf8(&body)
        .map_err(|_| "the body is no UTF-8 text".to_owned())
        .and_then(|body| Params::read(&query, body).map_err(|error| error.to_string()));
    let response = match params {
        Ok(params) if entry.name == "TakePicture" => {
            let taken = picture::take(robot, &author, params.for_command(entry.verb)).await;
            taken.unwrap_or_else(|reply| into_response(&reply))
        }
        Ok(params) => into_response(&carry_out(robot, author, entry, &params).await),
        Err(problem) => {
            let text = format!("Cannot {}  - {problem}.", entry.verb);
            into_response(&Reply::failure(ReplyStatus::BadArgument, text))
        }
    };
    (Some(entry), response)
}

fn unknown(endpoint: &str) -> Reply {
    let methods: Vec<_> = catalogue::methods_at(endpoint).into_iter().map(Method::as_str).collect();
    let shown: String = endpoint.chars().take(80).collect();
    let text = if methods.is_empty() {
        format!("There is no command at {shown:?}. GET /api/help lists all commands.")
    } else {
        format!("{shown:?} takes {} only.", methods.join(" and "))
    };
    Reply::failure(ReplyStatus::NotFound, text)
}

async fn carry_out(robot: &FacadeRobot, author: Author, entry: &'static Entry, params: &Params) -> Reply {
    let command = match command_from_call(entry, params) {
        Some(Ok(command)) => command,
        Some(Err(error)) => return Reply::failure(ReplyStatus::BadArgument, error.to_string()),
        None => {
            let role = if entry.method == Method::Get { Role::See } else { Role::Drive };
            return match entrance::permit(&author, role, &robot.robot) {
                Ok(()) => answer(robot, entry, params.for_command(entry.verb)),
                Err(forbidden) => Reply::failure(ReplyStatus::BadArgument, forbidden.to_string()),
            };
        }
    };
    let given = robot.hub.command_client(author).command(&robot.robot, command, COMMAND_TIMEOUT);
    let id = given.id();
    match given.await {
        Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => Reply::success(true),
        Outcome::Refused(Refusal { code, reason }) => {
            let status = match code {
                RefusalCode::Unreachable => ReplyStatus::ServiceUnavailable,
                _ => ReplyStatus::BadArgument,
            };
            Reply::failure(status, format!("Cannot {}  - {}.", entry.verb, id.beside(reason)))
        }
        Outcome::TimedOut => {
            let within_s = COMMAND_TIMEOUT.as_secs();
            let reason = id.beside(format_args!("the robot did not answer in {within_s} s"));
            Reply::failure(ReplyStatus::Exception, format!("Cannot {}  - {reason}.", entry.verb))
        }
    }
}

/// A reply as JSON with its status.
pub(super) fn into_response(reply: &Reply) -> Response {
    let status = StatusCode::from_u16(reply.status.code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let json = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (status, json, Body::from(reply.body.to_string())).into_response()
}

/// The headers that a robot sends with every reply; which pages may read it is for the port to say.
fn with_headers(mut response: Response, entry: Option<&Entry>) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(ALLOW_METHODS));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(ALLOW_HEADERS));
    let version = entry.map_or(Category::Current, |entry| entry.category);
    headers.insert(COMMAND_VERSION_HEADER, HeaderValue::from_static(version.as_str()));
    response
}
