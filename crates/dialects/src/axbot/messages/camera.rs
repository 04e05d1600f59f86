//! Cameras: the robot's own, and those of somebody else that it would like to have.

use crate::axbot::wire::Moment;
use crate::describe::{Extra, Message};

/// Section "RGB Video Stream".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct CameraVideo {
    /// Seconds since 1970.
    #[field(stamp)]
    pub stamp: Option<Moment>,
    /// H.264 with start codes, in Base64.
    #[field(model = "data")]
    pub data: Option<String>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Section "RGB Image Stream".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct CameraPicture {
    /// Seconds since 1970.
    #[field(stamp)]
    pub stamp: Option<Moment>,
    /// `jpeg`; the specification has no other.
    #[field(model = "format")]
    pub format: Option<String>,
    /// The file in Base64.
    #[field(model = "data")]
    pub data: Option<String>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Section "External RGB Camera Data".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct ExternalRgbCameraControl {
    /// Cameras to be opened.
    pub enabled_devices: Option<Vec<ExternalCamera>>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// A camera of somebody else's.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct ExternalCamera {
    /// What it is called.
    pub name: Option<String>,
    /// Pixels.
    pub width: Option<i64>,
    /// Pixels.
    pub height: Option<i64>,
    /// Pictures a second.
    pub fps: Option<i64>,
    /// Where its pictures shall be sent.
    pub external_data_topic: Option<String>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}
