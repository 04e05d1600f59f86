//! An arena's JSON, read with patience: numbers may be texts, what is not there is made up, what cannot be
//! built is left out and logged.

use std::collections::HashSet;

use latimer_core::model::Realities;
use latimer_simulator_api::{Arena, ArenaObstacle, ArenaShape};
use serde_json::{Map, Value};

use super::{ArenaFile, ArenaFileError, FRAME};

/// Most obstacles in one arena.
const MOST: usize = 5_000;

/// Farthest coordinate and greatest length, centimetres.
const FAR_CM: f64 = 50_000.0;

/// Shortest side of an arena, centimetres.
const NARROW_CM: f64 = 50.0;

/// The sides of an arena that does not say them: those of the arenas in use, centimetres.
const BOUNDS_CM: [f64; 4] = [-90.0, -90.0, 90.0, 90.0];

/// How tall an obstacle is that does not say it, centimetres.
const HEIGHT_CM: f64 = 10.0;

/// The colour of an obstacle that does not say it.
const COLOR: &str = "#404040";

/// Longest text that is kept, in characters.
const LONG: usize = 100;

pub(super) fn arena_from_text(text: &str) -> Result<ArenaFile, ArenaFileError> {
    let text = text.trim_start_matches('\u{feff}');
    // Of repeated keys the last one counts, as in the simulators that these files are written for.
    let root: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let whole = error.to_string();
        let what = whole.rsplit_once(" at line").map_or(whole.as_str(), |(what, _)| what).to_owned();
        ArenaFileError::Json { what, line, column }
    })?;
    let nothing = Map::new();
    let arena = root.get("arena").and_then(Value::as_object).unwrap_or(&nothing);
    let bounds_cm = bounds(arena)?;
    let empty = Vec::new();
    let listed = match root.get("obstacles") {
        None | Some(Value::Null) => &empty,
        Some(Value::Array(listed)) => listed,
        Some(_) => return Err(wrong("obstacles", "this is no list", "write [] for none")),
    };
    if listed.len() > MOST {
        let problem = format!("{} obstacles, but {MOST} is the most", listed.len());
        return Err(wrong("obstacles", problem, "leave some out"));
    }
    let mut taken = HashSet::new();
    let (mut obstacles, mut names) = (Vec::new(), Vec::new());
    for (number, item) in listed.iter().enumerate() {
        match obstacle(item) {
            Ok(obstacle) => {
                let movable = !matches!(obstacle.shape, ArenaShape::Wall { .. });
                names.push(movable.then(|| unique(&obstacle, &mut taken)));
                obstacles.push(obstacle);
            }
            Err(reason) => tracing::warn!(number, %reason, "an obstacle of the arena is left out"),
        }
    }
    let units = words(arena.get("units")).unwrap_or_else(|| "virtual".to_owned());
    let frame = Some(FRAME.to_owned());
    Ok(ArenaFile {
        name: words(root.get("name")).unwrap_or_else(|| FRAME.to_owned()),
        arena: Arena { frame, bounds_cm, units, obstacles, revision: 0 },
        names,
    })
}

fn wrong(key: impl Into<String>, problem: impl Into<String>, advice: &'static str) -> ArenaFileError {
    ArenaFileError::Value { key: key.into(), problem: problem.into(), advice }
}

fn bounds(arena: &Map<String, Value>) -> Result<[f64; 4], ArenaFileError> {
    let side = |key: &str, usual: f64| match arena.get(key) {
        None | Some(Value::Null) => Ok(usual),
        Some(value) => coordinate(value).ok_or_else(|| {
            let advice = "write centimetres from -50000 to 50000";
            wrong(format!("arena.{key}"), format!("{} is no coordinate", short(value)), advice)
        }),
    };
    let [x_min, y_min, x_max, y_max] = BOUNDS_CM;
    let bounds = [side("xMin", x_min)?, side("yMin", y_min)?, side("xMax", x_max)?, side("yMax", y_max)?];
    let [x_min, y_min, x_max, y_max] = bounds;
    for (least, greatest, names) in [(x_min, x_max, "xMin and xMax"), (y_min, y_max, "yMin and yMax")] {
        if greatest - least < NARROW_CM {
            let problem = format!("{least} and {greatest} are no sides of an arena");
            return Err(wrong(format!("arena, {names}"), problem, "leave 50 cm or more between them"));
        }
    }
    Ok(bounds)
}

/// Why an obstacle cannot be built; the values are shortened.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum ObstacleError {
    #[error("{0} is no object")]
    NoObject(String),
    #[error("{key} is {value}")]
    Value { key: String, value: String },
    #[error("it has no {0}")]
    Missing(String),
    #[error("there is no type {0:?}")]
    UnknownType(String),
    #[error("it has no type")]
    NoType,
}

impl ObstacleError {
    fn value(key: &str, value: &Value) -> Self {
        Self::Value { key: key.to_owned(), value: short(value) }
    }
}

fn obstacle(item: &Value) -> Result<ArenaObstacle, ObstacleError> {
    let item = item.as_object().ok_or_else(|| ObstacleError::NoObject(short(item)))?;
    let nothing = Map::new();
    let given = item.get("parameters").and_then(Value::as_object).unwrap_or(&nothing);
    let place = |key: &str| match given.get(key) {
        None | Some(Value::Null) => Ok(0.0),
        Some(value) => coordinate(value).ok_or_else(|| ObstacleError::value(key, value)),
    };
    let length = |key: &str, usual: Option<f64>| match given.get(key) {
        None | Some(Value::Null) => usual.ok_or_else(|| ObstacleError::Missing(key.to_owned())),
        Some(value) => {
            let fits = |cm: &f64| (0.1..=FAR_CM).contains(cm);
            number(value).filter(fits).ok_or_else(|| ObstacleError::value(key, value))
        }
    };
    let height_cm = || length("height", Some(HEIGHT_CM));
    let shape = match item.get("type").and_then(Value::as_str).map(str::trim) {
        Some("wall") => ArenaShape::Wall { width_cm: length("width", None)?, height_cm: height_cm()? },
        Some("box") => {
            let width_cm = length("width", None)?;
            let depth_cm = length("depth", Some(width_cm))?;
            ArenaShape::Box { width_cm, height_cm: height_cm()?, depth_cm }
        }
        Some("cylinder") => {
            ArenaShape::Cylinder { radius_cm: length("radius", None)?, height_cm: height_cm()? }
        }
        Some(other) => return Err(ObstacleError::UnknownType(cut(other).to_owned())),
        None => return Err(ObstacleError::NoType),
    };
    Ok(ArenaObstacle {
        name: words(item.get("name")).or_else(|| words(item.get("description"))),
        shape,
        at_cm: [place("x")?, place("y")?],
        orientation_deg: place("orientation")?,
        color: words(given.get("color")).unwrap_or_else(|| COLOR.to_owned()),
        reality: match item.get("reality").and_then(Value::as_str) {
            Some("R") => Realities::Real,
            _ => Realities::Virtual,
        },
    })
}

/// A name that no other obstacle has, by which it is moved while the world runs.
fn unique(obstacle: &ArenaObstacle, taken: &mut HashSet<String>) -> String {
    let kind = if matches!(obstacle.shape, ArenaShape::Box { .. }) { "Box" } else { "Cylinder" };
    let name = obstacle.name.as_deref().unwrap_or(kind);
    let mut unique = name.to_owned();
    let mut count = 1_u32;
    while !taken.insert(unique.clone()) {
        count += 1;
        unique = format!("{name} {count}");
    }
    unique
}

/// A number, or a text that is one.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|it: &f64| it.is_finite())
}

fn coordinate(value: &Value) -> Option<f64> {
    number(value).filter(|cm| cm.abs() <= FAR_CM)
}

/// A text that says something.
fn words(value: Option<&Value>) -> Option<String> {
    value?.as_str().filter(|text| !text.trim().is_empty()).map(|text| cut(text).to_owned())
}

fn cut(text: &str) -> &str {
    text.char_indices().nth(LONG).map_or(text, |(end, _)| &text[..end])
}

/// A value in an error, without the whole of a long one.
fn short(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        plain => cut(&plain.to_string()).to_owned(),
    }
}
