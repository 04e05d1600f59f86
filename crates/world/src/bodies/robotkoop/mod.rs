//! A household robot: an arm on a round base that fetches, tidies up and hands things over.
//!
//! ```text
//!  task ─▶ agenda ─▶ act ─▶ way, arm, recognition ─▶ wish ─▶ (the world moves) ─▶ scan, bumpers, camera ─▶ event ─┐
//!            ▲                                                                                            │
//!            └────────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! | file | organ |
//! |---|---|
//! | `tasks/` | what it was asked to do, and how far it is |
//! | `acting` | carries out a task's next act |
//! | [`rover`](super::rover) | drives somewhere by itself: wheels, laser scanner, localisation, bumpers, battery |
//! | `recognition`, `mast` | what the camera finds; its pictures |
//! | `arm`, `identity` | what their names say |
//!
//! It is held, and its task with it, while an emergency stop is pressed, while a client drives (and
//! ten seconds after a drive command or a stop), in the air, and without power. Then it goes on.

mod acting;
mod arm;
mod commands;
mod figure;
mod identity;
mod mast;
mod parts;
mod recognition;
mod stimuli;
mod tasks;

use std::sync::{Arc, LazyLock};

use latimer_core::model::signal::{CameraState, ControlMode, Frame, Pose, Text, TextChannel};
use latimer_core::model::{Command, Kind};
use latimer_core::{Outcome, PartName};
use latimer_simulator_api::Stimulus;

use super::camera_driver::CameraDriver;
use super::rover::{Ended, Rover};
use super::state::BodyState;
use super::{Body, BodyKind, Origin, Outbox, Wish};
use crate::behaviour::{Intent, Senses, Vitals};
use crate::config::{Color, WorldFile};
use crate::drive::Speeds;
use crate::geometry::Pose2;
use crate::household::Whereabouts;
use crate::physics::{Motion2, Surroundings};
use acting::Doing;
use arm::Arm;
use identity::Identity;
use recognition::Recognition;
use tasks::{Agenda, AgendaContext, Memory};

/// Steps between two reports of pose and measured speed: 10 a second.
const POSE_PERIOD: u64 = 10;

/// The kind of body.
pub(super) static KIND: BodyKind = BodyKind {
    family: "robotkoop",
    title: "Household robot",
    footprint: parts::FOOTPRINT,
    color: Color([0xb5, 0x4d, 0x2e]),
    height_m: 1.2,
    figure: figure::figure,
    profile: LazyLock::new(|| Arc::new(figure::profile())),
    make: |origin| Box::new(RobotKoop::new(origin)),
};

/// The body.
pub(super) struct RobotKoop {
    file: Arc<WorldFile>,
    state: BodyState,
    streams: Vec<(Kind, PartName)>,
    /// The frame of its published poses.
    frame: Pose2,
    gripper_failed_until_s: f64,
    rover: Rover,
    arm: Arm,
    recognition: Recognition,
    camera_driver: CameraDriver,
    identity: Identity,
    memory: Memory,
    agenda: Agenda,
    doing: Doing,
    /// How its last drive ended, until the job receives it.
    ended: Option<Ended>,
    /// The place where it last went.
    here: Option<String>,
    /// What it carries, in its hand and on its tray.
    carried: Vec<String>,
}

impl RobotKoop {
    /// A body, fresh from the charger.
    fn new(origin: Origin<'_>) -> Self {
        let mut state = BodyState::new(origin.rng.clone());
        let scan = std::iter::once((Kind::Scan, PartName::of("lidar")));
        let camera_driver = CameraDriver::new("camera", mast::CAMERA_MODE, 1);
        Self {
            file: origin.file.clone(),
            streams: scan.chain(camera_driver.streams()).collect(),
            frame: Pose2::default(),
            gripper_failed_until_s: 0.0,
            rover: Rover::new(&parts::ROVER, &parts::BUMPERS, &parts::POWER, 0, &origin, &mut state.rng),
            arm: Arm::new(),
            recognition: Recognition::default(),
            camera_driver,
            identity: Identity::new(origin.robot, &mut state.rng),
            memory: Memory::new(origin.file),
            agenda: Agenda::default(),
            doing: Doing::Nothing,
            ended: None,
            here: None,
            carried: Vec::new(),
            state,
        }
    }

    /// Why it cannot drive at all.
    fn disabled(&self) -> Option<&'static str> {
        if self.identity.is_stopped() {
            return Some("the emergency stop is pressed; release it");
        }
        if self.state.is_lifted() {
            return Some("it is held in the air");
        }
        let empty = self.rover.power.battery.is_empty();
        self.state.fall().or(empty.then_some("the battery is empty; put the robot on a charger"))
    }

    /// Whether autonomous motion is blocked.
    fn is_held(&self) -> bool {
        self.disabled().is_some()
            || self.identity.mode() != ControlMode::Auto
            || self.rover.drive.is_taken(self.state.time_s)
    }

    /// Lets the agenda act with the robot's context, and says what came of it.
    fn with_agenda<T>(&mut self, act: impl FnOnce(&mut Agenda, f64, &mut AgendaContext<'_>) -> T) -> T {
        let at = self.rover.bearings.pose();
        let (mut reports, mut speech) = (Vec::new(), Vec::new());
        let mut context = AgendaContext {
            memory: &mut self.memory,
            carried: &self.carried,
            at_m: [at.x_m, at.y_m],
            reports: &mut reports,
            speech: &mut speech,
        };
        let result = act(&mut self.agenda, self.state.time_s, &mut context);
        for report in reports {
            self.state.reports.publish(report);
        }
        for line in speech {
            let channel = TextChannel::Chat;
            let text = Text { channel, text: line.into(), data: None, truncated: Some(false) };
            self.state.reports.of(&PartName::of(channel.as_str()), text);
        }
        result
    }

    fn feel(&mut self, around: &Surroundings<'_>) {
        let in_air = self.state.is_lifted();
        if !in_air {
            self.state.fallen |= around.over_drop();
        }
        self.rover.feel(&mut self.state.moment(around), around, in_air, true);
        let slipping = self.rover.drive.tracks().is_stalled();
        self.rover.bearings.publish(&mut self.state.moment(around), slipping);
        if self.disabled().is_some() {
            self.rover.drive.drop_orders(&mut self.state.reports);
        }
    }

    fn live(&mut self, around: &Surroundings<'_>) {
        let held = self.identity.is_stopped() || self.rover.power.battery.is_empty();
        let charger_speed = around.charger_speed().filter(|_| !self.state.is_lifted());
        let fallen = self.state.fallen;
        let now = &mut self.state.moment(around);
        self.arm.update(now, held);
        if let Some(pose) = self.arm.rests_at() {
            self.memory.lessons.watch(pose);
        }
        self.rover.power.update(now, self.rover.drive.tracks(), self.arm.load_a(), charger_speed);
        let memory = &self.memory;
        self.recognition.update(now, around, |name| memory.recognize(name));
        if now.due(Kind::Pose, POSE_PERIOD) {
            let published = around.in_frame(self.rover.bearings.pose());
            now.reports.publish(Pose::planar(Frame::Map, published.x_m, published.y_m, published.yaw_rad));
        }
        if now.due(Kind::Velocity, POSE_PERIOD) {
            self.rover.drive.publish_measured(now.reports);
        }
        let camera = match (self.recognition.is_blind(), self.camera_driver.is_watched(now.demand)) {
            (true, _) => CameraState::Error,
            (false, true) => CameraState::Streaming,
            (false, false) => CameraState::Ready,
        };
        self.identity.update(now, camera);
        self.identity.warn(now, fallen);
    }

    fn work(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>) {
        let has = |it: &&crate::household::Item| it.whereabouts == Whereabouts::Robot(out.number());
        let carried = around.household.iter().filter(has).map(|it| it.object.name.clone());
        self.carried = carried.collect();
        let ended = self.rover.way.publish(&mut self.state.moment(around), around, |_| None);
        self.ended = ended.or(self.ended.take());
        if self.is_held() {
            return;
        }
        let ended = self.ended.take();
        let event = self.go_on(ended, around, out);
        if let Some(act) = self.with_agenda(|agenda, time_s, context| agenda.turn(event, time_s, context)) {
            self.begin(act);
        }
    }
}

impl Body for RobotKoop {
    fn state(&mut self) -> &mut BodyState {
        &mut self.state
    }

    fn streams(&self) -> &[(Kind, PartName)] {
        &self.streams
    }

    fn senses(&self) -> Senses {
        self.rover.senses(self.state.time_s, self.disabled().is_some())
    }

    fn vitals(&self) -> Vitals {
        self.rover.vitals()
    }

    fn intend(&mut self, intent: &Intent) {
        let mine = self.agenda.running().is_none() && !self.rover.way.is_active() && !self.is_held();
        self.rover.drive.intend(if mine {
            Speeds { linear_mps: intent.forward_mps, angular_radps: intent.turn_radps }
        } else {
            Speeds::REST
        });
    }

    fn is_busy(&self) -> bool {
        self.rover.drive.is_busy() || self.rover.way.is_active() || self.agenda.running().is_some()
    }

    fn command(&mut self, command: Command) -> Result<Outcome, Outcome> {
        self.obey(command)
    }

    fn poke(&mut self, stimulus: Stimulus, _: Pose2) -> Result<Outcome, Outcome> {
        self.happen(stimulus)
    }

    fn wish(&mut self, motion: Motion2, _step_s: f64) -> Wish {
        let held = self.is_held();
        let way = self.rover.way.is_active();
        let docked = self.rover.power.is_docked();
        let speeds = self.rover.way.steer(held, self.state.time_s, docked, &self.rover.bearings);
        if self.identity.mode() == ControlMode::Manual && !self.state.is_lifted() {
            return self.rover.drive.roll_free(motion);
        }
        if self.disabled().is_some() {
            return self.rover.drive.stand(motion, self.state.time_s, &mut self.state.reports);
        }
        let way = (way || self.agenda.running().is_some()).then_some(speeds);
        let pressed = [self.rover.bumpers.front_side().is_some(), self.rover.bumpers.rear()];
        self.rover.drive.wish(way, pressed, motion, self.state.time_s, &mut self.state.reports)
    }

    fn sense(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>) {
        self.frame = around.frame;
        self.feel(around);
        self.live(around);
        if let Some(exposure) =
            self.camera_driver.look(around.time_s, around.demand, || mast::lens(around.pose))
        {
            out.expose(exposure);
        }
        self.work(around, out);
    }

    fn trend(&self) -> Vec<[f64; 2]> {
        let next = self.rover.way.forecast(self.state.time_s, &self.rover.bearings);
        next.iter().step_by(3).map(|it| [it.x_m, it.y_m]).collect()
    }

    fn placed(&mut self, _turned_rad: f64) {
        self.rover.bearings.carried();
    }
}
