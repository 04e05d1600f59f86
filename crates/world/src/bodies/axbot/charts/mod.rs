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
mod tests {
    use latimer_core::Update;
    use latimer_core::model::Signal;

    use super::super::detections::rig::Rig;
    use super::*;
    use crate::bodies::Demand;
    use crate::nav::shapes;

    const AT: Pose2 = Pose2::new(2.0, 3.0, 0.0);

    struct Bench {
        rig: Rig,
        known: KnownMap,
        obstacles: Obstacles,
        charts: Charts,
        tick: u64,
    }

    impl Bench {
        fn new(more: &str) -> Self {
            let rig = Rig::new(more, AT);
            let known = KnownMap::of(&shapes(&rig.file), 0.05);
            let charts = Charts::new(4, &known);
            Self { obstacles: Obstacles::new(&known.grid), known, charts, rig, tick: 0 }
        }

        /// Runs so many steps; returns what was published.
        fn live(&mut self, steps: u64, demand: Demand, scan: Option<(&Scan, Pose2)>) -> Vec<Update> {
            let mut published = Vec::new();
            for _ in 0..steps {
                let (charts, known, obstacles) = (&mut self.charts, &self.known, &self.obstacles);
                published.extend(self.rig.live(self.tick, demand, |now, around| {
                    let [mapless, lost, costless, mapper_fails] = [false; 4];
                    let sight =
                        Sight { believed: AT, known, obstacles, scan, mapless, lost, costless, mapper_fails };
                    charts.update(now, around, &sight);
                }));
                self.tick += 1;
            }
            published
        }
    }

    fn grids(published: &[Update], part: &str) -> Vec<OccupancyGrid> {
        let of_part = published.iter().filter(|it| it.part.as_ref().is_some_and(|it| it.as_str() == part));
        let grid = |it: &Update| match &it.signal {
            Signal::Map(grid) => Some(grid.clone()),
            _ => None,
        };
        of_part.filter_map(grid).collect()
    }

    fn at(grid: &OccupancyGrid, [x_m, y_m]: [f64; 2]) -> i8 {
        let cell = |at: f64, origin: f64| ((at - origin) / grid.resolution_m).floor() as usize;
        let index = cell(y_m, grid.origin_y_m) * grid.width as usize + cell(x_m, grid.origin_x_m);
        grid.cells[index].cast_signed()
    }

    fn ahead(range_m: f32) -> Scan {
        let (angle_min_rad, angle_increment_rad) = (0.0, 0.1);
        Scan {
            angle_min_rad,
            angle_increment_rad,
            range_min_m: 0.1,
            range_max_m: 8.0,
            ranges_m: vec![range_m],
            pose: None,
        }
    }

    #[test]
    fn streams_are_listed_in_order() {
        let names = Charts::streams().map(|(kind, part)| (kind, part.as_str().to_owned()));
        assert_eq!(
            names.map(|(kind, part)| (kind == Kind::Map, part)),
            PARTS.map(|it| (true, it.to_owned()))
        );
    }

    #[test]
    fn nothing_is_made_unless_it_is_watched() {
        let mut bench = Bench::new("");
        assert_eq!(bench.live(1_200, Demand::EVERY_KIND.with_stream(3).with_stream(10), None), []);
        let published = bench.live(250, Demand::NOTHING.with_stream(5), None);
        assert_eq!((published.len(), grids(&published, "costmap_5cm").len()), (3, 3));
    }

    #[test]
    fn the_map_is_published_to_new_subscribers_and_periodically() {
        let mut bench = Bench::new("[[walls]]\npoints_m = [[4.0, 0.0], [4.0, 3.0]]\n");
        let watched = Demand::NOTHING.with_stream(4);
        let maps = grids(&bench.live(1_001, watched, None), "map");
        assert_eq!(maps.len(), 2);
        assert_eq!((at(&maps[0], [4.0, 1.0]), at(&maps[0], [3.0, 1.0])), (99, 2));
        assert_eq!(bench.live(1, Demand::NOTHING, None), []);
        assert_eq!(bench.live(1, watched, None).len(), 1, "watched again");
    }

    #[test]
    fn a_map_is_made_unwatched_and_shown_as_far_as_it_is() {
        let mut bench = Bench::new("");
        let (scan, watched) = (ahead(3.0), Demand::NOTHING.with_stream(4));
        assert_eq!(bench.live(1, watched, None).len(), 1);
        bench.charts.set_mapping(true, false);
        assert_eq!(bench.live(20, Demand::NOTHING, Some((&scan, AT))), []);
        let maps = grids(&bench.live(300, watched, None), "map");
        assert_eq!(maps.len(), 3);
        assert!(at(&maps[0], [5.02, 3.02]) > 90 && at(&maps[0], [4.0, 3.02]) < 10);
        assert_eq!(at(&maps[0], [4.0, 5.0]), -1);
        bench.charts.set_mapping(false, false);
        assert!(!bench.charts.is_mapping());
        let maps = grids(&bench.live(1, watched, None), "map");
        assert_eq!(at(&maps[0], [4.0, 5.0]), 2, "the known map again");
    }

    #[test]
    fn a_map_that_grows_is_as_large_as_what_was_seen() {
        let mut bench = Bench::new("");
        let watched = Demand::NOTHING.with_stream(4);
        bench.charts.set_mapping(true, true);
        let size = |map: &OccupancyGrid| (map.width, map.height);
        let first = grids(&bench.live(1, watched, None), "map").remove(0);
        assert_eq!(size(&first), (20, 20), "nothing was seen");
        let mut before = 0;
        for range_m in [1.2, 2.4, 3.6] {
            let maps = grids(&bench.live(110, watched, Some((&ahead(range_m), AT))), "map");
            let map = maps.last().unwrap();
            assert!(map.width > before && map.height <= 40, "{:?}", size(map));
            assert!(at(map, [2.0 + f64::from(range_m) + 0.02, 3.02]) > 50 && at(map, [2.5, 3.02]) < 50);
            before = map.width;
        }
    }

    #[test]
    fn map_changes_are_published_to_subscribers() {
        let mut bench = Bench::new("[[walls]]\npoints_m = [[6.0, 0.0], [6.0, 6.0]]\n");
        let watched = Demand::NOTHING.with_stream(7).with_stream(8).with_stream(9);
        let live = |bench: &mut Bench, scan: &Scan| bench.live(130, watched, Some((scan, AT)));
        // The ray is on the border between two rows of cells.
        let has = |grid: &OccupancyGrid, x: f64, value: i8| {
            [2.98, 3.02].iter().any(|y| [-0.02, 0.02].iter().any(|off| at(grid, [x + off, *y]) == value))
        };
        let last = |published: &[Update], part: &str| grids(published, part).last().cloned().unwrap();
        // Met three metres ahead, where nothing is known.
        let published = live(&mut bench, &ahead(3.0));
        let (news, fits) = (last(&published, "incremental_map"), last(&published, "match_map"));
        assert!(has(&news, 5.0, 100) && !has(&news, 4.0, 100) && at(&news, [4.0, 5.0]) == -1);
        assert!(has(&fits, 5.0, 100) && !has(&fits, 4.0, 100));
        let bare = last(&published, "symmetry_map");
        assert_eq!((at(&bare, [2.02, 3.02]), at(&bare, [3.0, 3.02])), (100, -1));
        // Through where the wall should be.
        bench.charts.renew();
        let published = live(&mut bench, &ahead(5.0));
        assert!(has(&last(&published, "incremental_map"), 6.0, 0));
        // At the wall.
        bench.charts.renew();
        let published = live(&mut bench, &ahead(3.96));
        assert!(has(&last(&published, "match_map"), 5.96, 0));
        assert!(last(&published, "incremental_map").cells.iter().all(|it| it.cast_signed() == -1));
        assert_eq!(bench.live(130, Demand::NOTHING, Some((&ahead(1.0), AT))), []);
    }

    #[test]
    fn costs_are_published_in_the_robot_s_own_frame() {
        let mut bench = Bench::new("[[walls]]\npoints_m = [[3.0, 0.0], [3.0, 6.0]]\n");
        // Its x axis points north, so the wall one metre east of the robot is at lower y.
        bench.rig.frame = Pose2::new(2.0, 2.0, std::f64::consts::FRAC_PI_2);
        let published = bench.live(1, Demand::NOTHING.with_stream(5).with_stream(6), None);
        for (part, cells) in [("costmap_5cm", 200), ("costmap_1cm", 300)] {
            let grid = &grids(&published, part)[0];
            assert_eq!((grid.width, grid.height, grid.cells.len()), (cells, cells, (cells * cells) as usize));
            assert_eq!(at(grid, [1.0, -1.0]), 100, "{part}");
            assert_eq!((at(grid, [1.0, 0.0]), at(grid, [1.0, 1.0])), (0, 0), "{part}");
        }
    }
}
