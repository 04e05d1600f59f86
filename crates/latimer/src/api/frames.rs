//! Frames of the site and of robots, and where robots are in one of them.

use std::sync::Arc;

use axum::Json;
use axum::http::Uri;
use latimer_core::Hub;
use latimer_core::frames::{Placement, Pose2, WORLD};
use latimer_core::model::RobotId;
use latimer_core::model::signal::{Frame as RobotFrame, FrameName};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Rejection;
use super::answers::WrongParameter;
use super::client::Api;
use super::lists::known_robot;
use super::params::Params;
use latimer_wire::words::advice;

/// The tree of frames, by the names of REP-105.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Frames {
    /// The root first, then the site's, then robots'.
    pub(crate) frames: Vec<Frame>,
    /// Where robots are in the frame that was asked for.
    pub(crate) robots: Vec<RobotPlace>,
}

/// A frame of the tree.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
#[schema(as = TreeFrame)]
pub(crate) struct Frame {
    /// Its name; of a robot's frame its robot comes first, e.g. `axbot-1/map`.
    #[schema(example = "axbot-1/map")]
    pub(crate) name: String,
    /// The frame that it is in; `null` of the root.
    #[serde(rename = "in")]
    #[schema(required)]
    pub(crate) parent: Option<String>,
    /// Its origin there.
    pub(crate) x_m: f64,
    /// Its origin there.
    pub(crate) y_m: f64,
    /// How it is turned there; counter-clockwise.
    pub(crate) yaw_rad: f64,
}

/// A place on the floor.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct FloorPose {
    /// Along the frame's x axis.
    pub(crate) x_m: f64,
    /// Along the frame's y axis.
    pub(crate) y_m: f64,
    /// Counter-clockwise from the frame's x axis.
    pub(crate) yaw_rad: f64,
}

/// Where a robot is, or why there is no transform.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct RobotPlace {
    /// Its name.
    pub(crate) robot: String,
    /// Where its base is, by what it says itself.
    #[schema(required)]
    pub(crate) pose: Option<FloorPose>,
    /// Why there is no pose.
    #[schema(required)]
    pub(crate) absent: Option<String>,
}

impl Frame {
    fn of(name: impl Into<String>, placement: &Placement) -> Self {
        let Placement { parent, at: Pose2 { x_m, y_m, yaw_rad } } = placement;
        let (name, parent) = (name.into(), Some(parent.to_string()));
        Self { name, parent, x_m: *x_m, y_m: *y_m, yaw_rad: *yaw_rad }
    }
}

/// The frame that `in` names.
pub(super) fn frame_of(hub: &Hub, name: &str) -> Result<FrameName, Rejection> {
    hub.frame(name).map_err(|why| {
        let known = hub.frame_names();
        Rejection::bad(why.to_string()).at("in").advice(advice(name, known.iter().map(String::as_str)))
    })
}

#[utoipa::path(
    get,
    path = "/frames",
    tag = "robots",
    summary = "Where frames and robots are",
    description = "Frames of the site, of the config and of the simulated world, and those of robots with a placement; and the poses of robots in one frame of the tree. Poses in a robot's frame that is not listed are valid in the frames of that robot alone.",
    params(("robot" = Option<String>, Query, description = "Only this robot, with its base, its head and its sensors as they are now", example = "axbot-1"), ("in" = Option<String>, Query, description = "A frame of the site, or ROBOT/map, ROBOT/odom, ROBOT/base_link or ROBOT/PART of a sensor; the root if not given", example = "arena")),
    responses((status = 200, description = "The tree, and places", body = Frames), WrongParameter)
)]
pub(super) async fn frames(Api { state, .. }: Api, uri: Uri) -> Result<Json<Frames>, Rejection> {
    let mut params = Params::of(&uri)?;
    let to = params.one("in")?.unwrap_or_else(|| WORLD.to_owned());
    let only = params.one("robot")?;
    params.finish()?;
    let reports = match &only {
        Some(robot) => vec![known_robot(&state, robot)?],
        None => state.hub.robots(),
    };
    let to = frame_of(&state.hub, &to)?;
    let tree = state.hub.frames();
    let root = Frame { name: WORLD.to_owned(), parent: None, x_m: 0.0, y_m: 0.0, yaw_rad: 0.0 };
    let mut frames = vec![root];
    frames.extend(tree.site().map(|(name, placement)| Frame::of(name, placement)));
    let mut robots = Vec::new();
    for report in reports {
        let robot = &report.info.robot;
        let placed = state.hub.frames_of(robot);
        let named = [("map", &placed.map), ("odom", &placed.odom)];
        let placed = named.into_iter().filter_map(|(name, it)| Some((name, it.as_ref()?)));
        frames.extend(placed.map(|(name, placement)| Frame::of(format!("{robot}/{name}"), placement)));
        if only.is_some() {
            frames.extend(on_base(&state.hub, robot));
        }
        let (pose, absent) = match state.hub.transform(robot, RobotFrame::BaseLink, to.as_str()) {
            Ok(Pose2 { x_m, y_m, yaw_rad }) => (Some(FloorPose { x_m, y_m, yaw_rad }), None),
            Err(why) => (None, Some(why.to_string())),
        };
        robots.push(RobotPlace { robot: robot.to_string(), pose, absent });
    }
    Ok(Json(Frames { frames, robots }))
}

/// A robot's base where its last pose has it, and what is mounted on it.
fn on_base(hub: &Hub, robot: &RobotId) -> Vec<Frame> {
    let base: Arc<str> = format!("{robot}/{}", RobotFrame::BaseLink).into();
    let pose = hub.pose(robot).map(|pose| {
        let parent = format!("{robot}/{}", pose.frame).into();
        Frame::of(&*base, &Placement { parent, at: Pose2::from(&pose) })
    });
    let mounted = hub
        .frames_on_base(robot)
        .into_iter()
        .map(|(part, at)| Frame::of(format!("{robot}/{part}"), &Placement { parent: base.clone(), at }));
    pose.into_iter().chain(mounted).collect()
}
