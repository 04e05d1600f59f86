//! Checks on single values, run while the file is read so that the error points at its line.

use serde::de::{Deserialize, Deserializer, Error};

/// Farthest coordinate and greatest length accepted, metres.
pub(super) const MAX_M: f64 = 1_000.0;

fn number<E: Error>(value: f64, low: f64, high: f64, what: &str) -> Result<f64, E> {
    if value >= low && value <= high {
        return Ok(value);
    }
    Err(E::custom(format_args!("{value} is no {what}; give a number from {low} to {high}")))
}

/// A length above zero.
pub(super) fn length<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    number(f64::deserialize(from)?, 0.001, MAX_M, "length in metres")
}

/// A mass.
pub(super) fn mass<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    number(f64::deserialize(from)?, 0.01, 10_000.0, "mass in kilograms")
}

/// How many times as fast as a real one a charger charges.
pub(super) fn charger_speed<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    number(f64::deserialize(from)?, 0.1, 1_000.0, "speed of a charger")
}

/// An angle in degrees.
pub(super) fn degrees<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    number(f64::deserialize(from)?, -3_600.0, 3_600.0, "angle in degrees")
}

/// A ratio, if given.
pub(super) fn ratio<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    number(f64::deserialize(from)?, 0.0, 1.0, "ratio").map(Some)
}

/// The size of the room.
pub(super) fn room<'de, D: Deserializer<'de>>(from: D) -> Result<[f64; 2], D::Error> {
    let [x, y] = <[f64; 2]>::deserialize(from)?;
    Ok([number(x, 0.5, MAX_M, "room's length in metres")?, number(y, 0.5, MAX_M, "room's length in metres")?])
}

/// Two lengths above zero.
pub(super) fn size<'de, D: Deserializer<'de>>(from: D) -> Result<[f64; 2], D::Error> {
    let [x, y] = <[f64; 2]>::deserialize(from)?;
    Ok([number(x, 0.001, MAX_M, "length in metres")?, number(y, 0.001, MAX_M, "length in metres")?])
}

/// A point.
pub(super) fn point<'de, D: Deserializer<'de>>(from: D) -> Result<[f64; 2], D::Error> {
    let [x, y] = <[f64; 2]>::deserialize(from)?;
    Ok([number(x, -MAX_M, MAX_M, "coordinate in metres")?, number(y, -MAX_M, MAX_M, "coordinate in metres")?])
}

/// A point, if given.
pub(super) fn some_point<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[f64; 2]>, D::Error> {
    point(from).map(Some)
}

/// Two lengths above zero, if given.
pub(super) fn some_size<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[f64; 2]>, D::Error> {
    size(from).map(Some)
}

/// A name: not an empty one.
pub(super) fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    if text.is_empty() {
        return Err(D::Error::custom("this is empty; write something"));
    }
    Ok(text)
}

/// A name, if given: not an empty one.
pub(super) fn name<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    text(from).map(Some)
}

/// The two ends of a door.
pub(super) fn ends<'de, D: Deserializer<'de>>(from: D) -> Result<[[f64; 2]; 2], D::Error> {
    let points = points(from, 2, "a door")?;
    match points.as_slice() {
        [start, end] if (end[0] - start[0]).hypot(end[1] - start[1]) >= 0.1 => Ok([*start, *end]),
        [_, _] => Err(D::Error::custom("a door needs an opening of 0.1 m or more between its two points")),
        more => Err(D::Error::custom(format_args!("a door has two points, not {}", more.len()))),
    }
}

fn points<'de, D: Deserializer<'de>>(from: D, least: usize, what: &str) -> Result<Vec<[f64; 2]>, D::Error> {
    let points = Vec::<[f64; 2]>::deserialize(from)?;
    if points.len() < least {
        let found = points.len();
        return Err(D::Error::custom(format_args!("{what} needs {least} points or more, but has {found}")));
    }
    for coordinate in points.iter().flatten() {
        number::<D::Error>(*coordinate, -MAX_M, MAX_M, "coordinate in metres")?;
    }
    Ok(points)
}

/// A walking speed.
pub(super) fn speed<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    number(f64::deserialize(from)?, 0.05, 5.0, "speed in m/s")
}

/// A time to stay.
pub(super) fn pause<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    number(f64::deserialize(from)?, 0.0, 86_400.0, "time in seconds")
}

/// How long something takes.
pub(super) fn lapse<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    number(f64::deserialize(from)?, 0.05, 3_600.0, "time in seconds")
}

/// How far above the floor.
pub(super) fn level_m<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    number(f64::deserialize(from)?, 0.0, 10.0, "height in metres")
}

/// A person's height.
pub(super) fn height<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    number(f64::deserialize(from)?, 0.4, 2.5, "height in metres")
}

/// A person's radius.
pub(super) fn girth<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    number(f64::deserialize(from)?, 0.05, 0.6, "radius in metres")
}

/// How loud.
pub(super) fn level<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    number(f64::deserialize(from)?, 0.0, 1.0, "level")
}

/// Times on and off.
pub(super) fn pattern<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let times = Vec::<f64>::deserialize(from)?;
    for time in &times {
        number::<D::Error>(*time, 0.05, 86_400.0, "time in seconds")?;
    }
    Ok(times)
}

/// Points to walk to, or none.
pub(super) fn walk<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<[f64; 2]>, D::Error> {
    points(from, 0, "a walk")
}

/// A line of two points or more.
pub(super) fn line<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<[f64; 2]>, D::Error> {
    points(from, 2, "a line")
}

/// A polygon of three points or more.
pub(super) fn polygon<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<[f64; 2]>, D::Error> {
    points(from, 3, "a polygon")
}
