//! What the simulated world looks like, and a scenario that begins now.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::Uri;
use latimer_core::stage::{Answer, Ask};

use super::commands::patience;
use super::world::{self, ask, staged};
use super::{ApiState, Rejection, body};
use crate::config::scenario::{self, EventError};
use crate::wire::v1::{Outcome, Scenario, World};

/// What a scenario's text is called in messages.
const TEXT: &str = "toml";

pub(super) async fn look(State(state): State<ApiState>, uri: Uri) -> Result<Json<World>, Rejection> {
    let patience = patience(&uri)?;
    let stage = staged(&state, "world")?;
    match stage.ask(Ask::Look, patience).await {
        Ok(Answer::Seen(scenery)) => Ok(Json(World::from(*scenery))),
        Ok(_) => Err(world::no_answer("world")),
        Err(error) => Err(world::rejection(&error).at("world")),
    }
}

pub(super) async fn scenario(
    State(state): State<ApiState>,
    uri: Uri,
    request: Request,
) -> Result<Json<Outcome>, Rejection> {
    let patience = patience(&uri)?;
    let told: Scenario = body::json(request).await?;
    let scenario = match told {
        Scenario { toml: Some(text), repeat_s: None, events: None } => scenario::parse(TEXT, &text)
            .map_err(|error| Rejection::bad(error.to_string()).at("body, toml"))?,
        Scenario { toml: None, repeat_s, events: Some(events) } => scenario::from_json(repeat_s, events)
            .map_err(|EventError { place, problem }| Rejection::bad(problem).at(format!("body, {place}")))?,
        Scenario { toml: Some(_), .. } => {
            return Err(Rejection::bad("the scenario is told twice")
                .at("body, toml")
                .advice("write either toml, or events and repeat_s"));
        }
        Scenario { toml: None, .. } => {
            return Err(Rejection::bad("there is no scenario in it")
                .at("body")
                .advice("write {\"toml\": \"…\"} with the text of a scenario file, or {\"events\": […]}"));
        }
    };
    ask(&state, Ask::Play(scenario), "scenario", patience).await
}
