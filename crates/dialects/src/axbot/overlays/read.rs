//! From GeoJSON to marks. What is no mark at all, such as a feature without a geometry, is passed over.

use geojson::{Geometry, GeometryValue, Position};
use latimer_core::model::signal::{FeatureKind, Frame, MapFeature, Pose};
use serde_json::{Map, Value};

use super::feature_type::{Shape, kind_from_type};
use super::{MAX_BYTES, MAX_FEATURES, MAX_POINTS, OverlayError};

/// Longest value that a reason shows, characters.
const MAX_SHOWN: usize = 160;

/// Longest reason of the GeoJSON parser, characters.
const MAX_REASON: usize = 131;

/// What is wrong with a feature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum DecodeError {
    /// It is another value.
    #[error("it is no object")]
    NotAnObject,
    /// Its properties are another value.
    #[error("its properties are no object")]
    PropertiesNotAnObject,
    /// Its geometry is no GeoJSON.
    #[error("its geometry cannot be read: {reason}")]
    InvalidGeometry {
        /// How the parser's reason begins.
        reason: String,
    },
    /// It collects more geometries than a map may have marks.
    #[error("it has too many geometries")]
    TooManyGeometries,
    /// A line or an area needs more corners.
    #[error("it has {count} different corners, but needs {needed}")]
    TooFewCorners {
        /// How many it has.
        count: usize,
        /// How many it needs.
        needed: usize,
    },
    /// A position lacks a finite x or y.
    #[error("a position of it is not two numbers")]
    InvalidPosition,
    /// A property that should be a number.
    #[error("its {name:?} is no number: {value}")]
    NotANumber {
        /// Its name.
        name: &'static str,
        /// How its JSON begins.
        value: String,
    },
}

/// The marks of a GeoJSON text.
pub fn features_from_overlays(text: &str) -> Result<Vec<MapFeature>, OverlayError> {
    if text.len() > MAX_BYTES {
        let len = text.len();
        return Err(OverlayError(format!("have {len} bytes, but {MAX_BYTES} are the most; mark less")));
    }
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let json = serde_json::from_str(text).map_err(|error| OverlayError(format!("are no JSON: {error}")))?;
    features_from_json(json, true)
}

fn features_from_json(json: Value, may_be_text: bool) -> Result<Vec<MapFeature>, OverlayError> {
    let mut object = match json {
        Value::Null => return Ok(Vec::new()),
        Value::Object(object) => object,
        // Clients encode twice.
        Value::String(text) if may_be_text && text.trim().is_empty() => return Ok(Vec::new()),
        Value::String(text) if may_be_text => {
            let json = serde_json::from_str(&text);
            let json = json.map_err(|error| OverlayError(format!("are a text that is no JSON: {error}")))?;
            return features_from_json(json, false);
        }
        _ => return Err(OverlayError("are no GeoJSON object; write a FeatureCollection".into())),
    };
    let features = match object.remove("features") {
        Some(Value::Array(features)) => features,
        None | Some(Value::Null) if object.get("type").is_none_or(|it| it == "FeatureCollection") => {
            return Ok(Vec::new());
        }
        _ => {
            return Err(OverlayError(
                "have no list of \"features\"; write a GeoJSON FeatureCollection".into(),
            ));
        }
    };
    if features.len() > MAX_FEATURES {
        let count = features.len();
        return Err(OverlayError(format!("have {count} features, but {MAX_FEATURES} are the most")));
    }
    let mut marks = Vec::with_capacity(features.len());
    let mut points = 0;
    for (i, feature) in features.into_iter().enumerate() {
        let wrong = |error: DecodeError| OverlayError(format!("are wrong at feature {}: {error}", i + 1));
        for mark in marks_from_feature(feature).map_err(wrong)? {
            points += mark.points_m.len().max(1);
            marks.push(mark);
        }
        if points > MAX_POINTS {
            return Err(OverlayError(format!("have more than {MAX_POINTS} points; use fewer corners")));
        }
    }
    Ok(marks)
}

fn marks_from_feature(feature: Value) -> Result<Vec<MapFeature>, DecodeError> {
    let Value::Object(mut feature) = feature else { return Err(DecodeError::NotAnObject) };
    let geometry = match feature.remove("geometry") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(geometry) => geometry,
    };
    let properties = match feature.remove("properties") {
        Some(Value::Object(properties)) => properties,
        None | Some(Value::Null) => Map::new(),
        Some(_) => return Err(DecodeError::PropertiesNotAnObject),
    };
    let geometry: Geometry = serde_json::from_value(geometry)
        .map_err(|error| DecodeError::InvalidGeometry { reason: short(&error.to_string(), MAX_REASON) })?;
    let mut marks = Vec::new();
    marks_from_geometry(geometry.value, &properties, &mut marks)?;
    // One that stands for several marks is addressed by none of them alone.
    if let ([mark], Some(id)) = (marks.as_mut_slice(), text(&feature, "id")) {
        mark.id = Some(id);
    }
    Ok(marks)
}

/// A feature of several geometries is as many marks.
fn marks_from_geometry(
    geometry: GeometryValue,
    properties: &Map<String, Value>,
    marks: &mut Vec<MapFeature>,
) -> Result<(), DecodeError> {
    let mut add = |mark: MapFeature| {
        marks.push(mark);
        if marks.len() > MAX_FEATURES { Err(DecodeError::TooManyGeometries) } else { Ok(()) }
    };
    match geometry {
        GeometryValue::Point { coordinates } => add(point(&coordinates, properties)?),
        GeometryValue::LineString { coordinates } => add(line(&coordinates, properties)?),
        GeometryValue::Polygon { coordinates } => add(area(&coordinates, properties)?),
        GeometryValue::MultiPoint { coordinates } => {
            coordinates.iter().try_for_each(|it| add(point(it, properties)?))
        }
        GeometryValue::MultiLineString { coordinates } => {
            coordinates.iter().try_for_each(|it| add(line(it, properties)?))
        }
        GeometryValue::MultiPolygon { coordinates } => {
            coordinates.iter().try_for_each(|it| add(area(it, properties)?))
        }
        // The text nests no deeper than its parser allows, so this does not either.
        GeometryValue::GeometryCollection { geometries } => {
            geometries.into_iter().try_for_each(|it| marks_from_geometry(it.value, properties, marks))
        }
    }
}

fn point(position: &Position, properties: &Map<String, Value>) -> Result<MapFeature, DecodeError> {
    let kind = kind_from_properties(Shape::Point, properties)?;
    let [x_m, y_m] = point_from_position(position)?;
    let yaw_deg = number(properties, "yaw")?.unwrap_or_default();
    let mut pose = Pose::planar(Frame::Map, x_m, y_m, yaw_deg.to_radians());
    pose.z_m = position.as_slice().get(2).copied().filter(|z_m| z_m.is_finite()).unwrap_or_default();
    let read_off = match kind {
        FeatureKind::Barcode => text(properties, "barcodeId").or_else(|| text(properties, "barcode_id")),
        FeatureKind::Landmark => text(properties, "landmarkId"),
        _ => None,
    };
    let name = read_off.or_else(|| text(properties, "name"));
    Ok(MapFeature {
        kind,
        id: None,
        name,
        pose: Some(pose),
        points_m: Vec::new(),
        mac: text(properties, "mac"),
    })
}

fn line(positions: &[Position], properties: &Map<String, Value>) -> Result<MapFeature, DecodeError> {
    shape(Shape::Line, positions, 2, properties)
}

/// The outer ring counts; a robot that keeps out of a ring keeps out of its holes, too.
fn area(rings: &[Vec<Position>], properties: &Map<String, Value>) -> Result<MapFeature, DecodeError> {
    let mut ring = rings.first().map(Vec::as_slice).unwrap_or_default();
    if let [first, .., last] = ring
        && first == last
    {
        ring = &ring[..ring.len() - 1];
    }
    shape(Shape::Area, ring, 3, properties)
}

fn shape(
    shape: Shape,
    positions: &[Position],
    needs: usize,
    properties: &Map<String, Value>,
) -> Result<MapFeature, DecodeError> {
    let kind = kind_from_properties(shape, properties)?;
    if positions.len() < needs {
        return Err(DecodeError::TooFewCorners { count: positions.len(), needed: needs });
    }
    let points_m = positions.iter().map(point_from_position).collect::<Result<_, _>>()?;
    let name = text(properties, "name").or_else(|| text(properties, "desc"));
    Ok(MapFeature { kind, id: None, name, pose: None, points_m, mac: text(properties, "mac") })
}

fn point_from_position(position: &Position) -> Result<[f64; 2], DecodeError> {
    match position.as_slice() {
        [x_m, y_m, ..] if x_m.is_finite() && y_m.is_finite() => Ok([*x_m, *y_m]),
        _ => Err(DecodeError::InvalidPosition),
    }
}

fn kind_from_properties(shape: Shape, properties: &Map<String, Value>) -> Result<FeatureKind, DecodeError> {
    let number = number(properties, shape.property())?.unwrap_or_default();
    // A number with a fraction is of no type that there is.
    let whole = if number.fract() == 0.0 { number as i64 } else { 0 };
    Ok(kind_from_type(shape, whole))
}

/// A property that is a number, perhaps written as a text.
fn number(properties: &Map<String, Value>, name: &'static str) -> Result<Option<f64>, DecodeError> {
    let number = match properties.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(value) => value.as_f64(),
    };
    let shown = || short(&properties.get(name).map(Value::to_string).unwrap_or_default(), MAX_SHOWN);
    number
        .filter(|number: &f64| number.is_finite())
        .map(Some)
        .ok_or_else(|| DecodeError::NotANumber { name, value: shown() })
}

/// A property that is a text, perhaps written as a number.
fn text(properties: &Map<String, Value>, name: &str) -> Option<String> {
    match properties.get(name)? {
        Value::String(text) if text.trim().is_empty() => None,
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn short(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
