//! The last values of a selection.

use axum::Json;
use axum::http::Uri;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::WrongParameter;
use super::client::Api;
use super::frames::frame_of;
use super::params::Params;
use super::{Rejection, selection};
use latimer_wire::v1::{BytesForm, Update};

/// What is selected when nothing is.
const EVERYTHING: &str = "**";

/// Last values, by key.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Last {
    /// States and newest frames; events have no last value.
    pub(crate) updates: Vec<Update>,
    /// What cannot be given in the frame that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) absent: Vec<Absent>,
}

/// A value that is left out.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Absent {
    /// Its key.
    pub(crate) key: String,
    /// Why there is no transform.
    pub(crate) reason: String,
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
        ("in" = Option<String>, Query, description = "Coordinates in a frame of the tree, see `/frames`; what has no transform to it is `absent`", example = "world"),
    ),
    responses((status = 200, description = "The last values, by key", body = Last), WrongParameter)
)]
pub(super) async fn last(api: Api, uri: Uri) -> Result<Json<Last>, Rejection> {
    let mut params = Params::of(&uri)?;
    let select = params.one("select")?.unwrap_or_else(|| EVERYTHING.to_owned());
    let native = params.flag("native")?;
    let bytes = params.bytes_form("bytes")?;
    let to = params.one("in")?;
    params.finish()?;
    if native {
        api.permit_whole("native")?;
    }
    let state = api.state;
    let expressions = selection::expressions(&selection::selection("select", &select)?);
    let to = to.map(|name| frame_of(&state.hub, &name)).transpose()?;
    let (mut updates, mut absent) = (Vec::new(), Vec::new());
    for report in state.hub.robots() {
        for update in state.hub.last_of_robot(&report.info.robot) {
            if !selection::includes(&expressions, &update.key()) {
                continue;
            }
            let placed = to.map_or(Ok(None), |frame| {
                state.hub.in_frame(&update, frame).map(|placed| placed.map(|it| (it, frame)))
            });
            let whole = match placed {
                Ok(Some((placed, frame))) => Update::whole_with(&placed, bytes).in_frame(frame),
                Ok(None) => Update::whole_with(&update, bytes),
                Err(why) => {
                    absent.push(Absent { key: update.key(), reason: why.to_string() });
                    continue;
                }
            };
            updates.push(if native { whole.with_native(&update) } else { whole });
        }
    }
    Ok(Json(Last { updates, absent }))
}
