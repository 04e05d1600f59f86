//! A picture in another size than its camera took it.

use std::io::Cursor;

use jpeg_encoder::{ColorType, Encoder, EncodingError};
use latimer_core::model::signal::CompressedImage;
use latimer_core::model::signal::image::PictureFormat;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Longest side that is read or written, pixels: that of Misty's own camera.
pub const LARGEST_PX: u32 = 4_160;

/// Quality of what is written, 1 to 100.
const QUALITY: u8 = 90;

/// Why a picture cannot be scaled.
#[derive(Debug, thiserror::Error)]
pub enum ResizeError {
    /// It has another format.
    #[error("only JPEG pictures are scaled; leave Width and Height out")]
    NotJpeg,
    /// It is no JPEG file.
    #[error("the robot's picture cannot be read: {0}")]
    Decode(DecodeErrors),
    /// Its header tells no size.
    #[error("the robot's picture cannot be read: it has no size")]
    NoSize,
    /// It has fewer pixels than its header tells.
    #[error("the robot's picture cannot be read: it breaks off")]
    CutOff,
    /// No JPEG file is so wide or high.
    #[error("the size is too large")]
    TooLarge,
    /// The scaled picture cannot be compressed.
    #[error("the picture cannot be written: {0}")]
    Encode(EncodingError),
    /// The task that scales it failed.
    #[error("it could not be scaled")]
    Task,
}

/// The picture scaled to width and height; each pixel is the one that was nearest to its place.
pub fn resized(image: &CompressedImage, size: [u32; 2]) -> Result<CompressedImage, ResizeError> {
    if image.format != PictureFormat::Jpeg {
        return Err(ResizeError::NotJpeg);
    }
    let largest = LARGEST_PX as usize;
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGB)
        .set_max_width(largest)
        .set_max_height(largest);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(&image.data), options);
    let pixels = decoder.decode().map_err(ResizeError::Decode)?;
    let (from_width, from_height) = decoder.dimensions().ok_or(ResizeError::NoSize)?;
    let [width, height] = size.map(|side| side as usize);
    let nearest = |place: usize, to: usize, from: usize| (2 * place + 1) * from / (2 * to);
    let mut scaled = Vec::with_capacity(width * height * 3);
    for row in 0..height {
        let from_row = nearest(row, height, from_height) * from_width;
        for column in 0..width {
            let start = (from_row + nearest(column, width, from_width)) * 3;
            let pixel = pixels.get(start..start + 3).ok_or(ResizeError::CutOff)?;
            scaled.extend_from_slice(pixel);
        }
    }
    let sides = size.map(u16::try_from);
    let [Ok(wide), Ok(high)] = sides else { return Err(ResizeError::TooLarge) };
    let mut data = Vec::new();
    let encoded = Encoder::new(&mut data, QUALITY).encode(&scaled, wide, high, ColorType::Rgb);
    encoded.map_err(ResizeError::Encode)?;
    let [width, height] = size;
    Ok(CompressedImage { format: PictureFormat::Jpeg, width, height, data: data.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Left half red, right half blue.
    fn halves(width: u16, height: u16) -> CompressedImage {
        let row = |_| (0..width).map(|x| if x < width / 2 { [255, 0, 0] } else { [0, 0, 255] });
        let pixels: Vec<u8> = (0..height).flat_map(row).flatten().collect();
        let mut data = Vec::new();
        Encoder::new(&mut data, 95).encode(&pixels, width, height, ColorType::Rgb).unwrap();
        let [width, height] = [width, height].map(u32::from);
        CompressedImage { format: PictureFormat::Jpeg, width, height, data: data.into() }
    }

    #[test]
    fn the_scaled_picture_shows_the_same() {
        for size in [[64, 48], [640, 480], [17, 5], [1, 1]] {
            let scaled = resized(&halves(320, 240), size).unwrap();
            assert_eq!([scaled.width, scaled.height], size);
            let mut decoder = JpegDecoder::new(Cursor::new(&scaled.data));
            let pixels = decoder.decode().unwrap();
            assert_eq!(decoder.dimensions(), Some((size[0] as usize, size[1] as usize)));
            let last = &pixels[pixels.len() - 3..];
            assert!(last[2] > 150 && last[0] < 100, "blue on the right: {last:?}");
        }
    }

    #[test]
    fn what_is_no_picture_is_reported() {
        let broken = CompressedImage { data: "no picture".into(), ..halves(16, 16) };
        assert!(resized(&broken, [8, 8]).unwrap_err().to_string().contains("cannot be read"));
        let png = CompressedImage { format: PictureFormat::Png, ..halves(16, 16) };
        assert!(resized(&png, [8, 8]).unwrap_err().to_string().contains("leave Width and Height out"));
    }
}
