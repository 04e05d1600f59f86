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
//! | `navigation` | goals: points, places, chargers, routes, racks, followed targets |
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
//! | `maintenance` | calibrating, forgetting faults, switching the scanner |

mod alerts;
mod atlas;
mod augmented;
mod charts;
mod commands;
mod detections;
mod figure;
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

use std::sync::{Arc, LazyLock};

use latimer_core::model::signal::{ControlMode, NavigationFailure, NavigationKind, SpeedLimits};
use latimer_core::model::{Command, Kind};
use latimer_core::{Outcome, PartName};
use latimer_simulator_api::Stimulus;

use super::camera_driver::{self, CameraDriver};
use super::identity::DeviceIdentity;
use super::moment::moment;
use super::reports::Reports;
use super::rover::{Bearings, Ended, Rover};
use super::{Body, BodyKind, Origin, Outbox, Wish};
use crate::behaviour::{Intent, Senses, Vitals};
use crate::config::{Color, WorldFile};
use crate::drive::Speeds;
use crate::geometry::Pose2;
use crate::nav::Failure;
use crate::physics::{Footprint, Motion2, STEP_S, Surroundings};
use crate::rng::Rng;
use crate::sensors::ImuSensor;
use alerts::Alerts;
use atlas::Atlas;
use augmented::Augmented;
use charts::{Charts, Sight};
use detections::Sights;
use jack::{Hindrance, Jack};
use maintenance::Calibration;
use mapping::Frames;
use navigation::{Following, Rack};
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
    rng: Rng,
    reports: Reports,
    streams: Vec<(Kind, PartName)>,
    /// Steps lived, plus an offset so that robots that start together do not all speak at the same step.
    tick: u64,
    /// The world's clock at the last step, seconds.
    time_s: f64,
    /// Where it truly is, for marks that it feels.
    truth: Pose2,
    /// The frame of its published poses now, and all that they may be in.
    frame: Pose2,
    frames: Frames,
    lifted_until_s: f64,
    fallen: bool,
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
        let front = CameraDriver::new("camera_front", parts::CAMERA_MODE, FRONT);
        let back = CameraDriver::new("camera_back", parts::CAMERA_MODE, BACK);
        let scan = std::iter::once((Kind::Scan, PartName::of("lidar")));
        let streams = scan.chain(Charts::streams()).chain(front.streams()).chain(back.streams());
        let streams = streams.chain([Augmented::stream()]);
        Self {
            file: origin.file.clone(),
            reports: Reports::default(),
            streams: streams.collect(),
            tick: rng.bits() % 1_000,
            time_s: 0.0,
            truth: origin.at,
            frame: Pose2::default(),
            frames: Frames::default(),
            lifted_until_s: 0.0,
            fallen: false,
            fell: false,
            over_drop: false,
            slipping_until_s: 0.0,
            lidar_off_s: None,
            calibration: None,
            charts: Charts::new(CHARTS, rover.bearings.known()),
            rover,
            imu: ImuSensor::new(&mut rng),
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
            device: DeviceIdentity::new(origin.robot, "AutoXing", "s300", "2.14.0", &mut rng)
                .with(parts::components),
            mapping: false,
            following: None,
            wanted_rack: None,
            area: None,
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
            rng,
        }
    }

    fn feel(&mut self, around: &Surroundings<'_>) {
        let in_air = self.in_air();
        if !in_air {
            self.over_drop = around.over_drop();
            self.fallen |= self.over_drop;
            self.fell |= self.fallen;
        }
        let motion = if in_air { Motion2::default() } else { around.motion };
        self.imu.feel(motion, STEP_S);
        let awake = self.switches.is_awake();
        let match_ratio = self.rover.feel(&mut moment!(self, around), around, in_air, awake);
        self.atlas.open(around);
        self.look_for_itself(around);
        self.read_floor(around);
        let slipping = self.is_slipping(around.time_s);
        self.rover.bearings.publish(&mut moment!(self, around), slipping);
        if around.time_s >= self.faults.odometry_s {
            self.rover.bearings.publish_odometry(&mut moment!(self, around), slipping);
        }
        // What is marked is in the frame of the map that it drives by.
        if around.time_s >= self.faults.map_server_s && !self.frames.is_elsewhere() {
            self.atlas.update(&mut moment!(self, around));
        }
        if self.disabled().is_some() {
            self.rover.drive.drop_orders(&mut self.reports);
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
        self.charts.update(&mut moment!(self, around), around, &sight);
    }

    /// Goes on with what it was sent for.
    fn work(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>) {
        self.correct(around);
        self.ride(around, out);
        self.keep_calibrating(around);
        self.beneath = self.rack_above(around).is_some();
        let (alert, undocked) = self.docking_error(around);
        let blind = self.rover.bearings.is_blind(around.time_s);
        let in_area = self.area.is_some();
        self.rover.way.refine(|kind, failure| match (kind, failure) {
            _ if in_area && rack_areas::is_missed(failure) => rack_areas::failure_in_area(kind, failure),
            (NavigationKind::EnterElevator, Failure::DoorShut) => Failure::LiftShut,
            (NavigationKind::EnterElevator, Failure::WayBlocked) => Failure::LiftObscured,
            (NavigationKind::AlignWithRack, Failure::DockFailed) => Failure::RackMissed,
            (_, Failure::Lost) if blind => Failure::Blind,
            (_, Failure::DockFailed) => undocked,
            _ => failure,
        });
        let ended = self.rover.way.publish(&mut moment!(self, around), around, warnings::failure_code);
        self.publish_next(around);
        if !self.rover.way.is_active() {
            self.trip.end();
            self.following = None;
        }
        if matches!(ended, Some(Ended::Failed(..))) {
            self.rounds.rest(around.time_s);
        }
        if ended.is_some() {
            // What its behaviour wanted before it was sent is over.
            self.rover.drive.intend(Speeds::REST);
        }
        let given_up = matches!(ended, Some(Ended::Failed(..)));
        self.sent_to_charge &= !given_up && self.rover.power.battery.charge_ratio() < parts::FULL_RATIO;
        if let Some(Ended::Failed(NavigationFailure::DockFailed | NavigationFailure::NoCharger, _)) = ended {
            self.alerts.set(alert, true);
        }
        let sticks = around.time_s < self.faults.jack_s;
        let hindrance = Hindrance { held: self.disabled().is_some(), sticks };
        let reached = self.jack.update(&mut moment!(self, around), hindrance);
        self.handle_rack(reached, around, out);
        if !std::mem::replace(&mut self.outline_published, true)
            || moment!(self, around).due(Kind::Footprint, RARE_PERIOD)
        {
            self.reports.publish(self.footprint_signal());
        }
        if !std::mem::replace(&mut self.limits_published, true)
            || moment!(self, around).due(Kind::DriveLimits, RARE_PERIOD)
        {
            self.reports.publish(self.limits_signal());
        }
    }
}

impl Body for Axbot {
    fn kind(&self) -> &'static BodyKind {
        &KIND
    }

    fn footprint(&self) -> Footprint {
        self.outline
    }

    fn streams(&self) -> &[(Kind, PartName)] {
        &self.streams
    }

    fn senses(&self) -> Senses {
        let senses = self.rover.senses(self.time_s, self.disabled().is_some());
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

    fn command(&mut self, command: Command) -> Outcome {
        self.obey(command).unwrap_or_else(|refusal| refusal)
    }

    fn poke(&mut self, stimulus: Stimulus, _: Pose2) -> Outcome {
        self.happen(stimulus).unwrap_or_else(|refusal| refusal)
    }

    fn wish(&mut self, motion: Motion2, _step_s: f64) -> Wish {
        let way = self.rover.way.is_active();
        let (held, at_mark) = (self.is_held(), self.is_at_mark());
        let speeds = self.rover.way.steer(held, self.time_s, at_mark, &self.rover.bearings);
        if self.switches.mode() == ControlMode::Manual && !self.in_air() {
            return self.rover.drive.roll_free(motion);
        }
        if self.disabled().is_some() {
            return self.rover.drive.stand(motion, self.time_s, &mut self.reports);
        }
        let way = if way { Some(speeds) } else { self.calibrating_speeds() };
        // Its bumpers hold what drives by itself; who drives by hand can press it against a wall, as real ones can be.
        let by_hand = self.rover.drive.is_ordered();
        let pressed = [self.rover.bumpers.front_side().is_some(), self.rover.bumpers.rear()];
        let pressed = pressed.map(|pressed| pressed && !by_hand);
        self.rover.drive.wish(way, pressed, motion, self.time_s, &mut self.reports)
    }

    fn sense(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>) {
        self.time_s = around.time_s;
        self.frame = self.frames.now(around.frame);
        let around = &Surroundings { frame: self.frame, ..*around };
        self.truth = around.pose;
        self.tick += 1;
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
        self.reports.flush(out);
    }

    fn trend(&self) -> Vec<[f64; 2]> {
        let next = self.rover.way.forecast(self.time_s, &self.rover.bearings);
        // About three a second are enough to see where it goes.
        next.iter().step_by(3).map(|it| [it.x_m, it.y_m]).collect()
    }

    fn placed(&mut self, turned_rad: f64) {
        self.fallen = false;
        self.imu.turned(turned_rad);
        self.rover.bearings.carried();
    }
}
