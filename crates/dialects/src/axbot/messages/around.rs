//! Outlines, and what drives or opens nearby.
//!
//! Outlines have x to the right and y ahead on the wire, as the sample of `/robot_model` shows: 0.324 m ahead, 0.25 m
//! behind, and as far to the right as to the left. In the model x is ahead and y to the left.

use latimer_core::model::signal::{Door, DoorState, Doors, Footprint, Neighbour, Neighbours};

use super::Context;
use super::codecs::{Corner, METRES, Outline, Xy};
use super::place::Pose;
use crate::axbot::map::digest_of;
use crate::axbot::wire::Point;
use crate::describe::{Extra, Message};

pub(in crate::axbot) const DOORS: &[(&str, DoorState)] = &[
    ("closed", DoorState::Closed),
    ("opening", DoorState::Opening),
    ("open", DoorState::Open),
    ("closing", DoorState::Closing),
];

/// Section "Robot Model".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Footprint, context = Context, finish = width_from_outline)]
pub struct RobotModel {
    /// Corners, metres: x to the right, y ahead.
    #[field(polygon_m, codec = Outline, required)]
    pub footprint: Option<Vec<Point>>,
    /// From side to side, metres.
    #[field(width_m, codec = METRES, or = 0.0)]
    pub width: Option<f64>,
    /// Corners with a margin, since 2.12.4.
    #[field(own)]
    pub expanded_footprint: Option<Vec<Point>>,
    pub(crate) extra: Extra,
}

/// Section "Nearby Robots".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Neighbours, context = Context)]
pub struct NearbyRobots {
    /// Each of them.
    #[field(robots, each, nested, or = Vec::new())]
    pub robots: Option<Vec<NearbyRobot>>,
    pub(crate) extra: Extra,
}

/// Another robot.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Neighbour, context = Context, ignores(footprint_m))]
pub struct NearbyRobot {
    /// Its serial number.
    #[field(robot, required)]
    pub uid: Option<String>,
    /// Where it is.
    #[field(pose, nested, required)]
    pub pose: Option<Pose>,
    /// Where it is about to go, on the map.
    #[field(trend_m, codec = Xy, each, or = Vec::new())]
    pub trend: Option<Vec<Point>>,
    /// Which of the outlines in `/nearby_robot_footprints` is its own.
    #[field(computed = digest)]
    pub footprint_digest: Option<String>,
    pub(crate) extra: Extra,
}

/// Section "Nearby Robot Footprints".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct NearbyRobotFootprints {
    /// Each outline.
    #[field(model = "robots")]
    pub footprints: Option<Vec<NearbyRobotFootprint>>,
    pub(crate) extra: Extra,
}

/// An outline.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct NearbyRobotFootprint {
    /// A hash of the outline, by which `/nearby_robots` names it.
    #[field(own)]
    pub digest: Option<String>,
    /// Corners, metres: x to the right, y ahead.
    #[field(model = "footprint_m", codec = Corner)]
    pub coordinates: Option<Vec<Point>>,
    pub(crate) extra: Extra,
}

/// Section "Nearby Auto Doors".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Doors, context = Context)]
pub struct NearbyAutoDoors {
    /// Each of them.
    #[field(doors, each, nested, or = Vec::new())]
    pub doors: Option<Vec<NearbyAutoDoor>>,
    pub(crate) extra: Extra,
}

/// A door.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Door, context = Context)]
pub struct NearbyAutoDoor {
    /// Its name.
    #[field(name, required)]
    pub name: Option<String>,
    /// Its network card's address.
    #[field(mac)]
    pub mac: Option<String>,
    /// A door whose state is `unknown` is left out.
    #[field(state, words = DOORS, required)]
    pub state: Option<String>,
    /// Corners on the map.
    #[field(polygon_m, codec = Xy, each, or = Vec::new())]
    pub polygon: Option<Vec<Point>>,
    pub(crate) extra: Extra,
}

/// `/robot/footprint`: the outline of `/robot_model` alone; not in the specification, but in the vendor's client.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct RobotFootprint {
    /// Corners, metres: x to the right, y ahead.
    #[field(model = "polygon_m", codec = Corner)]
    pub footprint: Option<Vec<Point>>,
    pub(crate) extra: Extra,
}

/// `/detected_features/gates`: the doors of `/nearby_auto_doors` by their names; not in the specification, but in the vendor's
/// client.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct DetectedGates {
    /// Each of them.
    #[field(model = "doors")]
    pub gates: Option<Vec<Gate>>,
    pub(crate) extra: Extra,
}

/// A door that opens by itself.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Gate {
    /// Its name.
    #[field(model = "name")]
    pub name: Option<String>,
    /// `open`, `closed`, or `unknown` while it moves.
    #[field(model = "state")]
    pub state: Option<String>,
    pub(crate) extra: Extra,
}

fn digest(neighbour: &Neighbour, _: &Context) -> Option<String> {
    digest_of(&neighbour.footprint_m)
}

/// Without a width the outline tells it.
fn width_from_outline(message: &RobotModel, _: &Context, footprint: &mut Footprint) {
    if message.width.is_none() {
        let sides = footprint.polygon_m.iter().map(|[_, y]| *y);
        footprint.width_m = sides.clone().fold(f64::MIN, f64::max) - sides.fold(f64::MAX, f64::min);
    }
}
