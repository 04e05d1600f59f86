//! Cameras: the robot's own, and those of somebody else that it would like to have.

use super::number::Moment;
use super::record::record;

record! {
    /// Section "RGB Video Stream".
    pub struct CameraVideo {
        /// Seconds since 1970.
        stamp: Moment,
        /// H.264 with start codes, in Base64.
        data: String,
    }
}

record! {
    /// Section "RGB Image Stream".
    pub struct CameraPicture {
        /// Seconds since 1970.
        stamp: Moment,
        /// `jpeg`.
        format: String,
        /// The file in Base64.
        data: String,
    }
}

record! {
    /// Section "External RGB Camera Data".
    pub struct ExternalRgbCameraControl {
        /// Cameras to be opened.
        enabled_devices: Vec<ExternalCamera>,
    }
}

record! {
    /// A camera of somebody else's.
    pub struct ExternalCamera {
        /// What it is called.
        name: String,
        /// Pixels.
        width: i64,
        /// Pixels.
        height: i64,
        /// Pictures a second.
        fps: i64,
        /// Where its pictures shall be sent.
        external_data_topic: String,
    }
}
