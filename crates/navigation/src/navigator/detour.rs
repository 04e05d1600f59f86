//! Leaving a given route to get around something, no farther than allowed, and back onto it.

use super::Navigator;
use super::words::{Believed, NavigationTarget};
use crate::shapes::distance_to_line;
use crate::{Follower, Terrain, plan};

/// Between two points of the route where it may be joined again, metres, and how far ahead the last is.
const JOIN_M: f64 = 0.4;
const FARTHEST_M: f64 = 8.0;

/// A point so near to the line is on it, metres.
const ON_LINE_M: f64 = 0.06;

/// Most ways that are tried at once.
const MOST_TRIES: usize = 6;

impl Navigator {
    /// Follows given points, and leaves the line by at most so much to get around something.
    pub fn follow_route_within(&mut self, points_m: Vec<[f64; 2]>, detour_m: f64) {
        self.follow_route(points_m);
        self.detour_m = if detour_m.is_finite() { detour_m.max(0.0) } else { 0.0 };
    }

    /// Takes a way around what is seen now and back onto the route, if there is one that is near enough.
    pub(super) fn leave_line(&mut self, at: &Believed, terrain: &Terrain<'_>) {
        if self.detour_m <= 0.0 || !matches!(self.target, Some(NavigationTarget::Route(_))) {
            return;
        }
        self.planned_s = at.time_s;
        let from = [at.pose.x_m, at.pose.y_m];
        let mut map = terrain.costs(self.limits.berth, true, at.time_s);
        let line = std::mem::take(&mut self.line);
        let off_m = |point: [f64; 2]| {
            line.windows(2).map(|it| distance_to_line(it[0], it[1], point).0).fold(f64::INFINITY, f64::min)
        };
        map.keep_to(from, FARTHEST_M + self.detour_m, |point| off_m(point) <= self.detour_m);
        let (at_m, end_m) = (self.follower.at_m(), self.follower.length_m());
        let tries = (1..).map(|i| at_m + f64::from(i) * JOIN_M);
        let tries = tries.take_while(|join_m| *join_m < end_m.min(at_m + FARTHEST_M)).chain([end_m]);
        let joins = tries.map(|join_m| (join_m, self.follower.point_at(join_m)));
        let blocked = |point: [f64; 2]| {
            let radius_m = self.limits.berth.radius_m;
            !map.fits(point) || terrain.is_taken(point, from, radius_m, at.time_s)
        };
        // Where the line is free again behind what stands on it; before that there is nothing to join.
        let joins = joins.skip_while(|(_, point)| !blocked(*point)).filter(|(_, point)| !blocked(*point));
        let joins = joins.filter(|(_, point)| off_m(*point) <= ON_LINE_M).take(MOST_TRIES);
        let found = joins
            .filter_map(|(join_m, point)| plan(&map, from, point, 0.0).ok().map(|way| (join_m, way.points_m)))
            .next();
        self.line = line;
        if let Some((join_m, around)) = found {
            self.join(join_m, around);
        }
    }

    /// Goes around and then on along the way from where it is joined.
    fn join(&mut self, join_m: f64, mut points: Vec<[f64; 2]>) {
        let around_m = Follower::new(points.clone()).length_m();
        let rest = self.follower.along_m().partition_point(|it| *it <= join_m);
        points.extend(self.follower.points().iter().skip(rest));
        let at_m = self.follower.at_m();
        for mark_m in &mut self.marks_m {
            // What was passed stays passed; what the detour leaves out is passed where it joins.
            *mark_m = if *mark_m <= at_m { 0.0 } else { around_m + (*mark_m - join_m).max(0.0) };
        }
        self.take(points);
    }
}
