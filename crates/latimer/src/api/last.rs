//! The last values of a selection.

use axum::Json;
use axum::http::Uri;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::WrongParameter;
use super::client::Api;
use super::params::Params;
use super::{Rejection, selection};
use crate::wire::v1::{BytesForm, Update};

/// What is selected when nothing is.
const EVERYTHING: &str = "**";

/// Last values, by key.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Last {
    /// States and newest frames; events have no last value.
    pub(crate) updates: Vec<Update>,
}

#[utoipa::path(
    get,
    path = "/last",
    tag = "updates",
    summary = "The last values of a selection",
    description = "States and the newest frames of bulk; events have no last value.",
    params(
        ("select" = Option<String>, Query, description = "Key expressions, by commas; everything if not given", example = "*/battery,misty-1/range/**"),
        ("native" = Option<bool>, Query, description = "Bring what the robot really sent as well"),
        ("bytes" = Option<BytesForm>, Query, description = "How pictures, sound and files are written"),
    ),
    responses((status = 200, description = "The last values, by key", body = Last), WrongParameter)
)]
pub(super) async fn last(api: Api, uri: Uri) -> Result<Json<Last>, Rejection> {
    let mut params = Params::of(&uri)?;
    let select = params.one("select")?.unwrap_or_else(|| EVERYTHING.to_owned());
    let native = params.flag("native")?;
    let bytes = params.bytes_form("bytes")?;
    params.finish()?;
    if native {
        api.permit_whole("native")?;
    }
    let state = api.state;
    let expressions = selection::expressions(&selection::selection("select", &select)?);
    let mut updates = Vec::new();
    for report in state.hub.robots() {
        for update in state.hub.last_of_robot(&report.info.robot) {
            if selection::includes(&expressions, &update.key()) {
                let whole = Update::whole_with(&update, bytes);
                updates.push(if native { whole.with_native(&update) } else { whole });
            }
        }
    }
    Ok(Json(Last { updates }))
}
