//! `/robot_model`, `/nearby_robots`, `/nearby_robot_footprints`, `/nearby_auto_doors`.
//!
//! Outlines have x to the right and y ahead on the wire, as the sample of `/robot_model` shows: 0.324 m ahead, 0.25 m
//! behind, and as far to the right as to the left. Here x is ahead and y to the left.

use latimer_core::model::signal::{Door, DoorState, Doors, Footprint, Neighbour, Neighbours};
use latimer_core::{Stamp, Timestamp};

use super::Received;
use super::units::{
    finite, point_from_xy, points_from_xy, pose_from_map, pose_in_map, tidy_m, xy_from_points,
};
use super::words::{meaning_of, word_of};
use crate::axbot::wire::drive::{
    NearbyAutoDoor, NearbyAutoDoors, NearbyRobot, NearbyRobotFootprint, NearbyRobotFootprints, NearbyRobots,
    RobotModel,
};
use crate::axbot::wire::{Extra, Point};

pub(in crate::axbot) const DOORS: [(&str, DoorState); 4] = [
    ("closed", DoorState::Closed),
    ("opening", DoorState::Opening),
    ("open", DoorState::Open),
    ("closing", DoorState::Closing),
];

/// Start and factor of the hash by Fowler, Noll and Vo in 32 bits.
const FNV_START: u32 = 0x811c_9dc5;
const FNV_FACTOR: u32 = 0x0100_0193;

/// An outline in the robot's axes.
fn outline_from_wire(points: &[Point]) -> Vec<[f64; 2]> {
    points.iter().map(|point| [point.y, -point.x + 0.0]).collect()
}

/// The reverse.
pub(in crate::axbot) fn wire_from_outline(outline_m: &[[f64; 2]]) -> Vec<Point> {
    outline_m.iter().filter_map(|[x, y]| point_from_xy([-y, *x])).collect()
}

/// The robot's outline; nothing if it has none.
pub(super) fn heard_from_robot_model(message: &RobotModel, received: Timestamp) -> Option<Received> {
    let RobotModel { footprint, width, expanded_footprint: _, extra: _ } = message;
    let polygon_m = outline_from_wire(footprint.as_deref()?);
    let sides = polygon_m.iter().map(|[_, y]| *y);
    let reach = sides.clone().fold(f64::NEG_INFINITY, f64::max) - sides.fold(f64::INFINITY, f64::min);
    let width_m = width.or(finite(reach))?;
    Some(Received::new(None, Stamp::gateway(received), Footprint { polygon_m, width_m }))
}

/// The robot's outline.
pub(super) fn robot_model(footprint: &Footprint) -> RobotModel {
    let Footprint { polygon_m, width_m } = footprint;
    RobotModel {
        footprint: Some(wire_from_outline(polygon_m)),
        width: finite(*width_m).map(tidy_m),
        expanded_footprint: None,
        extra: Extra::new(),
    }
}

/// The name of an outline: 8 hex digits, the same for the same outline; `None` if it has no corners.
fn digest(outline: &[Point]) -> Option<String> {
    if outline.is_empty() {
        return None;
    }
    let bytes =
        outline.iter().flat_map(|point| point.x.to_le_bytes().into_iter().chain(point.y.to_le_bytes()));
    let hash = bytes.fold(FNV_START, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(FNV_FACTOR));
    Some(format!("{hash:08x}"))
}

/// The robots nearby, as far as the first message tells: their outlines stand in the second.
pub fn neighbours_from_nearby(robots: &NearbyRobots, outlines: Option<&NearbyRobotFootprints>) -> Neighbours {
    let outline = |digest: &str| {
        let NearbyRobotFootprints { footprints, extra: _ } = outlines?;
        let NearbyRobotFootprint { digest: _, coordinates, extra: _ } =
            footprints.as_ref()?.iter().find(|it| it.digest.as_deref() == Some(digest))?;
        coordinates.as_deref().map(outline_from_wire)
    };
    let neighbour = |robot: &NearbyRobot| {
        let NearbyRobot { uid, pose, trend, footprint_digest, extra: _ } = robot;
        Some(Neighbour {
            robot: uid.clone()?,
            pose: pose_in_map(pose.as_ref()?)?,
            footprint_m: footprint_digest.as_deref().and_then(outline).unwrap_or_default(),
            trend_m: trend.as_deref().map(xy_from_points).unwrap_or_default(),
        })
    };
    let NearbyRobots { robots, extra: _ } = robots;
    Neighbours { robots: robots.iter().flatten().filter_map(neighbour).collect() }
}

/// The robots nearby, without outlines.
pub(super) fn heard_from_nearby_robots(message: &NearbyRobots, received: Timestamp) -> Received {
    Received::new(None, Stamp::gateway(received), neighbours_from_nearby(message, None))
}

/// The robots nearby that are on the map.
pub(super) fn nearby_robots(neighbours: &Neighbours) -> NearbyRobots {
    let wire = |neighbour: &Neighbour| {
        let Neighbour { robot, pose, footprint_m, trend_m } = neighbour;
        Some(NearbyRobot {
            uid: Some(robot.clone()),
            pose: Some(pose_from_map(pose)?),
            trend: Some(points_from_xy(trend_m)),
            footprint_digest: digest(&wire_from_outline(footprint_m)),
            extra: Extra::new(),
        })
    };
    NearbyRobots { robots: Some(neighbours.robots.iter().filter_map(wire).collect()), extra: Extra::new() }
}

/// The outlines of the robots nearby, each once.
pub(super) fn nearby_robot_footprints(neighbours: &Neighbours) -> NearbyRobotFootprints {
    let mut footprints: Vec<NearbyRobotFootprint> = Vec::new();
    for neighbour in &neighbours.robots {
        let outline = wire_from_outline(&neighbour.footprint_m);
        let Some(digest) = digest(&outline) else { continue };
        if !footprints.iter().any(|known| known.digest.as_ref() == Some(&digest)) {
            let coordinates = Some(outline);
            footprints.push(NearbyRobotFootprint { digest: Some(digest), coordinates, extra: Extra::new() });
        }
    }
    NearbyRobotFootprints { footprints: Some(footprints), extra: Extra::new() }
}

/// The doors nearby of which it is known how they stand.
pub(super) fn heard_from_nearby_auto_doors(message: &NearbyAutoDoors, received: Timestamp) -> Received {
    let NearbyAutoDoors { doors, extra: _ } = message;
    let door = |door: &NearbyAutoDoor| {
        let NearbyAutoDoor { name, mac, state, polygon, extra: _ } = door;
        Some(Door {
            name: name.clone().or_else(|| mac.clone())?,
            mac: mac.clone(),
            state: meaning_of(&DOORS, state.as_deref()?)?,
            polygon_m: polygon.as_deref().map(xy_from_points).unwrap_or_default(),
        })
    };
    let doors = Doors { doors: doors.iter().flatten().filter_map(door).collect() };
    Received::new(None, Stamp::gateway(received), doors)
}

/// The doors nearby.
pub(super) fn nearby_auto_doors(doors: &Doors) -> NearbyAutoDoors {
    let wire = |door: &Door| {
        let Door { name, mac, state, polygon_m } = door;
        NearbyAutoDoor {
            name: Some(name.clone()),
            mac: mac.clone(),
            state: word_of(&DOORS, state).map(str::to_owned),
            polygon: Some(points_from_xy(polygon_m)),
            extra: Extra::new(),
        }
    };
    NearbyAutoDoors { doors: Some(doors.doors.iter().map(wire).collect()), extra: Extra::new() }
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::{Frame, Pose};

    use super::*;
    use crate::axbot::topic::Topic;
    use crate::axbot::wire::Message;

    fn neighbour(robot: &str, footprint_m: Vec<[f64; 2]>) -> Neighbour {
        let pose = Pose::planar(Frame::Map, 1.0, 2.0, 0.5);
        Neighbour { robot: robot.into(), pose, footprint_m, trend_m: vec![[1.0, 2.5]] }
    }

    #[test]
    fn outlines_look_ahead() {
        let sample = include_bytes!("../testdata/robot_model.json");
        let Ok(Message::RobotModel(model)) = Message::read(Topic::RobotModel, sample) else { panic!() };
        let heard = heard_from_robot_model(&model, Timestamp::default()).unwrap();
        let latimer_core::Signal::Footprint(footprint) = heard.signal else { panic!() };
        let ahead = footprint.polygon_m.iter().map(|[x, _]| *x).fold(f64::MIN, f64::max);
        let behind = footprint.polygon_m.iter().map(|[x, _]| *x).fold(f64::MAX, f64::min);
        assert_eq!((ahead, behind), (0.324, -0.25));
        // What is on the right of the wire has a negative y here.
        assert_eq!(footprint.polygon_m[0], [-0.25, -0.13]);
        assert_eq!(robot_model(&footprint), *model);
    }

    #[test]
    fn robots_and_their_outlines_find_each_other_by_digest() {
        let square = vec![[0.3, 0.2], [0.3, -0.2], [-0.3, -0.2], [-0.3, 0.2]];
        let long = vec![[0.9, 0.2], [0.9, -0.2], [-0.3, 0.0]];
        let robots = vec![
            neighbour("a", square.clone()),
            neighbour("b", long),
            neighbour("c", square),
            neighbour("d", vec![]),
        ];
        let known = Neighbours { robots };
        let (robots, outlines) = (nearby_robots(&known), nearby_robot_footprints(&known));
        assert_eq!(outlines.footprints.as_ref().map(Vec::len), Some(2));
        assert_eq!(neighbours_from_nearby(&robots, Some(&outlines)), known);
        let digest = robots.robots.unwrap()[0].footprint_digest.clone().unwrap();
        assert!(digest.len() == 8 && digest.bytes().all(|digit| digit.is_ascii_hexdigit()), "{digest}");
    }
}
