//! Readings: a robot's own, and those that the simulator tells it.

use std::f64::consts::FRAC_PI_2;

use latimer_core::model::signal::{Color, Imu, Orientation, Range, RangeStatus};

use super::units::{byte, cm_from_m, degrees_from_rad, m_from_cm, rad_from_degrees};
use crate::pera::roster::SwarmId;
use crate::pera::wire::Number;
use crate::pera::wire::sensor::{
    ColorReply, ColorRequest, Compass, DistanceReply, DistanceRequest, ProximityReply,
};

/// What a robot measured ahead, if it says so.
pub(super) fn range_from_request(request: &DistanceRequest) -> Option<Range> {
    let DistanceRequest { id: _, dist, reality: _ } = request;
    Some(Range::valid(m_from_cm((*dist)?.0)?.max(0.0)))
}

/// What the reference's simulator tells where nothing is in view: a thousand less a robot's diameter.
const FREE_IN_REFERENCE_CM: f64 = 994.0;

/// What is told here where nothing is in view; the same without the diameter.
const FREE_CM: f64 = 1_000.0;

/// What the simulator tells a robot; a distance below nothing is that of something that touches it.
pub(super) fn range_from_reply(reply: DistanceReply) -> Range {
    let is_free = reply.0 == FREE_IN_REFERENCE_CM || reply.0 >= FREE_CM;
    match m_from_cm(reply.0).filter(|_| !is_free) {
        Some(distance_m) => Range::valid(distance_m.max(0.0)),
        None => Range::nothing(),
    }
}

/// The same as a robot's own reading; where nothing is in view it is as far as the sensor sees. `None` if neither is known.
pub(super) fn request_from_range(id: SwarmId, range: &Range) -> Option<DistanceRequest> {
    let Range { distance_m, status, status_code: _, min_m: _, max_m, field_of_view_rad: _ } = range;
    let is_free = matches!(status, RangeStatus::NothingInView | RangeStatus::TooFar);
    let farthest_m = max_m.filter(|_| is_free);
    let distance_m = distance_m.or(farthest_m).filter(|it| it.is_finite())?;
    Some(DistanceRequest { id, dist: Some(cm_from_m(distance_m)), reality: None })
}

/// The colour that a robot measured, if it says all of it.
pub(super) fn color_from_request(request: &ColorRequest) -> Option<Color> {
    let ColorRequest { id: _, R, G, B, ambient, reality: _ } = request;
    Some(Color {
        red: byte((*R)?),
        green: byte((*G)?),
        blue: byte((*B)?),
        ambient_ratio: ambient.map(|ambient| f64::from(byte(ambient)) / 255.0),
    })
}

/// The colour that the simulator tells a robot.
pub(super) fn color_from_reply(reply: ColorReply) -> Color {
    let ColorReply { R, G, B, ambient } = reply;
    Color { red: R, green: G, blue: B, ambient_ratio: Some(f64::from(ambient) / 255.0) }
}

/// The same as a robot's own reading.
pub(super) fn request_from_color(id: SwarmId, color: &Color) -> ColorRequest {
    let Color { red, green, blue, ambient_ratio } = *color;
    let number = |byte: u8| Some(Number(f64::from(byte)));
    ColorRequest {
        id,
        R: number(red),
        G: number(green),
        B: number(blue),
        ambient: ambient_ratio.map(|ratio| Number((ratio.clamp(0.0, 1.0) * 255.0).round())),
        reality: None,
    }
}

/// What a compass shows: degrees clockwise from +y.
pub(super) fn imu_from_compass(compass: &Compass) -> Imu {
    let Compass { id: _, compass } = compass;
    let yaw_rad = rad_from_degrees(90.0 - compass.0);
    let orientation = Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad };
    Imu { orientation: Some(orientation), angular_velocity: None, linear_acceleration: None }
}

/// The same; `None` if the robot does not know how it is turned.
pub(super) fn compass_from_imu(id: SwarmId, imu: &Imu) -> Option<Compass> {
    let Imu { orientation, angular_velocity: _, linear_acceleration: _ } = imu;
    let Orientation { yaw_rad, roll_rad: _, pitch_rad: _ } = orientation.as_ref()?;
    Some(Compass { id, compass: degrees_from_rad(FRAC_PI_2 - *yaw_rad) })
}

/// Distances and colours in the directions that a robot asked for: angle in degrees, distance, colour if it has one.
pub(super) fn seen_in_proximity(
    reply: &ProximityReply,
    angles: &[Number],
) -> Vec<(Number, Range, Option<Color>)> {
    let ProximityReply { distances, colors } = reply;
    let seen = angles.iter().zip(distances).zip(colors);
    seen.map(|((angle, distance), color)| {
        (*angle, range_from_reply(DistanceReply(*distance)), color_from_hex(color))
    })
    .collect()
}

/// `#404040`; `None` for words.
pub fn color_from_hex(text: &str) -> Option<Color> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some(Color { red, green, blue, ambient_ratio: None })
}
