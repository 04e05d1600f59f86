//! The API's documents for programs, made from the code, so that they cannot be out of date.

mod addresses;
mod asyncapi;
mod extended;
mod openapi;

use axum::Json;
use axum::http::{HeaderMap, header};

pub(super) use addresses::{addresses, method_of};
pub use asyncapi::{DEFAULT_HOST, asyncapi};
pub use openapi::openapi;

use super::extract::NoParameters;

/// This description.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "gateway",
    summary = "This description, as OpenAPI 3.1",
    responses((status = 200, description = "The description", body = serde_json::Value))
)]
pub(super) async fn openapi_json(_: NoParameters) -> Json<&'static utoipa::openapi::OpenApi> {
    Json(openapi())
}

/// The streams' description.
#[utoipa::path(
    get,
    path = "/asyncapi.json",
    tag = "gateway",
    summary = "The streams, the dialects' included, as AsyncAPI 3.0",
    responses((status = 200, description = "The description", body = serde_json::Value))
)]
pub(super) async fn asyncapi_json(headers: HeaderMap, _: NoParameters) -> Json<serde_json::Value> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    Json(asyncapi(host.unwrap_or(DEFAULT_HOST)))
}
