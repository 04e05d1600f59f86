//! Maps as PNG files, both ways.
//!
//! A grid's rows begin at the lower left, a picture's on top. `shade` says which number stands for which cost,
//! `colour` what the colours of others stand for.

mod colour;
mod read;
mod shade;

use std::borrow::Cow;

use bytes::Bytes;
use latimer_core::model::signal::OccupancyGrid;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use sha2::{Digest, Sha256};

pub use read::cells_from_png;

/// How a grid is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Paint {
    /// A map in grey: 254 free, 205 unknown, 0 occupied, as ROS's map server writes them.
    Map,
    /// Obstacles with the palette of the specification.
    Red,
    /// Obstacles in grey: 200 and more is an obstacle.
    Grey,
}

/// A picture that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the picture {0}")]
pub struct PictureError(pub String);

/// Most cells of a picture, read or written.
const MAX_CELLS: u64 = 16_000_000;

/// A grid as a PNG file, row 0 on top. Cells that the grid lacks are unknown.
///
/// Empty if the grid has no cells, as a picture has at least one pixel, or more than a picture may have.
pub fn png_from_grid(grid: &OccupancyGrid, paint: Paint) -> Bytes {
    if u64::from(grid.width) * u64::from(grid.height) > MAX_CELLS {
        return Bytes::new();
    }
    write(grid, paint).unwrap_or_default().into()
}

fn write(grid: &OccupancyGrid, paint: Paint) -> Result<Vec<u8>, EncodingError> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, grid.width, grid.height);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    if paint == Paint::Red {
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(Cow::Borrowed(&shade::PALETTE[..]));
        encoder.set_trns(Cow::Borrowed(&shade::ALPHAS[..]));
    } else {
        encoder.set_color(ColorType::Grayscale);
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels(grid, paint))?;
    writer.finish()?;
    Ok(file)
}

/// A picture of three bytes a pixel, red, green and blue, rows from the top; empty if there are too few.
pub(super) fn png_from_rgb(width: u32, height: u32, pixels: &[u8]) -> Bytes {
    let encoded = || -> Result<Vec<u8>, EncodingError> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, width, height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Balanced);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(pixels)?;
        writer.finish()?;
        Ok(file)
    };
    encoded().unwrap_or_default().into()
}

/// The grey of a map's cell.
pub(super) const fn map_grey(cell: i8) -> u8 {
    shade::number(Paint::Map, cell)
}

/// A byte a pixel, rows from the top.
fn pixels(grid: &OccupancyGrid, paint: Paint) -> Vec<u8> {
    let width = grid.width as usize;
    let size = width.saturating_mul(grid.height as usize);
    let known = grid.cells.get(..size).unwrap_or(&grid.cells);
    let mut pixels = Vec::with_capacity(size);
    for row in (0..grid.height as usize).rev() {
        let cells = known.get(row * width..).unwrap_or_default();
        let cells = cells.get(..width).unwrap_or(cells);
        pixels.extend(cells.iter().map(|cell| shade::number(paint, cell.cast_signed())));
        pixels.resize(pixels.len() + width - cells.len(), shade::number(paint, shade::UNKNOWN));
    }
    pixels
}

/// Where pictures are, below a robot's own address.
pub(super) const FOLDER: &str = "static-files/";

/// The address under which a picture is kept.
pub(super) fn address(word: &str, png: &Bytes) -> String {
    let hash: String = Sha256::digest(png).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{FOLDER}{word}-{hash}.png")
}

#[cfg(test)]
mod tests;
