//! Where the robot believes to be, and what its laser scanner sees: wheels, scanner, localisation.
//!
//! It knows the map of the world from the start. If it was carried away it notices by its scans, and
//! searches the whole map by itself.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::{Frame, Localization, LocalizationState, Pose, Scan};

use super::RoverMake;
use super::certainty::{Doubt, pieces};
use super::directions::{Direction, Directions};
use crate::bodies::Origin;
use crate::bodies::moment::Moment;
use crate::geometry::Pose2;
use crate::nav::{Door, Goal, Grid, KnownMap, Localizer, LocalizerStep, Obstacles, Terrain, shapes};
use crate::physics::{DoorState, STEP_S, Surroundings};
use crate::rng::Rng;
use crate::sensors::{Drift, Odometry};

/// Side of a cell of its map, metres.
const CELL_M: f64 = 0.05;

/// Steps between two turns of the scanner: 10 a second while it drives, 2 while it stands unheard.
const SCAN_PERIOD: u64 = 10;
const IDLE_PERIOD: u64 = 50;

/// Steps between two reports of the localisation: 1 s.
const LOCALIZATION_PERIOD: u64 = 100;

/// Nearer to stairs it goes no further unasked, metres.
const EDGE_M: f64 = 0.12;

/// A scan of which so many rays met something is enough to make a map by.
const ENOUGH_RAYS: usize = 20;

/// How far a pose that is lost on cue is off, metres.
const ASTRAY_M: f64 = 2.0;

/// The organ.
pub(in crate::bodies) struct Bearings {
    make: &'static RoverMake,
    /// Number of the scan in the body's list of streams.
    stream: usize,
    odometry: Odometry,
    drift: Drift,
    localizer: Localizer,
    known: KnownMap,
    blocked: Grid<bool>,
    obstacles: Obstacles,
    doors: Vec<Door>,
    scan: Scan,
    directions: Directions,
    /// Until when the scanner is broken, seconds.
    failed_until_s: f64,
    /// The scanner is switched off.
    off: bool,
    /// There is no map to drive by.
    mapless: bool,
    /// A map is made: its place is where the map says, whatever the known map is.
    mapping: bool,
    /// Another part decides when it relocalizes.
    search_held: bool,
    /// From when on it looks for itself unasked; infinity is never.
    search_from_s: f64,
    doubt: Doubt,
    published: Option<(LocalizationState, bool)>,
}

impl Bearings {
    pub(in crate::bodies) fn new(
        make: &'static RoverMake,
        stream: usize,
        origin: &Origin<'_>,
        rng: &mut Rng,
    ) -> Self {
        let known = Self::map_of(origin.file);
        Self {
            make,
            stream,
            odometry: Odometry::default(),
            drift: Drift::new(make.drift, Rng::new(rng.bits())),
            localizer: Localizer::new(origin.at, Rng::new(rng.bits())),
            blocked: known.blocked(),
            obstacles: Obstacles::new(&known.grid),
            directions: Directions::new(make, &known),
            known,
            doors: Vec::new(),
            scan: Scan::NONE,
            failed_until_s: 0.0,
            off: false,
            mapless: false,
            mapping: false,
            search_held: false,
            search_from_s: f64::INFINITY,
            doubt: Doubt::default(),
            published: None,
        }
    }

    /// Where it believes to be, on the map.
    pub(in crate::bodies) fn pose(&self) -> Pose2 {
        self.localizer.pose()
    }

    /// Whether it does not know where it is.
    pub(in crate::bodies) fn is_lost(&self) -> bool {
        !self.localizer.is_reliable() || self.is_mapless()
    }

    /// Whether there is no map that it could know its place on.
    pub(in crate::bodies) fn is_mapless(&self) -> bool {
        self.mapless && !self.mapping
    }

    /// Whether the scanner is broken or switched off.
    pub(in crate::bodies) fn is_blind(&self, time_s: f64) -> bool {
        time_s < self.failed_until_s || self.off
    }

    /// Switches the scanner.
    pub(in crate::bodies) fn switch(&mut self, on: bool) {
        self.off = !on;
    }

    /// Drives by another map from now on, or by none.
    pub(in crate::bodies) fn use_map(&mut self, map: Option<KnownMap>) {
        if self.mapless || map.is_none() {
            self.localizer.lose(self.pose());
        }
        self.mapless = map.is_none();
        self.known = map.unwrap_or_else(|| self.known.blank());
        self.blocked = self.known.blocked();
        self.directions.map(&self.known);
        self.forget_obstacles();
    }

    /// The map of the world, as if it had been made before.
    pub(in crate::bodies) fn map_of(file: &crate::config::WorldFile) -> KnownMap {
        KnownMap::of(&shapes(file), CELL_M)
    }

    /// Begins or ends making a map, which it knows its place on from the start.
    pub(in crate::bodies) fn set_mapping(&mut self, on: bool, truth: Pose2) {
        if on && self.is_lost() {
            self.localizer.see_landmark(truth);
        }
        self.mapping = on;
        if self.is_mapless() {
            self.localizer.lose(self.pose());
        }
    }

    /// Forgets what stands about that the map does not have.
    pub(in crate::bodies) fn forget_obstacles(&mut self) {
        self.obstacles = Obstacles::new(&self.known.grid);
    }

    /// Side of a cell of its maps, metres.
    pub(in crate::bodies) const CELL_M: f64 = CELL_M;

    /// Way by the wheels, metres, and heading by the wheels, radians.
    pub(in crate::bodies) fn travelled(&self) -> (f64, f64) {
        (self.odometry.travelled_m, self.odometry.pose.yaw_rad)
    }

    /// What a way has to mind.
    pub(in crate::bodies) fn terrain(&self) -> Terrain<'_> {
        Terrain { blocked: &self.blocked, obstacles: Some(&self.obstacles), doors: &self.doors }
    }

    /// The pose is lost, until a time if given.
    pub(in crate::bodies) fn lose(&mut self, until_s: Option<f64>) {
        self.search_from_s = until_s.unwrap_or(f64::INFINITY);
        let [x_m, y_m] = self.pose().point_out(ASTRAY_M, 0.0);
        self.localizer.lose(Pose2::new(x_m, y_m, self.pose().yaw_rad + 1.0));
    }

    /// A pose is given from outside; scans will check it.
    pub(in crate::bodies) fn believe(&mut self, pose: Pose2) {
        self.localizer.lose(pose);
    }

    /// The scanner fails for a while.
    pub(in crate::bodies) fn fail(&mut self, until_s: f64) {
        self.failed_until_s = self.failed_until_s.max(until_s);
    }

    /// A bumper felt something ahead, on a side: positive is left.
    pub(in crate::bodies) fn feel(&mut self, side: f64, time_s: f64) {
        let ahead_m = self.make.footprint.length_m / 2.0 + 0.03;
        let [x_m, y_m] = self.pose().point_out(ahead_m, 0.25 * self.make.footprint.width_m * side);
        self.obstacles.feel([x_m, y_m], time_s);
    }

    /// The last turn of the scanner, and the scanner's pose on the map as it is believed to be.
    pub(in crate::bodies) fn scan(&self) -> (&Scan, Pose2) {
        (&self.scan, self.make.lidar.frame_at(self.pose()))
    }

    /// The map that it knows.
    pub(in crate::bodies) fn known(&self) -> &KnownMap {
        &self.known
    }

    /// A charger as a goal, entered from the side where there is room.
    pub(in crate::bodies) fn dock(&self, charger: Pose2) -> Goal {
        Goal::dock_where_free(charger, &self.blocked)
    }

    /// What it sees now that the map does not have.
    pub(in crate::bodies) fn obstacles(&self) -> &Obstacles {
        &self.obstacles
    }

    /// Where the wheels alone say that it is, from where it started.
    pub(in crate::bodies) fn odometry(&self) -> Pose2 {
        self.odometry.pose
    }

    /// Believes nothing any more, because it shall look for itself.
    pub(in crate::bodies) fn relocate(&mut self) {
        self.localizer.lose(self.pose());
    }

    /// It was carried away, nothing fits any more, and it looks for itself.
    pub(in crate::bodies) fn carried(&mut self) {
        self.search_from_s = 0.0;
        self.relocate();
    }

    /// Another part decides from now on when it relocalizes, or no longer.
    pub(in crate::bodies) fn hold_search(&mut self, held: bool) {
        self.search_held = held;
    }

    /// Looks for itself on the whole map now.
    pub(in crate::bodies) fn search(&mut self, truth: Pose2, time_s: f64) {
        let quality = if self.mapping { 1.0 } else { self.fit_at(truth) };
        self.localizer.relocate(quality, time_s);
    }

    /// Whether it looks for itself just now.
    pub(in crate::bodies) fn is_searching(&self) -> bool {
        self.localizer.is_searching()
    }

    /// How well the last scan fits where the robot truly is, 0..1.
    pub(in crate::bodies) fn fit_at(&self, truth: Pose2) -> f64 {
        self.known.match_ratio(&self.scan, self.make.lidar.frame_at(truth))
    }

    /// Localizes by a mark whose place on the map is right.
    pub(in crate::bodies) fn see_mark(&mut self, believed: Pose2, truth: Pose2, time_s: f64) {
        self.localizer.trust(believed, truth, time_s);
    }

    /// Free way in a sector about a direction, from the robot's outline, metres.
    pub(in crate::bodies) fn free_m(&self, direction: Direction) -> Option<f64> {
        self.directions.free_m(direction, self.pose(), &self.known)
    }

    /// Which side of the bow is about to leave the floor by the map, which no scanner sees: positive is left.
    pub(super) fn edge_side(&self) -> Option<f64> {
        self.directions.edge_side(EDGE_M, self.pose(), &self.known)
    }

    /// Whether the stern is about to leave the floor by the map.
    pub(super) fn is_edge_behind(&self) -> bool {
        self.directions.is_edge_behind(EDGE_M, self.pose(), &self.known)
    }

    /// Rolls along with the wheels; `grounded` unless it hangs in the air.
    pub(in crate::bodies) fn roll(
        &mut self,
        tracks_mps: [f64; 2],
        around: &Surroundings<'_>,
        match_ratio: Option<f64>,
    ) {
        let [left, right] = tracks_mps;
        let way_m = (left + right) / 2.0 * STEP_S;
        let turn_rad = (right - left) / self.make.wheels.gap_m * STEP_S;
        let (way_m, turn_rad) = self.drift.count(way_m, turn_rad);
        let before = self.odometry.pose;
        // Nothing seen fits nothing; else it would trust the last scan for ever.
        let blind = self.is_blind(around.time_s);
        let match_ratio = if blind { Some(0.0) } else { match_ratio };
        self.odometry.advance(way_m, turn_rad);
        self.localizer.step(&LocalizerStep {
            time_s: around.time_s,
            step_s: STEP_S,
            truth: around.pose,
            moved: self.odometry.pose.seen_from(before),
            match_ratio,
        });
        self.doubt.roll(way_m);
        if match_ratio.is_some_and(Localizer::is_good) && !self.is_lost() {
            self.doubt.settle();
        }
        if !self.is_lost() {
            self.search_from_s = f64::INFINITY;
        }
        let may_search = !blind && !self.search_held && !self.is_mapless() && !self.scan.ranges_m.is_empty();
        let looks = self.make.finds_itself || around.time_s >= self.search_from_s;
        if self.is_lost() && may_search && looks && !self.localizer.is_searching() {
            self.search(around.pose, around.time_s);
        }
    }

    /// Turns the scanner if it is time; returns how well the scan fits.
    pub(in crate::bodies) fn look(
        &mut self,
        now: &mut Moment<'_>,
        around: &Surroundings<'_>,
        busy: bool,
    ) -> Option<f64> {
        let wanted = now.demand.wants_stream(self.stream);
        let period = if busy || wanted { SCAN_PERIOD } else { IDLE_PERIOD };
        if !now.every(period) || self.is_blind(now.time_s) {
            return None;
        }
        let door = |door: &crate::physics::Door| Door {
            polygon_m: door.polygon().to_vec(),
            shut: door.state != DoorState::Open,
        };
        self.doors.clear();
        self.doors.extend(around.doors.iter().map(door));
        self.scan = self.make.lidar.scan(around, now.rng);
        self.directions.scan(&self.scan);
        let scanner = self.make.lidar.frame_at(self.pose());
        self.obstacles.see(&self.scan, scanner, &self.known, now.time_s);
        if wanted {
            let published = around.in_frame(scanner);
            let pose = (!self.is_lost())
                .then(|| Pose::planar(Frame::Map, published.x_m, published.y_m, published.yaw_rad));
            now.reports.of(&PartName::of("lidar"), Scan { pose, ..self.scan.clone() });
        }
        if self.mapping {
            // What is seen now goes onto the map, so it fits if there is anything to see.
            let met = self.scan.ranges_m.iter().filter(|range_m| range_m.is_finite()).count();
            return Some(if met >= ENOUGH_RAYS { 1.0 } else { 0.0 });
        }
        Some(self.known.match_ratio(&self.scan, scanner))
    }

    /// Reports how far the wheels' count is trusted.
    pub(in crate::bodies) fn publish_odometry(&self, now: &mut Moment<'_>, slipping: bool) {
        if now.due(Kind::Odometry, LOCALIZATION_PERIOD) {
            let reliable = !slipping && !self.is_blind(now.time_s) && !self.scan.ranges_m.is_empty();
            now.reports.publish(self.doubt.odometry(&self.make.drift, self.pose().yaw_rad, reliable));
        }
    }

    /// Reports how well it knows where it is, or that it makes a map, and whether its wheels slip.
    pub(in crate::bodies) fn publish(&mut self, now: &mut Moment<'_>, slipping: bool) {
        let (state, word) = match (self.localizer.is_reliable(), self.is_blind(now.time_s)) {
            _ if self.is_mapless() => (LocalizationState::Idle, "inactive"),
            (true, false) if self.mapping => (LocalizationState::Mapping, "mapping"),
            (_, true) => (LocalizationState::Error, "lidar failed"),
            (true, false) => (LocalizationState::Tracking, "tracking"),
            (false, false) => (LocalizationState::Relocalizing, "relocalizing"),
        };
        if self.published == Some((state, slipping)) && !now.due(Kind::Localization, LOCALIZATION_PERIOD) {
            return;
        }
        self.published = Some((state, slipping));
        let hundredths = |ratio: f64| (ratio * 100.0).round() / 100.0;
        let on_map = !self.mapless && !self.mapping && !self.is_blind(now.time_s);
        let matched = on_map.then(|| self.localizer.matched());
        let compared = on_map.then(|| pieces(&self.scan, self.scan().1, &self.known));
        now.reports.publish(Localization {
            state,
            has_pose: Some(!self.is_lost()),
            streaming: false,
            quality_ratio: Some(hundredths(self.localizer.quality())),
            match_ratio: matched.map(hundredths),
            matched: matched.map(Localizer::is_good),
            slipping: Some(slipping),
            constraints: compared.map(|[all, _]| all),
            good_constraints: compared.map(|[_, good]| good),
            flags: Vec::new(),
            mode: Some(word.into()),
            sensor: None,
        });
    }
}
