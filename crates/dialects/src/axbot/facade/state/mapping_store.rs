//! The makings of maps: one at a time, and those that are over.

use latimer_core::Timestamp;
use latimer_core::model::signal::OccupancyGrid;

use crate::axbot::limits::{MAX_REMEMBERED_MAPPINGS, REMEMBERED_MAPPINGS_MAX_BYTES};
use crate::axbot::rest::mapping_object::Landmark;

/// How a making stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum State {
    /// It goes on.
    Running,
    /// There is a map.
    Finished,
    /// It was called off.
    Cancelled,
    /// The robot published no map.
    Failed,
}

impl State {
    pub(in super::super) const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }
}

/// One making of a map.
#[derive(Clone, Debug)]
pub(in super::super) struct Mapping {
    pub(in super::super) id: i64,
    pub(in super::super) began: Timestamp,
    pub(in super::super) ended: Option<Timestamp>,
    pub(in super::super) state: State,
    /// The map: the last one that the robot published.
    pub(in super::super) grid: Option<OccupancyGrid>,
    /// The way that it took, metres on the map.
    pub(in super::super) way_m: Vec<[f64; 2]>,
    /// The poles that it saw.
    pub(in super::super) landmarks: Vec<Landmark>,
}

/// The makings of maps.
#[derive(Debug, Default)]
pub(in super::super) struct MappingStore {
    mappings: Vec<Mapping>,
    last_id: i64,
}

impl MappingStore {
    /// The robot begins to make a map.
    pub(in super::super) fn begin(&mut self, now: Timestamp) -> Mapping {
        self.last_id += 1;
        let mapping = Mapping {
            id: self.last_id,
            began: now,
            ended: None,
            state: State::Running,
            grid: None,
            way_m: Vec::new(),
            landmarks: Vec::new(),
        };
        self.mappings.push(mapping.clone());
        self.make_room();
        mapping
    }

    /// The one that goes on.
    pub(in super::super) fn running(&self) -> Option<&Mapping> {
        self.mappings.iter().find(|it| it.state == State::Running)
    }

    /// Takes in what the robot has mapped so far.
    pub(in super::super) fn see(&mut self, grid: &OccupancyGrid, received: Timestamp) {
        let running = self.mappings.iter_mut().find(|it| it.state == State::Running);
        if let Some(running) = running.filter(|it| received >= it.began) {
            running.grid = Some(grid.clone());
        }
    }

    /// It is over, whatever came of it.
    pub(in super::super) fn end(&mut self, ended: Mapping) {
        if let Some(mapping) = self.mappings.iter_mut().find(|it| it.id == ended.id) {
            *mapping = ended;
        }
        self.make_room();
    }

    /// The oldest go first.
    fn make_room(&mut self) {
        let cells = |it: &Mapping| it.grid.as_ref().map_or(0, |grid| grid.cells.len());
        while self.mappings.len() > 1
            && (self.mappings.len() > MAX_REMEMBERED_MAPPINGS
                || self.mappings.iter().map(cells).sum::<usize>() > REMEMBERED_MAPPINGS_MAX_BYTES)
        {
            self.mappings.remove(0);
        }
    }

    /// One by its number.
    pub(in super::super) fn get(&self, id: i64) -> Option<&Mapping> {
        self.mappings.iter().find(|it| it.id == id)
    }

    /// All of them, the newest first.
    pub(in super::super) fn list(&self) -> impl Iterator<Item = &Mapping> {
        self.mappings.iter().rev()
    }

    /// Forgets one.
    pub(in super::super) fn remove(&mut self, id: i64) {
        self.mappings.retain(|it| it.id != id);
    }

    /// Forgets all that are over.
    pub(in super::super) fn clear(&mut self) {
        self.mappings.retain(|it| it.state == State::Running);
    }
}
