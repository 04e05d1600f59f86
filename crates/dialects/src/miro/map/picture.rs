//! `platform/caml`, `platform/camr` and their files.
//!
//! The platform delivers 16 bits a pixel, five of red, six of green, five of blue; the bridge makes 24 of them. So does this, that a
//! picture has no more colours than the robot's.

use std::borrow::Cow;

use bytes::Bytes;
use jpeg_encoder::{ColorType, Encoder};
use latimer_core::model::signal::image::{Encoding, PictureFormat};
use latimer_core::model::signal::{CompressedImage, Image};
use latimer_ros1::msgs::sensor_msgs;
use latimer_ros1::msgs::std_msgs::Header;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::picture_size::picture_size;

/// What `compressed_image_transport` writes into `format` for such pictures.
pub const FORMAT: &str = "rgb8; jpeg compressed bgr8";

/// Quality of files that are made here, as `compressed_image_transport` has it.
const QUALITY: u8 = 80;
/// Most pixels across or down.
const MOST_PX: usize = 8_192;
/// Most pixels of a picture.
const MOST_PIXELS: u64 = 16 << 20;

/// Why a picture cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PictureError(String);

impl PictureError {
    /// Thousandths for a person.
    pub fn new(problem: impl Into<String>) -> Self {
        Self(problem.into())
    }
}

fn problem(text: impl Into<String>) -> PictureError {
    PictureError::new(text)
}

/// A picture with the colours that the robot has.
pub fn wire_from_image(image: &Image, header: Header) -> Result<sensor_msgs::Image, PictureError> {
    let mut rgb = rgb(image)?.into_owned();
    for [red, green, blue] in rgb.as_chunks_mut::<3>().0 {
        *red = *red & 0xf8 | *red >> 5;
        *green = *green & 0xfc | *green >> 6;
        *blue = *blue & 0xf8 | *blue >> 5;
    }
    Ok(sensor_msgs::Image {
        header,
        height: image.height,
        width: image.width,
        encoding: "rgb8".to_owned(),
        is_bigendian: 0,
        step: image.width.saturating_mul(3),
        data: rgb.into(),
    })
}

/// The picture of a message.
pub fn image_from_wire(message: &sensor_msgs::Image) -> Result<Image, PictureError> {
    let sensor_msgs::Image { header: _, height, width, encoding, is_bigendian: _, step, data } = message;
    let (channels, form) = match encoding.as_str() {
        "rgb8" | "bgr8" => (3, Encoding::Rgb8),
        "mono8" => (1, Encoding::Mono8),
        other => return Err(problem(format!("pictures in {other:?} are not understood; publish rgb8"))),
    };
    let row = u64::from(*width) * channels;
    let whole = u64::from(*step) * u64::from(*height);
    if u64::from(*step) < row
        || (data.len() as u64) < whole
        || u64::from(*width) * u64::from(*height) > MOST_PIXELS
    {
        return Err(problem(format!(
            "{width} times {height} pixels with {step} bytes a row are not in {} bytes",
            data.len()
        )));
    }
    let data = if u64::from(*step) == row && encoding != "bgr8" {
        data.slice(..whole as usize)
    } else {
        let rows = data.chunks_exact((*step).max(1) as usize).take(*height as usize);
        let mut packed: Vec<u8> = rows.flat_map(|bytes| bytes.iter().take(row as usize)).copied().collect();
        if encoding == "bgr8" {
            packed.as_chunks_mut::<3>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
        }
        packed.into()
    };
    Ok(Image { encoding: form, width: *width, height: *height, data })
}

/// A picture as a file; one that is a file already is passed on as it is.
pub fn wire_from_compressed(image: &CompressedImage, header: Header) -> sensor_msgs::CompressedImage {
    let CompressedImage { format, width: _, height: _, data } = image;
    let format = match format {
        PictureFormat::Jpeg => FORMAT,
        PictureFormat::Png => "rgb8; png compressed bgr8",
    };
    sensor_msgs::CompressedImage { header, format: format.to_owned(), data: data.clone() }
}

/// The file of a message.
pub fn compressed_from_wire(message: &sensor_msgs::CompressedImage) -> Result<CompressedImage, PictureError> {
    let sensor_msgs::CompressedImage { header: _, format: _, data } = message;
    // What `format` says differs between publishers; the file says what it is.
    let format = match data.get(..4) {
        Some([0xff, 0xd8, ..]) => PictureFormat::Jpeg,
        Some(b"\x89PNG") => PictureFormat::Png,
        _ => return Err(problem("neither a JPEG nor a PNG file")),
    };
    let size = picture_size(format, data);
    let (width, height) = size.ok_or_else(|| problem("a file that does not say how large its picture is"))?;
    Ok(CompressedImage { format, width, height, data: data.clone() })
}

/// The pixels of a JPEG file.
pub fn pixels_from_file(file: &CompressedImage) -> Result<Image, PictureError> {
    if file.format != PictureFormat::Jpeg {
        return Err(problem("only JPEG files are decoded"));
    }
    let options = DecoderOptions::default()
        .set_max_width(MOST_PX)
        .set_max_height(MOST_PX)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&file.data[..]), options);
    let unreadable = |error| problem(format!("a JPEG file that cannot be read: {error}"));
    decoder.decode_headers().map_err(unreadable)?;
    let (width, height) = decoder.dimensions().ok_or_else(|| problem("a JPEG file without a size"))?;
    // A file of a few bytes may claim any size, and every pixel takes time and room.
    if width as u64 * height as u64 > MOST_PIXELS {
        return Err(problem(format!(
            "{width} times {height} pixels are too many, the limit is {MOST_PIXELS} in all"
        )));
    }
    let data = decoder.decode().map_err(unreadable)?;
    let size = |it: usize| u32::try_from(it).map_err(|_| problem("too large a picture"));
    Ok(Image { encoding: Encoding::Rgb8, width: size(width)?, height: size(height)?, data: data.into() })
}

/// A JPEG file of pixels.
pub fn file_from_pixels(image: &Image) -> Result<CompressedImage, PictureError> {
    let size =
        |it: u32| u16::try_from(it).map_err(|_| problem(format!("{it} pixels are too many for a JPEG file")));
    let (width, height) = (size(image.width)?, size(image.height)?);
    let rgb = rgb(image)?;
    let mut file = Vec::new();
    Encoder::new(&mut file, QUALITY)
        .encode(&rgb, width, height, ColorType::Rgb)
        .map_err(|error| problem(format!("a picture that no JPEG file can hold: {error}")))?;
    let (format, data) = (PictureFormat::Jpeg, Bytes::from(file));
    Ok(CompressedImage { format, width: image.width, height: image.height, data })
}

/// Three bytes a pixel.
fn rgb(image: &Image) -> Result<Cow<'_, [u8]>, PictureError> {
    let Image { encoding, width, height, data } = image;
    let pixels = u64::from(*width) * u64::from(*height);
    let (needed, grey) = match encoding {
        Encoding::Rgb8 => (pixels * 3, false),
        Encoding::Mono8 => (pixels, true),
    };
    let data = usize::try_from(needed)
        .ok()
        .and_then(|needed| data.get(..needed))
        .ok_or_else(|| problem(format!("{width} times {height} pixels are not in {} bytes", data.len())))?;
    Ok(if grey { data.iter().flat_map(|it| [*it; 3]).collect() } else { data.into() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn image() -> Image {
        let data: Vec<u8> = (0..16 * 8 * 3).map(|i| (i * 7 % 256) as u8).collect();
        Image { encoding: Encoding::Rgb8, width: 16, height: 8, data: data.into() }
    }

    #[test]
    fn pictures_have_the_robot_s_colours() {
        let raw = wire_from_image(&image(), Header::default()).unwrap();
        assert_eq!((raw.step, raw.data.len(), raw.encoding.as_str()), (48, 384, "rgb8"));
        // What has 16 bits a pixel already stays as it is.
        let read = image_from_wire(&raw).unwrap();
        assert_eq!(wire_from_image(&read, Header::default()).unwrap(), raw);
        assert!(raw.data.iter().skip(1).step_by(3).all(|green| green & 3 == green >> 6));
        assert!(raw.data.iter().step_by(3).all(|red| red & 7 == red >> 5));
        for (before, after) in image().data.iter().zip(&raw.data) {
            assert!(before.abs_diff(*after) < 8, "{before} became {after}");
        }
    }

    #[test]
    fn rows_may_be_padded_and_blue_may_come_first() {
        let mut padded = Vec::new();
        for row in image().data.chunks(48) {
            padded.extend_from_slice(row);
            padded.extend_from_slice(&[9; 4]);
        }
        let message = sensor_msgs::Image {
            height: 8,
            width: 16,
            encoding: "rgb8".into(),
            step: 52,
            data: padded.into(),
            ..sensor_msgs::Image::default()
        };
        assert_eq!(image_from_wire(&message).unwrap(), image());
        let turned =
            image_from_wire(&sensor_msgs::Image { encoding: "bgr8".into(), ..message.clone() }).unwrap();
        assert_eq!(turned.data[0..3], [14, 7, 0]);
        let unsupported = sensor_msgs::Image { encoding: "bayer_rggb8".into(), ..message.clone() };
        assert!(image_from_wire(&unsupported).unwrap_err().to_string().contains("bayer_rggb8"));
        let short = sensor_msgs::Image { height: u32::MAX, step: u32::MAX, ..message };
        assert!(image_from_wire(&short).unwrap_err().to_string().contains("not in 416 bytes"));
    }

    #[test]
    fn files_are_made_and_read() {
        let file = file_from_pixels(&image()).unwrap();
        let message = wire_from_compressed(&file, Header::default());
        assert_eq!(message.format, "rgb8; jpeg compressed bgr8");
        assert_eq!(compressed_from_wire(&message).unwrap(), file);
        let pixels = pixels_from_file(&file).unwrap();
        assert_eq!((pixels.width, pixels.height, pixels.data.len()), (16, 8, 384));
        let grey = Image { encoding: Encoding::Mono8, width: 2, height: 1, data: vec![0, 255].into() };
        assert_eq!(wire_from_image(&grey, Header::default()).unwrap().data[..], [0, 0, 0, 255, 255, 255]);
    }

    #[test]
    fn a_file_that_claims_more_pixels_than_a_picture_has_is_refused_unread() {
        let mut file = file_from_pixels(&image()).unwrap();
        let mut data = file.data.to_vec();
        let header = data.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap();
        data[header + 5..header + 9].copy_from_slice(&[0x1f, 0x40, 0x1f, 0x40]);
        file.data = data.into();
        let refused = pixels_from_file(&file).unwrap_err().to_string();
        assert!(refused.starts_with("8000 times 8000 pixels"), "{refused}");
    }

    proptest! {
        #[test]
        fn garbage_is_refused(mut data in proptest::collection::vec(any::<u8>(), 0..64), png in any::<bool>()) {
            let start: &[u8] = if png { b"\x89PNG" } else { &[0xff, 0xd8, 0xff] };
            data.splice(0..0, start.iter().copied());
            let message = sensor_msgs::CompressedImage { data: data.into(), ..Default::default() };
            if let Ok(file) = compressed_from_wire(&message) {
                let _ = pixels_from_file(&file);
            }
        }
    }
}
