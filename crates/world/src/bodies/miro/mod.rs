//! MiRo: two wheels, a head on a neck of three joints, cameras, ears, a sonar on the nose, a skin that feels
//! hands, and tail, ears and eyelids to show a mood with.
//!
//! Each file here is one organ; this file wires them together once a step:
//!
//! ```text
//!  command ─▶ speed ─▶ wish ─▶ (the world moves) ─▶ cliffs ─▶ speed kept or dropped
//!                 └▶ joints ─▶ head ─▶ sonar, cameras, ears ─▶ reports
//! ```

mod cameras;
mod cliffs;
mod commands;
mod core;
mod ears;
mod failures;
mod figure;
mod joints;
mod light_sensors;
mod motion_sense;
mod neck;
mod parts;
mod power;
mod sonar;
mod stimuli;
mod switches;
mod touches;
mod voice;

use std::sync::{Arc, LazyLock};

use latimer_core::model::{Command, Kind};
use latimer_core::{Outcome, PartName};
use latimer_simulator_api::Stimulus;

use self::core::{Core, Percepts, Want};
use super::identity::DeviceIdentity;
use super::lamps::{Glow, Lamps};
use super::state::{BodyState, Footing};
use super::wheels::Wheels;
use super::{Body, BodyKind, Origin, Outbox, Wish};
use crate::acoustics::Emission;
use crate::behaviour::{Intent, Senses, Vitals};
use crate::config::Color;
use crate::drive::Speeds;
use crate::geometry::Pose2;
use crate::physics::{Motion2, STEP_S, Surroundings};
use cameras::Cameras;
use cliffs::Cliffs;
use ears::Ears;
use failures::Failures;
use joints::Joints;
use light_sensors::LightSensors;
use motion_sense::MotionSense;
use power::Power;
use sonar::Sonar;
use switches::Switches;
use touches::Touches;
use voice::Voice;

/// Steps between two reports of how the wheels run: 50 a second.
const VELOCITY_PERIOD: u64 = 2;

/// How long after its last wish a behaviour counts as at work, seconds.
const ACTING_S: f64 = 0.5;

/// The kind of body.
pub(super) static KIND: BodyKind = BodyKind {
    family: "miro",
    title: "MiRo",
    footprint: parts::FOOTPRINT,
    color: Color([0xe6, 0xe0, 0xd2]),
    height_m: 0.3,
    figure: figure::figure,
    profile: LazyLock::new(|| Arc::new(figure::profile())),
    make: |origin| Box::new(Miro::new(origin)),
};

/// The body.
pub(super) struct Miro {
    state: BodyState,
    acting_until_s: f64,
    streams: [(Kind, PartName); 5],
    wheels: Wheels,
    joints: Joints,
    motion: MotionSense,
    sonar: Sonar,
    cliffs: Cliffs,
    light_sensors: LightSensors,
    touches: Touches,
    cameras: Cameras,
    ears: Ears,
    voice: Voice,
    lamps: Lamps<6>,
    switches: Switches,
    power: Power,
    /// There is too little charge for anything, so that what is in memory is lost.
    off: bool,
    failures: Failures,
    device: DeviceIdentity,
    core: Core,
    /// Until when a client's drive keeps the core from driving.
    commanded_until_s: f64,
    /// The core drives, or did in the step before.
    drives_itself: bool,
    /// How bright it was at the last look around, 0..1.
    light: f64,
}

impl Miro {
    /// A body with a charged battery.
    fn new(origin: Origin<'_>) -> Self {
        let mut state = BodyState::new(origin.rng);
        let [left, left_file, right, right_file] = Cameras::streams();
        Self {
            acting_until_s: 0.0,
            streams: [left, left_file, right, right_file, Ears::stream()],
            wheels: Wheels::new(parts::WHEELS),
            joints: Joints::new(),
            motion: MotionSense::new(&mut state.rng),
            sonar: Sonar::new(),
            cliffs: Cliffs::new(),
            light_sensors: LightSensors::new(),
            touches: Touches::new(),
            cameras: Cameras::new(),
            ears: Ears::new(&mut state.rng),
            voice: Voice::default(),
            lamps: Lamps::new(parts::LAMPS),
            switches: Switches::default(),
            off: false,
            power: Power::new(&mut state.rng),
            failures: Failures::default(),
            device: DeviceIdentity::new(
                origin.robot,
                "Consequential Robotics",
                "MiRo",
                "MDK 180509",
                &mut state.rng,
            ),
            core: Core::new(),
            commanded_until_s: 0.0,
            drives_itself: false,
            light: 0.0,
            state,
        }
    }

    /// Charge that comes back to an empty battery is a power cycle: how it was set up is forgotten.
    fn mind_power(&mut self) {
        let was_off = std::mem::replace(&mut self.off, self.power.battery.is_empty());
        if was_off && !self.off {
            self.cameras.restart();
            self.cliffs.restart();
            self.joints.restart();
            self.voice.stop(self.state.time_s, &mut self.state.reports);
            self.lamps = Lamps::new(parts::LAMPS);
            self.core = Core::new();
        }
    }

    /// Gives way to pushes, or does what the core has chosen; then stands, or does what a habit wants.
    fn act_by_itself(&mut self) {
        let commanded = self.state.time_s < self.commanded_until_s;
        let speeds = if let Some(gives) = self.core.gives_way(self.joints.angles(), self.sonar.near_m()) {
            self.joints.give_way([gives.lift_radps, gives.yaw_radps, gives.pitch_radps]);
            Some(self.allowed(gives.forward_mps, gives.turn_radps))
        } else if let Some(Want { speeds, yaw_rad }) = self.core.wants().filter(|_| !commanded) {
            yaw_rad.into_iter().for_each(|yaw_rad| self.joints.face(yaw_rad));
            Some(self.allowed(speeds.linear_mps, speeds.angular_radps))
        } else {
            None
        };
        let did = std::mem::replace(&mut self.drives_itself, speeds.is_some());
        match speeds.or(did.then_some(Speeds::REST)) {
            Some(speeds) if !commanded => self.wheels.intend(speeds),
            _ => {}
        }
    }

    /// Lets the core live through a step.
    fn feel(&mut self, around: &Surroundings<'_>, head: &neck::Link) {
        let now = &mut self.state.moment(around);
        let looks = Core::looks(now);
        let percepts = self.percepts(around, head, looks);
        self.light = percepts.light;
        let now = &mut self.state.moment(around);
        self.core.update(now, around, head, &percepts);
        if let Some([loud, excited]) = self.core.voice().filter(|_| !self.voice.is_audible()) {
            self.voice.call(loud, excited, self.state.time_s);
        }
    }

    /// What the core perceives.
    fn percepts(&self, around: &Surroundings<'_>, head: &neck::Link, looks: bool) -> Percepts {
        let [head_touched, body_touched] = self.touches.touched();
        let footing = self.state.footing();
        let broken = self.failures.at(self.state.time_s);
        Percepts {
            head_touched,
            body_touched,
            shaken: footing != Footing::Ground,
            stalled: self.wheels.tracks().is_stalled(),
            at_edge: self.cliffs.side().is_some() && footing == Footing::Ground,
            helpless: self.disabled().is_some() || footing != Footing::Ground,
            near_m: self.sonar.near_m(),
            light: if looks { LightSensors::mean(around) } else { self.light },
            eyes: broken.cameras.map(|it| !it),
            heard: looks.then(|| self.ears.loudest(around, head)).flatten(),
            has_habit: self.state.time_s < self.acting_until_s,
            neck_rad: self.joints.angles().yaw,
        }
    }

    /// Why it cannot drive at all.
    fn disabled(&self) -> Option<&'static str> {
        self.state.fall().or(self.power.battery.is_empty().then_some("the battery is empty; charge it"))
    }
}

impl Body for Miro {
    fn emissions(&self) -> Vec<Emission> {
        self.voice.emission().into_iter().chain(self.wheels.tracks().emission()).collect()
    }

    fn glows(&self) -> Vec<Glow> {
        self.lamps.glows()
    }

    fn state(&mut self) -> &mut BodyState {
        &mut self.state
    }

    fn streams(&self) -> &[(Kind, PartName)] {
        &self.streams
    }

    fn senses(&self) -> Senses {
        let [left_m, ahead_m, right_m] = self.sonar.distances_m();
        let odometry = self.motion.odometry();
        let tracks = self.wheels.tracks();
        let stalled = tracks.is_stalled_ahead().then_some(0.0);
        Senses {
            time_s: self.state.time_s,
            yaw_rad: odometry.pose.yaw_rad,
            travelled_m: odometry.travelled_m,
            left_m,
            ahead_m,
            right_m,
            behind_m: None,
            front_hazard: self.cliffs.side().or(stalled),
            rear_hazard: tracks.is_stalled_behind(),
            helpless: self.disabled().is_some() || self.state.footing() != Footing::Ground,
            navigates: false,
        }
    }

    fn vitals(&self) -> Vitals {
        self.power.battery.vitals()
    }

    fn intend(&mut self, intent: &Intent) {
        self.acting_until_s = self.state.time_s + ACTING_S;
        if !self.core.lets_habits() {
            return self.wheels.intend(Speeds::REST);
        }
        self.wheels.intend(self.allowed(intent.forward_mps, intent.turn_radps));
        if let Some(gesture) = intent.gesture {
            self.joints.gesture(gesture);
        }
    }

    fn is_busy(&self) -> bool {
        self.wheels.is_busy()
    }

    fn command(&mut self, command: Command) -> Result<Outcome, Outcome> {
        self.obey(&command)
    }

    fn poke(&mut self, stimulus: Stimulus, pose: Pose2) -> Result<Outcome, Outcome> {
        self.happen(stimulus, pose)
    }

    fn wish(&mut self, motion: Motion2, step_s: f64) -> Wish {
        self.act_by_itself();
        self.mind_hazards();
        let wish = self.wheels.wish(motion, self.state.time_s, step_s, &mut self.state.reports);
        if self.state.footing() == Footing::Ground { wish } else { Wish::STAND }
    }

    fn sense(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>) {
        let lifted = self.state.footing() == Footing::Air;
        self.state.fallen |= !lifted && around.over_drop();
        let footing = self.state.footing();
        let grounded = footing == Footing::Ground;
        let motion = if grounded { around.motion } else { Motion2::default() };
        self.wheels.moved(around.motion, !grounded, STEP_S, &mut self.state.reports);
        let broken = self.failures.at(self.state.time_s);
        let wheels_mps = self.wheels.tracks().speeds_mps();
        let now = &mut self.state.moment(around);
        self.joints.droop(self.core.closure());
        if let Some(tail) = self.core.tail().filter(|_| around.time_s >= self.commanded_until_s) {
            self.joints.wag(tail);
        }
        self.joints.update(now);
        let angles = self.joints.angles();
        let head = neck::head(angles);
        self.motion.update(now, motion, wheels_mps, (angles, &head), footing);
        self.cliffs.update(now, around, lifted, broken.cliffs);
        let acting = around.time_s < self.acting_until_s || self.drives_itself;
        self.sonar.update(now, around, &head, acting, broken.sonar);
        self.light_sensors.update(now, around);
        self.touches.update(now.time_s, now.reports);
        self.cameras.look(around, &head, broken.cameras, out);
        self.ears.update(now, around, &head);
        self.voice.update(now.time_s, now.reports);
        self.wheels.publish(now, VELOCITY_PERIOD);
        self.lamps.update(now);
        self.switches.update(now);
        let [left, right] = wheels_mps;
        let charger_speed = around.charger_speed().filter(|_| !lifted);
        self.power.update(now, (left.abs() + right.abs()) / 2.0, self.joints.load_a(), charger_speed);
        self.device.update(now);
        self.feel(around, &head);
        self.mind_power();
    }
}
