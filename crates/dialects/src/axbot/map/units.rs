//! Numbers, places and times that all topics share.

use latimer_core::model::signal::{Frame, Pose};
use latimer_core::{Stamp, Timestamp};

use crate::axbot::style::ScanStamps;
use crate::axbot::wire::{Extra, Moment, Point, Pose as WirePose};
pub(in crate::axbot) use crate::describe::codec::finite;

/// What is computed is told to a tenth of a millimetre.
const PER_METRE: f64 = 1e4;

/// Angles are told to a tenth of a milliradian.
const PER_RADIAN: f64 = 1e4;

/// What is computed of shares is told to this many per unit.
const PER_UNIT: f64 = 1e9;

/// Moments above are in milliseconds: as seconds they would be in the year 5138.
const MILLISECONDS_FROM: f64 = 1e11;

/// Latest moment that a timestamp holds, seconds since 1970.
const LATEST_S: f64 = 9.2e9;

const NANOS_PER_S: i64 = 1_000_000_000;
const NANOS_PER_MS: i64 = 1_000_000;

/// Rounds away what a computation adds to a length.
pub(in crate::axbot) fn tidy_m(metres: f64) -> f64 {
    rounded(metres, PER_METRE)
}

/// The same for an angle.
pub(in crate::axbot) fn tidy_rad(radians: f64) -> f64 {
    rounded(radians, PER_RADIAN)
}

/// The same for a share, or anything else of which it is not known how finely it was measured.
pub(in crate::axbot) fn tidy(number: f64) -> f64 {
    rounded(number, PER_UNIT)
}

fn rounded(number: f64, per_unit: f64) -> f64 {
    let scaled = number * per_unit;
    if scaled.is_finite() { scaled.round() / per_unit + 0.0 } else { number }
}

/// A moment of the wire, in seconds or milliseconds.
pub(in crate::axbot) fn stamp_from_moment(moment: Option<&Moment>, received: Timestamp) -> Stamp {
    let seconds = moment.map(|Moment(it)| if *it > MILLISECONDS_FROM { it / 1e3 } else { *it });
    match seconds {
        Some(seconds) if seconds > 0.0 && seconds < LATEST_S => Stamp::robot(timestamp_from_s(seconds)),
        _ => Stamp::gateway(received),
    }
}

/// A moment of the wire in whole seconds.
pub(in crate::axbot) fn stamp_from_secs(secs: Option<i64>, received: Timestamp) -> Stamp {
    stamp_from_moment(secs.map(|secs| Moment(secs as f64)).as_ref(), received)
}

fn timestamp_from_s(seconds: f64) -> Timestamp {
    // Floats hold the present day to a quarter of a microsecond: what is below is noise.
    let micros = (seconds * 1e6).round() as i64;
    Timestamp::from_nanos(micros.saturating_mul(1_000))
}

/// Seconds since 1970.
pub(in crate::axbot) fn secs_from_timestamp(at: Timestamp) -> i64 {
    at.as_nanos().div_euclid(NANOS_PER_S)
}

/// Seconds since 1970 to the millisecond.
pub(in crate::axbot) fn moment_from_timestamp(at: Timestamp) -> Moment {
    Moment(at.as_nanos().div_euclid(NANOS_PER_MS) as f64 / 1e3)
}

/// The stamp of a scan or a path.
pub(in crate::axbot) fn scan_moment(at: Timestamp, stamps: ScanStamps) -> Moment {
    match stamps {
        ScanStamps::Milliseconds => Moment(at.as_nanos().div_euclid(NANOS_PER_MS) as f64),
        ScanStamps::Seconds => moment_from_timestamp(at),
    }
}

/// A pose on the map; `None` if position or heading is missing.
pub(in crate::axbot) fn pose_in_map(pose: &WirePose) -> Option<Pose> {
    pose_in(Frame::Map, pose)
}

/// A pose in a frame; `None` if position or heading is missing.
pub(in crate::axbot) fn pose_in(frame: Frame, pose: &WirePose) -> Option<Pose> {
    let WirePose { pos, ori, extra: _ } = pose;
    let Point { x, y, third, fourth: _ } = (*pos)?;
    Some(Pose { z_m: third.unwrap_or(0.0), ..Pose::planar(frame, x, y, (*ori)?) })
}

/// Whether places in a frame are places of the robot's world: its map, or where it started if it never has one.
pub(in crate::axbot) fn counts(frame: Frame, mapless: bool) -> bool {
    frame == Frame::Map || mapless && frame == Frame::Odom
}

/// A pose on the map for the wire; `None` if it is in another frame or holds what is no number.
pub(in crate::axbot) fn pose_from_map(pose: &Pose) -> Option<WirePose> {
    (pose.frame == Frame::Map).then(|| flat_pose(pose)).flatten()
}

/// The flat part of a pose in any frame.
pub(in crate::axbot) fn flat_pose(pose: &Pose) -> Option<WirePose> {
    let pos = point_from_xy([pose.x_m, pose.y_m])?;
    Some(WirePose { pos: Some(pos), ori: Some(tidy_rad(finite(pose.yaw_rad)?)), extra: Extra::new() })
}

/// A point; `None` if it holds what is no number.
pub(in crate::axbot) fn point_from_xy([x, y]: [f64; 2]) -> Option<Point> {
    Some(Point::flat([tidy_m(finite(x)?), tidy_m(finite(y)?)]))
}

/// Points; those that hold what is no number are left out.
pub(in crate::axbot) fn points_from_xy(points: &[[f64; 2]]) -> Vec<Point> {
    points.iter().copied().filter_map(point_from_xy).collect()
}

/// The first two numbers of each.
pub(in crate::axbot) fn xy_from_points(points: &[Point]) -> Vec<[f64; 2]> {
    points.iter().map(Point::xy).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_come_back_in_either_unit() {
        let received = Timestamp::from_nanos(7);
        for (moment, stamps) in
            [(1653302201889.0, ScanStamps::Milliseconds), (1653303702.821, ScanStamps::Seconds)]
        {
            let stamp = stamp_from_moment(Some(&Moment(moment)), received);
            assert_eq!(scan_moment(stamp.at, stamps), Moment(moment));
        }
        for nonsense in [-1.0, 0.0, 1e300, f64::NAN] {
            assert_eq!(stamp_from_moment(Some(&Moment(nonsense)), received), Stamp::gateway(received));
        }
        assert_eq!(stamp_from_secs(Some(i64::MIN), received), Stamp::gateway(received));
        assert_eq!(stamp_from_secs(Some(1_653_299_708), received).at.as_nanos(), 1_653_299_708_000_000_000);
    }

    #[test]
    fn a_pose_counts_on_the_map_alone() {
        let pose = Pose::planar(Frame::Map, 1.0, -2.0, 0.5);
        assert_eq!(pose_from_map(&pose).as_ref().and_then(pose_in_map), Some(pose.clone()));
        assert_eq!(pose_from_map(&Pose { frame: Frame::Odom, ..pose.clone() }), None);
        assert_eq!(pose_from_map(&Pose { x_m: f64::NAN, ..pose }), None);
    }

    #[test]
    fn places_are_told_as_finely_as_they_mean_something() {
        let told = |x, y, yaw| {
            let pose = pose_from_map(&Pose::planar(Frame::Map, x, y, yaw)).unwrap();
            serde_json::to_string(&pose).unwrap()
        };
        let pose = told(1.599539330859378, -0.000_001, -std::f64::consts::PI);
        assert_eq!(pose, r#"{"pos":[1.5995,0.0],"ori":-3.1416}"#);
        assert_eq!(
            told(-2.300_000_000_000_000_3, 1e6, 0.299_999_999_999),
            r#"{"pos":[-2.3,1000000.0],"ori":0.3}"#
        );
        // Beyond what can be scaled.
        assert_eq!(point_from_xy([f64::MAX, 0.0]), Some(Point::flat([f64::MAX, 0.0])));
    }
}
