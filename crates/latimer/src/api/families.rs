//! What each family's robot looks like and what can be done with it.

use axum::Json;
use latimer_world::bodies;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::extract::NoParameters;
use latimer_wire::v1::Figure;

/// All families.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Families {
    /// In the order in which they came to be.
    pub(crate) families: Vec<Figure>,
}

#[utoipa::path(
    get,
    path = "/families",
    tag = "vocabulary",
    summary = "What each family's robot looks like and can do",
    responses((status = 200, description = "The families", body = Families))
)]
pub(super) async fn families(_: NoParameters) -> Json<Families> {
    Json(Families { families: bodies::BODIES.iter().map(|kind| (kind.figure)().into()).collect() })
}
