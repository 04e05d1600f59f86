//! What can be asked of it, and what it answers.
//!
//! A speed is kept for one second at most and then given up, as the robot does with every control message:
//! a longer drive repeats it. A body move of the robot's own is not among the commands;
//! a program outside can drive one by speeds.

use latimer_core::Outcome;
use latimer_core::model::Command;
use latimer_core::model::signal::{MotionState, Switch};

use super::Miro;
use super::cliffs::REFLEX;
use super::core::Part;
use crate::behaviour::RESUME_AFTER_S;
use crate::bodies::check;
use crate::drive::Speeds;

impl Miro {
    pub(super) fn obey(&mut self, command: &Command) -> Result<Outcome, Outcome> {
        let outcome = self.carry_out(command)?;
        // A robot that somebody works with stays awake, and does not drive off by itself.
        match command {
            Command::Drive { .. }
            | Command::DriveTracks(_)
            | Command::Stop { .. }
            | Command::Halt { .. }
            | Command::Joints(_) => {
                self.commanded_until_s = self.state.time_s + RESUME_AFTER_S;
                self.core.stir(self.state.time_s);
            }
            Command::Lamp { .. } | Command::Play { .. } => self.core.stir(self.state.time_s),
            _ => {}
        }
        Ok(outcome)
    }

    fn carry_out(&mut self, command: &Command) -> Result<Outcome, Outcome> {
        let time_s = self.state.time_s;
        match command {
            Command::Drive { linear_mps, .. } => self.may_drive(*linear_mps)?,
            Command::DriveTracks(speeds) => self.may_drive(speeds.left_mps + speeds.right_mps)?,
            _ => {}
        }
        match command {
            Command::Drive { linear_mps, angular_radps, duration } => {
                self.wheels.drive(*linear_mps, *angular_radps, *duration, time_s, &mut self.state.reports)?;
                Ok(Outcome::Accepted)
            }
            Command::DriveTracks(speeds) => {
                self.wheels.drive_wheels(*speeds, time_s, &mut self.state.reports)?;
                Ok(Outcome::Accepted)
            }
            Command::Stop { hold: _ } => {
                self.wheels.halt(&mut self.state.reports);
                Ok(Outcome::Done)
            }
            Command::Halt { motor_mask: _ } => {
                self.wheels.halt(&mut self.state.reports);
                self.joints.stop();
                Ok(Outcome::Done)
            }
            Command::Joints(targets) => {
                self.joints.aim(targets, time_s)?;
                Ok(Outcome::Accepted)
            }
            Command::Lamp { part, rgb } => self.lamps.set(part.as_ref(), *rgb).map(|()| Outcome::Done),
            Command::Play { name, volume_ratio } => {
                let volume =
                    volume_ratio.map(|volume| check::within("volume", volume, 0.0, 1.0)).transpose()?;
                self.voice.play(name, volume, time_s)?;
                Ok(Outcome::Accepted)
            }
            Command::Native(call) if call.about().name == "stop_sound" => {
                self.voice.stop(time_s, &mut self.state.reports);
                Ok(Outcome::Done)
            }
            Command::Camera(settings) => self.cameras.set(settings).map(|()| Outcome::Done),
            Command::HazardSettings { revert, bumpers, ranges } => {
                self.cliffs.set(*revert, bumpers, ranges)?;
                self.core.switch(&[self.reflex()])?;
                Ok(Outcome::Done)
            }
            Command::BehaviourDrive(drive) => self.core.drive(drive, time_s).map(|()| Outcome::Accepted),
            Command::BehaviourSwitches(switches) => {
                self.core.switch(switches)?;
                let enabled = self.core.switches().is_on(Part::CliffReflex);
                if enabled != self.cliffs.has_reflex() {
                    let reflex = Switch { part: REFLEX.into(), enabled };
                    self.cliffs.set(false, &[reflex], &[])?;
                }
                Ok(Outcome::Done)
            }
            _ => Err(check::cannot("MiRo", command)),
        }
    }

    /// How the cliff reflex is switched.
    fn reflex(&self) -> Switch {
        Switch { part: REFLEX.into(), enabled: self.cliffs.has_reflex() }
    }

    /// Whether it can drive that way, or the refusal.
    fn may_drive(&self, forward: f64) -> Result<(), Outcome> {
        if let Some(reason) = self.disabled() {
            return Err(Outcome::not_now(format!("cannot drive: {reason}")));
        }
        match self.cliffs.forbids().filter(|_| forward > 0.0) {
            None => Ok(()),
            Some(what) => Err(Outcome::not_safe(format!(
                "{what} forbids driving forward; drive back first, or switch the cliff reflex off"
            ))),
        }
    }

    /// Stops before an edge, and when it cannot drive at all.
    pub(super) fn mind_hazards(&mut self) {
        if let Some(what) = self.cliffs.forbids().filter(|_| self.wheels.goes_forward()) {
            self.wheels.give_up(MotionState::Halted, &format!("stopped by {what}"), &mut self.state.reports);
        }
        if let Some(reason) = self.disabled() {
            self.wheels.give_up(MotionState::Failed, reason, &mut self.state.reports);
        }
    }

    /// The speed that a behaviour may have of what it wants.
    pub(super) fn allowed(&self, linear_mps: f64, angular_radps: f64) -> Speeds {
        let edge = self.cliffs.forbids().is_some();
        Speeds { linear_mps: if edge { linear_mps.min(0.0) } else { linear_mps }, angular_radps }
    }
}
