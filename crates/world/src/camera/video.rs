//! H.264, for clients that take a stream; behind the feature `video`, which is on by default.
//!
//! H.264 is covered by patents. The codec here, OpenH264, is built from source under BSD-2-Clause, which
//! grants none of them (Cisco pays only for those who use the binary that Cisco hands out). Who must do
//! without builds with `--no-default-features`: all else stays, frames have no video.

use bytes::Bytes;

/// One encoded picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// NAL units, each after a start code (Annex B).
    pub data: Bytes,
    /// Whether a decoder can begin here.
    pub key_frame: bool,
}

#[cfg(feature = "video")]
pub use encoder::{Encoder, VideoError};

#[cfg(feature = "video")]
mod encoder {
    use openh264::OpenH264API;
    use openh264::Timestamp;
    use openh264::encoder::{
        BitRate, EncoderConfig, FrameRate, FrameType, RateControlMode, SpsPpsStrategy, UsageType,
    };
    use openh264::formats::{RgbSliceU8, YUVBuffer};

    use super::Packet;
    use crate::camera::Picture;

    /// Sides that the codec takes, pixels.
    const SIDES_PX: std::ops::RangeInclusive<u32> = 16..=2_160;

    /// Slowest and fastest stream, pictures a second.
    const RATES: [f64; 2] = [1.0, 120.0];

    /// Encodes one camera's pictures.
    pub struct Encoder {
        codec: openh264::encoder::Encoder,
        yuv: YUVBuffer,
        width: u32,
        height: u32,
        fps: f64,
        key_every: u32,
        /// Pictures since the last key frame.
        since_key: u32,
        pictures: u64,
    }

    /// Why there is no video.
    #[derive(Debug, thiserror::Error)]
    pub enum VideoError {
        /// Not a size that the codec takes.
        #[error("{width} × {height} pixels make no video; sides are even numbers from 16 to 2160")]
        Size {
            /// Pixels.
            width: u32,
            /// Pixels.
            height: u32,
        },
        /// A picture of another size than the stream.
        #[error("a picture of {width} × {height} pixels does not fit the stream")]
        Picture {
            /// Pixels.
            width: u32,
            /// Pixels.
            height: u32,
        },
        /// The codec failed.
        #[error("the video encoder failed: {0}")]
        Codec(#[from] openh264::Error),
    }

    impl Encoder {
        /// A stream of so many pictures a second and about so many bits a second, with a key frame at
        /// least every second.
        pub fn new(width: u32, height: u32, fps: f64, bitrate_bps: u32) -> Result<Self, VideoError> {
            let takes = |side: u32| SIDES_PX.contains(&side) && side.is_multiple_of(2);
            if !takes(width) || !takes(height) {
                return Err(VideoError::Size { width, height });
            }
            let fps = if fps.is_finite() { fps.clamp(RATES[0], RATES[1]) } else { RATES[0] };
            // One thread, so that the same pictures always give the same bytes.
            let config = EncoderConfig::new()
                .usage_type(UsageType::CameraVideoRealTime)
                .rate_control_mode(RateControlMode::Bitrate)
                .bitrate(BitRate::from_bps(bitrate_bps.clamp(10_000, 50_000_000)))
                .max_frame_rate(FrameRate::from_hz(fps as f32))
                .sps_pps_strategy(SpsPpsStrategy::ConstantId)
                .scene_change_detect(false)
                .num_threads(1);
            Ok(Self {
                codec: openh264::encoder::Encoder::with_api_config(OpenH264API::from_source(), config)?,
                yuv: YUVBuffer::new(width as usize, height as usize),
                width,
                height,
                fps,
                key_every: fps.round() as u32,
                since_key: 0,
                pictures: 0,
            })
        }

        /// Changes how many pictures at most go from one key frame to the next.
        #[must_use]
        pub fn key_every(mut self, pictures: u32) -> Self {
            self.key_every = pictures.max(1);
            self
        }

        /// Whether pictures of a size belong to this stream.
        pub fn fits(&self, width: u32, height: u32) -> bool {
            (self.width, self.height) == (width, height)
        }

        /// Encodes the next picture, as a key frame if one is due or asked for.
        ///
        /// Nothing comes of a picture that the codec leaves out to keep to the bits it may use; a key
        /// frame that was due is made of the next one.
        pub fn encode(&mut self, picture: &Picture, force_key: bool) -> Result<Option<Packet>, VideoError> {
            let Picture { width, height, ref rgb } = *picture;
            if !self.fits(width, height) || rgb.len() != width as usize * height as usize * 3 {
                return Err(VideoError::Picture { width, height });
            }
            if self.pictures > 0 && (force_key || self.since_key >= self.key_every) {
                self.codec.force_intra_frame();
            }
            self.yuv.read_rgb8(RgbSliceU8::new(rgb, (width as usize, height as usize)));
            let time_ms = (self.pictures as f64 * 1_000.0 / self.fps).round() as u64;
            let stream = self.codec.encode_at(&self.yuv, Timestamp::from_millis(time_ms))?;
            let key_frame = matches!(stream.frame_type(), FrameType::IDR | FrameType::I);
            let data = stream.to_vec();
            self.pictures += 1;
            self.since_key = if key_frame { 1 } else { self.since_key + 1 };
            Ok((!data.is_empty()).then(|| Packet { data: data.into(), key_frame }))
        }
    }
}
