//! A robot of the Pera Swarm: a disc of 6 cm on two wheels that sees distance and colour to the left, ahead
//! and to the right, has a compass and a coloured lamp, and is localized by a camera.
//!
//! There may be a thousand of them: nothing is measured or allocated in a step that publishes nothing.

mod figure;
mod parts;
mod place;
mod program;
mod proximity;
mod stimuli;

use std::sync::{Arc, LazyLock};

use latimer_core::Outcome;
use latimer_core::model::Command;
use latimer_core::model::signal::MotionState;
use latimer_simulator_api::Stimulus;

use super::battery::Battery;
use super::identity::DeviceIdentity;
use super::lamps::{Glow, LampPlace, Lamps};
use super::state::BodyState;
use super::wheels::Wheels;
use super::{Body, BodyKind, Origin, Outbox, Wish, check};
use crate::behaviour::{Intent, Senses, Vitals};
use crate::config::Color;
use crate::drive::Speeds;
use crate::geometry::Pose2;
use crate::physics::{Motion2, STEP_S, Surroundings};
use crate::sensors::Odometry;
use program::{Program, Turn};
use proximity::ProximitySensors;

/// The lamp's name.
const LAMP: LampPlace = ("neopixel", [0.0, 0.0, HEIGHT_M]);

/// How tall it is, metres (plausible).
const HEIGHT_M: f64 = 0.06;

/// Steps between two reports of how the wheels run: 10 a second.
const VELOCITY_PERIOD: u64 = 10;

/// So much farther off is what is beside it than the same thing before it would be, metres.
const BESIDE_M: f64 = 0.15;

/// Steps between two looks at what is underneath; it goes half a centimetre meanwhile.
const FLOOR_PERIOD: u64 = 5;

/// Steps between two reports of the battery: 1 s.
const BATTERY_PERIOD: u64 = 100;

/// Steps for which the battery's life is reckoned at once; its voltage hardly moves in that time.
const BATTERY_SPAN: u32 = 10;

/// How long after its last wish a behaviour counts as at work, seconds.
const ACTING_S: f64 = 0.5;

/// The kind of body.
pub(super) static KIND: BodyKind = BodyKind {
    family: "pera",
    title: "Pera Swarm robot",
    footprint: parts::FOOTPRINT,
    color: Color([0x2d, 0x7d, 0x46]),
    height_m: HEIGHT_M,
    figure: figure::figure,
    profile: LazyLock::new(|| Arc::new(figure::profile())),
    make: |origin| Box::new(Pera::new(origin)),
};

/// The body.
pub(super) struct Pera {
    state: BodyState,
    acting_until_s: f64,
    wheels: Wheels,
    odometry: Odometry,
    proximity: ProximitySensors,
    lamp: Lamps<1>,
    battery: Battery,
    program: Program,
    device: DeviceIdentity,
}

impl Pera {
    /// A body with a charged battery.
    fn new(origin: Origin<'_>) -> Self {
        let mut state = BodyState::new(origin.rng);
        Self {
            acting_until_s: 0.0,
            wheels: Wheels::new(parts::WHEELS),
            odometry: Odometry::default(),
            proximity: ProximitySensors::new(),
            lamp: Lamps::new([LAMP]),
            battery: Battery::new(parts::CELL, BATTERY_PERIOD, &mut state.rng),
            program: Program::default(),
            device: DeviceIdentity::new(
                origin.robot,
                "University of Peradeniya",
                "Pera Swarm robot",
                "v4",
                &mut state.rng,
            ),
            state,
        }
    }

    /// Why it cannot drive at all.
    fn disabled(&self) -> Option<&'static str> {
        self.state.fall().or(self.battery.is_empty().then_some("the battery is empty; charge it"))
    }

    fn obey(&mut self, command: &Command) -> Result<Outcome, Outcome> {
        let goes = matches!(command, Command::Drive { .. } | Command::DriveTracks(_));
        if let Some(reason) = self.disabled().filter(|_| goes) {
            return Err(Outcome::not_now(format!("cannot drive: {reason}")));
        }
        let (time_s, reports) = (self.state.time_s, &mut self.state.reports);
        match command {
            Command::Drive { linear_mps, angular_radps, duration } => {
                self.wheels.drive(*linear_mps, *angular_radps, *duration, time_s, reports)?;
                self.program.driven();
                Ok(Outcome::Accepted)
            }
            Command::DriveTracks(speeds) => {
                self.wheels.drive_wheels(*speeds, time_s, reports)?;
                self.program.driven();
                Ok(Outcome::Accepted)
            }
            Command::Stop { hold: _ } | Command::Halt { motor_mask: _ } => {
                self.wheels.halt(reports);
                self.program.stop();
                Ok(Outcome::Done)
            }
            Command::SkillMessage { text, data } => {
                if self.program.take(text, data.as_ref(), reports)? == Turn::Anew {
                    self.wheels.halt(reports);
                    self.odometry = Odometry::default();
                }
                Ok(Outcome::Done)
            }
            Command::Lamp { part, rgb } => self.lamp.set(part.as_ref(), *rgb).map(|()| Outcome::Done),
            _ => Err(check::cannot("Pera robot", command)),
        }
    }
}

impl Body for Pera {
    fn glows(&self) -> Vec<Glow> {
        self.lamp.glows()
    }

    fn state(&mut self) -> &mut BodyState {
        &mut self.state
    }

    fn senses(&self) -> Senses {
        let [left_m, ahead_m, right_m] = self.proximity.distances_m();
        // They look straight to the sides, where it does not drive: a wall beside it is no wall before it.
        let [left_m, right_m] = [left_m, right_m].map(|it| it.map(|m| m + BESIDE_M));
        Senses {
            time_s: self.state.time_s,
            yaw_rad: self.odometry.pose.yaw_rad,
            travelled_m: self.odometry.travelled_m,
            left_m,
            ahead_m,
            right_m,
            behind_m: None,
            front_hazard: self.wheels.tracks().is_stalled_ahead().then_some(0.0),
            rear_hazard: self.wheels.tracks().is_stalled_behind(),
            helpless: self.disabled().is_some() || self.state.is_lifted(),
            navigates: false,
        }
    }

    fn vitals(&self) -> Vitals {
        self.battery.vitals()
    }

    fn intend(&mut self, intent: &Intent) {
        self.acting_until_s = self.state.time_s + ACTING_S;
        self.wheels.intend(Speeds { linear_mps: intent.forward_mps, angular_radps: intent.turn_radps });
    }

    fn is_busy(&self) -> bool {
        self.wheels.is_busy() || self.program.waits()
    }

    fn command(&mut self, command: Command) -> Result<Outcome, Outcome> {
        self.obey(&command)
    }

    fn poke(&mut self, stimulus: Stimulus, _: Pose2) -> Result<Outcome, Outcome> {
        self.happen(stimulus)
    }

    fn wish(&mut self, motion: Motion2, step_s: f64) -> Wish {
        if let Some(reason) = self.disabled() {
            self.wheels.give_up(MotionState::Failed, reason, &mut self.state.reports);
        }
        let wish = self.wheels.wish(motion, self.state.time_s, step_s, &mut self.state.reports);
        if self.state.is_lifted() || self.state.fallen { Wish::STAND } else { wish }
    }

    fn sense(&mut self, around: &Surroundings<'_>, _: &mut Outbox<'_>) {
        let lifted = self.state.is_lifted();
        if !lifted && self.state.tick.is_multiple_of(FLOOR_PERIOD) {
            self.state.fallen |= around.over_drop();
        }
        self.wheels.moved(around.motion, lifted, STEP_S, &mut self.state.reports);
        let speeds_mps = self.wheels.tracks().speeds_mps();
        self.odometry.roll(speeds_mps, parts::WHEELS.tracks.gap_m, STEP_S);
        let now = &mut self.state.moment(around);
        self.proximity.update(now, around, around.time_s < self.acting_until_s);
        place::publish(now, around);
        self.wheels.publish(now, VELOCITY_PERIOD);
        self.lamp.update(now);
        if now.every(u64::from(BATTERY_SPAN)) {
            let [left, right] = speeds_mps;
            let charger_speed = around.charger_speed().filter(|_| !lifted);
            let load_a = parts::load_a((left.abs() + right.abs()) / 2.0);
            self.battery.run(load_a, charger_speed, STEP_S * f64::from(BATTERY_SPAN));
        }
        self.battery.publish(now);
        self.device.update(now);
    }

    fn placed(&mut self, turned_rad: f64) {
        self.odometry.pose.yaw_rad = crate::geometry::wrap_angle(self.odometry.pose.yaw_rad + turned_rad);
    }
}
