//! `/nearby_robots` and `/nearby_robot_footprints`, which tell the same robots: an outline is named by its hash.

use latimer_core::model::signal::Neighbours;

use crate::axbot::messages::Context;
use crate::axbot::messages::around::{NearbyRobotFootprint, NearbyRobotFootprints, NearbyRobots};
use crate::axbot::messages::codecs::Corner;
use crate::axbot::wire::{Extra, Point};
use crate::describe::Translate;
use crate::describe::codec::{Codec, Each};

/// Start and factor of the hash by Fowler, Noll and Vo in 32 bits.
const FNV_START: u32 = 0x811c_9dc5;
const FNV_FACTOR: u32 = 0x0100_0193;

/// An outline in the axes of the wire.
pub(in crate::axbot) fn wire_from_outline(outline_m: &[[f64; 2]]) -> Vec<Point> {
    Each(Corner).encode(&outline_m.to_vec(), &Context::default()).unwrap_or_default()
}

/// The name of an outline: 8 hex digits, the same for the same outline; `None` if it has no corners.
pub(in crate::axbot) fn digest_of(outline_m: &[[f64; 2]]) -> Option<String> {
    digest(&wire_from_outline(outline_m))
}

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
    let named = || robots.robots.iter().flatten();
    let known = || outlines.and_then(|it| it.footprints.as_ref()).into_iter().flatten();
    let mut neighbours = robots.decode().unwrap_or(Neighbours { robots: Vec::new() });
    for neighbour in &mut neighbours.robots {
        let digest = named()
            .find(|it| it.uid.as_ref() == Some(&neighbour.robot))
            .and_then(|it| it.footprint_digest.as_ref());
        let outline = digest.and_then(|digest| known().find(|it| it.digest.as_ref() == Some(digest)));
        let corners = outline.and_then(|it| it.coordinates.as_ref());
        neighbour.footprint_m = corners
            .and_then(|corners| Codec::<_, _, Context>::decode(&Each(Corner), corners))
            .unwrap_or_default();
    }
    neighbours
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

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::{Footprint, Frame, Neighbour, Pose};

    use super::*;
    use crate::axbot::messages::around::RobotModel;
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
        let footprint: Footprint = model.decode().unwrap();
        let ahead = footprint.polygon_m.iter().map(|[x, _]| *x).fold(f64::MIN, f64::max);
        let behind = footprint.polygon_m.iter().map(|[x, _]| *x).fold(f64::MAX, f64::min);
        assert_eq!((ahead, behind), (0.324, -0.25));
        // What is on the right of the wire has a negative y here.
        assert_eq!(footprint.polygon_m[0], [-0.25, -0.13]);
        assert_eq!(RobotModel::encode(&footprint, &Context::default()).unwrap(), *model);
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
        let (robots, outlines) =
            (NearbyRobots::encode(&known, &Context::default()).unwrap(), nearby_robot_footprints(&known));
        assert_eq!(outlines.footprints.as_ref().map(Vec::len), Some(2));
        assert_eq!(neighbours_from_nearby(&robots, Some(&outlines)), known);
        let digest = robots.robots.unwrap()[0].footprint_digest.clone().unwrap();
        assert!(digest.len() == 8 && digest.bytes().all(|digit| digit.is_ascii_hexdigit()), "{digest}");
    }
}
