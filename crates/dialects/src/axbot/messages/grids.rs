//! Maps: pictures inside of messages, and pictures to be fetched. `picture` draws and reads them.

use latimer_core::model::signal::MapInfo as ModelMapInfo;
use serde_json::Value;

use super::Context;
use super::codecs::METRES;
use crate::axbot::overlays::{features_from_overlays, overlays_from_features};
use crate::axbot::wire::{Moment, Point};
use crate::describe::{Extra, Incomplete, Message, need};

/// Sections "Map", "Obstacle Map", "Environment Match Map", "Environment Symmetry Map", "Incremental Map".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Grid {
    /// What it is a picture of.
    #[field(flatten)]
    pub area: Area,
    /// A PNG file in Base64, row 0 on top: 254 free, 205 unknown, 0 occupied; in obstacle maps 200 and more is an obstacle, in red or grey as the config says.
    #[field(model = "cells")]
    pub data: Option<String>,
    pub(crate) extra: Extra,
}

/// Section "Cached Topics".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct CachedGrid {
    /// What it is a picture of.
    #[field(flatten)]
    pub area: Area,
    /// Where the PNG file with the cells is, below the robot's own address.
    #[field(own)]
    pub data_url: Option<String>,
    pub(crate) extra: Extra,
}

/// When a map was made, and what it is of.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Area {
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
}

/// `/map/info`: the map that is used; not in the specification, but in the vendor's manual.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = ModelMapInfo, context = Context, finish = name_and_marks, ignores(features))]
pub struct MapInfo {
    /// Its name.
    #[field(name, or = String::new())]
    pub name: Option<String>,
    /// Its name among all maps anywhere.
    #[field(uid)]
    pub uid: Option<String>,
    /// Grows when the map is made anew.
    #[field(version)]
    pub map_version: Option<i64>,
    /// Grows when a mark changes.
    #[field(features_version)]
    pub overlays_version: Option<i64>,
    /// The marks, `features`, as a GeoJSON object.
    #[field(own = overlays)]
    pub overlays: Option<Value>,
    pub(crate) extra: Extra,
}

/// A map without a name has that which it has among all maps, or none at all. Marks that cannot be read are left out.
fn name_and_marks(message: &MapInfo, _: &Context, map: &mut ModelMapInfo) -> Result<(), Incomplete> {
    map.name = need(message.name.clone().or_else(|| map.uid.clone()), "name")?;
    let features = match &message.overlays {
        Some(Value::String(text)) => features_from_overlays(text),
        Some(object) => features_from_overlays(&object.to_string()),
        None => return Ok(()),
    };
    map.features = features.unwrap_or_default();
    Ok(())
}

fn overlays(map: &ModelMapInfo, _: &Context) -> Option<Value> {
    serde_json::from_str(&overlays_from_features(&map.features)).ok()
}
