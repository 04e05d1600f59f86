//! The map that it drives by is another one, or none; and making one.
//!
//! ```text
//!  own frame ──mapping from zero──▶ a frame whose origin is where it stood ──done──▶ own frame, the other one kept
//!                                            ▲ a map whose cells fit there is set
//! ```

use latimer_core::Outcome;
use latimer_core::model::MapUse;
use latimer_core::model::signal::{FeatureKind, OccupancyGrid};

use super::{Axbot, atlas};
use crate::bodies::rover::Bearings;
use crate::geometry::Pose2;
use crate::nav::{Failure, Grid, KnownMap, OCCUPIED_PERCENT};

/// Most frames of maps that it remembers.
const MOST_FRAMES: usize = 32;

/// A map fits a frame better than the present one only if so much more of it does, 0..1.
const BETTER: f64 = 0.1;

/// Most occupied cells of a map that are compared.
const MOST_COMPARED: usize = 4_000;

/// The frames that its poses are published in, each as its origin on the world's map.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    /// Its own.
    own: Pose2,
    /// That of the map it drives by, if that is not its own.
    map: Option<Pose2>,
    /// That of the map it makes, if that has one of its own.
    mapping: Option<Pose2>,
    /// Those of maps that it made.
    made: Vec<Pose2>,
}

impl Frames {
    /// Takes in its own frame; the one that its poses are in now.
    pub(super) fn now(&mut self, own: Pose2) -> Pose2 {
        self.own = own;
        self.mapping.unwrap_or(self.map())
    }

    /// That of the map that it drives by, and of what is marked on it.
    pub(super) fn map(&self) -> Pose2 {
        self.map.unwrap_or(self.own)
    }

    /// Whether its poses are in another frame than its map.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.mapping.is_some()
    }

    fn remember(&mut self, frame: Pose2) {
        self.made.push(frame);
        if self.made.len() > MOST_FRAMES {
            self.made.remove(0);
        }
    }

    /// The frame in which a map's cells lie where the walls are; the present one unless another fits better.
    fn of_cells(&self, cells: &OccupancyGrid, walls: &KnownMap) -> Result<Pose2, Outcome> {
        let present = self.map();
        let fit = |frame: Pose2| atlas::cells(cells, frame).map(|grid| fit(&grid, frame, walls));
        let (mut best, mut best_fit) = (present, fit(present)? + BETTER);
        for frame in std::iter::once(self.own).chain(self.made.iter().rev().copied()) {
            // One that the map is too large in is not it.
            if let Ok(fit) = fit(frame)
                && fit > best_fit
            {
                (best, best_fit) = (frame, fit);
            }
        }
        Ok(best)
    }
}

/// The share of a map's occupied cells that are at a wall, in a frame.
fn fit(cells: &Grid<i8>, frame: Pose2, walls: &KnownMap) -> f64 {
    let occupied = || cells.cells.iter().enumerate().filter(|(_, percent)| **percent >= OCCUPIED_PERCENT);
    let step = occupied().count().div_ceil(MOST_COMPARED).max(1);
    let at_wall = |index: usize| {
        let [x, y] = cells.middle_of(cells.cell(index));
        walls.is_solid_near(frame.point_out(x, y), 1)
    };
    let (mut all, mut fit) = (0_u32, 0_u32);
    for (index, _) in occupied().step_by(step) {
        all += 1;
        fit += u32::from(at_wall(index));
    }
    f64::from(fit) / f64::from(all.max(1))
}

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
        let (mut known, frame) = self.cells(&map)?;
        if frame != self.frames.map() {
            self.frames.map = Some(frame);
            self.enter_frame();
        }
        self.atlas.take(Some(map.info));
        for line in self.atlas.shapes(FeatureKind::VirtualWall, frame) {
            known.forbid_line(&line);
        }
        for area in self.atlas.shapes(FeatureKind::KeepOut, frame) {
            known.forbid(&area);
        }
        self.rover.bearings.use_map(Some(known));
        self.rover.way.plan_anew();
        self.charts.renew();
        Ok(Outcome::Done)
    }

    /// The cells of a map, given with it or known to the robot already, and the frame that they and its marks are in.
    fn cells(&self, map: &MapUse) -> Result<(KnownMap, Pose2), Outcome> {
        if let Some(grid) = &map.grid {
            let frame = self.frames.of_cells(grid, &Bearings::map_of(&self.file))?;
            let cells = atlas::cells(grid, frame)?;
            return Ok((KnownMap::of_occupancy(&cells, frame, Bearings::CELL_M), frame));
        }
        if self.atlas.is_own(&map.info) {
            return Ok((Bearings::map_of(&self.file), self.frames.own));
        }
        if self.rover.bearings.is_mapless() {
            return Err(Outcome::not_now("the robot drives by no map now; give the cells of this one"));
        }
        Ok((self.rover.bearings.known().allowed(), self.frames.map()))
    }

    /// Begins making a map, in a frame whose origin is where it stands or in that of its poses so far.
    pub(super) fn begin_map(&mut self, from_zero: bool) -> Outcome {
        if self.mapping {
            return Outcome::Done;
        }
        self.mapping = true;
        self.trip.map(true);
        self.rover.bearings.set_mapping(true, self.truth);
        if from_zero {
            self.frames.mapping = Some(self.rover.bearings.pose());
            self.enter_frame();
        }
        self.charts.set_mapping(true, from_zero);
        Outcome::Done
    }

    /// Ends making a map: it drives by the one before again.
    pub(super) fn end_map(&mut self) -> Outcome {
        if !std::mem::take(&mut self.mapping) {
            return Outcome::Done;
        }
        self.trip.map(false);
        self.rover.bearings.set_mapping(false, self.truth);
        if let Some(frame) = self.frames.mapping.take() {
            self.frames.remember(frame);
            self.enter_frame();
        }
        self.charts.set_mapping(false, false);
        Outcome::Done
    }

    /// Its poses are in another frame from now on: what it published of the past is of no use.
    fn enter_frame(&mut self) {
        self.frame = self.frames.now(self.frames.own);
        self.trip.forget();
        self.charts.renew();
    }

    /// Chargers on the map, where robots stand.
    pub(super) fn marked_chargers(&self) -> impl Iterator<Item = Pose2> {
        self.atlas.points(FeatureKind::Charger, self.frames.map()).map(|(_, at)| at)
    }
}
