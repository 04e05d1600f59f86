//! What moves in the simulated world, over and over.

use std::time::Duration;

use axum::http::Uri;
use axum::response::Response;
use latimer_core::access::Role;
use latimer_core::{Clock, Timestamp};
use latimer_simulator_api::{SimulatorError, SimulatorHandle, WorldRequest, WorldResponse};

use super::Rejection;
use super::answers::WrongParameter;
use super::client::Api;
use super::params::Params;
use super::stream::{Asker, Feed, Piece, answer};
use super::world::simulated;
use crate::limits::{
    WORLD_FRAME_INTERVAL, WORLD_FRAME_MAX_INTERVAL, WORLD_FRAME_MIN_INTERVAL, WORLD_FRAME_TIMEOUT,
};
use latimer_wire::v1::{End, EndWhy, Problem, WorldFrame};

#[utoipa::path(
    get,
    path = "/world/stream",
    operation_id = "world_stream",
    tag = "world",
    summary = "What moves in the simulated world, over and over",
    description = "A WebSocket if the request asks for one, with a frame a text message; else Server-Sent Events, whose \
        `event` is the frame's `type` and whose `data` is the frame.",
    params(("every" = Option<String>, Query, description = "Time between two frames, 10ms to 60s; 100ms if not given", example = "100ms")),
    responses(
        (status = 101, description = "A WebSocket, whose text messages are frames"),
        (status = 200, description = "Events, whose data are frames", body = WorldFrame, content_type = "text/event-stream"),
        (status = 404, description = "Nothing is simulated", body = Problem, content_type = "application/problem+json"),
        (status = 426, description = "The WebSocket was asked for in a wrong way", body = Problem, content_type = "application/problem+json"),
        WrongParameter,
    )
)]
pub(super) async fn stream(api: Api, uri: Uri, asker: Asker) -> Result<Response, Rejection> {
    api.permit_everywhere(Role::See)?;
    let state = api.state;
    let every = every(&uri)?;
    let simulator = simulated(&state, "world, stream")?.clone();
    let ticker = Ticker { simulator, clock: state.clock, every, next: state.clock.now() };
    answer(state, asker, move || ticker)
}

fn every(uri: &Uri) -> Result<Duration, Rejection> {
    let mut params = Params::of(uri)?;
    let every = params.duration("every")?.unwrap_or(WORLD_FRAME_INTERVAL);
    params.finish()?;
    if (WORLD_FRAME_MIN_INTERVAL..=WORLD_FRAME_MAX_INTERVAL).contains(&every) {
        return Ok(every);
    }
    Err(Rejection::bad("the world has no frames that often, or that seldom")
        .at("every")
        .advice("write from 10ms to 60s"))
}

/// Asks the world at each tick.
struct Ticker {
    simulator: SimulatorHandle,
    clock: Clock,
    every: Duration,
    next: Timestamp,
}

impl Feed for Ticker {
    async fn next(&mut self) -> (Vec<Piece>, Option<End>) {
        loop {
            self.clock.sleep_until(self.next).await;
            let answer = self.simulator.ask(WorldRequest::Glance, WORLD_FRAME_TIMEOUT).await;
            // A late tick is not caught up.
            self.next = self.next.after(self.every).max(self.clock.now());
            match answer {
                Ok(WorldResponse::Glimpsed(now)) => {
                    let text = WorldFrame::World((*now).into()).to_json().into();
                    return (vec![Piece { name: "world", text }], None);
                }
                Err(SimulatorError::Gone) => {
                    let detail = "the simulated world has stopped".to_owned();
                    return (Vec::new(), Some(End { reason: EndWhy::Stopping, detail }));
                }
                // It is busy; there will be another tick.
                Ok(_)
                | Err(SimulatorError::Busy | SimulatorError::TimedOut(_) | SimulatorError::Refused(_)) => {}
            }
        }
    }
}
