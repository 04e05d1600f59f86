//! Distances in a cone, from scans, from points and from other range sensors; and a scan from range sensors.

use std::f64::consts::{PI, TAU};

use crate::frames::{Pose2, wrap_angle};
use crate::model::profile::{RangeSensor, Ray};
use crate::model::signal::{Pose, Range, RangeStatus, Scan};

/// Least width of a cone in steps of a scan, so that at least one ray is in it.
const LEAST_RAYS: f64 = 2.0;

/// Least width of a cone among points whose directions are not regular, radians.
const LEAST_FIELD_RAD: f64 = 0.05;

/// Points that are this much farther than the nearest one may be of the same surface, metres.
const SURFACE_M: f64 = 0.03;

/// Rays of a scan that is made from range sensors: one a degree.
const RAYS: usize = 360;

/// Points around a robot, in `base_link`.
pub(super) struct Points {
    /// Forward and left, metres.
    points_m: Vec<[f64; 2]>,
    /// Least width of a cone that surely holds a point of what is there.
    least_field_rad: f64,
    /// Farthest distance measured.
    max_m: Option<f64>,
}

impl Points {
    /// Where a scan met something, by where its scanner is mounted.
    pub(super) fn of_scan(scan: &Scan, scanner: Pose2) -> Self {
        let rays = scan.ranges_m.iter().enumerate().filter(|(_, range)| range.is_finite());
        let points = rays.map(|(ray, range)| {
            let angle_rad = scan.angle_min_rad + ray as f64 * scan.angle_increment_rad;
            let (sin, cos) = angle_rad.sin_cos();
            let range_m = f64::from(*range);
            scanner.point_out(range_m * cos, range_m * sin)
        });
        Self {
            points_m: points.collect(),
            least_field_rad: LEAST_RAYS * scan.angle_increment_rad.abs(),
            max_m: Some(scan.range_max_m).filter(|it| it.is_finite()),
        }
    }

    /// Points that are given in a frame in which the robot is at a pose.
    pub(super) fn of_cloud(points_m: &[[f64; 3]], robot: Pose2) -> Self {
        let points = points_m.iter().map(|[x_m, y_m, _]| robot.point_in(*x_m, *y_m));
        Self {
            points_m: points.filter(|it| it.iter().all(|m| m.is_finite())).collect(),
            least_field_rad: LEAST_FIELD_RAD,
            max_m: None,
        }
    }

    /// What a sensor on the outline of the robot would measure.
    pub(super) fn range(&self, sensor: &RangeSensor, outline_m: &[[f64; 2]]) -> Option<Range> {
        let bearing_rad = sensor.bearing()?;
        let field_rad = sensor.field_rad.unwrap_or_default().max(self.least_field_rad);
        let edge_m = outline_crossing(outline_m, bearing_rad);
        let (sin, cos) = bearing_rad.sin_cos();
        let apex = Pose2::new(edge_m * cos, edge_m * sin, bearing_rad);
        let in_cone = self.points_m.iter().filter_map(|[x_m, y_m]| {
            let [ahead_m, left_m] = apex.point_in(*x_m, *y_m);
            let distance_m = ahead_m.hypot(left_m);
            (left_m.atan2(ahead_m).abs() <= field_rad / 2.0).then_some(distance_m)
        });
        let distances: Vec<f64> = in_cone.collect();
        let seen = surface(&distances).map_or_else(Range::nothing, Range::valid);
        Some(Range { max_m: self.max_m, field_of_view_rad: Some(field_rad), ..seen })
    }
}

/// How far the nearest surface is: the mean of the points on it, since the least of many noisy distances is too small.
fn surface(distances_m: &[f64]) -> Option<f64> {
    let nearest_m = distances_m.iter().copied().min_by(f64::total_cmp)?;
    let on_it = distances_m.iter().filter(|it| **it <= nearest_m + SURFACE_M);
    let (sum_m, count) = on_it.fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
    Some(sum_m / count)
}

/// How far the outline is from the middle in a direction; 0 without an outline.
fn outline_crossing(outline_m: &[[f64; 2]], bearing_rad: f64) -> f64 {
    let (sin, cos) = bearing_rad.sin_cos();
    let next = outline_m.iter().cycle().skip(1);
    let crossings = outline_m.iter().zip(next).filter_map(|([ax, ay], [bx, by])| {
        // Where the ray t (cos, sin) meets a + u (b - a).
        let (dx, dy) = (bx - ax, by - ay);
        let across = cos * dy - sin * dx;
        if across.abs() < 1e-12 {
            return None;
        }
        let t = (ax * dy - ay * dx) / across;
        let u = (ax * sin - ay * cos) / across;
        (t > 0.0 && (-1e-9..=1.0 + 1e-9).contains(&u)).then_some(t)
    });
    crossings.max_by(f64::total_cmp).unwrap_or_default()
}

/// The nearest of what several sensors see; the first reading if none sees anything.
pub(super) fn nearest<'a>(readings: impl Iterator<Item = &'a Range> + Clone) -> Option<Range> {
    let sure = readings.clone().filter(|it| it.status == RangeStatus::Valid && it.distance_m.is_some());
    let distance = |it: &Range| it.distance_m.unwrap_or(f64::INFINITY);
    let nearest = sure.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    // A code is a word of the sensor's maker.
    nearest.or_else(|| readings.clone().next()).map(|it| Range { status_code: None, ..it.clone() })
}

/// A scan with a ray for each range sensor that sees something; `NaN` where nothing looks (REP-117).
pub(super) fn scan<'a>(readings: impl Iterator<Item = (Ray, &'a Range)>, pose: Option<Pose>) -> Scan {
    let mut ranges_m = vec![f32::NAN; RAYS];
    let mut range_max_m = 0.0_f64;
    for (ray, range) in readings {
        range_max_m = range_max_m.max(range.max_m.unwrap_or_default());
        let Some(distance_m) = range.distance_m.filter(|_| range.status == RangeStatus::Valid) else {
            continue;
        };
        let [x_m, y_m, _] = ray.at(distance_m);
        let far_m = x_m.hypot(y_m);
        range_max_m = range_max_m.max(far_m);
        let turn = (wrap_angle(y_m.atan2(x_m)) + PI) / TAU;
        let slot = (turn * RAYS as f64).round() as usize % RAYS;
        if let Some(slot) = ranges_m.get_mut(slot) {
            let far_m = far_m as f32;
            *slot = if slot.is_nan() { far_m } else { slot.min(far_m) };
        }
    }
    let angle_increment_rad = TAU / RAYS as f64;
    Scan { angle_min_rad: -PI, angle_increment_rad, range_min_m: 0.0, range_max_m, ranges_m, pose }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;
    use crate::model::Kind;

    const OUTLINE_M: [[f64; 2]; 4] = [[0.3, 0.2], [-0.3, 0.2], [-0.3, -0.2], [0.3, -0.2]];

    fn sensor(bearing_rad: f64) -> RangeSensor {
        RangeSensor::new(Kind::Range, Some("it")).toward(bearing_rad, 0.4)
    }

    fn turn(met: impl Fn(usize) -> f32) -> Scan {
        Scan {
            angle_min_rad: -PI,
            angle_increment_rad: TAU / 360.0,
            range_min_m: 0.05,
            range_max_m: 25.0,
            ranges_m: (0..360).map(met).collect(),
            pose: None,
        }
    }

    #[test]
    fn a_box_ahead_is_as_far_as_it_is_from_the_outline() {
        let scan = turn(|ray| if (170..190).contains(&ray) { 1.0 } else { f32::INFINITY });
        let points = Points::of_scan(&scan, Pose2::default());
        let ahead = points.range(&sensor(0.0), &OUTLINE_M).unwrap();
        assert!((ahead.distance_m.unwrap() - 0.7).abs() < 0.01, "{ahead:?}");
        assert_eq!((ahead.status, ahead.max_m), (RangeStatus::Valid, Some(25.0)));
        let back = points.range(&sensor(PI), &OUTLINE_M).unwrap();
        assert_eq!((back.distance_m, back.status), (None, RangeStatus::NothingInView));
        let mounted = Points::of_scan(&scan, Pose2::new(0.1, 0.0, FRAC_PI_2));
        let left = mounted.range(&sensor(FRAC_PI_2), &OUTLINE_M).unwrap();
        assert!((left.distance_m.unwrap() - 0.8).abs() < 0.02, "{left:?}");
    }

    #[test]
    fn points_on_the_map_are_seen_from_the_robot() {
        let robot = Pose2::new(2.0, 3.0, FRAC_PI_2);
        let points = Points::of_cloud(&[[2.0, 4.0, 0.0], [9.0, f64::NAN, 0.0]], robot);
        let ahead = points.range(&sensor(0.0), &[]).unwrap();
        assert!((ahead.distance_m.unwrap() - 1.0).abs() < 1e-9, "{ahead:?}");
    }

    #[test]
    fn the_outline_is_met_where_the_sensor_looks() {
        for (bearing, m) in [(0.0, 0.3), (FRAC_PI_2, 0.2), (PI, 0.3), (-FRAC_PI_2, 0.2)] {
            assert!((outline_crossing(&OUTLINE_M, bearing) - m).abs() < 1e-9);
        }
        assert_eq!(outline_crossing(&[], 1.0), 0.0);
        assert_eq!(outline_crossing(&[[f64::NAN; 2]; 3], 1.0), 0.0);
    }

    #[test]
    fn ranges_become_rays_where_their_sensors_look() {
        let ray = |x_m, yaw: f64| Ray { from_m: [x_m, 0.0, 0.2], toward: [yaw.cos(), yaw.sin(), 0.0] };
        let (near, nothing) = (Range::valid(0.5), Range::nothing());
        let scan = scan([(ray(0.1, 0.0), &near), (ray(0.0, 1.0), &nothing)].into_iter(), None);
        let met: Vec<_> = scan.ranges_m.iter().enumerate().filter(|(_, m)| m.is_finite()).collect();
        assert_eq!(met, [(180, &0.6)]);
        let back = Points::of_scan(&scan, Pose2::default()).range(&sensor(0.0), &[]).unwrap();
        assert!((back.distance_m.unwrap() - 0.6).abs() < 1e-6);
    }

    #[test]
    fn the_nearest_counts_and_a_makers_code_does_not() {
        let far = Range { status_code: Some(7), ..Range::valid(2.0) };
        let read = nearest([&Range::nothing(), &far, &Range::valid(1.0)].into_iter()).unwrap();
        assert_eq!(read.distance_m, Some(1.0));
        let none = nearest([&Range { status_code: Some(208), ..Range::nothing() }].into_iter()).unwrap();
        assert_eq!(none, Range::nothing());
    }
}
