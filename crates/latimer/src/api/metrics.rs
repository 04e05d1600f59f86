//! Figures for Prometheus.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use latimer_core::access::Role;

use super::Rejection;
use super::client::Api;
use super::extract::NoParameters;
use crate::metrics;
use latimer_wire::v1::Problem;

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
pub(super) async fn metrics(api: Api, _: NoParameters) -> Response {
    if let Err(refused) = api.permit_everywhere(Role::See) {
        return refused.into_response();
    }
    match metrics::read(&api.state) {
        Ok(page) => ([(header::CONTENT_TYPE, metrics::MEDIA_TYPE)], page).into_response(),
        Err(error) => Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
            .at("/metrics")
            .into_response(),
    }
}
