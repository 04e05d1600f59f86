//! A finished picture, and its JPEG file.

use jpeg_encoder::{ColorType, Encoder};

/// Longest side that a JPEG file can have, pixels.
const MAX_JPEG_PX: u32 = 65_535;

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

    fn fits(&self, most: u32) -> bool {
        (1..=most).contains(&self.width) && (1..=most).contains(&self.height)
    }
}
