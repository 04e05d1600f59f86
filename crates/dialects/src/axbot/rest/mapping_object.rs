//! The making of maps as it is published.

use serde::Serialize;

/// One making of a map. What is not there yet is `null`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MappingObject {
    /// Its number.
    pub id: i64,
    /// A small picture.
    pub thumbnail_url: Option<String>,
    /// The picture.
    pub image_url: Option<String>,
    /// Metres; 0 until there is a picture.
    pub grid_origin_x: f64,
    /// Metres; 0 until there is a picture.
    pub grid_origin_y: f64,
    /// Metres a pixel; 0 until there is a picture.
    pub grid_resolution: f64,
    /// Where it is.
    pub url: String,
    /// Unix time, seconds.
    pub start_time: i64,
    /// Unix time, seconds.
    pub end_time: Option<i64>,
    /// running, finished, cancelled or failed.
    pub state: &'static str,
    /// No recording is made.
    pub bag_id: Option<i64>,
    /// No recording is made.
    pub bag_url: Option<String>,
    /// The map itself.
    pub pbstream_url: Option<String>,
    /// Everything in one.
    pub download_url: Option<String>,
    /// What belongs to it.
    pub properties_url: Option<String>,
    /// The way that it took.
    pub trajectories_url: Option<String>,
    /// The poles that it saw.
    pub landmark_url: Option<String>,
}

/// A part of the way that a mapping took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trajectory {
    /// Its number.
    pub id: i64,
    /// Metres on the new map.
    pub coordinates: Vec<[f64; 2]>,
}

/// A pole that a mapping saw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Landmark {
    /// Its name.
    pub id: String,
    /// Metres on the new map.
    pub pos: [f64; 2],
}
