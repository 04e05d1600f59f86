//! `/scan_matched_points2` of a robot whose only range sensor is a sonar on a head that moves: one point, where the
//! sound came back.
//!
//! The neck is a MiRo's, by the published numbers of its platform: a body that leans, a neck on it, a head that turns
//! and nods. Without its angles nobody knows where the sonar looks, so there is no point.

use latimer_core::Timestamp;
use latimer_core::model::signal::{Pose, Range, RangeStatus};

use super::units::{finite, scan_moment, tidy_m};
use crate::axbot::messages::drive::ScanMatchedPoints2;
use crate::axbot::style::ScanStamps;
use crate::axbot::wire::{Extra, Point};

/// Heights of the joints of tilt, lift and yaw, each above the one before, metres.
const TILT_UP_M: f64 = 0.045;
const LIFT_UP_M: f64 = 0.035_7;
const YAW_UP_M: f64 = 0.120_1;
/// How far the joint of lift is before that of tilt, metres.
const LIFT_AHEAD_M: f64 = 0.002_2;
/// The nose in the head's axes: ahead and up, metres.
const NOSE_M: [f64; 2] = [0.099_4, 0.025];

/// The angles of the joints, radians; positive leans forward, and turns left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neck {
    /// Of the body.
    pub tilt_rad: f64,
    /// Of the neck.
    pub lift_rad: f64,
    /// Of the head, left and right.
    pub yaw_rad: f64,
    /// Of the head, up and down.
    pub pitch_rad: f64,
}

impl Neck {
    /// The joints by the names of their parts, in the order of the fields.
    pub const PARTS: [&str; 4] = ["tilt", "lift", "yaw", "pitch"];

    /// A point so far before the nose, in the robot's axes.
    fn point_before_nose(self, distance_m: f64) -> [f64; 3] {
        let Self { tilt_rad, lift_rad, yaw_rad, pitch_rad } = self;
        let [ahead, up] = NOSE_M;
        let [x, _, z] = leant(pitch_rad, [ahead + distance_m, 0.0, up]);
        let (sin, cos) = yaw_rad.sin_cos();
        let [x, y, z] = leant(lift_rad, [x * cos, x * sin, z + YAW_UP_M]);
        let [x, y, z] = leant(tilt_rad, [x + LIFT_AHEAD_M, y, z + LIFT_UP_M]);
        [x, y, z + TILT_UP_M]
    }
}

/// A point turned about y; positive leans forward.
fn leant(angle_rad: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let (sin, cos) = angle_rad.sin_cos();
    [x * cos + z * sin, y, z * cos - x * sin]
}

/// What a sonar meets, seen from the robot's pose; no points if it meets nothing, `None` if it did not measure.
pub(super) fn points_from_range(
    range: &Range,
    pose: &Pose,
    neck: Neck,
    at: Timestamp,
    stamps: ScanStamps,
) -> Option<ScanMatchedPoints2> {
    let points = match (range.status, range.distance_m.and_then(finite)) {
        (RangeStatus::Valid | RangeStatus::Unknown, Some(distance_m)) => {
            let [x, y, z] = neck.point_before_nose(distance_m);
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

    /// As it is after power-up: the head is level.
    const FIRST: [f64; 4] = [-5.0, 17.0, 0.0, -12.0];

    fn neck(degrees: [f64; 4]) -> Neck {
        let [tilt_rad, lift_rad, yaw_rad, pitch_rad] = degrees.map(f64::to_radians);
        Neck { tilt_rad, lift_rad, yaw_rad, pitch_rad }
    }

    fn points(range: &Range, pose: &Pose, neck: Neck) -> Option<Vec<Point>> {
        points_from_range(range, pose, neck, Timestamp::default(), ScanStamps::Seconds)?.points
    }

    #[test]
    fn the_point_is_before_the_nose_wherever_that_is() {
        let still = Pose::planar(Frame::Odom, 0.0, 0.0, 0.0);
        let at = |pose: &Pose, degrees| {
            let point = points(&Range::valid(0.5), pose, neck(degrees)).unwrap()[0];
            [point.x, point.y, point.third.unwrap()]
        };
        let ahead = at(&still, FIRST);
        // The nose is about 0.12 m before the wheels, and 0.22 m above the floor.
        assert!((ahead[0] - 0.62).abs() < 0.02 && ahead[1].abs() < 1e-6 && (ahead[2] - 0.22).abs() < 0.01);
        let left = at(&still, [-5.0, 17.0, 60.0, -12.0]);
        assert!(left[1] > 0.45 && left[0] < ahead[0], "{left:?}");
        assert!(at(&still, [-5.0, 17.0, 0.0, 8.0])[2] < ahead[2] - 0.1, "it looks down");
        let turned = at(&Pose::planar(Frame::Odom, 2.0, 1.0, std::f64::consts::FRAC_PI_2), FIRST);
        assert!((turned[0] - 2.0).abs() < 1e-3 && (turned[1] - 1.0 - ahead[0]).abs() < 1e-3, "{turned:?}");
    }

    #[test]
    fn nothing_in_view_is_no_point_and_a_broken_sonar_says_nothing() {
        let still = Pose::planar(Frame::Odom, 0.0, 0.0, 0.0);
        assert_eq!(points(&Range::nothing(), &still, neck(FIRST)), Some(Vec::new()));
        for range in [
            Range { status: RangeStatus::HardwareFault, ..Range::nothing() },
            Range { status: RangeStatus::TooNear, ..Range::valid(0.01) },
            Range::valid(f64::NAN),
        ] {
            assert_eq!(points(&range, &still, neck(FIRST)), None, "{range:?}");
        }
        let nowhere = Pose { x_m: f64::NAN, ..still };
        assert_eq!(points(&Range::valid(0.5), &nowhere, neck(FIRST)), None);
    }
}
