//! A picture in another size than its camera took it.

use std::io::Cursor;

use jpeg_encoder::{Encoder, EncodingError, ImageBuffer, JpegColorType, rgb_to_ycbcr};
use latimer_core::Author;
use latimer_core::memory::{Budget, Exceeded, Share};
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
    /// There is no memory to scale it.
    #[error("{0}")]
    Memory(Exceeded),
}

/// The picture scaled to width and height for a client; each pixel is the one that was nearest to its place.
pub fn resized(
    image: &CompressedImage,
    size: [u32; 2],
    memory: &Budget,
    client: &Author,
) -> Result<CompressedImage, ResizeError> {
    if image.format != PictureFormat::Jpeg {
        return Err(ResizeError::NotJpeg);
    }
    let largest = LARGEST_PX as usize;
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGB)
        .set_max_width(largest)
        .set_max_height(largest);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(&image.data), options);
    decoder.decode_headers().map_err(ResizeError::Decode)?;
    let from = decoder.dimensions().ok_or(ResizeError::NoSize)?;
    let sides = size.map(u16::try_from);
    let [Ok(wide), Ok(high)] = sides else { return Err(ResizeError::TooLarge) };
    // The pixels as they were, and at most half a byte for each that is written.
    let (pixels, written) = (3 * from.0 * from.1, usize::from(wide) * usize::from(high) / 2);
    let bytes = (pixels + written) as u64;
    let _room = memory.reserve(Share::Pictures, bytes, client).map_err(ResizeError::Memory)?;
    let pixels = decoder.decode().map_err(ResizeError::Decode)?;
    if pixels.len() < 3 * from.0 * from.1 {
        return Err(ResizeError::CutOff);
    }
    let mut data = Vec::new();
    let scaled = Scaled { pixels: &pixels, from, to: (wide, high) };
    Encoder::new(&mut data, QUALITY).encode_image(scaled).map_err(ResizeError::Encode)?;
    let [width, height] = size;
    Ok(CompressedImage { format: PictureFormat::Jpeg, width, height, data: data.into() })
}

/// A picture that is scaled row by row while it is written.
struct Scaled<'p> {
    /// Three bytes each.
    pixels: &'p [u8],
    from: (usize, usize),
    to: (u16, u16),
}

impl ImageBuffer for Scaled<'_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Ycbcr
    }

    fn width(&self) -> u16 {
        self.to.0
    }

    fn height(&self) -> u16 {
        self.to.1
    }

    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        let nearest = |place: u16, to: u16, from: usize| {
            (2 * usize::from(place) + 1) * from / (2 * usize::from(to).max(1))
        };
        let from_row = nearest(y, self.to.1, self.from.1) * self.from.0;
        for x in 0..self.to.0 {
            let start = (from_row + nearest(x, self.to.0, self.from.0)) * 3;
            // Their number was looked at.
            let Some([red, green, blue]) = self.pixels.get(start..start + 3) else { continue };
            let (luma, blue, red) = rgb_to_ycbcr(*red, *green, *blue);
            buffers[0].push(luma);
            buffers[1].push(blue);
            buffers[2].push(red);
        }
    }
}

#[cfg(test)]
mod tests {
    use jpeg_encoder::ColorType;
    use latimer_core::Clock;

    use super::*;

    fn resized(image: &CompressedImage, size: [u32; 2]) -> Result<CompressedImage, ResizeError> {
        super::resized(image, size, &Budget::new(Clock::system()), &Author::new("test", "a"))
    }

    #[test]
    fn a_picture_is_scaled_while_there_is_memory() {
        let memory = Budget::new(Clock::system());
        memory.set_total(64 << 10);
        let refused = super::resized(&halves(320, 240), [8, 8], &memory, &Author::new("test", "a"));
        assert!(matches!(refused, Err(ResizeError::Memory(_))), "{refused:?}");
    }

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
