//! What the API tells about itself, for programs: made from the code, so that it cannot be out of date.

mod addresses;
mod extended;
mod openapi;

use axum::Json;

pub(super) use addresses::{addresses, method_of};
pub use openapi::openapi;

/// This description.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "gateway",
    summary = "This description, as OpenAPI 3.1",
    responses((status = 200, description = "The description", body = serde_json::Value))
)]
pub(super) async fn openapi_json() -> Json<&'static utoipa::openapi::OpenApi> {
    Json(openapi())
}
