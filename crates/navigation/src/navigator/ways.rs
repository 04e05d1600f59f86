//! Sources of a navigator's ways: the planner, or a given route.

use super::Navigator;
use super::words::{Believed, Failure, Goal, NavigationTarget, State};
use crate::geometry::Pose2;
use crate::shorten::even_pieces;
use crate::{Follower, PlanError, Terrain, plan, plan_into};

/// More ways around things than this are going in circles.
const MOST_DETOURS: u32 = 15;

/// How far from the end of a way the robot may come to rest, metres: the way must end so much nearer.
const REST_M: f64 = 0.03;

/// Length of a piece of a given route, metres.
const PIECE_M: f64 = 0.1;

impl Navigator {
    /// Takes the best way, or the given one.
    pub(super) fn first_plan(&mut self, at: &Believed, terrain: &Terrain<'_>) {
        let goal = match &self.target {
            Some(NavigationTarget::Go(goal)) if goal.is_finite() => *goal,
            Some(NavigationTarget::Route(points)) if points.iter().flatten().all(|it| it.is_finite()) => {
                let points = points.clone();
                self.take_route(at.pose, &points);
                return;
            }
            _ => {
                self.fail(Failure::GoalBlocked);
                return;
            }
        };
        // What stands there now may be gone when the robot comes; if not, it will wait before it.
        let found = self.find(&goal, at, terrain, true).or_else(|_| self.find(&goal, at, terrain, false));
        match found {
            Ok(points) => self.take(points),
            Err(PlanError::GoalOutside { .. }) => self.fail(Failure::GoalOutside),
            Err(PlanError::GoalBlocked { .. }) => self.fail(Failure::GoalBlocked),
            Err(PlanError::StartBlocked { .. } | PlanError::NoWay { .. }) => self.fail(Failure::NoWay),
        }
    }

    fn find(
        &mut self,
        goal: &Goal,
        at: &Believed,
        terrain: &Terrain<'_>,
        with_obstacles: bool,
    ) -> Result<Vec<[f64; 2]>, PlanError> {
        self.planned_s = at.time_s;
        let map = terrain.costs(self.limits.berth, with_obstacles, at.time_s);
        let from = [at.pose.x_m, at.pose.y_m];
        let near_m = (goal.accuracy_m - REST_M).max(0.0);
        let found = if goal.zone {
            let walls = terrain.costs(self.limits.berth, false, at.time_s);
            plan_into(&map, &walls, from, goal.at_m, near_m)
        } else {
            plan(&map, from, goal.at_m, near_m)
        };
        found.map(|plan| plan.points_m)
    }

    pub(super) fn take(&mut self, points: Vec<[f64; 2]>) {
        self.follower = Follower::new(points);
        self.path_number = self.path_number.wrapping_add(1);
        self.blocked_since_s = None;
        self.state = State::Moving;
    }

    fn take_route(&mut self, from: Pose2, points: &[[f64; 2]]) {
        let mut all = vec![[from.x_m, from.y_m]];
        all.extend_from_slice(points);
        let sums = all.windows(2).scan(0.0, |sum_m, it| {
            *sum_m += (it[1][0] - it[0][0]).hypot(it[1][1] - it[0][1]);
            Some(*sum_m)
        });
        self.marks_m = sums.collect();
        self.take(even_pieces(&all, PIECE_M).points_m);
        self.line = all;
    }

    /// Takes a way around what is seen now, if there is one.
    pub(super) fn go_around(&mut self, at: &Believed, terrain: &Terrain<'_>) {
        let Some(NavigationTarget::Go(goal)) = &self.target else { return self.leave_line(at, terrain) };
        let goal = *goal;
        if let Ok(points) = self.find(&goal, at, terrain, true) {
            self.detours += 1;
            self.take(points);
            if self.detours > MOST_DETOURS {
                self.fail(Failure::WayBlocked);
            }
        }
    }
}
