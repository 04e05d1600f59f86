//! An AutoXing delivery chassis: two driven wheels, a laser scanner, a jack for racks, two cameras. It
//! drives by itself on its map, and is driven by hand in control mode `remote` only.
//!
//! ```text
//!  goal ─▶ way ─▶ wish ─▶ (the world moves) ─▶ scan, bumpers, localisation ─▶ way
//!  carry ──▶ jack ─▶ rack taken or put down       battery, faults ─▶ alerts
//! ```
//!
//! | file | organ |
//! |---|---|
//! | [`rover`](super::rover) | wheels, laser scanner, localisation, bumpers, battery, the way |
//! | `navigation`, `following` | goals: points, places, chargers, routes, racks; followed targets |
//! | `rack_areas` | areas of racks, searched place by place |
//! | `jack`, `load` | jack and roller; the rack above |
//! | `detections`, `charts` | what it makes out around it; maps |
//! | `atlas`, `mapping`, `searches` | which map it drives by; finding itself on it |
//! | `augmented`, `stand_in` | pictures with what it makes out; pictures from elsewhere |
//! | `switches`, `trip` | modes, pins, lights; how far it went |
//! | `lifts` | lifts, called and entered |
//! | `limits` | how fast it may drive |
//! | `traction` | how its wheels hold the floor, and whether it stands |
//! | `obstruction` | what keeps it from driving |
//! | `alerts`, `warnings` | faults, and their detection |
//! | `publishing` | what it publishes periodically |
//! | `rounds` | the rounds of its patrol, each a move |
//! | `working` | what it was sent for, step by step |
//! | `maintenance` | calibrating, forgetting faults, switching the scanner |

mod alerts;
mod atlas;
mod augmented;
mod charts;
mod commands;
mod detections;
mod figure;
mod following;
mod jack;
mod lifts;
mod limits;
mod load;
mod maintenance;
mod mapping;
mod navigation;
mod obstruction;
mod parts;
mod publishing;
mod rack_areas;
mod rounds;
mod searches;
mod stand_in;
mod stimuli;
mod switches;
mod traction;
mod trip;
mod warnings;
mod working;

use std::sync::{Arc, LazyLock};

use latimer_core::model::signal::{ControlMode, SpeedLimits};
use latimer_core::model::{Command, Kind};
use latimer_core::{Outcome, PartName};
use latimer_simulator_api::Stimulus;

use super::camera_driver::{self, CameraDriver};
use super::identity::DeviceIdentity;
use super::rover::{Bearings, Rover};
use super::state::BodyState;
use super::{Body, BodyKind, Origin, Outbox, Wish};
use crate::behaviour::{Intent, Senses, Vitals};
use crate::config::{Color, WorldFile};
use crate::drive::Speeds;
use crate::geometry::Pose2;
use crate::physics::{Footprint, Motion2, STEP_S, Surroundings};
use crate::sensors::ImuSensor;
use alerts::Alerts;
use atlas::Atlas;
use augmented::Augmented;
use charts::{Charts, Sight};
use detections::Sights;
use following::Following;
use jack::Jack;
use maintenance::Calibration;
use mapping::Frames;
use navigation::Rack;
use publishing::RARE_PERIOD;
use rack_areas::AreaSearch;
use rounds::Rounds;
use searches::Search;
use stand_in::StandIn;
use stimuli::Faults;
use switches::Switches;
use traction::TractionReport;
use trip::Trip;

/// How warm it is inside, degrees Celsius (plausible), and too hot.
const WARM_C: f64 = 46.0;
const TOO_HOT_C: f64 = 80.0;

/// Side of a cell of its maps, metres.
const CELL_M: f64 = Bearings::CELL_M;

/// Numbers of its streams.
const SCAN: usize = 0;
const CHARTS: usize = 1;
const FRONT: usize = CHARTS + charts::STREAMS;
const BACK: usize = FRONT + camera_driver::STREAMS;
const AUGMENTED: usize = BACK + camera_driver::STREAMS;

/// The kind of body.
pub(super) static KIND: BodyKind = BodyKind {
    family: "axbot",
    title: "AutoXing chassis",
    footprint: parts::FOOTPRINT,
    color: Color([0x3b, 0x44, 0x52]),
    height_m: 1.05,
    figure: figure::figure,
    profile: LazyLock::new(|| Arc::new(figure::profile())),
    make: |origin| Box::new(Axbot::new(origin)),
};

/// The body.
pub(super) struct Axbot {
    file: Arc<WorldFile>,
    state: BodyState,
    streams: Vec<(Kind, PartName)>,
    /// Where it truly is, for marks that it feels.
    truth: Pose2,
    /// The frame of its published poses now, and all that they may be in.
    frame: Pose2,
    frames: Frames,
    /// It fell, and the fall is not cleared.
    fell: bool,
    /// There is no floor beneath it.
    over_drop: bool,
    slipping_until_s: f64,
    /// Since when its scanner is switched off.
    lidar_off_s: Option<f64>,
    calibration: Option<Calibration>,
    rover: Rover,
    imu: ImuSensor,
    jack: Jack,
    switches: Switches,
    alerts: Alerts,
    faults: Faults,
    trip: Trip,
    sights: Sights,
    charts: Charts,
    atlas: Atlas,
    search: Option<Search>,
    front: CameraDriver,
    back: CameraDriver,
    augmented: Augmented,
    /// What stands in for the front camera and the back one.
    stand_ins: [StandIn; 2],
    device: DeviceIdentity,
    mapping: bool,
    following: Option<Following>,
    /// About where a rack shall be that it was sent to.
    wanted_rack: Option<Pose2>,
    /// The area that it looks for a rack or a place in.
    area: Option<AreaSearch>,
    /// It was sent on its way while the jack moved, and sets out when that holds.
    awaits_jack: bool,
    /// The rack that it drives beneath.
    aligning: Option<Rack>,
    rounds: Rounds,
    /// It was sent to charge and is not full yet: on the charger, what it does unasked has to wait.
    sent_to_charge: bool,
    /// The rack that it carries.
    rack: Option<String>,
    /// It stands beneath a rack.
    beneath: bool,
    /// Its outline now.
    outline: Footprint,
    outline_published: bool,
    /// The local path was published and is not over.
    local_published: bool,
    /// How fast it may drive.
    limits: SpeedLimits,
    limits_published: bool,
    traction: TractionReport,
}

impl Axbot {
    /// A body, fresh from the charger.
    fn new(origin: Origin<'_>) -> Self {
        let mut rng = origin.rng.clone();
        let mut rover = Rover::new(&parts::ROVER, &parts::BUMPERS, &parts::POWER, SCAN, &origin, &mut rng);
        limits::apply(&parts::LIMITS, &mut rover.drive);
        let mut state = BodyState::new(rng);
        let front = CameraDriver::new("camera_front", parts::CAMERA_MODE, FRONT);
        let back = CameraDriver::new("camera_back", parts::CAMERA_MODE, BACK);
        let scan = std::iter::once((Kind::Scan, PartName::of("lidar")));
        let streams = scan.chain(Charts::streams()).chain(front.streams()).chain(back.streams());
        let streams = streams.chain([Augmented::stream()]);
        Self {
            file: origin.file.clone(),
            streams: streams.collect(),
            truth: origin.at,
            frame: Pose2::default(),
            frames: Frames::default(),
            fell: false,
            over_drop: false,
            slipping_until_s: 0.0,
            lidar_off_s: None,
            calibration: None,
            charts: Charts::new(CHARTS, rover.bearings.known()),
            rover,
            imu: ImuSensor::new(&mut state.rng),
            jack: Jack::new(),
            switches: Switches::new(),
            alerts: Alerts::default(),
            faults: Faults::default(),
            trip: Trip::default(),
            sights: Sights::new(),
            atlas: Atlas::default(),
            search: None,
            front,
            back,
            augmented: Augmented::new(AUGMENTED),
            stand_ins: Default::default(),
            device: DeviceIdentity::new(origin.robot, "AutoXing", "s300", "2.14.0", &mut state.rng)
                .with(parts::components),
            mapping: false,
            following: None,
            wanted_rack: None,
            area: None,
            awaits_jack: false,
            aligning: None,
            rounds: Rounds::default(),
            sent_to_charge: false,
            rack: None,
            beneath: false,
            outline: parts::FOOTPRINT,
            outline_published: false,
            local_published: false,
            limits: parts::LIMITS,
            limits_published: false,
            traction: TractionReport::default(),
            state,
        }
    }

    fn feel(&mut self, around: &Surroundings<'_>) {
        let in_air = self.state.is_lifted();
        if !in_air {
            self.over_drop = around.over_drop();
            self.state.fallen |= self.over_drop;
            self.fell |= self.state.fallen;
        }
        let motion = if in_air { Motion2::default() } else { around.motion };
        self.imu.feel(motion, STEP_S);
        let awake = self.switches.is_awake();
        let match_ratio = self.rover.feel(&mut self.state.moment(around), around, in_air, awake);
        self.atlas.open(around);
        self.look_for_itself(around);
        self.read_floor(around);
        let slipping = self.is_slipping(around.time_s);
        self.rover.bearings.publish(&mut self.state.moment(around), slipping);
        if around.time_s >= self.faults.odometry_s {
            self.rover.bearings.publish_odometry(&mut self.state.moment(around), slipping);
        }
        // What is marked is in the frame of the map that it drives by.
        if around.time_s >= self.faults.map_server_s && !self.frames.is_elsewhere() {
            self.atlas.update(&mut self.state.moment(around));
        }
        if self.disabled().is_some() {
            self.rover.drive.drop_orders(&mut self.state.reports);
        }
        let seen = match_ratio.map(|_| self.rover.bearings.scan());
        let bearings = &self.rover.bearings;
        let sight = Sight {
            believed: bearings.pose(),
            known: bearings.known(),
            obstacles: bearings.obstacles(),
            scan: seen,
            mapless: bearings.is_mapless() || around.time_s < self.faults.map_server_s,
            lost: bearings.is_lost(),
            costless: around.time_s < self.faults.costs_s,
            mapper_fails: around.time_s < self.faults.mapper_s,
        };
        self.charts.update(&mut self.state.moment(around), around, &sight);
    }
}

impl Body for Axbot {
    fn state(&mut self) -> &mut BodyState {
        &mut self.state
    }

    fn outline(&self) -> Option<Footprint> {
        Some(self.outline)
    }

    fn streams(&self) -> &[(Kind, PartName)] {
        &self.streams
    }

    fn senses(&self) -> Senses {
        let senses = self.rover.senses(self.state.time_s, self.disabled().is_some());
        Senses { navigates: true, ..senses }
    }

    fn vitals(&self) -> Vitals {
        self.rover.vitals()
    }

    fn intend(&mut self, intent: &Intent) {
        match &intent.goal {
            Some(goal) => self.go_by_habit(goal),
            None => self.end_habit(),
        }
        let mine = !self.rover.way.is_active() && self.calibration.is_none() && !self.is_held();
        self.rover.drive.intend(if mine {
            Speeds { linear_mps: intent.forward_mps, angular_radps: intent.turn_radps }
        } else {
            Speeds::REST
        });
    }

    fn taken_over(&mut self) {
        self.end_habit();
    }

    fn is_busy(&self) -> bool {
        self.rover.drive.is_busy()
            || self.rover.way.is_active()
            || self.jack.is_moving()
            || self.calibration.is_some()
            || self.stays_to_charge()
    }

    fn command(&mut self, command: Command) -> Result<Outcome, Outcome> {
        self.obey(command)
    }

    fn poke(&mut self, stimulus: Stimulus, _: Pose2) -> Result<Outcome, Outcome> {
        self.happen(stimulus)
    }

    fn wish(&mut self, motion: Motion2, _step_s: f64) -> Wish {
        let way = self.rover.way.is_active();
        let (held, at_mark) = (self.is_held(), self.is_at_mark());
        let speeds = self.rover.way.steer(held, self.state.time_s, at_mark, &self.rover.bearings);
        if self.switches.mode() == ControlMode::Manual && !self.state.is_lifted() {
            return self.rover.drive.roll_free(motion);
        }
        if self.disabled().is_some() {
            return self.rover.drive.stand(motion, self.state.time_s, &mut self.state.reports);
        }
        let way = if way { Some(speeds) } else { self.calibrating_speeds() };
        // Its bumpers hold what drives by itself; who drives by hand can press it against a wall, as real ones can be.
        let by_hand = self.rover.drive.is_ordered();
        let pressed = [self.rover.bumpers.front_side().is_some(), self.rover.bumpers.rear()];
        let pressed = pressed.map(|pressed| pressed && !by_hand);
        self.rover.drive.wish(way, pressed, motion, self.state.time_s, &mut self.state.reports)
    }

    fn sense(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>) {
        self.frame = self.frames.now(around.frame);
        let around = &Surroundings { frame: self.frame, ..*around };
        self.truth = around.pose;
        self.feel(around);
        self.live(around);
        let [front, back] = [self.lens(false), self.lens(true)];
        let exposures = [
            self.front.look(around.time_s, around.demand, || front),
            self.back.look(around.time_s, around.demand, || back),
            self.augmented.look(around, &self.front, front),
        ];
        exposures.into_iter().flatten().for_each(|exposure| out.expose(exposure));
        self.show_stand_ins(around);
        self.work(around, out);
    }

    fn trend(&self) -> Vec<[f64; 2]> {
        let next = self.rover.way.forecast(self.state.time_s, &self.rover.bearings);
        // About three a second are enough to see where it goes.
        next.iter().step_by(3).map(|it| [it.x_m, it.y_m]).collect()
    }

    fn placed(&mut self, turned_rad: f64) {
        self.imu.turned(turned_rad);
        self.rover.bearings.carried();
    }
}
