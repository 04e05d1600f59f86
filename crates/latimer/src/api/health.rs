//! Whether every listener is up.

use axum::Json;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::client::Api;
use super::extract::NoParameters;

/// How the gateway is.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Health {
    /// `starting`, `ok` or `stopping`.
    pub(crate) status: String,
    /// The program's version.
    pub(crate) version: String,
    /// How long it runs.
    pub(crate) uptime_s: f64,
    /// Robots that are known.
    pub(crate) robots: usize,
    /// Whether there is a simulated world.
    #[serde(default)]
    #[schema(required)]
    pub(crate) simulated: bool,
    /// Sinks that look.
    pub(crate) sinks: usize,
}

/// Whether every listener is up.
#[utoipa::path(
    get,
    path = "/health",
    tag = "gateway",
    summary = "Whether every listener is up",
    responses(
        (status = 200, description = "Every listener is up", body = Health),
        (status = 503, description = "The gateway starts or stops", body = Health),
    )
)]
pub(super) async fn health(Api { state, .. }: Api, _: NoParameters) -> impl IntoResponse {
    let health = Health {
        status: state.phase.word().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        uptime_s: state.clock.now().since(state.started).as_secs_f64(),
        robots: state.hub.robots().len(),
        simulated: state.simulator.is_some(),
        sinks: state.hub.sinks().len(),
    };
    let status = if state.phase.is_serving() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(health))
}
