//! Head and arms.

use latimer_core::model::{JointTarget, Kind};
use latimer_core::{Outcome, PartName};

use super::parts::{HEAD_PITCH, HEAD_YAW, JOINTS};
use crate::behaviour::Gesture;
use crate::bodies::check;
use crate::bodies::moment::Moment;
use crate::physics::STEP_S;
use crate::sensors::JointMotor;

/// Share of the greatest speed when none is asked for.
const USUAL_SPEED: f64 = 0.6;

/// Steps between two reports of a joint at rest: 10 a second; on its way twice as many.
const PERIOD: u64 = 10;

/// Current of one moving joint, amperes (plausible).
const LOAD_A: f64 = 0.25;

/// The joints.
pub(super) struct Joints {
    joints: [(PartName, JointMotor); 5],
}

impl Joints {
    pub(super) fn new() -> Self {
        let make = |(name, min, max, speed): (&str, f64, f64, f64)| {
            (PartName::of(name), JointMotor::degrees(min, max, speed))
        };
        Self { joints: JOINTS.map(make) }
    }

    /// Sends joints to their targets: all, or none if one of them is refused.
    pub(super) fn aim(&mut self, targets: &[JointTarget]) -> Result<(), Outcome> {
        let mut aimed = self.joints.clone();
        for target in targets {
            let Some((_, joint)) = aimed.iter_mut().find(|(part, _)| *part == target.part) else {
                let known: Vec<&str> = JOINTS.iter().map(|(name, ..)| *name).collect();
                let part = &target.part;
                return Err(Outcome::refused(format!("no joint {part}; there are: {}", known.join(", "))));
            };
            let angle_rad = target.position.as_angle_rad().ok_or_else(|| {
                Outcome::refused(format!("{} is a hinge; give its angle in radians", target.part))
            })?;
            let position = check::within("joint position in radians", angle_rad, -1e3, 1e3)?;
            let within_s = target.duration.map(|it| check::seconds("duration in seconds", it)).transpose()?;
            let speed = match target.velocity_radps {
                Some(velocity) => check::within("joint velocity in rad/s", velocity, 0.001, 1e3)?,
                None => joint.speed_at(USUAL_SPEED),
            };
            match within_s {
                Some(seconds) => joint.aim_within(position, seconds),
                None => joint.aim(position, speed),
            }
        }
        self.joints = aimed;
        Ok(())
    }

    /// Makes a small movement of a behaviour.
    pub(super) fn gesture(&mut self, gesture: Gesture) {
        let shares = [gesture.head_down, 0.0, gesture.head_left, gesture.arms_down, gesture.arms_down];
        for (((_, joint), (_, min, max, _)), share) in self.joints.iter_mut().zip(JOINTS).zip(shares) {
            let target = if share < 0.0 { -share * min } else { share * max };
            joint.aim(target.to_radians(), joint.speed_at(0.4));
        }
    }

    /// All stay where they are.
    pub(super) fn stop(&mut self) {
        for (_, joint) in &mut self.joints {
            joint.stop();
        }
    }

    /// Moves and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>) {
        for (i, (part, joint)) in self.joints.iter_mut().enumerate() {
            let was_moving = joint.is_moving();
            joint.step(STEP_S);
            let period = if was_moving { PERIOD / 2 } else { PERIOD };
            let arrived = was_moving && !joint.is_moving();
            if arrived || now.due_after(Kind::Joint, period, i) {
                now.reports.of(part, joint.read());
            }
        }
    }

    /// Current that the motors take, amperes.
    pub(super) fn load_a(&self) -> f64 {
        LOAD_A * self.joints.iter().filter(|(_, joint)| joint.is_moving()).count() as f64
    }

    /// How far the head looks down.
    pub(super) fn head_pitch_rad(&self) -> f64 {
        self.joints[HEAD_PITCH].1.position_rad()
    }

    /// How far the head looks to the left.
    pub(super) fn head_yaw_rad(&self) -> f64 {
        self.joints[HEAD_YAW].1.position_rad()
    }
}
