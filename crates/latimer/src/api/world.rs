//! Things that happen in the simulated world, and how fast it goes.

use std::time::Duration;

use axum::Json;
use axum::extract::Request;
use axum::http::{StatusCode, Uri};
use latimer_core::access::Role;
use latimer_simulator_api::{SimulatorError, SimulatorHandle, WorldRequest, WorldResponse};

use super::answers::NotDone;
use super::client::Api;
use super::commands::{patience, refused, wrong_field};
use super::{ApiState, Rejection, body};
use latimer_wire::v1::{Happening, Outcome, Pace, Reading};

#[utoipa::path(
    post,
    path = "/world/poke",
    operation_id = "poke_world",
    tag = "world",
    summary = "Make something happen in the simulated world",
    params(("patience" = Option<String>, Query, description = "How long to wait for the answer, at most 60s; 10s if not given", example = "30s")),
    request_body(
        content = Happening,
        description = "What happens",
        examples(
            ("door" = (summary = "Open a door", value = json!({"happening": "door", "name": "front", "open": true}))),
            ("vase" = (summary = "Put a small thing that no household robot knows", value = json!({"happening": "put_object", "name": "vase", "place": "Sofa", "category": "decoration"}))),
            ("crate" = (summary = "Put a crate", value = json!({"happening": "put_obstacle", "name": "crate", "box": {"length_m": 0.4, "width_m": 0.3}, "x_m": 2.0, "y_m": 1.5}))),
        )
    ),
    responses((status = 200, description = "It happened", body = Outcome), NotDone)
)]
pub(super) async fn poke(api: Api, uri: Uri, request: Request) -> Result<Json<Outcome>, Rejection> {
    api.permit_everywhere(Role::Admin)?;
    let patience = patience(&uri)?;
    let happening: Happening = body::json(request).await?;
    let happening = happening.try_into().map_err(|error| wrong_field(&error))?;
    ask(&api.state, WorldRequest::Happen(happening), "world, poke".to_owned(), patience).await
}

#[utoipa::path(
    post,
    path = "/world/pace",
    tag = "world",
    summary = "Set how fast the simulated world goes",
    params(("patience" = Option<String>, Query, description = "How long to wait for the answer, at most 60s; 10s if not given", example = "30s")),
    request_body(
        content = Pace,
        description = "How fast",
        examples(
            ("faster" = (summary = "Ten times as fast as the clock", value = json!({"pace": "speed", "speed": 10}))),
            ("pause" = (summary = "Stand still", value = json!({"pace": "pause"}))),
        )
    ),
    responses((status = 200, description = "It goes so", body = Outcome), NotDone)
)]
pub(super) async fn pace(api: Api, uri: Uri, request: Request) -> Result<Json<Outcome>, Rejection> {
    api.permit_everywhere(Role::Admin)?;
    let patience = patience(&uri)?;
    let pace: Pace = body::json(request).await?;
    let pace = pace.try_into().map_err(|error| wrong_field(&error))?;
    ask(&api.state, WorldRequest::Pace(pace), "world, pace".to_owned(), patience).await
}

pub(super) async fn ask(
    state: &ApiState,
    ask: WorldRequest,
    place: String,
    patience: Duration,
) -> Result<Json<Outcome>, Rejection> {
    match simulated(state, &place)?.ask(ask, patience).await {
        Ok(WorldResponse::Done) => Ok(Json(Outcome::Done { note: None })),
        Ok(WorldResponse::Sensed(readings)) => {
            Ok(Json(Outcome::Sensed { readings: readings.iter().map(Reading::from).collect() }))
        }
        Ok(
            WorldResponse::Seen(_)
            | WorldResponse::Glimpsed(_)
            | WorldResponse::Arena(_)
            | WorldResponse::All(_),
        ) => Err(no_answer(&place)),
        Err(error) => Err(rejection(&error).at(place)),
    }
}

/// The handle of the simulated world, if there is one.
pub(super) fn simulated<'a>(state: &'a ApiState, place: &str) -> Result<&'a SimulatorHandle, Rejection> {
    state.simulator.as_ref().ok_or_else(|| {
        Rejection::new(StatusCode::NOT_FOUND, "nothing is simulated here")
            .at(place)
            .advice("run `latimer demo`, or add a [[simulate]] table to the config")
    })
}

/// The world answered something else.
pub(super) fn no_answer(place: &str) -> Rejection {
    Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, "the simulated world answered another question")
        .at(place)
}

pub(super) fn rejection(error: &SimulatorError) -> Rejection {
    let rejection = |status| Rejection::new(status, error.to_string());
    match error {
        SimulatorError::Refused(refusal) => refused(refusal),
        SimulatorError::Busy => rejection(StatusCode::SERVICE_UNAVAILABLE).advice("ask less often"),
        SimulatorError::Gone => {
            rejection(StatusCode::SERVICE_UNAVAILABLE).advice("the gateway's log says why; start it again")
        }
        SimulatorError::TimedOut(_) => rejection(StatusCode::GATEWAY_TIMEOUT)
            .advice("ask again, or wait longer with ?patience=30s")
            .outcome("timed_out"),
    }
}
