//! What is in the way, and whether the robot gets on at all.

use super::words::{Believed, NavigatorLimits};
use crate::geometry::{Pose2, wrap_angle};
use crate::{Follower, Terrain};

/// How far ahead the way is looked over, metres.
const LOOK_M: f64 = 2.5;

/// Between two points of the way that are looked at, metres.
const STEP_M: f64 = 0.05;

/// A robot that moved or turned so much makes progress, metres and radians.
const MOVED_M: f64 = 0.1;
const TURNED_RAD: f64 = 0.3;

/// Not getting on for so long is being stuck, seconds.
const STUCK_S: f64 = 5.0;

/// Something in the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block {
    /// How much of the way is free before it, the gap to be left taken off, metres.
    pub(super) free_m: f64,
    /// It is a shut door.
    pub(super) door: bool,
}

/// The first thing in the way.
pub(super) fn look_ahead(
    follower: &Follower,
    at: &Believed,
    terrain: &Terrain<'_>,
    limits: &NavigatorLimits,
) -> Option<Block> {
    let robot = [at.pose.x_m, at.pose.y_m];
    // Half a cell less than the plan keeps, so that no plan blocks itself.
    let radius_m = limits.berth.radius_m - terrain.blocked.resolution_m / 2.0;
    let (from_m, end_m) = (follower.at_m(), follower.length_m());
    let reach_m = LOOK_M.min(end_m - from_m);
    let count = (reach_m / STEP_M).ceil().clamp(0.0, 1e3) as u32;
    let on_way = (0..=count).find_map(|i| {
        let ahead_m = (f64::from(i) * STEP_M).min(reach_m);
        let point = follower.point_at(from_m + ahead_m);
        let door = terrain.is_shut(point, robot, radius_m);
        (door || terrain.is_taken(point, robot, radius_m, at.time_s))
            .then_some(Block { free_m: ahead_m - limits.gap_m, door })
    });
    let sensed = at.blocked_ahead_m.filter(|free_m| *free_m < (end_m - from_m).min(LOOK_M));
    let sensed = sensed.map(|free_m| Block { free_m: free_m - limits.gap_m, door: false });
    match (on_way, sensed) {
        (Some(a), Some(b)) => Some(if b.free_m < a.free_m { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// Whether the robot gets on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Getting {
    mark: Option<(Pose2, f64)>,
    now_s: f64,
}

impl Getting {
    /// Where it is now.
    pub(super) fn at(&mut self, pose: Pose2, time_s: f64) {
        self.now_s = time_s;
        let moved = self.mark.is_none_or(|(mark, _)| {
            mark.distance_to(pose.x_m, pose.y_m) > MOVED_M
                || wrap_angle(mark.yaw_rad - pose.yaw_rad).abs() > TURNED_RAD
        });
        if moved {
            self.mark = Some((pose, time_s));
        }
    }

    /// For how long it has not got on, seconds.
    pub(super) fn still_s(&self) -> f64 {
        self.mark.map_or(0.0, |(_, since_s)| self.now_s - since_s)
    }

    /// Whether that is long.
    pub(super) fn is_stuck(&self) -> bool {
        self.still_s() > STUCK_S
    }
}
