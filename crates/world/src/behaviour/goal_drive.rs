//! Driving to a goal with what any robot has: a map, a belief where it is, distances to what is around.

use std::sync::Arc;

use super::{Perception, Senses};
use crate::geometry::Pose2;
use crate::nav::{
    Believed, Berth, FollowLimits, Goal, Grid, Navigator, NavigatorLimits, Obstacles, State, Terrain,
};

/// What is nearer than this beside the bow is minded on the way, metres.
const MINDED_M: f64 = 0.6;

/// Where the outer sensors look, radians to either side.
const BESIDE_RAD: f64 = 0.26;

/// A navigator with what it needs.
#[derive(Clone, Debug)]
pub(super) struct GoalDrive {
    navigator: Navigator,
    blocked: Arc<Grid<bool>>,
    obstacles: Obstacles,
    radius_m: f64,
}

impl GoalDrive {
    /// A goal_drive of a robot with a circle of a radius around it.
    pub(super) fn new(blocked: Arc<Grid<bool>>, radius_m: f64) -> Self {
        let limits = NavigatorLimits {
            follow: FollowLimits {
                linear_mps: 0.25,
                angular_radps: 1.0,
                slow_down_mps2: 0.6,
                spin_radps2: 4.0,
            },
            berth: Berth { radius_m: radius_m + 0.03, margin_m: 0.2 },
            gap_m: 0.12,
            patience_s: 3.0,
            give_up_s: 30.0,
            door_s: 30.0,
            dock_mps: 0.1,
            dock_tries: 4,
        };
        Self { navigator: Navigator::new(limits), obstacles: Obstacles::new(&blocked), blocked, radius_m }
    }

    /// Goes into a charger.
    pub(super) fn dock(&mut self, charger: Pose2) {
        self.navigator.go(Goal::dock_where_free(charger, &self.blocked));
    }

    /// Goes along points.
    pub(super) fn follow_route(&mut self, points_m: Vec<[f64; 2]>) {
        self.navigator.follow_route(points_m);
    }

    /// How that stands.
    pub(super) fn state(&self) -> State {
        self.navigator.state()
    }

    /// The speeds for now, forward in m/s and counter-clockwise in rad/s.
    pub(super) fn drive(
        &mut self,
        senses: &Senses,
        perception: &Perception,
        at: Pose2,
        docked: bool,
    ) -> (f64, f64) {
        for (bearing_rad, distance_m) in
            [(BESIDE_RAD, senses.left_m), (0.0, senses.ahead_m), (-BESIDE_RAD, senses.right_m)]
        {
            if let Some(far_m) = distance_m.filter(|m| *m < MINDED_M) {
                let (sin, cos) = bearing_rad.sin_cos();
                let reach_m = self.radius_m + far_m;
                let point = at.point_out(reach_m * cos, reach_m * sin);
                // What the map has already is no news.
                if self.blocked.at(point) == Some(false) {
                    self.obstacles.feel(point, senses.time_s);
                }
            }
        }
        let believed =
            Believed { pose: at, time_s: senses.time_s, lost: false, docked, blocked_ahead_m: None };
        let terrain =
            Terrain { blocked: &self.blocked, obstacles: Some(&self.obstacles), doors: &perception.doors };
        let (speeds, _) = self.navigator.drive(&believed, &terrain);
        (speeds.linear_mps, speeds.angular_radps)
    }
}
