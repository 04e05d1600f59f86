//! The hinges of a body: joints that turn to an angle and report it.

use latimer_core::model::{JointTarget, Kind};
use latimer_core::{Outcome, PartName};

use super::check;
use super::moment::Moment;
use crate::physics::STEP_S;
use crate::sensors::JointMotor;

/// So many hinges.
#[derive(Clone)]
pub(super) struct Hinges<const N: usize> {
    hinges: [(PartName, JointMotor); N],
    /// Share of the greatest speed when none is asked for.
    usual_speed: f64,
    /// Steps between two reports of one at rest; on its way twice as many.
    period: u64,
}

impl<const N: usize> Hinges<N> {
    /// Hinges by name, lowest and highest angle in degrees, and greatest speed in degrees a second.
    pub(super) fn new(makes: [(&str, f64, f64, f64); N], usual_speed: f64, period: u64) -> Self {
        let make = |(name, min, max, speed): (&str, f64, f64, f64)| {
            (PartName::of(name), JointMotor::degrees(min, max, speed))
        };
        Self { hinges: makes.map(make), usual_speed, period }
    }

    /// Sends hinges to their targets: all, or none if one of them is refused.
    pub(super) fn obey(&mut self, targets: &[JointTarget]) -> Result<(), Outcome> {
        let mut aimed = self.clone();
        for target in targets {
            let found = aimed.hinges.iter_mut().find(|(part, _)| *part == target.part);
            let (_, motor) = found.ok_or_else(|| {
                let known: Vec<&str> = self.hinges.iter().map(|(part, _)| part.as_str()).collect();
                Outcome::bad_argument(format!("no joint {}; there are: {}", target.part, known.join(", ")))
            })?;
            turn(motor, target, self.usual_speed)?;
        }
        *self = aimed;
        Ok(())
    }

    /// Sends one to an angle, at the usual speed.
    pub(super) fn aim(&mut self, hinge: usize, angle_rad: f64) {
        self.aim_at(hinge, angle_rad, self.usual_speed);
    }

    /// The same at a share of the greatest speed.
    pub(super) fn aim_at(&mut self, hinge: usize, angle_rad: f64, speed: f64) {
        let motor = &mut self.hinges[hinge].1;
        motor.aim(angle_rad, motor.speed_at(speed));
    }

    /// All stay where they are.
    pub(super) fn stop(&mut self) {
        self.hinges.iter_mut().for_each(|(_, motor)| motor.stop());
    }

    /// Moves, unless they are held, and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, held: bool) {
        for (i, (part, motor)) in self.hinges.iter_mut().enumerate() {
            let was_moving = motor.is_moving();
            if !held {
                motor.step(STEP_S);
            }
            let period = if was_moving { self.period / 2 } else { self.period };
            let arrived = was_moving && !motor.is_moving();
            if arrived || now.due_after(Kind::Joint, period, i) {
                now.reports.of(part, motor.read());
            }
        }
    }

    /// Moves without a report.
    #[cfg(test)]
    pub(super) fn step(&mut self) {
        self.hinges.iter_mut().for_each(|(_, motor)| motor.step(STEP_S));
    }

    /// How many move.
    pub(super) fn moving(&self) -> usize {
        self.hinges.iter().filter(|(_, motor)| motor.is_moving()).count()
    }

    /// The angle of one.
    pub(super) fn angle_rad(&self, hinge: usize) -> f64 {
        self.hinges[hinge].1.position_rad()
    }
}

/// Sends a motor to its target, at a share of its greatest speed if neither a speed nor a time is asked for.
pub(super) fn turn(motor: &mut JointMotor, target: &JointTarget, usual_speed: f64) -> Result<(), Outcome> {
    let angle_rad = target.position.as_angle_rad().ok_or_else(|| {
        Outcome::bad_argument(format!("{} is a hinge; give its angle in radians", target.part))
    })?;
    let angle_rad = check::within("joint position in radians", angle_rad, -1e3, 1e3)?;
    let within_s = target.duration.map(|it| check::seconds("duration in seconds", it)).transpose()?;
    let speed_radps = match target.velocity_radps {
        Some(velocity) => check::within("joint velocity in rad/s", velocity, 0.001, 1e3)?,
        None => motor.speed_at(usual_speed),
    };
    match within_s {
        Some(seconds) => motor.aim_within(angle_rad, seconds),
        None => motor.aim(angle_rad, speed_radps),
    }
    Ok(())
}
