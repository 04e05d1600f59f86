//! Maps as streams.

use latimer_core::PartName;
use latimer_core::model::Kind;

use crate::bodies::moment::Moment;
use crate::geometry::Pose2;
use crate::nav::{KnownMap, Obstacles};
use crate::physics::Surroundings;
use crate::sensors::Scan;

pub(super) struct Charts;
impl Charts {
    pub(super) fn streams() -> [(Kind, PartName); 3] {
        ["map", "costmap_5cm", "costmap_1cm"].map(|part| (Kind::Map, PartName::of(part)))
    }
    pub(super) fn new(_first: usize, _known: &KnownMap) -> Self {
        Self
    }
    pub(super) fn set_mapping(&mut self, _on: bool) {}
    pub(super) fn update(
        &mut self,
        _now: &mut Moment<'_>,
        _around: &Surroundings<'_>,
        _believed: Pose2,
        _known: &KnownMap,
        _obstacles: &Obstacles,
        _scan: Option<(&Scan, Pose2)>,
    ) {
    }
}
