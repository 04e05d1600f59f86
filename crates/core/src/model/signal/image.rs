//! Pictures and video, as in `sensor_msgs/Image`, `sensor_msgs/CompressedImage` and Foxglove's `CompressedVideo`.

use bytes::Bytes;

use crate::model::record::{record, words};

words! {
    /// How the pixels are written.
    pub enum Encoding {
        /// Three bytes a pixel, rows from the top.
        Rgb8 = "rgb8",
        /// One byte a pixel, rows from the top.
        Mono8 = "mono8",
    }
}

words! {
    /// How a picture file is written.
    pub enum PictureFormat {
        /// A JPEG file.
        Jpeg = "jpeg",
        /// A PNG file.
        Png = "png",
    }
}

words! {
    /// How video is compressed.
    pub enum Codec {
        /// H.264 with start codes (Annex B); parameter sets come with every key frame.
        H264 = "h264",
    }
}

record! {
    /// One picture, pixel by pixel.
    pub struct Image {
        /// How `data` is written.
        pub encoding: Encoding,
        /// Width in pixels.
        pub width: u32,
        /// Height in pixels.
        pub height: u32,
        /// The pixels.
        pub data: Bytes,
    }
}

record! {
    /// One picture as a file.
    pub struct CompressedImage {
        /// How `data` is written.
        pub format: PictureFormat,
        /// Width in pixels.
        pub width: u32,
        /// Height in pixels.
        pub height: u32,
        /// The file.
        pub data: Bytes,
    }
}

record! {
    /// One frame of a video. Who misses a frame has to wait for the next key frame.
    pub struct Video {
        /// How it is compressed.
        pub codec: Codec,
        /// Whether it can be decoded without the frames before it.
        pub key_frame: bool,
        /// Number of the frame in its stream; a step above 1 is a loss.
        pub sequence: i64,
        /// Width in pixels.
        pub width: u32,
        /// Height in pixels.
        pub height: u32,
        /// The frame.
        pub data: Bytes,
    }
}
