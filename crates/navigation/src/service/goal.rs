//! What a robot is asked for, and what may be asked of its base.

use latimer_core::model::{Destination, NavigationGoal, RobotProfile};
use latimer_core::{Outcome, RobotId};

use crate::geometry::Pose2;
use crate::{Berth, FollowLimits, Goal, NavigatorLimits};

/// How far a goal may be off, metres.
const FARTHEST_M: f64 = 200.0;

/// Most points of a route.
const MOST_POINTS: usize = 10_000;

/// How near a goal is reached if nothing is said, metres.
const ACCURACY_M: f64 = 0.1;

/// What a robot of which nothing more is known may be asked for, m/s and rad/s.
const MAX_MPS: f64 = 0.3;
const MAX_RADPS: f64 = 1.0;

/// Of what the wheels can, so that there is something left to steer with.
const SHARE: f64 = 0.8;

/// Radius of a robot whose outline is not known, metres.
const RADIUS_M: f64 = 0.2;

/// Beside the outline, metres: what is seen is known to a cell of the floor.
const AIR_M: f64 = 0.05;

/// Where to.
pub(super) enum Target {
    Goal(Goal),
    Route { points_m: Vec<[f64; 2]>, detour_m: f64 },
}

impl Target {
    /// The same, if it can be driven to without more than a base.
    pub(super) fn of(robot: &RobotId, goal: &NavigationGoal) -> Result<Self, Outcome> {
        let inside = |point: &[f64; 2]| point.iter().all(|it| it.is_finite() && it.abs() < 1e6);
        let bad = || Outcome::bad_argument("a point is no place: write x and y in metres on the map");
        match &goal.destination {
            Destination::Point { x_m, y_m, yaw_rad } => {
                let at_m = [*x_m, *y_m];
                if !inside(&at_m) || yaw_rad.is_some_and(|it| !it.is_finite()) {
                    return Err(bad());
                }
                let accuracy_m = goal.accuracy_m.filter(|it| *it > 0.0).unwrap_or(ACCURACY_M);
                Ok(Target::Goal(Goal { yaw_rad: *yaw_rad, accuracy_m, zone: goal.zone, ..Goal::point(at_m) }))
            }
            Destination::Route { points_m, detour_m } => {
                if points_m.is_empty() || points_m.len() > MOST_POINTS {
                    return Err(Outcome::bad_argument(format!("a route has from 1 to {MOST_POINTS} points")));
                }
                if !points_m.iter().all(inside) {
                    return Err(bad());
                }
                Ok(Target::Route { points_m: points_m.clone(), detour_m: detour_m.clamp(0.0, 100.0) })
            }
            _ => Err(Outcome::unsupported(format!(
                "{robot} is driven by the gateway's navigator, which takes points and routes; places, chargers, lifts and racks need a robot that \
                 knows them"
            ))),
        }
    }

    /// The points that the way leads through, from where the robot is.
    pub(super) fn points(&self, from: Pose2) -> Vec<[f64; 2]> {
        let start = [[from.x_m, from.y_m]];
        match self {
            Self::Goal(goal) => start.into_iter().chain([goal.at_m]).collect(),
            Self::Route { points_m, .. } => start.iter().chain(points_m).copied().collect(),
        }
    }

    /// Refuses what is too far from where the robot is.
    pub(super) fn check_distance(&self, from: Pose2) -> Result<(), Outcome> {
        let far_m = self.points(from).iter().map(|[x, y]| from.distance_to(*x, *y)).fold(0.0, f64::max);
        if far_m > FARTHEST_M {
            return Err(Outcome::bad_argument(format!(
                "the goal is {far_m:.0} m away; the gateway's navigator drives at most {FARTHEST_M} m"
            )));
        }
        Ok(())
    }
}

/// What a base may be asked for: most of what its wheels can, and no more than is slow enough for what it sees.
pub(super) fn limits(profile: &RobotProfile) -> NavigatorLimits {
    let (linear_mps, angular_radps) = match &profile.wheels {
        Some(wheels) => (
            (wheels.max_mps * SHARE).min(MAX_MPS),
            (2.0 * SHARE * wheels.max_mps / wheels.gap_m.max(0.05)).min(MAX_RADPS),
        ),
        None => (MAX_MPS / 2.0, MAX_RADPS / 2.0),
    };
    let corners = profile.footprint_m.iter().map(|[x, y]| x.hypot(*y));
    let radius_m = corners.fold(None, |most: Option<f64>, it| Some(most.map_or(it, |most| most.max(it))));
    NavigatorLimits {
        follow: FollowLimits { linear_mps, angular_radps, slow_down_mps2: 0.3, spin_radps2: 1.0 },
        berth: Berth { radius_m: radius_m.unwrap_or(RADIUS_M) + AIR_M, margin_m: 0.15 },
        gap_m: 0.1,
        patience_s: 2.0,
        give_up_s: 20.0,
        door_s: 30.0,
        dock_mps: linear_mps,
        dock_tries: 1,
    }
}
