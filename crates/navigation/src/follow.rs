//! Follows a way by regulated pure pursuit: aims at a point ahead on it, slower where it bends or ends.
//!
//! How far ahead shrinks where the straight line there would leave the way, so that corners are not cut.
//! A sharp corner is driven to, and turned at on the spot.

use super::shapes::distance_to_line;
use crate::Speeds;
use crate::geometry::{Pose2, wrap_angle};

/// How far the straight line to the aimed point may leave the way, metres.
const CUT_M: f64 = 0.03;

/// The aimed point is at most so many seconds ahead, and within these bounds, metres.
const AHEAD_S: f64 = 0.9;
const LEAST_AHEAD_M: f64 = 0.15;
const MOST_AHEAD_M: f64 = 0.8;

/// A bend above this is a sharp corner, radians.
const SHARP_RAD: f64 = 1.0;

/// A sharp corner has been passed from here on, metres.
const PASSED_M: f64 = 0.04;

/// Farther off than the first it turns on the spot until it is within the second, radians.
const TURN_FROM_RAD: f64 = 0.8;
const TURN_TO_RAD: f64 = 0.15;

/// Sideways acceleration in curves, m/s².
const SIDEWAYS_MPS2: f64 = 0.4;

/// Speed at the very end, m/s, if the limits allow.
const CREEP_MPS: f64 = 0.04;

/// What the drive may be asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowLimits {
    /// Greatest speed, m/s.
    pub linear_mps: f64,
    /// Greatest turn rate, rad/s.
    pub angular_radps: f64,
    /// Slowing down towards an end, m/s².
    pub slow_down_mps2: f64,
    /// Changing the turn rate, rad/s².
    pub spin_radps2: f64,
}

impl FollowLimits {
    /// The turn rate on the spot towards a heading that is so far off.
    pub fn turn(&self, off_rad: f64) -> f64 {
        let braking = (2.0 * 0.5 * self.spin_radps2 * off_rad.abs()).sqrt();
        (3.0 * off_rad.abs()).min(braking).min(self.angular_radps).copysign(off_rad)
    }

    /// The speed from which it can still stop within a way.
    pub fn stopping_within(&self, way_m: f64) -> f64 {
        (2.0 * 0.5 * self.slow_down_mps2 * way_m.max(0.0)).sqrt().min(self.linear_mps)
    }

    /// The same held to the limits; what is no number is standing.
    pub fn hold(&self, speeds: Speeds) -> Speeds {
        let held = |it: f64, most: f64| if it.is_finite() { it.clamp(-most, most) } else { 0.0 };
        Speeds {
            linear_mps: held(speeds.linear_mps, self.linear_mps),
            angular_radps: held(speeds.angular_radps, self.angular_radps),
        }
    }
}

/// A way being followed.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    points: Vec<[f64; 2]>,
    /// How far along the way each point is.
    along_m: Vec<f64>,
    /// Where sharp corners are, and the end.
    halts_m: Vec<f64>,
    at_m: f64,
    turning: bool,
}

impl Follower {
    /// At the start of a way.
    pub fn new(mut points: Vec<[f64; 2]>) -> Self {
        // A point given twice would hide the corner that it is.
        points.dedup();
        let mut along_m = Vec::with_capacity(points.len());
        let mut sum_m = 0.0;
        for (i, point) in points.iter().enumerate() {
            if let Some(before) = i.checked_sub(1).and_then(|it| points.get(it)) {
                sum_m += (point[0] - before[0]).hypot(point[1] - before[1]);
            }
            along_m.push(sum_m);
        }
        let mut halts_m: Vec<f64> = corners(&points).filter_map(|i| along_m.get(i).copied()).collect();
        halts_m.push(sum_m);
        Self { points, along_m, halts_m, at_m: 0.0, turning: false }
    }

    /// The way.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// How far along the way the robot is, metres.
    pub fn at_m(&self) -> f64 {
        self.at_m
    }

    /// How much of the way is left, metres.
    pub fn remaining_m(&self) -> f64 {
        self.length_m() - self.at_m
    }

    /// How long the way is, metres.
    pub fn length_m(&self) -> f64 {
        self.along_m.last().copied().unwrap_or(0.0)
    }

    /// How far along the way each of its points is, metres.
    pub fn along_m(&self) -> &[f64] {
        &self.along_m
    }

    /// The point so far along the way.
    pub fn point_at(&self, along_m: f64) -> [f64; 2] {
        let after = self.along_m.partition_point(|it| *it < along_m);
        let (Some(to), Some(end_m)) = (self.points.get(after), self.along_m.get(after)) else {
            return self.points.last().copied().unwrap_or_default();
        };
        let Some((from, begin_m)) = after.checked_sub(1).map(|it| (self.points[it], self.along_m[it])) else {
            return *to;
        };
        let share = ((along_m - begin_m) / (end_m - begin_m)).clamp(0.0, 1.0);
        [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
    }

    /// Looks where on the way the robot is; never goes back.
    pub fn locate(&mut self, pose: Pose2) {
        let halt_m = self.halt_m();
        let corner = self.point_at(halt_m);
        if halt_m < self.length_m() && pose.distance_to(corner[0], corner[1]) < PASSED_M {
            // A hair beyond, so that the next halt is another one.
            self.at_m = halt_m + 1e-6;
            return;
        }
        let mut nearest_m = f64::INFINITY;
        let first = self.along_m.partition_point(|it| *it <= self.at_m).saturating_sub(1);
        let (from_m, to_m) = (self.at_m, (self.at_m + MOST_AHEAD_M).min(halt_m));
        for i in first..self.points.len().saturating_sub(1) {
            let (begin_m, end_m) = (self.along_m[i], self.along_m[i + 1]);
            if begin_m > to_m {
                break;
            }
            let here = [pose.x_m, pose.y_m];
            let (off_m, share) = distance_to_line(self.points[i], self.points[i + 1], here);
            if off_m < nearest_m - 1e-9 {
                nearest_m = off_m;
                self.at_m = (begin_m + share * (end_m - begin_m)).clamp(from_m, to_m);
            }
        }
        if halt_m < self.length_m() {
            self.at_m = self.at_m.min(halt_m - 1e-6).max(from_m);
        }
    }

    /// The speeds for now, no faster than the limit.
    pub fn steer(&mut self, pose: Pose2, most_mps: f64, limits: &FollowLimits) -> Speeds {
        self.locate(pose);
        let halt_m = self.halt_m();
        let [x, y] = self.aim(pose, halt_m, limits);
        let [ahead, left] = pose.point_in(x, y);
        let (distance_m, bearing) = (ahead.hypot(left), left.atan2(ahead));
        if distance_m < 1e-3 {
            return Speeds::REST;
        }
        let turn_from = if self.turning { TURN_TO_RAD } else { TURN_FROM_RAD };
        self.turning = bearing.abs() > turn_from;
        if self.turning {
            return limits.hold(Speeds { linear_mps: 0.0, angular_radps: limits.turn(bearing) });
        }
        let bend = 2.0 * left / (distance_m * distance_m);
        let speed = most_mps
            .min(limits.linear_mps)
            .min(limits.stopping_within((halt_m - self.at_m).max(distance_m)).max(CREEP_MPS))
            .min(1.6 * distance_m + CREEP_MPS)
            .min((SIDEWAYS_MPS2 / bend.abs()).sqrt())
            .min(0.9 * limits.angular_radps / bend.abs());
        limits.hold(Speeds { linear_mps: speed, angular_radps: speed * bend })
    }

    /// The next sharp corner, or the end.
    fn halt_m(&self) -> f64 {
        let next = self.halts_m.iter().find(|it| **it > self.at_m);
        next.or(self.halts_m.last()).copied().unwrap_or(0.0)
    }

    /// The farthest point ahead to which a straight line stays near the way.
    fn aim(&self, pose: Pose2, halt_m: f64, limits: &FollowLimits) -> [f64; 2] {
        let near_m = (self.at_m + LEAST_AHEAD_M).min(halt_m);
        let [near_x, near_y] = self.point_at(near_m);
        let [ahead, left] = pose.point_in(near_x, near_y);
        // Turned away from the way it aims nearer: else it would swing out after each bend.
        let straight = 1.0 - left.atan2(ahead).abs();
        let most_m = (limits.linear_mps * AHEAD_S * straight).clamp(LEAST_AHEAD_M, MOST_AHEAD_M);
        // Measured from the way and not from the robot: else each cut would allow a deeper one.
        let here = self.point_at(self.at_m);
        let mut aimed_m = near_m;
        while aimed_m < halt_m && aimed_m - self.at_m < most_m {
            let next_m = (aimed_m + 0.05).min(halt_m);
            let to = self.point_at(next_m);
            let between = self.along_m.partition_point(|it| *it <= self.at_m)
                ..self.along_m.partition_point(|it| *it < next_m);
            let stays = |it: &[f64; 2]| distance_to_line(here, to, *it).0 <= CUT_M;
            if !self.points.get(between).is_none_or(|points| points.iter().all(stays)) {
                break;
            }
            aimed_m = next_m;
        }
        self.point_at(aimed_m)
    }
}

/// Which points are sharp corners.
fn corners(points: &[[f64; 2]]) -> impl Iterator<Item = usize> {
    let heading = |from: [f64; 2], to: [f64; 2]| (to[1] - from[1]).atan2(to[0] - from[0]);
    points.windows(3).enumerate().filter_map(move |(i, it)| {
        let bend = wrap_angle(heading(it[1], it[2]) - heading(it[0], it[1]));
        (bend.abs() > SHARP_RAD && it[0] != it[1] && it[1] != it[2]).then_some(i + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: FollowLimits =
        FollowLimits { linear_mps: 0.6, angular_radps: 1.2, slow_down_mps2: 0.8, spin_radps2: 4.0 };

    /// Drives an ideal robot; returns where it ends and how far it ever was off the way.
    fn follow(points: &[[f64; 2]], mut pose: Pose2) -> (Pose2, f64) {
        let pieces = super::super::shorten::even_pieces(points, 0.1).points_m;
        let mut follower = Follower::new(pieces.clone());
        let (end, mut off_m) = (points[points.len() - 1], 0.0_f64);
        for _ in 0..10_000 {
            let speeds = follower.steer(pose, f64::INFINITY, &LIMITS);
            if pose.distance_to(end[0], end[1]) < 0.02 && follower.remaining_m() < 0.05 {
                break;
            }
            let turn = speeds.angular_radps * 0.01;
            let [x, y] = pose.point_out(speeds.linear_mps * 0.01, 0.0);
            pose = Pose2::new(x, y, wrap_angle(pose.yaw_rad + turn));
            let off = pieces.windows(2).map(|it| distance_to_line(it[0], it[1], [x, y]).0);
            off_m = off_m.max(off.fold(f64::INFINITY, f64::min));
        }
        (pose, off_m)
    }

    #[test]
    fn ways_of_many_kinds_are_kept_to_their_end() {
        let ways: [&[[f64; 2]]; 6] = [
            &[[0.0, 0.0], [3.0, 0.0]],
            &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            &[[0.0, 0.0], [1.0, 0.0], [1.6, 0.5], [2.4, 0.5], [3.0, 0.0]],
            &[[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]],
            &[[0.0, 0.0], [-1.0, 0.1]],
            &[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 1.0]],
        ];
        for way in ways {
            let (pose, off_m) = follow(way, Pose2::default());
            let end = way[way.len() - 1];
            assert!(pose.distance_to(end[0], end[1]) < 0.02, "{way:?}: {pose:?}");
            assert!(off_m < 0.06, "{way:?}: {off_m}");
        }
    }

    #[test]
    fn a_way_out_and_back_is_driven_out_first() {
        let mut follower = Follower::new(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]);
        follower.locate(Pose2::new(0.5, 0.0, 0.0));
        follower.locate(Pose2::new(0.9, 0.0, 0.0));
        assert!((follower.remaining_m() - 1.1).abs() < 1e-6, "{}", follower.remaining_m());
        follower.locate(Pose2::new(0.98, 0.0, 0.0));
        follower.locate(Pose2::new(0.8, 0.0, 0.0));
        assert!((follower.remaining_m() - 0.8).abs() < 1e-5, "{}", follower.remaining_m());
    }

    #[test]
    fn an_empty_way_is_standing() {
        let mut follower = Follower::default();
        assert_eq!(follower.steer(Pose2::default(), 1.0, &LIMITS), Speeds::REST);
    }
}
