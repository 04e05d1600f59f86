//! The vocabulary: the kinds and their fields, and the messages of each dialect.

use axum::Json;
use latimer_core::model::Kind;
use latimer_dialects::DIALECTS;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::extract::NoParameters;
use latimer_wire::v1::{Dialect, KindShape};

/// All kinds.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(super) struct Kinds {
    /// In the model's order.
    kinds: Vec<KindShape>,
}

/// All dialects.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(super) struct Dialects {
    /// In the registry's order.
    dialects: Vec<Dialect>,
}

#[utoipa::path(
    get,
    path = "/kinds",
    tag = "vocabulary",
    summary = "The kinds and their fields",
    description = "Every kind with the fields of its record: types, units, words and what they mean.",
    responses((status = 200, description = "The kinds", body = Kinds))
)]
pub(super) async fn kinds(_: NoParameters) -> Json<Kinds> {
    Json(Kinds { kinds: Kind::ALL.iter().copied().map(Into::into).collect() })
}

#[utoipa::path(
    get,
    path = "/dialects",
    tag = "vocabulary",
    summary = "The messages of each dialect",
    description = "Every message of every dialect, field by field beside the model's.",
    responses((status = 200, description = "The dialects", body = Dialects))
)]
pub(super) async fn dialects(_: NoParameters) -> Json<Dialects> {
    Json(Dialects { dialects: DIALECTS.iter().map(|entry| Dialect::from(*entry)).collect() })
}
