//! `/rgb_cameras/*`: video and pictures in Base64.
//!
//! What the messages do not tell is looked up in the data: whether a frame of video stands alone, and the size of a
//! picture. The size of video is not told, so it is 0; nor is the number of a frame.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use latimer_core::Timestamp;
use latimer_core::model::signal::CompressedImage;
use latimer_core::model::signal::Video;
use latimer_core::model::signal::image::{Codec, PictureFormat};

use super::Received;
use super::units::{moment_from_timestamp, stamp_from_moment};
use crate::axbot::messages::camera::{CameraPicture, CameraVideo};
use crate::axbot::topic::Topic;
use crate::axbot::wire::Extra;
use crate::describe::{Incomplete, need};
use crate::picture_size::{jpeg_size, png_size};

/// The kinds of units in H.264 that begin anew: a picture of its own, and the parameters before it.
const BEGINNINGS: [u8; 2] = [5, 7];

/// A frame of video; nothing without data.
pub(super) fn received_from_video(
    topic: Topic,
    message: &CameraVideo,
    received: Timestamp,
) -> Result<Received, Incomplete> {
    let CameraVideo { stamp, data, extra: _ } = message;
    let data = need(decoded(data.as_deref()), "data")?;
    let key_frame = begins_anew(&data);
    let video = Video { codec: Codec::H264, key_frame, sequence: 0, width: 0, height: 0, data };
    Ok(Received::of(part(topic), stamp_from_moment(stamp.as_ref(), received), video))
}

/// A frame of video.
pub(super) fn video(video: &Video, at: Timestamp) -> CameraVideo {
    let Video { codec: Codec::H264, key_frame: _, sequence: _, width: _, height: _, data } = video;
    CameraVideo {
        stamp: Some(moment_from_timestamp(at)),
        data: Some(STANDARD.encode(data)),
        extra: Extra::new(),
    }
}

/// A picture; nothing without data, or if nobody can tell how big it is.
pub(super) fn received_from_picture(
    topic: Topic,
    message: &CameraPicture,
    received: Timestamp,
) -> Result<Received, Incomplete> {
    let CameraPicture { stamp, format, data, extra: _ } = message;
    let data = need(decoded(data.as_deref()), "data")?;
    let format = PictureFormat::from_word(format.as_deref().unwrap_or(PictureFormat::Jpeg.as_str()));
    let format = need(format, "format")?;
    let size = match format {
        PictureFormat::Jpeg => jpeg_size(&data),
        PictureFormat::Png => png_size(&data),
    };
    let (width, height) = need(size, "data")?;
    let image = CompressedImage { format, width, height, data };
    Ok(Received::of(part(topic), stamp_from_moment(stamp.as_ref(), received), image))
}

/// A picture.
pub(super) fn picture(image: &CompressedImage, at: Timestamp) -> CameraPicture {
    let CompressedImage { format, width: _, height: _, data } = image;
    CameraPicture {
        stamp: Some(moment_from_timestamp(at)),
        format: Some(format.as_str().to_owned()),
        data: Some(STANDARD.encode(data)),
        extra: Extra::new(),
    }
}

fn part(topic: Topic) -> &'static str {
    topic.origins().first().and_then(|(_, part)| *part).unwrap_or("camera_front")
}

fn decoded(data: Option<&str>) -> Option<Bytes> {
    let data = STANDARD.decode(data?.trim()).ok()?;
    (!data.is_empty()).then(|| data.into())
}

/// Whether a frame can be decoded without those before it.
fn begins_anew(data: &[u8]) -> bool {
    data.windows(4).any(|code| code.starts_with(&[0, 0, 1]) && BEGINNINGS.contains(&(code[3] & 0x1f)))
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
            jpeg_size(&data);
            png_size(&data);
            data.splice(0..0, [0xff, 0xd8]);
            jpeg_size(&data);
        }
    }
}
