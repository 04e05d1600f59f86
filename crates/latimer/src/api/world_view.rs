//! What the simulated world looks like, and a scenario that begins now.

use axum::Json;
use axum::extract::Request;
use axum::http::Uri;
use latimer_core::access::Role;
use latimer_simulator_api::{Scenario as ModelScenario, WorldRequest, WorldResponse};

use super::answers::NotDone;
use super::client::Api;
use super::commands::patience;
use super::world::{self, ask, simulated};
use super::{Rejection, body};
use crate::config::scenario::{self, EventError};
use latimer_wire::v1::{Outcome, Scenario, World};

/// What a scenario's text is called in messages.
const TEXT: &str = "toml";

#[utoipa::path(
    get,
    path = "/world",
    operation_id = "world",
    tag = "world",
    summary = "What the simulated world looks like",
    description = "Shapes change when `revision` grows; `now` and the stream show what moves meanwhile.",
    params(("patience" = Option<String>, Query, description = "How long to wait for the answer, at most 60s; 10s if not given", example = "30s")),
    responses((status = 200, description = "The world", body = World), NotDone)
)]
pub(super) async fn look(api: Api, uri: Uri) -> Result<Json<World>, Rejection> {
    api.permit_everywhere(Role::See)?;
    let patience = patience(&uri)?;
    let simulator = simulated(&api.state, "world")?;
    match simulator.ask(WorldRequest::Look, patience).await {
        Ok(WorldResponse::Seen(scenery)) => Ok(Json(World::from(*scenery))),
        Ok(_) => Err(world::no_answer("world")),
        Err(error) => Err(world::rejection(&error).at("world")),
    }
}

#[utoipa::path(
    post,
    path = "/world/scenario",
    tag = "world",
    summary = "Begin a scenario now",
    params(("patience" = Option<String>, Query, description = "How long to wait for the answer, at most 60s; 10s if not given", example = "30s")),
    request_body(
        content = Scenario,
        description = "The text of a scenario file, or the same as JSON",
        examples(
            ("toml" = (summary = "As in a file", value = json!({"toml": "[[events]]\nat_s = 1.0\nhappening = \"door\"\nname = \"front\"\nopen = true\n"}))),
            ("json" = (summary = "As JSON", value = json!({"events": [{"at_s": 1.0, "happening": "door", "name": "front", "open": true}]}))),
        )
    ),
    responses((status = 200, description = "It has begun", body = Outcome), NotDone)
)]
pub(super) async fn scenario(api: Api, uri: Uri, request: Request) -> Result<Json<Outcome>, Rejection> {
    api.permit_everywhere(Role::Admin)?;
    let patience = patience(&uri)?;
    let scenario = scenario_from_body(body::json(request).await?)?;
    ask(&api.state, WorldRequest::Play(scenario), "world, scenario".to_owned(), patience).await
}

/// A scenario as it was given.
pub(super) fn scenario_from_body(scenario: Scenario) -> Result<ModelScenario, Rejection> {
    match scenario {
        Scenario { toml: Some(text), repeat_s: None, events: None } => {
            scenario::parse(TEXT, &text).map_err(|error| Rejection::bad(error.to_string()).at("body, toml"))
        }
        Scenario { toml: None, repeat_s, events: Some(events) } => scenario::from_json(repeat_s, events)
            .map_err(|EventError { place, problem }| Rejection::bad(problem).at(format!("body, {place}"))),
        Scenario { toml: Some(_), .. } => Err(Rejection::bad("the scenario is given twice")
            .at("body, toml")
            .advice("write either toml, or events and repeat_s")),
        Scenario { toml: None, .. } => Err(Rejection::bad("there is no scenario in it")
            .at("body")
            .advice("write {\"toml\": \"…\"} with the text of a scenario file, or {\"events\": […]}")),
    }
}
