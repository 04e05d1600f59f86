//! Patrol along a given route, round after round.

use std::sync::Arc;

use super::goal_drive::GoalDrive;
use super::{HabitGoal, Intent, Perception, Senses};
use crate::geometry::Pose2;

/// How long it waits before it tries again after a round came to nothing, seconds.
pub(crate) const REST_S: f64 = 5.0;

/// The behaviour.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    points_m: Arc<[[f64; 2]]>,
    goal_drive: GoalDrive,
    /// When the next round begins; none while it is on its way.
    next_s: Option<f64>,
}

impl Route {
    pub(super) fn new(points_m: Vec<[f64; 2]>, goal_drive: GoalDrive) -> Self {
        Self { points_m: points_m.into(), goal_drive, next_s: Some(0.0) }
    }

    pub(super) fn resume(&mut self) {
        self.next_s = Some(0.0);
    }

    pub(super) fn act(&mut self, senses: &Senses, perception: &Perception, at: Pose2) -> Intent {
        if senses.navigates {
            return Intent { goal: Some(HabitGoal::Round(self.points_m.clone())), ..Intent::default() };
        }
        if senses.helpless || senses.front_hazard.is_some() {
            return Intent::default();
        }
        if self.next_s.is_some_and(|next_s| senses.time_s >= next_s) {
            self.next_s = None;
            self.goal_drive.follow_route(self.points_m.to_vec());
        }
        let (forward_mps, turn_radps) = self.goal_drive.drive(senses, perception, at, false);
        if !self.goal_drive.state().is_active() && self.next_s.is_none() {
            let arrived = self.goal_drive.state() == crate::nav::State::Arrived;
            self.next_s = Some(if arrived { 0.0 } else { senses.time_s + REST_S });
        }
        Intent { forward_mps, turn_radps, ..Intent::default() }
    }
}
