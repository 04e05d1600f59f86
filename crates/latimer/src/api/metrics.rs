//! Figures for Prometheus.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::extract::NoParameters;
use super::{ApiState, Rejection};
use crate::metrics;
use crate::wire::v1::Problem;

#[utoipa::path(
    get,
    path = "/metrics",
    tag = "gateway",
    summary = "Figures for Prometheus",
    responses(
        (status = 200, description = "The figures", body = String, content_type = "application/openmetrics-text"),
        (status = 500, description = "They cannot be read", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn metrics(State(state): State<ApiState>, _: NoParameters) -> Response {
    match metrics::read(&state) {
        Ok(page) => ([(header::CONTENT_TYPE, metrics::MEDIA_TYPE)], page).into_response(),
        Err(error) => Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
            .at("/metrics")
            .into_response(),
    }
}
