//! `/horizontal_laser_2d/matched`: points as numbers of four bytes, little-endian, in Base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::Timestamp;
use latimer_core::model::signal::{Frame, PointCloud, Scan};

use super::Received;
use super::units::{finite, moment_from_timestamp, stamp_from_moment};
use crate::axbot::messages::drive::{LaserPoints, PointField};
use crate::axbot::wire::Extra;
use crate::describe::{Incomplete, need};

/// The part of the scanner.
const LIDAR: &str = "lidar";

/// The only type of number that robots were seen to send, and its size, bytes.
const FLOAT: &str = "f32";
const FLOAT_BYTES: usize = 4;

/// What is written of each point.
const AXES: [&str; 3] = ["x", "y", "z"];

/// What a scanner meets; nothing if the points cannot be read. A height that is missing is that of the floor.
pub(super) fn received_from_laser(
    message: &LaserPoints,
    received: Timestamp,
) -> Result<Received, Incomplete> {
    let LaserPoints { stamp, fields, data, extra: _ } = message;
    let fields = need(fields.as_ref(), "fields")?;
    if fields.iter().any(|field| field.data_type.as_deref() != Some(FLOAT)) {
        return Err(Incomplete { field: "fields" });
    }
    let place = |axis: &str| fields.iter().position(|field| field.name.as_deref() == Some(axis));
    let (x, y, z) = (need(place("x"), "fields")?, need(place("y"), "fields")?, place("z"));
    let bytes = data.as_ref().and_then(|data| STANDARD.decode(data).ok());
    let bytes = need(bytes, "data")?;
    let point = |point: &[u8]| {
        let number = |place: usize| {
            let bytes = point.get(FLOAT_BYTES * place..)?.first_chunk::<FLOAT_BYTES>()?;
            finite(f64::from(f32::from_le_bytes(*bytes)))
        };
        Some([number(x)?, number(y)?, z.map_or(Some(0.0), number)?])
    };
    let points_m = bytes.chunks_exact(FLOAT_BYTES * fields.len()).filter_map(point).collect();
    let cloud = PointCloud { frame: Frame::Map, points_m };
    Ok(Received::of(LIDAR, stamp_from_moment(stamp.as_ref(), received), cloud))
}

/// What a scanner meets; `None` if it does not know where it is.
pub(super) fn laser_from_scan(scan: &Scan, at: Timestamp) -> Option<LaserPoints> {
    let pose = scan.pose.as_ref().filter(|pose| pose.frame == Frame::Map)?;
    Some(laser(scan.points_m().map(|[x, y]| [x, y, pose.z_m]), at))
}

/// What a scanner meets; `None` if the points are not on the map.
pub(super) fn laser_from_cloud(cloud: &PointCloud, at: Timestamp) -> Option<LaserPoints> {
    let PointCloud { frame, points_m } = cloud;
    (*frame == Frame::Map).then(|| laser(points_m.iter().copied(), at))
}

fn laser(points_m: impl Iterator<Item = [f64; 3]>, at: Timestamp) -> LaserPoints {
    let known = points_m.filter(|point| point.iter().all(|it| it.is_finite()));
    let bytes: Vec<u8> = known.flatten().flat_map(|number| (number as f32).to_le_bytes()).collect();
    let field = |name: &str| PointField {
        name: Some(name.to_owned()),
        data_type: Some(FLOAT.to_owned()),
        extra: Extra::new(),
    };
    LaserPoints {
        stamp: Some(moment_from_timestamp(at)),
        fields: Some(AXES.map(field).to_vec()),
        data: Some(STANDARD.encode(bytes)),
        extra: Extra::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_back_and_odd_ones_are_left_out() {
        let points_m = vec![[1.5, -2.25, 0.5], [f64::NAN, 0.0, 0.0], [0.0, 4.0, 0.5]];
        let told =
            laser_from_cloud(&PointCloud { frame: Frame::Map, points_m }, Timestamp::default()).unwrap();
        let heard = received_from_laser(&told, Timestamp::default()).unwrap();
        let expected = PointCloud { frame: Frame::Map, points_m: vec![[1.5, -2.25, 0.5], [0.0, 4.0, 0.5]] };
        assert_eq!(heard.signal, expected.into());
        for broken in [
            LaserPoints { data: Some("no base64!".into()), ..told.clone() },
            LaserPoints { fields: None, ..told.clone() },
            LaserPoints { fields: Some(Vec::new()), ..told },
        ] {
            assert!(received_from_laser(&broken, Timestamp::default()).is_err());
        }
    }
}
