//! Cameras: the robot's own, and those of somebody else that it would like to have.
//!
//! What the messages do not tell is looked up in the data: whether a frame of video stands alone, and the size of a
//! picture. Neither the size of video nor the number of a frame is known, so both are 0.

use bytes::Bytes;
use latimer_core::model::signal::image::{Codec, PictureFormat};
use latimer_core::model::signal::{CompressedImage, Video};

use super::Context;
use super::codecs::Instant;
use crate::axbot::wire::Moment;
use crate::describe::codec::{Base64, Words};
use crate::describe::{Extra, Incomplete, Message, need};
use crate::picture_size::picture_size;

const VIDEO: Video =
    Video { codec: Codec::H264, key_frame: false, sequence: 0, width: 0, height: 0, data: Bytes::new() };

/// The kinds of units in H.264 that begin anew: a picture of its own, and the parameters before it.
const BEGINNINGS: [u8; 2] = [5, 7];

const FORMATS: Words<PictureFormat> = Words(&[("jpeg", PictureFormat::Jpeg), ("png", PictureFormat::Png)]);

/// Section "RGB Video Stream".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Video, context = Context, base = VIDEO, finish = key_frame)]
#[message(ignores(codec, key_frame, sequence, width, height))]
pub struct CameraVideo {
    /// Seconds since 1970.
    #[field(stamp, codec = Instant)]
    pub stamp: Option<Moment>,
    /// H.264 with start codes, in Base64.
    #[field(data, codec = Base64, required)]
    pub data: Option<String>,
    pub(crate) extra: Extra,
}

/// Section "RGB Image Stream".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = CompressedImage, context = Context, finish = size, ignores(width, height))]
pub struct CameraPicture {
    /// Seconds since 1970.
    #[field(stamp, codec = Instant)]
    pub stamp: Option<Moment>,
    /// `jpeg`; the specification has no other.
    #[field(format, codec = FORMATS, or = PictureFormat::Jpeg)]
    pub format: Option<String>,
    /// The file in Base64.
    #[field(data, codec = Base64, required)]
    pub data: Option<String>,
    pub(crate) extra: Extra,
}

/// Whether a frame can be decoded without those before it.
fn begins_anew(data: &[u8]) -> bool {
    data.windows(4).any(|code| code.starts_with(&[0, 0, 1]) && BEGINNINGS.contains(&(code[3] & 0x1f)))
}

fn key_frame(_: &CameraVideo, _: &Context, video: &mut Video) {
    video.key_frame = begins_anew(&video.data);
}

/// Nothing if the data is none of its format.
fn size(message: &CameraPicture, _: &Context, image: &mut CompressedImage) -> Result<(), Incomplete> {
    let format = message.format.as_deref().map_or(Some(image.format), |word| FORMATS.meaning(word));
    let size = picture_size(need(format, "format")?, &image.data);
    (image.width, image.height) = need(size, "data")?;
    Ok(())
}

/// Section "External RGB Camera Data".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct ExternalRgbCameraControl {
    /// Cameras to be opened.
    pub enabled_devices: Option<Vec<ExternalCamera>>,
    pub(crate) extra: Extra,
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
    pub(crate) extra: Extra,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_key_frame_is_found_behind_either_start_code() {
        assert!(begins_anew(&[0, 0, 1, 0x65, 0x88]));
        assert!(begins_anew(&[0, 0, 0, 1, 0x67, 0x42]));
        assert!(!begins_anew(&[0, 0, 0, 1, 0x41, 0x9a]));
        assert!(!begins_anew(&[0, 0, 1]));
    }

    proptest! {
        #[test]
        fn garbage_has_no_size(mut data in proptest::collection::vec(any::<u8>(), 0..64)) {
            for format in PictureFormat::ALL {
                picture_size(*format, &data);
            }
            data.splice(0..0, [0xff, 0xd8]);
            picture_size(PictureFormat::Jpeg, &data);
        }
    }
}
