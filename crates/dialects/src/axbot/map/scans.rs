//! What scanners and range sensors meet, as points on the map: `/scan_matched_points2`, `/horizontal_laser_2d/matched`.
//!
//! A scan's points lie in the plane of its scanner, so their height is the scanner's own. Of a robot with one range
//! sensor there is one point, where the sound or the light came back: the robot's profile says where the sensor is
//! mounted, and if joints carry it, it looks where their angles turn it; without them there is no point.

use latimer_core::model::profile::Ray;
use latimer_core::model::signal::{Frame, PointCloud, Pose, Range, RangeStatus, Scan};

use super::FromRecord;
use crate::axbot::messages::Context;
use crate::axbot::messages::drive::{LaserPoints, ScanMatchedPoints2};
use crate::axbot::topic::Topic;
use crate::describe::Translate;
use crate::describe::codec::finite;

impl FromRecord<Scan> for ScanMatchedPoints2 {
    fn from_record(scan: &Scan, _: Topic, context: &Context) -> Option<Self> {
        Self::encode(&points_from_scan(scan)?, context)
    }
}

impl FromRecord<Scan> for LaserPoints {
    fn from_record(scan: &Scan, _: Topic, context: &Context) -> Option<Self> {
        Self::encode(&points_from_scan(scan)?, context)
    }
}

impl FromRecord<Range> for ScanMatchedPoints2 {
    fn from_record(range: &Range, _: Topic, context: &Context) -> Option<Self> {
        let points_m = points_from_range(range, context.pose_on_map()?, context.sonar?)?;
        Self::encode(&PointCloud { frame: Frame::Map, points_m }, context)
    }
}

/// Where a scan's rays end; `None` if the scanner does not know where it is.
fn points_from_scan(scan: &Scan) -> Option<PointCloud> {
    let pose = scan.pose.as_ref().filter(|pose| pose.frame == Frame::Map)?;
    let height_m = finite(pose.z_m)?;
    let points_m = scan.points_m().map(|[x, y]| [x, y, height_m]).collect();
    Some(PointCloud { frame: Frame::Map, points_m })
}

/// What a sonar meets, seen from the robot's pose; no points if it meets nothing, `None` if it did not measure.
fn points_from_range(range: &Range, pose: &Pose, sonar: Ray) -> Option<Vec<[f64; 3]>> {
    match (range.status, range.distance_m.and_then(finite)) {
        (RangeStatus::Valid | RangeStatus::Unknown, Some(distance_m)) => {
            let [x, y, z] = sonar.at(distance_m);
            let (sin, cos) = pose.yaw_rad.sin_cos();
            let point = [pose.x_m + x * cos - y * sin, pose.y_m + x * sin + y * cos, pose.z_m + z];
            point.iter().all(|it| it.is_finite()).then(|| vec![point])
        }
        (RangeStatus::NothingInView | RangeStatus::TooFar, _) => Some(Vec::new()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::Timestamp;

    use super::*;
    use crate::axbot::wire::Point;

    const SONAR: Ray = Ray { from_m: [0.1, 0.0, 0.2], toward: [1.0, 0.0, 0.0] };

    fn points(range: &Range, pose: &Pose) -> Option<Vec<Point>> {
        let (pose, sonar) = (Some(pose.clone()), Some(SONAR));
        let context = Context { pose, sonar, ..Context::default() };
        ScanMatchedPoints2::from_record(range, Topic::ScanMatchedPoints2, &context)?.points
    }

    #[test]
    fn a_scan_is_published_by_where_its_rays_end() {
        let pose = Pose { z_m: 0.2, ..Pose::planar(Frame::Map, 1.0, 2.0, std::f64::consts::FRAC_PI_2) };
        let scan = Scan {
            angle_min_rad: 0.0,
            angle_increment_rad: std::f64::consts::FRAC_PI_2,
            range_min_m: 0.1,
            range_max_m: 10.0,
            ranges_m: vec![3.0, f32::INFINITY, 0.5, f32::NAN],
            pose: Some(pose.clone()),
        };
        let at = Timestamp::from_nanos(1_653_302_201_889_000_000);
        let context = Context { at, ..Context::default() };
        let encoded =
            |scan: &Scan| ScanMatchedPoints2::from_record(scan, Topic::ScanMatchedPoints2, &context);
        let message = encoded(&scan).unwrap();
        assert_eq!(message.points, Some(vec![Point::with(1.0, 5.0, 0.2), Point::with(1.0, 1.5, 0.2)]));
        assert_eq!(message.stamp.map(|it| it.0), Some(1653302201889.0));
        let lost = Scan { pose: None, ..scan.clone() };
        assert_eq!(encoded(&lost), None);
        let adrift = Scan { pose: Some(Pose { frame: Frame::Odom, ..pose }), ..scan };
        assert_eq!(encoded(&adrift), None);
    }

    #[test]
    fn the_point_is_before_the_sensor_wherever_the_robot_is() {
        let at = |x_m, y_m, yaw_rad| {
            let point = points(&Range::valid(0.5), &Pose::planar(Frame::Map, x_m, y_m, yaw_rad)).unwrap()[0];
            [point.x, point.y, point.third.unwrap()]
        };
        assert_eq!(at(0.0, 0.0, 0.0), [0.6, 0.0, 0.2]);
        assert_eq!(at(2.0, 1.0, std::f64::consts::FRAC_PI_2), [2.0, 1.6, 0.2]);
    }

    #[test]
    fn nothing_in_view_is_no_point_and_a_broken_sonar_says_nothing() {
        let still = Pose::planar(Frame::Map, 0.0, 0.0, 0.0);
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
