//! The map that it drives by is another one, or none.

use latimer_core::Outcome;
use latimer_core::model::MapUse;
use latimer_core::model::signal::FeatureKind;

use super::{Axbot, atlas};
use crate::bodies::rover::Bearings;
use crate::geometry::Pose2;
use crate::nav::{Failure, KnownMap};

impl Axbot {
    /// Drives by another map from now on, or by none.
    pub(super) fn use_map(&mut self, map: Option<MapUse>) -> Result<Outcome, Outcome> {
        let Some(map) = map else {
            self.atlas.take(None);
            self.rover.bearings.use_map(None);
            self.cancel_for(Failure::NoMap);
            self.charts.renew();
            return Ok(Outcome::Done);
        };
        atlas::check(&map)?;
        let mut known = self.cells(&map)?;
        self.atlas.take(Some(map.info));
        for line in self.atlas.shapes(FeatureKind::VirtualWall, self.frame) {
            known.forbid_line(&line);
        }
        for area in self.atlas.shapes(FeatureKind::KeepOut, self.frame) {
            known.forbid(&area);
        }
        self.rover.bearings.use_map(Some(known));
        self.rover.way.plan_anew();
        self.charts.renew();
        Ok(Outcome::Done)
    }

    /// The cells of a map: given with it, or those that the robot knows already.
    fn cells(&self, map: &MapUse) -> Result<KnownMap, Outcome> {
        if let Some(grid) = &map.grid {
            let cells = atlas::cells(grid, self.frame)?;
            return Ok(KnownMap::of_occupancy(&cells, self.frame, Bearings::CELL_M));
        }
        if self.atlas.is_own(&map.info) {
            return Ok(Bearings::map_of(&self.file));
        }
        if self.rover.bearings.is_mapless() {
            return Err(Outcome::not_now("the robot drives by no map now; give the cells of this one"));
        }
        Ok(self.rover.bearings.known().allowed())
    }

    /// Begins or ends making a map.
    pub(super) fn make_map(&mut self, on: bool) -> Outcome {
        if on != self.mapping {
            self.trip.map(on);
        }
        self.mapping = on;
        self.rover.bearings.set_mapping(on, self.truth);
        Outcome::Done
    }

    /// Chargers on the map, where robots stand.
    pub(super) fn marked_chargers(&self) -> impl Iterator<Item = Pose2> {
        self.atlas.points(FeatureKind::Charger, self.frame).map(|(_, at)| at)
    }
}
