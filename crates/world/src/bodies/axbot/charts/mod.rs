//! The maps that the robot shows: the one it drives by or is making, and what is around it as costs.
//!
//! ```text
//!  KnownMap ───────────────┐
//!  Scan ──▶ SeenMap ───────┴─(mapping?)──▶ map
//!  KnownMap, Obstacles ──▶ costs around ──▶ costmap_5cm, costmap_1cm
//!  KnownMap, Scan ──▶ changes ──▶ incremental_map, match_map, symmetry_map
//! ```
//!
//! A map is big, so each is made only while it is subscribed to. Map-making goes on unwatched: it is what
//! the robot does, not what it shows.

mod changes;
mod costs;
mod grown;
mod turned;

use bytes::Bytes;
use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::OccupancyGrid;

use crate::bodies::moment::Moment;
use crate::geometry::Pose2;
use crate::nav::{Grid, KnownMap, Obstacles, SeenMap};
use crate::physics::Surroundings;
use crate::sensors::Scan;
use changes::Changes;
use costs::{Chart, Window};

/// The streams, as the body lists them.
const PARTS: [&str; STREAMS] =
    ["map", "costmap_5cm", "costmap_1cm", "incremental_map", "match_map", "symmetry_map"];

/// How many streams there are, and the first of those with changes of the world.
pub(super) const STREAMS: usize = 6;
const CHANGES: usize = 3;

/// How often a finished map is published, seconds (plausible).
const MAP_PERIOD_S: f64 = 10.0;

/// How often a growing map is published, seconds (plausible).
const MAPPING_PERIOD_S: f64 = 1.0;

/// How often costs and changes are published, seconds (plausible).
const COSTS_PERIOD_S: f64 = 1.0;

/// The two maps of costs (sides plausible, cells published with their names).
const WIDE: Window = Window { cells: 200, resolution_m: 0.05 };
const FINE: Window = Window { cells: 300, resolution_m: 0.01 };

/// Radius of the largest circle within the robot's outline, until another is set, metres (plausible).
const INSCRIBED_M: f64 = 0.22;

/// What the robot sees and knows at a step.
#[derive(Clone, Copy)]
pub(super) struct Sight<'a> {
    /// Where it believes to be.
    pub(super) believed: Pose2,
    /// What it knows.
    pub(super) known: &'a KnownMap,
    /// What it sees that it does not know.
    pub(super) obstacles: &'a Obstacles,
    /// A new scan, and the scanner's believed pose.
    pub(super) scan: Option<(&'a Scan, Pose2)>,
    /// It has no map to show.
    pub(super) mapless: bool,
    /// It does not know where it is.
    pub(super) lost: bool,
    /// Nothing reckons what it costs to be where.
    pub(super) costless: bool,
    /// Nothing puts what is seen onto the map that is being made.
    pub(super) mapper_fails: bool,
}

/// The organ.
#[derive(Debug)]
pub(super) struct Charts {
    /// Number of its first stream in the body's list.
    first: usize,
    /// How much room a map takes that is begun.
    shape: Grid<i8>,
    /// The map that is being made.
    making: Option<SeenMap>,
    /// It is shown as far as it was seen, not as far as it may reach.
    grows: bool,
    changes: Changes,
    inscribed_m: f64,
    /// When each stream is due.
    paces: [Pace; PARTS.len()],
}

impl Charts {
    /// Charts whose first stream has a number in the body's list, of a robot that may map as far as a map
    /// reaches.
    pub(super) fn new(first_stream: usize, known: &KnownMap) -> Self {
        Self {
            first: first_stream,
            shape: known.grid.map(|_| 0),
            making: None,
            grows: false,
            changes: Changes::default(),
            inscribed_m: INSCRIBED_M,
            paces: [Pace::default(); PARTS.len()],
        }
    }

    /// Its streams, for the body's list.
    pub(super) fn streams() -> [(Kind, PartName); PARTS.len()] {
        PARTS.map(|part| (Kind::Map, PartName::of(part)))
    }

    /// Sets the radius of the largest circle within the robot's outline, metres; costs from now on mind it.
    pub(super) fn set_inscribed(&mut self, radius_m: f64) {
        self.inscribed_m = radius_m;
    }

    /// Whether it makes a map.
    pub(super) fn is_mapping(&self) -> bool {
        self.making.is_some()
    }

    /// Begins a map with nothing on it, unless one is being made; or throws away the one being made. One that `grows` is as
    /// large as what was seen.
    pub(super) fn set_mapping(&mut self, on: bool, grows: bool) {
        if on == self.is_mapping() {
            return;
        }
        self.grows = grows;
        self.making = on.then(|| SeenMap::empty(self.shape.clone()));
        self.renew();
    }

    /// The map changed: it is published to subscribers at once.
    pub(super) fn renew(&mut self) {
        self.paces[0].due_s = f64::NEG_INFINITY;
        self.changes.forget();
    }

    /// Takes in a new scan, and publishes what is due.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, around: &Surroundings<'_>, sight: &Sight<'_>) {
        let &Sight { believed, known, obstacles, scan, mapless, lost, costless, mapper_fails } = sight;
        let scan_to_add = scan.filter(|_| !mapper_fails);
        if let (Some(map), Some((scan, scanner))) = (&mut self.making, scan_to_add) {
            map.integrate(scan, scanner);
        }
        let period_s = if self.is_mapping() { MAPPING_PERIOD_S } else { MAP_PERIOD_S };
        if !mapless && self.is_due(0, now, period_s) {
            publish(now, 0, self.map(known, around.frame));
        }
        let chart = Chart { frame: around.frame, believed, known, obstacles, inscribed_m: self.inscribed_m };
        for (number, window) in [(1, WIDE), (2, FINE)] {
            if !costless && self.is_due(number, now, COSTS_PERIOD_S) {
                publish(now, number, chart.costs(window, now.time_s));
            }
        }
        if let Some(scan) = scan.filter(|_| !mapless && !lost && !self.is_mapping()) {
            self.note_changes(now, around, known, scan);
        }
    }

    /// Compares a scan with the map while that is subscribed to.
    fn note_changes(
        &mut self,
        now: &mut Moment<'_>,
        around: &Surroundings<'_>,
        known: &KnownMap,
        (scan, scanner): (&Scan, Pose2),
    ) {
        let watched = [0, 1, 2].map(|number| now.demand.wants_stream(self.first + CHANGES + number));
        if !watched.contains(&true) {
            return;
        }
        self.changes.take(scan, scanner, known, watched);
        for number in 0..watched.len() {
            if self.is_due(CHANGES + number, now, COSTS_PERIOD_S)
                && let Some(map) = self.changes.map(number, known)
            {
                publish(now, CHANGES + number, turned::into_frame(map, around.frame));
            }
        }
    }

    fn is_due(&mut self, number: usize, now: &Moment<'_>, period_s: f64) -> bool {
        let wanted = now.demand.wants_stream(self.first + number);
        self.paces.get_mut(number).is_some_and(|pace| pace.is_due(wanted, now.time_s, period_s))
    }

    /// The map that is being made or else the known one, in the frame of the robot's published poses.
    fn map(&self, known: &KnownMap, frame: Pose2) -> Grid<i8> {
        let published = |map: &SeenMap| {
            let mut cells = map.grid.clone();
            cells.cells = map.occupancy();
            cells
        };
        let cells = match &self.making {
            Some(map) if self.grows => grown::seen_part(published(map), [frame.x_m, frame.y_m]),
            Some(map) => published(map),
            None => published(&known.seen()),
        };
        turned::into_frame(cells, frame)
    }
}

/// When a stream is due: at once for a new subscriber, and then periodically.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    watched: bool,
    due_s: f64,
}

impl Pace {
    fn is_due(&mut self, wanted: bool, time_s: f64, period_s: f64) -> bool {
        let begins = wanted && !self.watched;
        self.watched = wanted;
        // A hair less, so that rounding does not put it off by a step.
        let due = wanted && (begins || time_s >= self.due_s - 1e-6);
        if due {
            self.due_s = time_s + period_s;
        }
        due
    }
}

/// Tells a map as one of the streams.
fn publish(now: &mut Moment<'_>, number: usize, grid: Grid<i8>) {
    let Some(part) = PARTS.get(number) else { return };
    let cells: Bytes = grid.cells.iter().flat_map(|cell| cell.to_ne_bytes()).collect();
    let published = OccupancyGrid {
        resolution_m: grid.resolution_m,
        width: grid.width as u32,
        height: grid.height as u32,
        origin_x_m: grid.origin_m[0],
        origin_y_m: grid.origin_m[1],
        cells,
        ..OccupancyGrid::UPRIGHT
    };
    now.reports.of(&PartName::of(part), published);
}

#[cfg(test)]
mod tests;
