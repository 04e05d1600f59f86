//! The arm: four joints, and what they do to take a thing and to put it down.
//!
//! ```text
//!  stowed ──▶ reach ──▶ grip: the thing changes hands ──▶ lift ──▶ stowed      each pose 1.5 s or longer
//! ```

use latimer_core::Outcome;
use latimer_core::model::JointTarget;

use super::parts::{JOINT_LOAD_A, JOINTS};
use super::tasks::ArmPose;
use crate::bodies::hinges::Hinges;
use crate::bodies::moment::Moment;

/// Steps between two reports of a joint at rest: 5 a second; on its way twice as many.
const PERIOD: u64 = 20;

/// Share of the greatest speed at which it moves by itself.
const USUAL_SPEED: f64 = 0.7;

/// Poses in degrees: shoulder, elbow, wrist.
pub(super) const STOWED: [f64; 3] = [-80.0, 130.0, -50.0];
const REACHING: [f64; 3] = [35.0, 40.0, -70.0];
const LIFTING: [f64; 3] = [10.0, 75.0, -80.0];

/// Which of [`JOINTS`] the gripper is.
const GRIPPER: usize = 3;

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
    joints: Hinges<4>,
    phase: Phase,
    takes: bool,
}

impl Arm {
    pub(super) fn new() -> Self {
        let joints = Hinges::new(JOINTS, USUAL_SPEED, PERIOD);
        let mut arm = Self { joints, phase: Phase::Free, takes: false };
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
        if self.is_moving() {
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
            return Err(Outcome::not_now(
                "the arm holds on to something for a task; wait or cancel the task",
            ));
        }
        self.joints.obey(targets)
    }

    /// Whether a joint turns.
    pub(super) fn is_moving(&self) -> bool {
        self.joints.moving() > 0
    }

    /// Turns all joints to a pose.
    pub(super) fn pose(&mut self, pose: ArmPose) {
        pose.into_iter().enumerate().for_each(|(joint, angle_rad)| self.joints.aim(joint, angle_rad));
    }

    /// Where the joints are, if they rest and do nothing for a task.
    pub(super) fn rests_at(&self) -> Option<ArmPose> {
        let rests = !self.is_grasping() && !self.is_moving();
        rests.then(|| std::array::from_fn(|joint| self.joints.angle_rad(joint)))
    }

    /// All joints stay where they are.
    pub(super) fn stop(&mut self) {
        self.joints.stop();
    }

    /// Moves, unless it is held, and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, held: bool) {
        self.joints.update(now, held);
    }

    /// Current that the motors take, amperes.
    pub(super) fn load_a(&self) -> f64 {
        JOINT_LOAD_A * self.joints.moving() as f64
    }

    fn aim(&mut self, pose_deg: [f64; 3]) {
        for (joint, angle_deg) in pose_deg.into_iter().enumerate() {
            self.joints.aim(joint, angle_deg.to_radians());
        }
    }

    fn grip(&mut self, angle_deg: f64) {
        self.joints.aim(GRIPPER, angle_deg.to_radians());
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
                arm.joints.step();
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
