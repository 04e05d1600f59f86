//! `/scan_matched_points2`, `/path`, `/trajectory`, `/local_path`: points on the map.
//!
//! A scan's points lie in the plane of its scanner, so their height is the scanner's own.

use latimer_core::model::signal::{Frame, Path, PointCloud, Scan};
use latimer_core::{Stamp, Timestamp};

use super::Received;
use super::units::{
    finite, point_from_xy, points_from_xy, scan_moment, stamp_from_moment, tidy_m, tidy_rad, xy_from_points,
};
use crate::axbot::messages::drive::{LocalPath, Path as WirePath, ScanMatchedPoints2, Trajectory};
use crate::axbot::style::ScanStamps;
use crate::axbot::wire::{Extra, Point};
use crate::describe::{Incomplete, need};

/// The part of the scanner.
const LIDAR: &str = "lidar";

/// The parts of the ways.
pub(in crate::axbot) const PLANNED: &str = "planned";
pub(in crate::axbot) const TRAJECTORY: &str = "trajectory";
pub(in crate::axbot) const LOCAL: &str = "local";

/// As the specification shows it, both number signs included.
const COLOR: &str = "##FFEACD50";

/// What the scanner meets; nothing without points.
pub(super) fn received_from_scan(
    message: &ScanMatchedPoints2,
    received: Timestamp,
) -> Result<Received, Incomplete> {
    let ScanMatchedPoints2 { stamp, points, extra: _ } = message;
    let points =
        need(points.as_ref(), "points")?.iter().map(|it| [it.x, it.y, it.third.unwrap_or(0.0)]).collect();
    let cloud = PointCloud { frame: Frame::Map, points_m: points };
    Ok(Received::of(LIDAR, stamp_from_moment(stamp.as_ref(), received), cloud))
}

/// What a scanner meets; `None` if it does not know where it is.
pub(super) fn points_from_scan(scan: &Scan, at: Timestamp, stamps: ScanStamps) -> Option<ScanMatchedPoints2> {
    let pose = scan.pose.as_ref().filter(|pose| pose.frame == Frame::Map)?;
    let height = tidy_m(finite(pose.z_m)?);
    let points = scan
        .points_m()
        .filter_map(|[x, y]| Some(Point::with(tidy_m(finite(x)?), tidy_m(finite(y)?), height)));
    Some(ScanMatchedPoints2 {
        stamp: Some(scan_moment(at, stamps)),
        points: Some(points.collect()),
        extra: Extra::new(),
    })
}

/// What a scanner meets; `None` if the points are not on the map.
pub(super) fn points_from_cloud(
    cloud: &PointCloud,
    at: Timestamp,
    stamps: ScanStamps,
) -> Option<ScanMatchedPoints2> {
    let PointCloud { frame, points_m } = cloud;
    let point = |[x, y, z]: &[f64; 3]| {
        Some(Point::with(tidy_m(finite(*x)?), tidy_m(finite(*y)?), tidy_m(finite(*z)?)))
    };
    (*frame == Frame::Map).then(|| ScanMatchedPoints2 {
        stamp: Some(scan_moment(at, stamps)),
        points: Some(points_m.iter().filter_map(point).collect()),
        extra: Extra::new(),
    })
}

/// Points, and headings if each point has one.
fn way(points: &[Point]) -> Path {
    let yaws: Vec<f64> = points.iter().filter_map(|point| point.third).collect();
    let yaws = if yaws.len() == points.len() { yaws } else { Vec::new() };
    Path { yaws_rad: yaws, ..Path::of(Frame::Map, xy_from_points(points)) }
}

/// The reverse.
fn points(path: &Path) -> Option<Vec<Point>> {
    let Path { frame, points_m, yaws_rad, width_m: _ } = path;
    if *frame != Frame::Map {
        return None;
    }
    if yaws_rad.len() != points_m.len() {
        return Some(points_from_xy(points_m));
    }
    let both = points_m.iter().zip(yaws_rad);
    let point = |(xy, yaw): (&[f64; 2], &f64)| {
        Some(Point { third: Some(tidy_rad(finite(*yaw)?)), ..point_from_xy(*xy)? })
    };
    Some(both.filter_map(point).collect())
}

/// The way that the robot plans.
pub(super) fn received_from_path(message: &WirePath, received: Timestamp) -> Result<Received, Incomplete> {
    let WirePath { stamp, positions, extra: _ } = message;
    let way = way(need(positions.as_ref(), "positions")?);
    Ok(Received::of(PLANNED, stamp_from_moment(stamp.as_ref(), received), way))
}

/// The way that the robot plans.
pub(super) fn path(path: &Path, at: Timestamp, stamps: ScanStamps) -> Option<WirePath> {
    Some(WirePath {
        stamp: Some(scan_moment(at, stamps)),
        positions: Some(points(path)?),
        extra: Extra::new(),
    })
}

/// The way that the robot came.
pub(super) fn received_from_trajectory(
    message: &Trajectory,
    received: Timestamp,
) -> Result<Received, Incomplete> {
    let Trajectory { points, extra: _ } = message;
    let way = way(need(points.as_ref(), "points")?);
    Ok(Received::of(TRAJECTORY, Stamp::gateway(received), way))
}

/// The way that the robot came; the specification has no headings here.
pub(super) fn trajectory(path: &Path) -> Option<Trajectory> {
    let bare = (path.frame == Frame::Map).then(|| points_from_xy(&path.points_m))?;
    Some(Trajectory { points: Some(bare), extra: Extra::new() })
}

/// The way that the robot really drives.
pub(super) fn received_from_local_path(
    message: &LocalPath,
    received: Timestamp,
) -> Result<Received, Incomplete> {
    let LocalPath { width, color: _, poses, extra: _ } = message;
    let path = Path { width_m: *width, ..way(need(poses.as_ref(), "poses")?) };
    Ok(Received::of(LOCAL, Stamp::gateway(received), path))
}

/// The way that the robot really drives.
pub(super) fn local_path(path: &Path) -> Option<LocalPath> {
    Some(LocalPath {
        width: path.width_m.and_then(finite).map(tidy_m),
        color: Some(COLOR.to_owned()),
        poses: Some(points(path)?),
        extra: Extra::new(),
    })
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::Pose;

    use super::*;

    #[test]
    fn a_scan_is_told_by_where_its_rays_end() {
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
        let message = points_from_scan(&scan, at, ScanStamps::Milliseconds).unwrap();
        assert_eq!(message.points, Some(vec![Point::with(1.0, 5.0, 0.2), Point::with(1.0, 1.5, 0.2)]));
        assert_eq!(message.stamp.map(|it| it.0), Some(1653302201889.0));
        let lost = Scan { pose: None, ..scan.clone() };
        assert_eq!(points_from_scan(&lost, at, ScanStamps::Seconds), None);
        let adrift = Scan { pose: Some(Pose { frame: Frame::Odom, ..pose }), ..scan };
        assert_eq!(points_from_scan(&adrift, at, ScanStamps::Seconds), None);
    }
}
