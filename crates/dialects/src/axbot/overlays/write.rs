//! From marks to GeoJSON.

use std::collections::HashMap;

use geojson::feature::Id;
use geojson::{Feature, FeatureCollection, Geometry, GeometryValue, JsonObject, Position};
use latimer_core::model::signal::{FeatureKind, MapFeature};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::feature_type::{Shape, type_from_kind};

/// Bytes of a digest that are the id of a feature.
const ID_BYTES: usize = 12;

/// Marks as a GeoJSON text. A mark that stays as it is keeps its id.
pub fn overlays_from_features(features: &[MapFeature]) -> String {
    let mut used = HashMap::new();
    let features = features.iter().filter_map(|it| feature_from_mark(it, &mut used)).collect();
    FeatureCollection { bbox: None, features, foreign_members: None }.to_string()
}

/// `None` for a mark that is nowhere.
fn feature_from_mark(mark: &MapFeature, used: &mut HashMap<String, u32>) -> Option<Feature> {
    let MapFeature { kind, id: _, name, pose, points_m, mac } = mark;
    let (shape, number) = type_from_kind(*kind, pose.is_some(), points_m.len());
    // Whatever a robot calls a mark, its place is sent as it was received.
    let shape = match (shape, pose, points_m.len()) {
        (Shape::Point, Some(_), _) | (_, Some(_), 0) => Shape::Point,
        (Shape::Area, _, 3..) => Shape::Area,
        (_, _, 2..) => Shape::Line,
        _ => return None,
    };
    let position = |[x_m, y_m]: &[f64; 2]| Position::from([tidy(*x_m), tidy(*y_m)]);
    let mut properties = JsonObject::new();
    let value = match (shape, pose) {
        (Shape::Point, Some(pose)) => {
            if *kind != FeatureKind::Landmark {
                properties.insert("yaw".into(), json!(degrees(pose.yaw_rad)));
            }
            let [x, y, z] = [pose.x_m, pose.y_m, pose.z_m].map(tidy);
            let coordinates = if z == 0.0 { Position::from([x, y]) } else { Position::from(vec![x, y, z]) };
            GeometryValue::Point { coordinates }
        }
        (Shape::Area, _) => {
            let ring = points_m.iter().chain(points_m.first()).map(position).collect();
            GeometryValue::Polygon { coordinates: vec![ring] }
        }
        _ => GeometryValue::LineString { coordinates: points_m.iter().map(position).collect() },
    };
    properties.insert(shape.property().into(), json!(number.to_string()));
    let mut publish = |property: &str, text: &Option<String>| {
        if let Some(text) = text {
            properties.insert(property.into(), json!(text));
        }
    };
    publish("name", name);
    match kind {
        FeatureKind::Barcode => publish("barcodeId", name),
        FeatureKind::Landmark => publish("landmarkId", name),
        _ => {}
    }
    publish("mac", mac);
    properties.insert("mapOverlay".into(), json!(true));
    let id = Some(Id::String(id(mark, used)));
    Some(Feature {
        bbox: None,
        geometry: Some(Geometry::new(value)),
        id,
        properties: Some(properties),
        foreign_members: None,
    })
}

/// The same for the same mark; a number tells twins apart.
fn id(mark: &MapFeature, used: &mut HashMap<String, u32>) -> String {
    // A mark with a name may be moved, and is the same mark still.
    let sent = match &mark.name {
        Some(name) => format!("{} {name}", mark.kind),
        None => format!("{} {:?} {:?}", mark.kind, mark.pose, mark.points_m),
    };
    let made = || {
        let digest = Sha256::digest(sent.as_bytes());
        digest.iter().take(ID_BYTES).map(|byte| format!("{byte:02x}")).collect()
    };
    let id: String = mark.id.clone().unwrap_or_else(made);
    let count = used.entry(id.clone()).and_modify(|count| *count += 1).or_insert(1);
    if *count == 1 { id } else { format!("{id}-{count}") }
}

/// Metres without the digits that only rounding makes.
fn tidy(metres: f64) -> f64 {
    (metres * 1e9).round() / 1e9
}

/// Radians as degrees, without the digits that only rounding makes.
fn degrees(yaw_rad: f64) -> f64 {
    (yaw_rad.to_degrees() * 1e9).round() / 1e9
}
