//! What scanners meet, as points on the map: `/scan_matched_points2`, `/horizontal_laser_2d/matched`.
//!
//! A scan's points lie in the plane of its scanner, so their height is the scanner's own.

use latimer_core::model::signal::{Frame, PointCloud, Scan};

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

/// Where a scan's rays end; `None` if the scanner does not know where it is.
fn points_from_scan(scan: &Scan) -> Option<PointCloud> {
    let pose = scan.pose.as_ref().filter(|pose| pose.frame == Frame::Map)?;
    let height_m = finite(pose.z_m)?;
    let points_m = scan.points_m().map(|[x, y]| [x, y, height_m]).collect();
    Some(PointCloud { frame: Frame::Map, points_m })
}

#[cfg(test)]
mod tests {
    use latimer_core::Timestamp;
    use latimer_core::model::signal::Pose;

    use super::*;
    use crate::axbot::wire::Point;

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
}
