//! A round robot with a laser scanner and a navigator, straight on the physics.

use latimer_core::Timestamp;
use latimer_world::bodies::Demand;
use latimer_world::drive::{Speeds, TrackLimits, Tracks};
use latimer_world::nav::{
    Believed, Berth, Door, FollowLimits, Goal, KnownMap, Navigator, NavigatorLimits, Obstacles, Progress,
    State, Terrain, shapes,
};
use latimer_world::physics::{
    Chassis, DoorState, Doors, FloorPlan, Footprint, Lights, People, Physics, Racks, STEP_S, Surroundings,
    Walls,
};
use latimer_world::sensors::{Lidar, Scan};
use latimer_world::{Household, Pose2, Rng, WorldFile};

pub(crate) const RADIUS_M: f64 = 0.2;

pub(crate) const LIDAR: Lidar = Lidar {
    x_m: 0.08,
    y_m: 0.0,
    yaw_rad: 0.0,
    field_of_view_rad: std::f64::consts::TAU,
    rays: 360,
    min_m: 0.05,
    max_m: 12.0,
    sigma_m: 0.0,
};

pub(crate) const LIMITS: NavigatorLimits = NavigatorLimits {
    follow: FollowLimits { linear_mps: 0.6, angular_radps: 1.4, slow_down_mps2: 0.8, spin_radps2: 4.0 },
    berth: Berth { radius_m: RADIUS_M + 0.03, margin_m: 0.25 },
    gap_m: 0.2,
    patience_s: 2.0,
    give_up_s: 20.0,
    door_s: 30.0,
    dock_mps: 0.12,
    dock_tries: 3,
};

const TRACKS: TrackLimits =
    TrackLimits { gap_m: 0.3, speed_up_mps2: 0.6, slow_down_mps2: 1.2, spin_radps2: 6.0 };

pub(crate) fn footprint() -> Footprint {
    Footprint { length_m: 2.0 * RADIUS_M, width_m: 2.0 * RADIUS_M, corner_m: RADIUS_M - 0.01, mass_kg: 20.0 }
}

pub(crate) struct Rig {
    pub(crate) file: WorldFile,
    pub(crate) physics: Physics,
    pub(crate) people: People,
    pub(crate) floor: FloorPlan,
    pub(crate) chassis: Chassis,
    pub(crate) known: KnownMap,
    pub(crate) obstacles: Obstacles,
    pub(crate) doors: Vec<Door>,
    pub(crate) navigator: Navigator,
    pub(crate) time_s: f64,
    pub(crate) lost: bool,
    pub(crate) blocked_ahead_m: Option<f64>,
    /// Standard deviation of the believed position, metres.
    pub(crate) noise_m: f64,
    /// Whether a robot on a charger knows it.
    pub(crate) charger_holds: bool,
    pub(crate) bumps: u32,
    pub(crate) most: Speeds,
    tracks: Tracks,
    walls: Walls,
    household: Household,
    leaves: Doors,
    racks: Racks,
    lights: Lights,
    rng: Rng,
}

impl Rig {
    pub(crate) fn new(file: WorldFile, at: Pose2) -> Self {
        let mut physics = Physics::new(&file);
        let known = KnownMap::of(&shapes(&file), 0.05);
        Self {
            people: People::new(&file, &mut physics),
            floor: FloorPlan::new(&file),
            chassis: physics.add_chassis(footprint(), at),
            obstacles: Obstacles::new(&known.grid),
            known,
            doors: Vec::new(),
            navigator: Navigator::new(LIMITS),
            time_s: 0.0,
            lost: false,
            blocked_ahead_m: None,
            noise_m: 0.0,
            charger_holds: true,
            bumps: 0,
            most: Speeds::REST,
            tracks: Tracks::new(TRACKS),
            walls: Walls::new(&file),
            household: Household::new(&file),
            leaves: Doors::new(&file, &mut physics),
            racks: Racks::new(&file, &mut physics),
            lights: Lights::new(&file),
            rng: Rng::new(11),
            physics,
            file,
        }
    }

    pub(crate) fn builtin(name: &str, at: Pose2) -> Self {
        Self::new(WorldFile::builtin(name).unwrap(), at)
    }

    /// A room with more in it.
    pub(crate) fn room(size_m: [f64; 2], more: &str, at: Pose2) -> Self {
        let text = format!("name = \"rig\"\nsize_m = [{:?}, {:?}]\n{more}", size_m[0], size_m[1]);
        Self::new(WorldFile::parse(&text).unwrap(), at)
    }

    pub(crate) fn pose(&self) -> Pose2 {
        self.physics.pose(&self.chassis)
    }

    pub(crate) fn scan(&mut self, lidar: &Lidar) -> Scan {
        let around = Surroundings {
            file: &self.file,
            doors: &self.leaves,
            racks: &self.racks,
            lights: &self.lights,
            household: &self.household,
            crowd: &[],
            frame: Pose2::default(),
            demand: Demand::EVERY_KIND,
            physics: &self.physics,
            floor: &self.floor,
            walls: &self.walls,
            people: &self.people,
            sounds: &[],
            chassis: &self.chassis,
            pose: self.physics.pose(&self.chassis),
            motion: self.physics.motion(&self.chassis),
            touching: &[],
            now: Timestamp::from_nanos(0),
            time_s: self.time_s,
        };
        lidar.scan(&around, &mut self.rng)
    }

    pub(crate) fn place(&mut self, at: Pose2) {
        self.physics.place(&self.chassis, at);
        self.physics.step();
    }

    /// One step of everything.
    pub(crate) fn step(&mut self) -> Progress {
        self.time_s += STEP_S;
        let truth = self.pose();
        let mut noise = || self.rng.normal(self.noise_m);
        let pose = Pose2::new(truth.x_m + noise(), truth.y_m + noise(), truth.yaw_rad + noise() / 3.0);
        if ((self.time_s * 100.0).round() as u64).is_multiple_of(10) {
            let scan = self.scan(&LIDAR);
            self.obstacles.see(&scan, LIDAR.frame_at(pose), &self.known, self.time_s);
        }
        let blocked = self.known.blocked();
        let leaf = |door: &latimer_world::physics::Door| Door {
            polygon_m: door.polygon().to_vec(),
            shut: door.state != DoorState::Open,
        };
        let doors: Vec<Door> = self.doors.iter().cloned().chain(self.leaves.iter().map(leaf)).collect();
        let terrain = Terrain { blocked: &blocked, obstacles: Some(&self.obstacles), doors: &doors };
        let at = Believed {
            pose,
            time_s: self.time_s,
            lost: self.lost,
            docked: self.charger_holds && self.floor.charger(truth).is_some(),
            blocked_ahead_m: self.blocked_ahead_m,
        };
        let (speeds, progress) = self.navigator.drive(&at, &terrain);
        self.most.linear_mps = self.most.linear_mps.max(speeds.linear_mps.abs());
        self.most.angular_radps = self.most.angular_radps.max(speeds.angular_radps.abs());
        self.tracks.want(speeds);
        let motion = self.physics.motion(&self.chassis);
        let push = self.tracks.push(motion, STEP_S);
        self.people.step(&mut self.physics);
        self.leaves.step(&mut self.physics, &self.people);
        self.physics.drive(&self.chassis, push.linear_mps, push.angular_radps);
        self.physics.step();
        let mut touching = Vec::new();
        self.physics.touching(&self.chassis, &mut touching);
        self.bumps += u32::from(touching.iter().any(|it| it.gap_m < 0.0));
        progress
    }

    /// Runs until the goal is over, at most so long.
    pub(crate) fn run(&mut self, seconds: f64) -> Progress {
        let mut progress = Progress::default();
        for _ in 0..(seconds * 100.0) as u32 {
            progress = self.step();
            if !progress.state.is_active() {
                break;
            }
        }
        progress
    }

    /// Goes somewhere, which must succeed.
    pub(crate) fn reach(&mut self, goal: Goal) {
        self.navigator.go(goal);
        let progress = self.run(180.0);
        assert_eq!(progress.state, State::Arrived, "at {:?} after {:.1} s", self.pose(), self.time_s);
    }
}
