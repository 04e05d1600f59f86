//! Pictures, as everywhere in ROS.

use latimer_ros1::msgs::std_msgs::Header;
use serde::{Deserialize, Serialize};

/// `sensor_msgs/Image`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Image {
    /// When it was taken.
    pub header: Header,
    /// Pixels down.
    pub height: u32,
    /// Pixels across.
    pub width: u32,
    /// `rgb8`.
    pub encoding: String,
    /// Nothing here is.
    pub is_bigendian: u8,
    /// Bytes a row.
    pub step: u32,
    /// The pixels.
    #[serde(with = "serde_bytes")]
    pub data: Vec<u8>,
}

/// `sensor_msgs/CompressedImage`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompressedImage {
    /// When it was taken.
    pub header: Header,
    /// `rgb8; jpeg compressed bgr8`.
    pub format: String,
    /// The file.
    #[serde(with = "serde_bytes")]
    pub data: Vec<u8>,
}
