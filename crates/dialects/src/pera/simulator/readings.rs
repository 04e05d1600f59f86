//! Readings between the world, in metres, and the wire: centimetres, whole numbers.

use latimer_core::model::signal::{Color, Imu, Orientation, Range};
use latimer_core::model::{Kind, Reading, Realities, SenseRequest, Sensing};
use latimer_core::{Hub, RobotId, Signal};

use super::engine::{Sense, Wish};
use crate::pera::map::looks_ahead;
use crate::pera::messages::localization::Localization;
use crate::pera::messages::sensor::{ColorReply, DistanceReply, FREE_CM, ProximityReply};
use crate::pera::roster::SwarmId;
use crate::pera::topic::{Sensor, Topic};
use crate::pera::wire::{Message, Number};

/// What the world is asked for a reading.
pub(super) fn request_from_sense(sense: &Sense) -> SenseRequest {
    let what = match &sense.wish {
        Wish::Distance => Sensing::Distance,
        Wish::Color => Sensing::Color,
        // Angles on the wire are clockwise: -90 is to the left.
        Wish::Proximity(angles) => {
            Sensing::Proximity { bearings_rad: angles.iter().map(|angle| -angle.0.to_radians()).collect() }
        }
        Wish::Compass => Sensing::Compass,
    };
    SenseRequest { what, realities: sense.realities }
}

/// The reply to a robot from the world's measurement; `None` if it measured something else.
pub(super) fn message_from_readings(id: SwarmId, wish: &Wish, readings: &[Reading]) -> Option<Message> {
    let mut signals = readings.iter().map(|reading| &reading.signal);
    Some(match wish {
        Wish::Distance => match signals.next()? {
            Signal::Range(range) => Message::DistanceOf(id, DistanceReply(cm(range))),
            _ => return None,
        },
        Wish::Color => match signals.next()? {
            Signal::Color(color) => Message::ColorOf(id, reply_from_color(color)),
            _ => return None,
        },
        Wish::Proximity(_) => {
            let (mut distances, mut colors) = (Vec::new(), Vec::new());
            for signal in signals {
                match signal {
                    Signal::Range(range) => distances.push(cm(range)),
                    Signal::Color(Color { red, green, blue, ambient_ratio: _ }) => {
                        colors.push(format!("#{red:02X}{green:02X}{blue:02X}"));
                    }
                    _ => return None,
                }
            }
            Message::ProximityOf(id, ProximityReply { distances, colors })
        }
        Wish::Compass => match signals.next()? {
            Signal::Imu(Imu { orientation: Some(orientation), .. }) => {
                compass(id, orientation.yaw_rad.to_degrees())
            }
            _ => return None,
        },
    })
}

/// What a compass shows at a heading: whole degrees clockwise from +y.
pub(super) fn compass(id: SwarmId, heading: f64) -> Message {
    let degrees = (90.0 - heading).rem_euclid(360.0).round() % 360.0;
    let topic = Topic::SensorOf(Sensor::Compass, id).to_string();
    Message::Unknown(topic, Number(degrees).to_string().into())
}

/// What a robot of this gateway without a body measured last; nothing in view if it has no such sensor.
pub(super) fn last_readings(
    hub: &Hub,
    robot: &RobotId,
    wish: &Wish,
    place: Option<Localization>,
) -> Vec<Reading> {
    let last = |kind: Kind| {
        let parts = hub.last_of_parts(robot, kind).into_iter();
        let ahead = parts.filter(|update| looks_ahead(update.part.as_ref()));
        ahead.map(|update| update.signal.clone()).collect::<Vec<_>>()
    };
    let range = || {
        let distances = last(Kind::Range).into_iter().filter_map(|signal| match signal {
            Signal::Range(range) => range.distance_m,
            _ => None,
        });
        let nearest = distances.fold(f64::INFINITY, f64::min);
        if nearest.is_finite() { Range::valid(nearest) } else { Range::nothing() }
    };
    let color = || match last(Kind::Color).pop() {
        Some(Signal::Color(color)) => color,
        _ => Color { red: 0, green: 0, blue: 0, ambient_ratio: None },
    };
    let whole = |signal: Signal| Reading { part: None, signal };
    match wish {
        Wish::Distance => vec![whole(range().into())],
        Wish::Color => vec![whole(color().into())],
        // It looks ahead only, so nothing is known of other directions.
        Wish::Proximity(angles) => {
            let ahead = |angle: &Number| angle.0.abs() < 1.0;
            let nothing = Color { red: 0, green: 0, blue: 0, ambient_ratio: None };
            let seen = |angle: &Number| match ahead(angle) {
                true => [whole(range().into()), whole(color().into())],
                false => [whole(Range::nothing().into()), whole(nothing.clone().into())],
            };
            angles.iter().flat_map(seen).collect()
        }
        Wish::Compass => {
            let turned = |yaw_rad| {
                let orientation = Some(Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad });
                Imu { orientation, angular_velocity: None, linear_acceleration: None }.into()
            };
            let placed = place.map(|place| turned(place.heading.to_radians()));
            // Without a compass and a place it says nothing.
            placed.or_else(|| last(Kind::Imu).pop()).into_iter().map(whole).collect()
        }
    }
}

/// Whole centimetres, since programs read no others.
fn cm(range: &Range) -> f64 {
    let metres = range.distance_m.filter(|metres| metres.is_finite());
    metres.map_or(FREE_CM, |metres| (metres * 100.0).round().clamp(0.0, FREE_CM))
}

fn reply_from_color(color: &Color) -> ColorReply {
    let Color { red, green, blue, ambient_ratio } = *color;
    let ambient = (ambient_ratio.unwrap_or_default().clamp(0.0, 1.0) * 255.0).round() as u8;
    ColorReply { R: red, G: green, B: blue, ambient }
}

/// Mixed, unless somebody says what counts.
pub(super) const ALL: Realities = Realities::Mixed;
