//! What can be said at all: the kinds and their fields, and how each dialect says them.

use axum::Json;
use latimer_core::model::Kind;
use latimer_dialects::DIALECTS;
use serde::{Deserialize, Serialize};

use crate::wire::v1::{Dialect, KindShape};

/// All kinds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Kinds {
    /// In the model's order.
    kinds: Vec<KindShape>,
}

/// All dialects.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Dialects {
    /// In the registry's order.
    dialects: Vec<Dialect>,
}

pub(super) async fn kinds() -> Json<Kinds> {
    Json(Kinds { kinds: Kind::ALL.iter().copied().map(Into::into).collect() })
}

pub(super) async fn dialects() -> Json<Dialects> {
    Json(Dialects { dialects: DIALECTS.iter().map(|entry| Dialect::from(*entry)).collect() })
}
