//! The arm: four joints, and what they do to take a thing and to put it down.
//!
//! ```text
//!  stowed ──▶ reach ──▶ grip: the thing changes hands ──▶ lift ──▶ stowed      each pose 1.5 s or longer
//! ```

use latimer_core::model::{JointTarget, Kind};
use latimer_core::{Outcome, PartName};

use super::parts::{JOINT_LOAD_A, JOINTS};
use crate::bodies::check;
use crate::bodies::moment::Moment;
use crate::physics::STEP_S;
use crate::sensors::JointMotor;

/// Steps between two reports of a joint at rest: 5 a second; on its way twice as many.
const PERIOD: u64 = 20;

/// Share of the greatest speed at which it moves by itself.
const USUAL_SPEED: f64 = 0.7;

/// Poses in degrees: shoulder, elbow, wrist.
pub(super) const STOWED: [f64; 3] = [-80.0, 130.0, -50.0];
const REACHING: [f64; 3] = [35.0, 40.0, -70.0];
const LIFTING: [f64; 3] = [10.0, 75.0, -80.0];

/// The gripper open and shut, degrees.
const OPEN_DEG: f64 = 45.0;
pub(super) const SHUT_DEG: f64 = 8.0;

/// What the arm is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Free,
    Reach,
    Grip,
    Lift,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grasp {
    /// Nothing yet.
    Busy,
    /// The thing changes hands now.
    Now,
    /// All is over.
    Over,
}

/// The arm.
pub(super) struct Arm {
    joints: [(PartName, JointMotor); 4],
    phase: Phase,
    takes: bool,
}

impl Arm {
    pub(super) fn new() -> Self {
        let make = |(name, min, max, speed): (&str, f64, f64, f64)| {
            (PartName::of(name), JointMotor::degrees(min, max, speed))
        };
        let mut arm = Self { joints: JOINTS.map(make), phase: Phase::Free, takes: false };
        arm.aim(STOWED);
        arm
    }

    /// Begins to take a thing, or to put one down.
    pub(super) fn begin(&mut self, takes: bool) {
        (self.phase, self.takes) = (Phase::Reach, takes);
        self.aim(REACHING);
        self.grip(if takes { OPEN_DEG } else { SHUT_DEG });
    }

    /// Breaks off whatever it does.
    pub(super) fn give_up(&mut self) {
        if self.phase != Phase::Free {
            self.phase = Phase::Free;
            self.aim(STOWED);
        }
    }

    /// Whether it takes a thing or puts one down.
    pub(super) fn is_grasping(&self) -> bool {
        self.phase != Phase::Free
    }

    /// Goes on with what it began.
    pub(super) fn go_on(&mut self) -> Grasp {
        if self.joints.iter().any(|(_, joint)| joint.is_moving()) {
            return Grasp::Busy;
        }
        match self.phase {
            Phase::Reach => {
                self.grip(if self.takes { SHUT_DEG } else { OPEN_DEG });
                self.phase = Phase::Grip;
                Grasp::Busy
            }
            Phase::Grip => {
                self.aim(LIFTING);
                self.phase = Phase::Lift;
                Grasp::Now
            }
            Phase::Lift => {
                self.phase = Phase::Free;
                self.aim(STOWED);
                Grasp::Over
            }
            Phase::Free => Grasp::Over,
        }
    }

    /// Sends joints to their targets: all, or none if one of them is refused.
    pub(super) fn obey(&mut self, targets: &[JointTarget]) -> Result<(), Outcome> {
        if self.is_grasping() {
            return Err(Outcome::refused(
                "the arm holds on to something for a task; wait or cancel the task",
            ));
        }
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

    /// All joints stay where they are.
    pub(super) fn stop(&mut self) {
        for (_, joint) in &mut self.joints {
            joint.stop();
        }
    }

    /// Moves, unless it is held, and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, held: bool) {
        for (i, (part, joint)) in self.joints.iter_mut().enumerate() {
            let was_moving = joint.is_moving();
            if !held {
                joint.step(STEP_S);
            }
            let period = if was_moving { PERIOD / 2 } else { PERIOD };
            let arrived = was_moving && !joint.is_moving();
            if arrived || now.due_after(Kind::Joint, period, i) {
                now.reports.of(part, joint.read());
            }
        }
    }

    /// Current that the motors take, amperes.
    pub(super) fn load_a(&self) -> f64 {
        JOINT_LOAD_A * self.joints.iter().filter(|(_, joint)| joint.is_moving()).count() as f64
    }

    fn aim(&mut self, pose_deg: [f64; 3]) {
        for ((_, joint), angle) in self.joints.iter_mut().zip(pose_deg) {
            joint.aim(angle.to_radians(), joint.speed_at(USUAL_SPEED));
        }
    }

    fn grip(&mut self, angle_deg: f64) {
        let [.., (_, gripper)] = &mut self.joints;
        gripper.aim(angle_deg.to_radians(), gripper.speed_at(USUAL_SPEED));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_changes_hands_once_and_after_a_while() {
        let mut arm = Arm::new();
        for takes in [true, false] {
            arm.begin(takes);
            let (mut changes, mut steps) = (0, 0);
            loop {
                steps += 1;
                arm.joints.iter_mut().for_each(|(_, joint)| joint.step(STEP_S));
                match arm.go_on() {
                    Grasp::Busy => {}
                    Grasp::Now => changes += 1,
                    Grasp::Over => break,
                }
            }
            assert_eq!(changes, 1);
            assert!((200..2_000).contains(&steps), "{steps} steps of 10 ms");
            assert!(!arm.is_grasping());
        }
    }
}
