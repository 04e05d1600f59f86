//! A finished picture, and its JPEG file.

use jpeg_encoder::{ColorType, Encoder};

/// Longest side that a JPEG file can have, pixels.
const MAX_JPEG_PX: u32 = 65_535;

/// How wide the line of a rectangle is, pixels.
const BOX_PX: u32 = 2;

/// Pixels of three bytes: red, green, blue; rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The pixels.
    pub rgb: Vec<u8>,
}

/// Why there is no JPEG file.
#[derive(Debug, thiserror::Error)]
pub enum JpegError {
    /// Its sides do not fit the format or its pixels.
    #[error("{width} × {height} pixels with {bytes} bytes make no JPEG file")]
    Size {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
        /// Bytes there are.
        bytes: usize,
    },
    /// The encoder failed.
    #[error("the picture cannot be written as JPEG: {0}")]
    Encoder(#[from] jpeg_encoder::EncodingError),
}

impl Picture {
    /// The picture as a JPEG file; quality from 1 to 100.
    pub fn jpeg(&self, quality: u8) -> Result<Vec<u8>, JpegError> {
        let Self { width, height, ref rgb } = *self;
        let expected = width as usize * height as usize * 3;
        if !self.fits(MAX_JPEG_PX) || rgb.len() != expected {
            return Err(JpegError::Size { width, height, bytes: rgb.len() });
        }
        let mut file = Vec::with_capacity(rgb.len() / 8 + 1_024);
        let encoder = Encoder::new(&mut file, quality.clamp(1, 100));
        encoder.encode(rgb, width as u16, height as u16, ColorType::Rgb)?;
        Ok(file)
    }

    /// Red, green and blue of a pixel; black beyond the rim.
    pub fn at(&self, x_px: u32, y_px: u32) -> [u8; 3] {
        let start = (y_px as usize * self.width as usize + x_px as usize) * 3;
        let pixel = self.rgb.get(start..start + 3).filter(|_| x_px < self.width);
        pixel.and_then(|pixel| pixel.try_into().ok()).unwrap_or_default()
    }

    /// Draws a rectangle, given by its left, upper, right and lower end in pixels; what is beyond the rim is
    /// not drawn.
    pub fn draw_box(&mut self, [left, top, right, bottom]: [u32; 4], rgb: [u8; 3]) {
        for inset in 0..BOX_PX {
            let (left, top) = (left.saturating_add(inset), top.saturating_add(inset));
            let (right, bottom) = (right.saturating_sub(inset), bottom.saturating_sub(inset));
            for x in left..=right.min(self.width.saturating_sub(1)) {
                self.set(x, top, rgb);
                self.set(x, bottom, rgb);
            }
            for y in top..=bottom.min(self.height.saturating_sub(1)) {
                self.set(left, y, rgb);
                self.set(right, y, rgb);
            }
        }
    }

    fn set(&mut self, x_px: u32, y_px: u32, rgb: [u8; 3]) {
        let start = (y_px as usize * self.width as usize + x_px as usize) * 3;
        if let Some(pixel) = self.rgb.get_mut(start..start + 3).filter(|_| x_px < self.width) {
            pixel.copy_from_slice(&rgb);
        }
    }

    fn fits(&self, most: u32) -> bool {
        (1..=most).contains(&self.width) && (1..=most).contains(&self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_drawn_as_far_as_the_picture_goes() {
        let mut picture = Picture { width: 20, height: 10, rgb: vec![0; 600] };
        picture.draw_box([2, 3, 40, 8], [9, 9, 9]);
        assert_eq!((picture.at(2, 5), picture.at(3, 5), picture.at(4, 5)), ([9; 3], [9; 3], [0; 3]));
        assert_eq!((picture.at(19, 3), picture.at(19, 8), picture.at(1, 3)), ([9; 3], [9; 3], [0; 3]));
        picture.draw_box([u32::MAX, 0, 0, u32::MAX], [1, 1, 1]);
    }
}
