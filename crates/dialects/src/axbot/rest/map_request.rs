//! Maps as they are given: names, versions, cells as a picture, marks as GeoJSON.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytes::Bytes;
use latimer_core::model::signal::{MapFeature, OccupancyGrid};

use super::fields::{FieldError, Fields, needed};
use crate::axbot::overlays::features_from_overlays;
use crate::axbot::pbstream::grid_from_pbstream;
use crate::axbot::picture::{Paint, cells_from_png, png_from_grid};

/// Longest name, letters.
const MAX_NAME: usize = 200;

/// How far off a map may begin, metres.
const FARTHEST_M: f64 = 1e6;

/// Some clients leave the padding out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What is given of a map; what is not stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapRequest {
    /// What it is called.
    pub name: Option<String>,
    /// Its name among all maps anywhere.
    pub uid: Option<String>,
    /// Grows when it is made anew.
    pub version: Option<i64>,
    /// Grows when a mark changes.
    pub overlays_version: Option<i64>,
    /// GeoJSON as it was given, and what of it is understood.
    pub overlays: Option<(String, Vec<MapFeature>)>,
    /// The picture as it was given, if one was, and the cells.
    pub cells: Option<(Option<Bytes>, OccupancyGrid)>,
    /// The scanner's own map, if only a chassis can read it.
    pub pbstream: Option<Bytes>,
}

impl MapRequest {
    /// Reads what is given.
    pub fn read(fields: &Fields) -> Result<Self, FieldError> {
        for field in ["carto_map_filename", "occupancy_grid_filename", "data_url"] {
            if fields.has(field) {
                let problem = "names a file, but no files are kept here; give \"occupancy_grid\" as base64";
                return Err(FieldError::new(field, problem));
            }
        }
        let name = fields.text("map_name")?.map(|name| name.trim().to_owned());
        if let Some(name) = &name
            && (name.is_empty() || name.chars().count() > MAX_NAME)
        {
            return Err(FieldError::new("map_name", format!("is empty or longer than {MAX_NAME} letters")));
        }
        let uid = fields.text("uid")?.filter(|uid| !uid.is_empty());
        if uid.as_ref().is_some_and(|uid| uid.chars().count() > MAX_NAME) {
            return Err(FieldError::new("uid", format!("is longer than {MAX_NAME} letters")));
        }
        let (pbstream, exact) = match file(fields, "carto_map")? {
            None => (None, None),
            Some(file) => match grid_from_pbstream(&file) {
                Ok(Some(grid)) => (None, Some(grid)),
                Ok(None) => (Some(file), None),
                Err(error) => return Err(FieldError::new("carto_map", error.to_string())),
            },
        };
        Ok(Self {
            name,
            uid,
            version: fields.integer("map_version")?,
            overlays_version: fields.integer("overlays_version")?,
            overlays: overlays(fields)?,
            cells: match (cells(fields)?, exact) {
                (None, exact) => exact.map(|exact| (None, exact)),
                (Some((png, _)), Some(exact)) if shows(&png, fields, &exact)? => Some((Some(png), exact)),
                (Some((png, grid)), _) => Some((Some(png), grid)),
            },
            pbstream,
        })
    }
}

/// GeoJSON comes as a text; some give it as it is.
fn overlays(fields: &Fields) -> Result<Option<(String, Vec<MapFeature>)>, FieldError> {
    let text = match fields.value("overlays") {
        None => return Ok(None),
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    match features_from_overlays(&text) {
        Ok(features) => Ok(Some((text, features))),
        Err(error) => Err(FieldError::new("overlays", error.to_string())),
    }
}

fn cells(fields: &Fields) -> Result<Option<(Bytes, OccupancyGrid)>, FieldError> {
    let Some(png) = file(fields, "occupancy_grid")? else { return Ok(None) };
    let resolution_m = needed("grid_resolution", fields.number("grid_resolution")?)?;
    if resolution_m <= 0.0 || resolution_m > 10.0 {
        let problem = format!("is {resolution_m}; give the side of a pixel in metres, such as 0.05");
        return Err(FieldError::new("grid_resolution", problem));
    }
    let origin_x_m = needed("grid_origin_x", fields.number("grid_origin_x")?)?;
    let origin_y_m = needed("grid_origin_y", fields.number("grid_origin_y")?)?;
    for (field, origin_m) in [("grid_origin_x", origin_x_m), ("grid_origin_y", origin_y_m)] {
        if origin_m.abs() > FARTHEST_M {
            let problem = format!("is farther off than {FARTHEST_M} m");
            return Err(FieldError::new(field, problem));
        }
    }
    let (width, height, cells) = cells_from_png(&png, Paint::Map)
        .map_err(|error| FieldError::new("occupancy_grid", error.to_string()))?;
    Ok(Some((
        png,
        OccupancyGrid {
            resolution_m,
            width,
            height,
            origin_x_m,
            origin_y_m,
            cells,
            ..OccupancyGrid::UPRIGHT
        },
    )))
}

/// Whether a picture is of the map of a pbstream file that was made here; then that has its cells without loss. One that somebody
/// painted in is another map.
fn shows(png: &[u8], fields: &Fields, exact: &OccupancyGrid) -> Result<bool, FieldError> {
    let place = [
        ("grid_resolution", exact.resolution_m),
        ("grid_origin_x", exact.origin_x_m),
        ("grid_origin_y", exact.origin_y_m),
    ];
    for (field, metres) in place {
        if fields.number(field)?.is_none_or(|given| (given - metres).abs() > 1e-6) {
            return Ok(false);
        }
    }
    let painted = cells_from_png(&png_from_grid(exact, Paint::Map), Paint::Map);
    Ok(painted.is_ok_and(|painted| cells_from_png(png, Paint::Map) == Ok(painted)))
}

/// A file as base64, perhaps with what browsers write before it.
fn file(fields: &Fields, field: &'static str) -> Result<Option<Bytes>, FieldError> {
    let text = match fields.value(field) {
        None => return Ok(None),
        Some(serde_json::Value::String(text)) => text.trim(),
        Some(_) => return Err(FieldError::new(field, "is no base64 text")),
    };
    if text.is_empty() {
        return Ok(None);
    }
    let text = text.split_once(";base64,").map_or(text, |(_, data)| data);
    match BASE64.decode(text) {
        Ok(bytes) => Ok(Some(bytes.into())),
        Err(error) => Err(FieldError::new(field, format!("is no base64: {error}"))),
    }
}

/// A file as base64.
pub fn base64_from_file(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<MapRequest, FieldError> {
        MapRequest::read(&Fields::read(body.as_bytes()).unwrap())
    }

    #[test]
    fn what_is_not_given_stays() {
        assert_eq!(read("{}"), Ok(MapRequest::default()));
        let request = read(r#"{"map_name": " hall ", "map_version": 3, "carto_map": "AAE"}"#).unwrap();
        assert_eq!((request.name.as_deref(), request.version), (Some("hall"), Some(3)));
        assert_eq!(request.pbstream.as_deref(), Some([0, 1].as_slice()));
    }

    #[test]
    fn marks_come_as_a_text_or_as_they_are() {
        let feature =
            r#"{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[1,2]}}]}"#;
        let text = serde_json::to_string(feature).unwrap();
        for overlays in [feature, text.as_str()] {
            let request = read(&format!(r#"{{"overlays": {overlays}}}"#)).unwrap();
            assert_eq!(request.overlays.unwrap().1.len(), 1);
        }
    }

    #[test]
    fn mistakes_are_reported_by_field() {
        for (body, field, words) in [
            (r#"{"map_name": "  "}"#, "map_name", "empty"),
            (r#"{"overlays": "{"}"#, "overlays", "no JSON"),
            (r#"{"carto_map": "*"}"#, "carto_map", "no base64"),
            (r#"{"occupancy_grid": "AAAA"}"#, "grid_resolution", "required"),
            (r#"{"occupancy_grid": "AAAA", "grid_resolution": 0}"#, "grid_resolution", "0.05"),
            (
                r#"{"occupancy_grid": "AAAA", "grid_resolution": 0.05, "grid_origin_x": 0, "grid_origin_y": 0}"#,
                "occupancy_grid",
                "picture",
            ),
            (
                r#"{"occupancy_grid": "AAAA", "grid_resolution": 0.05, "grid_origin_x": 1e300, "grid_origin_y": 0}"#,
                "grid_origin_x",
                "farther",
            ),
            (r#"{"carto_map_filename": "a.pbstream"}"#, "carto_map_filename", "no files"),
        ] {
            let error = read(body).unwrap_err();
            assert!(error.field == field && error.problem.contains(words), "{body}: {error}");
        }
    }
}
