//! Maps as they are published.

use serde::Serialize;

/// A map in the list, and the answer to making one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapItem {
    /// Its number here.
    pub id: i64,
    /// Its name among all maps anywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// Its name.
    pub map_name: String,
    /// Unix time, seconds.
    pub create_time: i64,
    /// Grows when the map is made anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map_version: Option<i64>,
    /// Grows when a mark changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlays_version: Option<i64>,
    /// Where it can be fetched; absent for the current map.
    #[serde(flatten)]
    pub urls: Option<MapUrls>,
}

/// Where a map can be fetched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapUrls {
    /// A small picture.
    pub thumbnail_url: String,
    /// The picture.
    pub image_url: String,
    /// The map itself.
    pub url: String,
}

/// A map with all that is known of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapDetail {
    /// As in the list.
    #[serde(flatten)]
    pub item: MapItem,
    /// Unix time, seconds.
    pub last_modified_time: i64,
    /// Where the lower left pixel is, if the cells are known.
    #[serde(flatten)]
    pub grid: Option<GridPlace>,
    /// GeoJSON as a text.
    pub overlays: String,
    /// The scanner's own map, if somebody gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pbstream_url: Option<String>,
    /// Everything in one.
    pub download_url: String,
}

/// Where the pixels of a map are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GridPlace {
    /// Metres.
    pub grid_origin_x: f64,
    /// Metres.
    pub grid_origin_y: f64,
    /// Metres a pixel.
    pub grid_resolution: f64,
}

/// Everything of a map in one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapDownload {
    /// As in the list.
    #[serde(flatten)]
    pub item: MapItem,
    /// Where the lower left pixel is, if the cells are known.
    #[serde(flatten)]
    pub grid: Option<GridPlace>,
    /// GeoJSON as a text.
    pub overlays: String,
    /// The picture, base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occupancy_grid: Option<String>,
    /// The scanner's own map, base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carto_map: Option<String>,
}
