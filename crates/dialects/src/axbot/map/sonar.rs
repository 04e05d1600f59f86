//! `/scan_matched_points2` of a robot with one range sensor: one point, where the sound or the light came back.
//!
//! The robot's profile says where the sensor is mounted. If joints carry it, it looks where their angles turn it;
//! without them there is no point.

use latimer_core::Timestamp;
use latimer_core::model::profile::Ray;
use latimer_core::model::signal::{Pose, Range, RangeStatus};

use super::units::{finite, scan_moment, tidy_m};
use crate::axbot::messages::drive::ScanMatchedPoints2;
use crate::axbot::style::ScanStamps;
use crate::axbot::wire::{Extra, Point};

/// What a sonar meets, seen from the robot's pose; no points if it meets nothing, `None` if it did not measure.
pub(super) fn points_from_range(
    range: &Range,
    pose: &Pose,
    sonar: Ray,
    at: Timestamp,
    stamps: ScanStamps,
) -> Option<ScanMatchedPoints2> {
    let points = match (range.status, range.distance_m.and_then(finite)) {
        (RangeStatus::Valid | RangeStatus::Unknown, Some(distance_m)) => {
            let [x, y, z] = sonar.at(distance_m);
            let (sin, cos) = pose.yaw_rad.sin_cos();
            let [x, y] = [pose.x_m + x * cos - y * sin, pose.y_m + x * sin + y * cos];
            let [x, y, z] = [x, y, pose.z_m + z].map(finite);
            vec![Point::with(tidy_m(x?), tidy_m(y?), tidy_m(z?))]
        }
        (RangeStatus::NothingInView | RangeStatus::TooFar, _) => Vec::new(),
        _ => return None,
    };
    Some(ScanMatchedPoints2 {
        stamp: Some(scan_moment(at, stamps)),
        points: Some(points),
        extra: Extra::new(),
    })
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::Frame;

    use super::*;

    const SONAR: Ray = Ray { from_m: [0.1, 0.0, 0.2], toward: [1.0, 0.0, 0.0] };

    fn points(range: &Range, pose: &Pose) -> Option<Vec<Point>> {
        points_from_range(range, pose, SONAR, Timestamp::default(), ScanStamps::Seconds)?.points
    }

    #[test]
    fn the_point_is_before_the_sensor_wherever_the_robot_is() {
        let at = |x_m, y_m, yaw_rad| {
            let point = points(&Range::valid(0.5), &Pose::planar(Frame::Odom, x_m, y_m, yaw_rad)).unwrap()[0];
            [point.x, point.y, point.third.unwrap()]
        };
        assert_eq!(at(0.0, 0.0, 0.0), [0.6, 0.0, 0.2]);
        assert_eq!(at(2.0, 1.0, std::f64::consts::FRAC_PI_2), [2.0, 1.6, 0.2]);
    }

    #[test]
    fn nothing_in_view_is_no_point_and_a_broken_sonar_says_nothing() {
        let still = Pose::planar(Frame::Odom, 0.0, 0.0, 0.0);
        assert_eq!(points(&Range::nothing(), &still), Some(Vec::new()));
        for range in [
            Range { status: RangeStatus::HardwareFault, ..Range::nothing() },
            Range { status: RangeStatus::TooNear, ..Range::valid(0.01) },
            Range::valid(f64::NAN),
        ] {
            assert_eq!(points(&range, &still), None, "{range:?}");
        }
        let nowhere = Pose { x_m: f64::NAN, ..still };
        assert_eq!(points(&Range::valid(0.5), &nowhere), None);
    }
}
