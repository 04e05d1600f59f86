//! Things that the range and edge sensors meet, each remembered under its sensor's number.
//!
//! The first five are in the order of the specification's `WorldState` sample: the floor before the front
//! right, back right and front left edge sensors, the obstacle behind, the floor at the back left.

use std::f64::consts::FRAC_PI_2;

use latimer_core::Timestamp;
use latimer_core::model::signal::{DetectedObject, Frame, Objects, Pose, RangeStatus};

use super::parts::{EDGES, RANGES};
use super::rangers::Seen;

/// Which sensor each object comes from, as an index into ranges and edges.
const SENSORS: [usize; 8] = [4, 6, 5, 3, 7, 0, 1, 2];

/// Everything that was ever met, from where the sensors sit now.
pub(super) fn objects(seen: &[Option<Seen>; 8], now: Timestamp) -> Objects {
    let object = |(i, sensor): (usize, usize)| {
        let seen = seen[sensor].as_ref()?;
        let (first, last) = (seen.first?, seen.last?);
        let sensed = seen.range.status == RangeStatus::Valid && now.since(last).as_millis() < 200;
        Some(DetectedObject {
            id: i as i64 + 1,
            class: Some(if sensor < 4 { "obstacle" } else { "floor" }.to_owned()),
            label: None,
            pose: place(sensor, seen.range.distance_m?),
            size: None,
            pockets: None,
            confidence_ratio: None,
            sensed,
            first_seen: Some(first),
            last_seen: Some(last),
        })
    };
    Objects { objects: SENSORS.into_iter().enumerate().filter_map(object).collect() }
}

/// Where a sensor's reading lies, as far as the robot can tell: on the sensor's axis.
fn place(sensor: usize, distance_m: f64) -> Pose {
    match sensor.checked_sub(4) {
        None => {
            let cone = &RANGES[sensor].1;
            let (sin, cos) = cone.yaw_rad.sin_cos();
            let (x_m, y_m) = (cone.x_m + distance_m * cos, cone.y_m + distance_m * sin);
            Pose::planar(Frame::BaseLink, x_m, y_m, cone.yaw_rad)
        }
        Some(edge) => {
            let edge = &EDGES[edge].1;
            let z_m = edge.height_m - distance_m;
            Pose { z_m, pitch_rad: FRAC_PI_2, ..Pose::planar(Frame::BaseLink, edge.x_m, edge.y_m, 0.0) }
        }
    }
}
