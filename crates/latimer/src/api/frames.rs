//! Frames of the site and of robots.

use axum::Json;
use latimer_core::frames::{Placement, WORLD};
use serde::Serialize;
use utoipa::ToSchema;

use super::client::Api;
use super::extract::NoParameters;

/// The tree of frames, by the names of REP-105.
#[derive(Debug, ToSchema, Serialize)]
pub(super) struct Frames {
    /// The root first, then the site's, then robots'.
    frames: Vec<Frame>,
}

/// A frame.
#[derive(Debug, ToSchema, Serialize)]
pub(super) struct Frame {
    /// Its name; of a robot's frame its robot comes first, e.g. `axbot-1/map`.
    #[schema(example = "axbot-1/map")]
    name: String,
    /// The frame that it is in; `null` of the root.
    #[serde(rename = "in")]
    parent: Option<String>,
    /// Its origin there.
    x_m: f64,
    /// Its origin there.
    y_m: f64,
    /// How it is turned there; counter-clockwise.
    yaw_rad: f64,
}

impl Frame {
    fn of(name: impl Into<String>, placement: &Placement) -> Self {
        let Placement { parent, at } = placement;
        let parent = Some(parent.to_string());
        Self { name: name.into(), parent, x_m: at.x_m, y_m: at.y_m, yaw_rad: at.yaw_rad }
    }
}

#[utoipa::path(
    get,
    path = "/frames",
    tag = "robots",
    summary = "Where frames are",
    description = "Frames of the site, of the config and of the simulated world, and those of robots that somebody has placed in them. Places of a robot's frame that is not here are true in that frame alone.",
    responses((status = 200, description = "The tree", body = Frames))
)]
pub(super) async fn frames(Api { state, .. }: Api, _: NoParameters) -> Json<Frames> {
    let tree = state.hub.frames();
    let root = Frame { name: WORLD.to_owned(), parent: None, x_m: 0.0, y_m: 0.0, yaw_rad: 0.0 };
    let mut frames = vec![root];
    frames.extend(tree.site().map(|(name, placement)| Frame::of(name, placement)));
    for report in state.hub.robots() {
        let robot = &report.info.robot;
        let placed = state.hub.frames_of(robot);
        let named = [("map", &placed.map), ("odom", &placed.odom)];
        let placed = named.into_iter().filter_map(|(name, it)| Some((name, it.as_ref()?)));
        frames.extend(placed.map(|(name, placement)| Frame::of(format!("{robot}/{name}"), placement)));
    }
    Json(Frames { frames })
}
