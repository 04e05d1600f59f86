//! A map's marks as GeoJSON, both ways.
//!
//! | geometry | property | mark |
//! |---|---|---|
//! | Point | `type` 9, 37, 39, 34, 6 | charger, barcode, landmark, rack point, lift |
//! | Point | `type` of a place | place |
//! | LineString | `lineType` 2 | virtual wall |
//! | Polygon | `regionType` 1, 4, 17 | keep-out area, door, area of racks |
//! | any of these | anything else | other |
//!
//! Yaws are degrees there and radians here. The numbers may be written as texts.

mod feature_type;
mod read;
mod write;

pub use read::features_from_overlays;
pub use write::overlays_from_features;

/// Longest text that is read, bytes.
pub const MAX_BYTES: usize = 2 << 20;
/// Most marks of a map.
pub const MAX_FEATURES: usize = 10_000;
/// Most positions of all marks together.
pub const MAX_POINTS: usize = 100_000;

/// Overlays that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the overlays {0}")]
pub struct OverlayError(pub String);

#[cfg(test)]
mod tests;
