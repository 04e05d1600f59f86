//! Where the robot is, and how far that is trusted.

use latimer_core::model::signal::{Frame, Odometry, Pose as ModelPose, Relocation, RelocationState};

use super::Context;
use super::codecs::{ByStyle, RADIANS, Resource};
use crate::axbot::wire::{Point, Score};
use crate::describe::codec::AllNumbers;
use crate::describe::{Extra, Message, Translate};

/// The origin of the map.
pub(in crate::axbot) const ORIGIN: ModelPose = ModelPose {
    frame: Frame::Map,
    x_m: 0.0,
    y_m: 0.0,
    z_m: 0.0,
    roll_rad: 0.0,
    pitch_rad: 0.0,
    yaw_rad: 0.0,
};

/// What a search is doing.
pub(in crate::axbot) const SEARCHES: &[(&str, RelocationState)] = &[
    ("unknown", RelocationState::Idle),
    ("running", RelocationState::Running),
    ("succeeded", RelocationState::Succeeded),
    ("failed", RelocationState::Failed),
];

/// Where something is on the map and where it looks.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = ModelPose, context = Context, base = ORIGIN, when = is_on_map)]
#[message(ignores(frame, roll_rad, pitch_rad))]
pub struct Pose {
    /// Metres on the map.
    #[field(items(x_m, y_m, z_m), codec = Resource, required)]
    pub pos: Option<Point>,
    /// Counter-clockwise from the map's x axis.
    #[field(yaw_rad, codec = RADIANS, required)]
    pub ori: Option<f64>,
    pub(crate) extra: Extra,
}

fn is_on_map(pose: &ModelPose, _: &Context) -> bool {
    pose.frame == Frame::Map
}

impl Pose {
    /// The flat part of a pose in any frame.
    pub(in crate::axbot) fn in_its_frame(pose: &ModelPose, context: &Context) -> Option<Self> {
        Self::encode(&ModelPose { frame: Frame::Map, ..pose.clone() }, context)
    }
}

/// Section "Current Pose", which has no time; the last two are in the vendor's client only.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = ModelPose, context = Context)]
pub struct TrackedPose {
    /// Where it is.
    #[field(flatten)]
    pub pose: Pose,
    /// Covariance of x and y, square metres.
    #[field(own)]
    pub cov: Option<Vec<Vec<f64>>>,
    /// The attitude as a quaternion.
    #[field(own)]
    pub quat: Option<Vec<f64>>,
    pub(crate) extra: Extra,
}

/// Section "Odom State".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Odometry, context = Context)]
pub struct OdomState {
    /// Whether dead reckoning can be trusted.
    #[field(reliable)]
    pub lidar_odom_reliable: Option<bool>,
    /// Covariance of x and y, row by row.
    #[field(covariance_m2, codec = AllNumbers, or = Vec::new())]
    pub lidar_odom_cov: Option<Vec<f64>>,
    pub(crate) extra: Extra,
}

/// Section "Global Positioning State": how a search for the robot on its map stands.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Relocation, context = Context)]
pub struct GlobalPositioningState {
    /// What the search is doing.
    #[field(state, words = SEARCHES, required)]
    pub state: Option<String>,
    /// As text, or as a number if the config says so; both are read.
    #[field(score_percent, codec = ByStyle)]
    pub score: Option<Score>,
    /// Whether somebody should look at the pose before it is trusted.
    #[field(needs_confirmation)]
    pub needs_confirmation: Option<bool>,
    /// Where the robot seems to be.
    #[field(pose, nested)]
    pub pose: Option<Pose>,
    /// For a person to read.
    #[field(message)]
    pub message: Option<String>,
    pub(crate) extra: Extra,
}

/// A box on the floor.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct FloorBox {
    /// Where its middle is.
    #[field(model = "pose")]
    pub pose: Option<Pose>,
    /// From side to side.
    #[field(model = "size.width_m")]
    pub width: Option<f64>,
    /// From front to back.
    #[field(model = "size.length_m")]
    pub height: Option<f64>,
    pub(crate) extra: Extra,
}
