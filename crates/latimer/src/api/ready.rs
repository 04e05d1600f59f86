//! Whether the gateway does its work: for supervisors, monitoring and load balancers.

use axum::Json;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use latimer_core::model::signal::LinkState;
use latimer_simulator_api::{SimulatorHandle, WorldRequest};

use super::ApiState;
use super::client::Api;
use super::extract::NoParameters;
use crate::limits::READINESS_TIMEOUT;
use latimer_wire::v1::{Check, Readiness};

#[utoipa::path(
    get,
    path = "/ready",
    tag = "gateway",
    summary = "Whether the gateway does its work",
    responses(
        (status = 200, description = "It does", body = Readiness),
        (status = 503, description = "It does not; the checks show why", body = Readiness),
    )
)]
pub(super) async fn ready(Api { state, .. }: Api, _: NoParameters) -> impl IntoResponse {
    let mut checks = vec![listeners(&state)];
    if let Some(simulator) = &state.simulator {
        checks.push(world(simulator).await);
    }
    checks.push(robots(&state));
    let ready = checks.iter().all(|check| check.ok);
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(Readiness { ready, checks }))
}

fn check(name: &str, ok: bool, detail: impl Into<String>) -> Check {
    Check { name: name.to_owned(), ok, detail: detail.into() }
}

fn listeners(state: &ApiState) -> Check {
    let detail = match state.phase.word() {
        "ok" => "every listener is up".to_owned(),
        other => format!("the gateway is {other}"),
    };
    check("listeners", state.phase.is_serving(), detail)
}

async fn world(simulator: &SimulatorHandle) -> Check {
    match simulator.ask(WorldRequest::Ping, READINESS_TIMEOUT).await {
        Ok(_) => check("world", true, "it answers"),
        Err(error) => check("world", false, error.to_string()),
    }
}

/// Robots may be down without the gateway's doing, so they are listed but make nothing unready.
fn robots(state: &ApiState) -> Check {
    let robots = state.hub.robots();
    let up = robots.iter().filter(|report| report.link.state == LinkState::Up).count();
    check("robots", true, format!("{up} of {} up", robots.len()))
}
