//! Pictures, as in `sensor_msgs/Image` and `sensor_msgs/CompressedImage`.

use bytes::Bytes;

use crate::model::record::{record, words};

words! {
    /// How the pixels are written.
    pub enum Encoding {
        /// Three bytes a pixel, rows from the top.
        Rgb8 = "rgb8",
        /// One byte a pixel, rows from the top.
        Mono8 = "mono8",
        /// A JPEG file.
        Jpeg = "jpeg",
        /// A PNG file.
        Png = "png",
    }
}

record! {
    /// One picture.
    pub struct Image {
        /// How `data` is written.
        pub encoding: Encoding,
        /// Width in pixels.
        pub width: u32,
        /// Height in pixels.
        pub height: u32,
        /// The pixels or the file.
        pub data: Bytes,
    }
}
