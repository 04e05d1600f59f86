//! Maps: pictures inside of messages, and pictures to be fetched. `picture` draws and reads them.

use super::codecs::METRES;
use crate::axbot::wire::{Moment, Point};
use crate::describe::{Extra, Message};

/// Sections "Map", "Obstacle Map", "Environment Match Map", "Environment Symmetry Map", "Incremental Map".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Grid {
    /// Seconds since 1970; `/map` and the obstacle maps have none.
    #[field(stamp)]
    pub stamp: Option<Moment>,
    /// Side of a pixel, metres.
    #[field(model = "resolution_m")]
    pub resolution: Option<f64>,
    /// Width and height, pixels.
    #[field(items(width, height))]
    pub size: Option<Vec<i64>>,
    /// Where the lower left pixel is, metres.
    #[field(items(origin_x_m, origin_y_m), codec = METRES)]
    pub origin: Option<Point>,
    /// A PNG file in Base64, row 0 on top: 254 free, 205 unknown, 0 occupied; in obstacle maps 200 and more is an obstacle, in red or grey as the config says.
    #[field(model = "cells")]
    pub data: Option<String>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Section "Cached Topics".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct CachedGrid {
    /// Seconds since 1970.
    #[field(stamp)]
    pub stamp: Option<Moment>,
    /// Side of a pixel, metres.
    #[field(model = "resolution_m")]
    pub resolution: Option<f64>,
    /// Width and height, pixels.
    #[field(items(width, height))]
    pub size: Option<Vec<i64>>,
    /// Where the lower left pixel is, metres.
    #[field(items(origin_x_m, origin_y_m), codec = METRES)]
    pub origin: Option<Point>,
    /// Where the PNG file with the cells is, below the robot's own address.
    #[field(own)]
    pub data_url: Option<String>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// `/map/info`: the map that is used; not in the specification, but in the vendor's manual.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct MapInfo {
    /// Its name.
    #[field(model = "name")]
    pub name: Option<String>,
    /// Its name among all maps anywhere.
    #[field(model = "uid")]
    pub uid: Option<String>,
    /// Grows when the map is made anew.
    #[field(model = "version")]
    pub map_version: Option<i64>,
    /// Grows when a mark changes.
    #[field(model = "features_version")]
    pub overlays_version: Option<i64>,
    /// The marks, `features`, as a GeoJSON object.
    #[field(own)]
    pub overlays: Option<serde_json::Value>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}
