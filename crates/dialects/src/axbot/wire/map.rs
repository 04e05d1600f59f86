//! Maps: pictures inside of messages, and pictures to be fetched.

use super::number::Moment;
use super::place::Point;
use super::record::record;

record! {
    /// Sections "Map", "Obstacle Map", "Environment Match Map", "Environment Symmetry Map", "Incremental Map".
    pub struct Grid {
        /// Seconds since 1970; `/map` and the obstacle maps have none.
        stamp: Moment,
        /// Side of a pixel, metres.
        resolution: f64,
        /// Width and height, pixels.
        size: Vec<i64>,
        /// Where the lower left pixel is, metres.
        origin: Point,
        /// A PNG file in Base64.
        data: String,
    }
}

record! {
    /// Section "Cached Topics".
    pub struct CachedGrid {
        /// Seconds since 1970.
        stamp: Moment,
        /// Side of a pixel, metres.
        resolution: f64,
        /// Width and height, pixels.
        size: Vec<i64>,
        /// Where the lower left pixel is, metres.
        origin: Point,
        /// Where the PNG file is, below the robot's own address.
        data_url: String,
    }
}

record! {
    /// `/map/info`: the map that is used; not in the specification, but in the vendor's manual.
    pub struct MapInfo {
        /// Its name.
        name: String,
        /// Its name among all maps anywhere.
        uid: String,
        /// Grows when the map is made anew.
        map_version: i64,
        /// Grows when a mark changes.
        overlays_version: i64,
        /// GeoJSON, as an object.
        overlays: serde_json::Value,
    }
}
