//! `/nearby_robot_footprints`, the other half of `/nearby_robots`: an outline is named by its hash.

use latimer_core::model::signal::Neighbours;

use super::{FromRecord, ToSignals};
use crate::axbot::messages::Context;
use crate::axbot::messages::around::{NearbyRobotFootprint, NearbyRobotFootprints};
use crate::axbot::messages::codecs::corners;
use crate::axbot::topic::Topic;
use crate::axbot::wire::{Extra, Point};

/// Start and factor of the hash by Fowler, Noll and Vo in 32 bits.
const FNV_START: u32 = 0x811c_9dc5;
const FNV_FACTOR: u32 = 0x0100_0193;

/// The name of an outline: 8 hex digits, the same for the same outline; `None` if it has no corners.
pub(in crate::axbot) fn digest_of(outline_m: &Vec<[f64; 2]>) -> Option<String> {
    digest(&corners(outline_m))
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

impl ToSignals for NearbyRobotFootprints {}

impl FromRecord<Neighbours> for NearbyRobotFootprints {
    /// The outlines of the robots nearby, each once.
    fn from_record(neighbours: &Neighbours, _: Topic, _: &Context) -> Option<Self> {
        let mut footprints: Vec<NearbyRobotFootprint> = Vec::new();
        for neighbour in &neighbours.robots {
            let outline = corners(&neighbour.footprint_m);
            let Some(digest) = digest(&outline) else { continue };
            if !footprints.iter().any(|known| known.digest.as_ref() == Some(&digest)) {
                let coordinates = Some(outline);
                footprints.push(NearbyRobotFootprint {
                    digest: Some(digest),
                    coordinates,
                    extra: Extra::new(),
                });
            }
        }
        Some(Self { footprints: Some(footprints), extra: Extra::new() })
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::Footprint;

    use super::*;
    use crate::axbot::messages::around::RobotModel;
    use crate::axbot::wire::Message;
    use crate::describe::Translate;

    #[test]
    fn outlines_look_ahead() {
        let sample = include_bytes!("../testdata/robot_model.json");
        let Ok(Message::RobotModel(model)) = Message::read(Topic::RobotModel, sample) else { panic!() };
        let footprint: Footprint = model.decode(&Context::default()).unwrap();
        let ahead = footprint.polygon_m.iter().map(|[x, _]| *x).fold(f64::MIN, f64::max);
        let behind = footprint.polygon_m.iter().map(|[x, _]| *x).fold(f64::MAX, f64::min);
        assert_eq!((ahead, behind), (0.324, -0.25));
        // What is on the right of the wire has a negative y here.
        assert_eq!(footprint.polygon_m[0], [-0.25, -0.13]);
        assert_eq!(RobotModel::encode(&footprint, &Context::default()).unwrap(), *model);
    }
}
