//! Where the robot believes to be, and what its laser scanner sees: wheels, scanner, localisation.
//!
//! It knows the map of the world from the start. If it was carried away it notices by its scans, and
//! searches the whole map by itself.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::{Frame, Localization, LocalizationState, Pose, Scan as ScanSignal};

use super::RoverMake;
use crate::bodies::Origin;
use crate::bodies::moment::Moment;
use crate::geometry::Pose2;
use crate::nav::{Door, Goal, Grid, Known, KnownMap, Localizer, LocalizerStep, Obstacles, Shapes, Terrain};
use crate::physics::{DoorState, STEP_S, Surroundings};
use crate::rng::Rng;
use crate::sensors::{Drift, Odometry, Scan};

/// Side of a cell of its map, metres.
const CELL_M: f64 = 0.05;

/// Steps between two turns of the scanner: 10 a second while it drives, 2 while it stands unheard.
const SCAN_PERIOD: u64 = 10;
const IDLE_PERIOD: u64 = 50;

/// Steps between two reports of the localisation: 1 s.
const LOCALIZATION_PERIOD: u64 = 100;

/// So many cells ahead it minds where no robot may go.
const MINDED_CELLS: u32 = 16;

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
    /// Until when the scanner is broken, seconds.
    failed_until_s: f64,
    told: Option<LocalizationState>,
}

impl Bearings {
    pub(in crate::bodies) fn new(
        make: &'static RoverMake,
        stream: usize,
        origin: &Origin<'_>,
        rng: &mut Rng,
    ) -> Self {
        let known = KnownMap::of(&Shapes::of(origin.file), CELL_M);
        Self {
            make,
            stream,
            odometry: Odometry::default(),
            drift: Drift::new(make.drift, Rng::new(rng.bits())),
            localizer: Localizer::new(origin.at, Rng::new(rng.bits())),
            blocked: known.blocked(),
            obstacles: Obstacles::new(&known.grid),
            known,
            doors: Vec::new(),
            scan: Scan::default(),
            failed_until_s: 0.0,
            told: None,
        }
    }

    /// Where it believes to be, on the map.
    pub(in crate::bodies) fn pose(&self) -> Pose2 {
        self.localizer.pose()
    }

    /// Whether it does not know where it is.
    pub(in crate::bodies) fn is_lost(&self) -> bool {
        !self.localizer.is_reliable()
    }

    /// Whether the scanner is broken.
    pub(in crate::bodies) fn is_blind(&self, time_s: f64) -> bool {
        time_s < self.failed_until_s
    }

    /// Way by the wheels, metres, and heading by the wheels, radians.
    pub(in crate::bodies) fn travelled(&self) -> (f64, f64) {
        (self.odometry.travelled_m, self.odometry.pose.yaw_rad)
    }

    /// What a way has to mind.
    pub(in crate::bodies) fn terrain(&self) -> Terrain<'_> {
        Terrain { blocked: &self.blocked, obstacles: Some(&self.obstacles), doors: &self.doors }
    }

    /// The pose is lost.
    pub(in crate::bodies) fn lose(&mut self) {
        let [x_m, y_m] = self.pose().point_out(ASTRAY_M, 0.0);
        self.localizer.lose(Pose2::new(x_m, y_m, self.pose().yaw_rad + 1.0));
    }

    /// Somebody says where the robot is; it will find out.
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

    /// Looks for itself on the whole map, because somebody said so or because it was carried away and
    /// nothing fits any more.
    pub(in crate::bodies) fn relocate(&mut self) {
        self.localizer.lose(self.pose());
    }

    /// A mark on the floor tells where it is.
    pub(in crate::bodies) fn see_mark(&mut self, truth: Pose2) {
        self.localizer.see_landmark(truth);
    }

    /// Way in a direction to where the map says that no robot may go, such as stairs, which no scanner sees;
    /// from the robot's outline, metres.
    pub(in crate::bodies) fn to_keep_out_m(&self, bearing_rad: f64) -> Option<f64> {
        let (here, edge_m) = (self.pose(), self.make.footprint.edge_m(bearing_rad));
        let (sin, cos) = bearing_rad.sin_cos();
        let mut ways_m = (0..MINDED_CELLS).map(|cell| f64::from(cell) * CELL_M);
        ways_m.find(|way_m| {
            let far_m = edge_m + way_m;
            self.known.grid.at(here.point_out(far_m * cos, far_m * sin)) == Some(Known::KeepOut)
        })
    }

    /// Free way in a sector about a bearing, from the robot's outline, metres.
    pub(in crate::bodies) fn free_m(&self, bearing_rad: f64) -> Option<f64> {
        let keep_out_m =
            [-0.35, 0.0, 0.35].into_iter().filter_map(|off| self.to_keep_out_m(bearing_rad + off));
        let scanned_m = self.scanned_m(bearing_rad);
        keep_out_m.chain(scanned_m).min_by(f64::total_cmp)
    }

    fn scanned_m(&self, bearing_rad: f64) -> Option<f64> {
        let near = |(angle, range): (f64, f32)| {
            let off = crate::geometry::wrap_angle(angle - bearing_rad).abs();
            (off < 0.35 && range.is_finite()).then(|| f64::from(range))
        };
        let nearest = self.scan.rays().filter_map(near).fold(f64::INFINITY, f64::min);
        // The scanner sits off the middle, nearer to what is ahead than to what is behind.
        let edge_m = self.make.footprint.edge_m(bearing_rad) - self.make.lidar.x_m * bearing_rad.cos();
        nearest.is_finite().then(|| (nearest - edge_m).max(0.0))
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
        self.odometry.advance(way_m, turn_rad);
        self.localizer.step(&LocalizerStep {
            time_s: around.time_s,
            step_s: STEP_S,
            truth: around.pose,
            moved: self.odometry.pose.seen_from(before),
            match_ratio,
        });
        if self.is_lost() && !self.localizer.is_searching() && !self.scan.ranges_m.is_empty() {
            let quality = self.known.match_ratio(&self.scan, self.make.lidar.frame_at(around.pose));
            self.localizer.relocate(quality, around.time_s);
        }
    }

    /// Turns the scanner if it is time; tells how well the scan fits.
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
        let scanner = self.make.lidar.frame_at(self.pose());
        self.obstacles.see(&self.scan, scanner, &self.known, now.time_s);
        if wanted {
            let Scan { angle_min_rad, angle_increment_rad, range_min_m, range_max_m, ranges_m } =
                self.scan.clone();
            let told = around.told(scanner);
            let pose = (!self.is_lost()).then(|| Pose::planar(Frame::Map, told.x_m, told.y_m, told.yaw_rad));
            now.reports.of(
                &PartName::of("lidar"),
                ScanSignal { angle_min_rad, angle_increment_rad, range_min_m, range_max_m, ranges_m, pose },
            );
        }
        Some(self.known.match_ratio(&self.scan, scanner))
    }

    /// Reports how well it knows where it is, or that it makes a map.
    pub(in crate::bodies) fn tell(&mut self, now: &mut Moment<'_>, mapping: bool) {
        let (state, word) = match (self.localizer.is_reliable(), self.is_blind(now.time_s)) {
            (true, false) if mapping => (LocalizationState::Mapping, "mapping"),
            (_, true) => (LocalizationState::Error, "lidar failed"),
            (true, false) => (LocalizationState::Tracking, "tracking"),
            (false, false) => (LocalizationState::Relocalizing, "relocalizing"),
        };
        if self.told == Some(state) && !now.due(Kind::Localization, LOCALIZATION_PERIOD) {
            return;
        }
        self.told = Some(state);
        now.reports.say(Localization {
            state,
            has_pose: Some(self.localizer.is_reliable()),
            streaming: false,
            quality_ratio: Some((self.localizer.quality() * 100.0).round() / 100.0),
            flags: Vec::new(),
            mode: Some(word.into()),
            sensor: None,
            ..Localization::IDLE
        });
    }
}
