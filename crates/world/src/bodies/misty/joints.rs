//! Head and arms.

use latimer_core::Outcome;
use latimer_core::model::JointTarget;

use super::parts::{HEAD_PITCH, HEAD_YAW, JOINTS};
use crate::behaviour::Gesture;
use crate::bodies::hinges::Hinges;
use crate::bodies::moment::Moment;

/// Share of the greatest speed when none is asked for.
const USUAL_SPEED: f64 = 0.6;

/// Share of the greatest speed at which a behaviour moves them.
const GESTURE_SPEED: f64 = 0.4;

/// Steps between two reports of a joint at rest: 10 a second; on its way twice as many.
const PERIOD: u64 = 10;

/// Current of one moving joint, amperes (plausible).
const LOAD_A: f64 = 0.25;

/// The joints.
pub(super) struct Joints(Hinges<5>);

impl Joints {
    pub(super) fn new() -> Self {
        Self(Hinges::new(JOINTS, USUAL_SPEED, PERIOD))
    }

    /// Sends joints to their targets: all, or none if one of them is refused.
    pub(super) fn aim(&mut self, targets: &[JointTarget]) -> Result<(), Outcome> {
        self.0.obey(targets)
    }

    /// Makes a small movement of a behaviour.
    pub(super) fn gesture(&mut self, gesture: Gesture) {
        let shares = [gesture.head_down, 0.0, gesture.head_left, gesture.arms_down, gesture.arms_down];
        for (i, ((_, min, max, _), share)) in JOINTS.into_iter().zip(shares).enumerate() {
            let target = if share < 0.0 { -share * min } else { share * max };
            self.0.aim_at(i, target.to_radians(), GESTURE_SPEED);
        }
    }

    /// All stay where they are.
    pub(super) fn stop(&mut self) {
        self.0.stop();
    }

    /// Moves and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>) {
        self.0.update(now, false);
    }

    /// Current that the motors take, amperes.
    pub(super) fn load_a(&self) -> f64 {
        LOAD_A * self.0.moving() as f64
    }

    /// How far the head looks down.
    pub(super) fn head_pitch_rad(&self) -> f64 {
        self.0.angle_rad(HEAD_PITCH)
    }

    /// How far the head looks to the left.
    pub(super) fn head_yaw_rad(&self) -> f64 {
        self.0.angle_rad(HEAD_YAW)
    }
}
