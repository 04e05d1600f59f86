//! A map's marks as GeoJSON, both ways.

use latimer_core::model::signal::MapFeature;

/// Overlays that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the overlays {0}")]
pub struct OverlayError(pub String);

/// The marks of a GeoJSON text.
pub fn features_from_overlays(_text: &str) -> Result<Vec<MapFeature>, OverlayError> {
    Err(OverlayError("are not read yet".into()))
}

/// Marks as a GeoJSON text.
pub fn overlays_from_features(_features: &[MapFeature]) -> String {
    String::new()
}
