//! PNG files as cells: eight bits of grey or fewer, palettes, colours.

use std::io::Cursor;

use bytes::Bytes;
use png::{BitDepth, ColorType, Decoder, DecodingError, Info, Limits, Transformations};

use super::shade::PALETTE;
use super::{MAX_CELLS, Paint, PictureError, colour, shade};

/// Most bytes that the decoder may take beside its rows.
const MAX_DECODER_BYTES: usize = 16 << 20;

/// The cells of a PNG file, rows from the lower left, with width and height.
pub fn cells_from_png(png: &[u8], paint: Paint) -> Result<(u32, u32, Bytes), PictureError> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(png), Limits { bytes: MAX_DECODER_BYTES });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::STRIP_16);
    let header = decoder.read_header_info().map_err(unreadable)?;
    let (width, height) = header.size();
    if u64::from(width) * u64::from(height) > MAX_CELLS {
        return Err(PictureError(format!(
            "has {width} times {height} pixels, the limit is {MAX_CELLS} in all; send a coarser one"
        )));
    }
    let mut reader = decoder.read_info().map_err(unreadable)?;
    let size = reader.output_buffer_size().ok_or_else(|| PictureError("is too large".into()))?;
    let meaning = Meaning::of(reader.info(), reader.output_color_type(), paint);
    let mut cells = Vec::with_capacity(width as usize * height as usize);
    if reader.info().interlaced {
        let mut samples = vec![0; size];
        let frame = reader.next_frame(&mut samples).map_err(unreadable)?;
        for row in samples.chunks(frame.line_size.max(1)).take(height as usize).rev() {
            meaning.append(row, width as usize, &mut cells);
        }
    } else {
        // Row by row, since colours take four times as much as cells.
        while let Some(row) = reader.next_row().map_err(unreadable)? {
            meaning.append(row.data(), width as usize, &mut cells);
        }
        reader.finish().map_err(unreadable)?;
        reverse_rows(&mut cells, width as usize);
    }
    Ok((width, height, cells.into()))
}

/// Puts the last row first.
fn reverse_rows(cells: &mut [u8], width: usize) {
    let mut rows = cells.chunks_exact_mut(width.max(1));
    while let (Some(first), Some(last)) = (rows.next(), rows.next_back()) {
        first.swap_with_slice(last);
    }
}

fn unreadable(error: DecodingError) -> PictureError {
    let limit = matches!(error, DecodingError::LimitsExceeded);
    let hint = if limit { "send a smaller one" } else { "send a PNG file" };
    PictureError(format!("cannot be read: {error}; {hint}"))
}

/// What the samples of a picture stand for.
enum Meaning {
    /// Each is looked up; so many bits hold one.
    Table { bits: usize, cells: Box<[i8; 256]> },
    /// So many samples make a pixel of grey or of colour.
    Pixels { samples: usize, grey: bool, paint: Paint },
}

impl Meaning {
    fn of(info: &Info<'_>, (kind, depth): (ColorType, BitDepth), paint: Paint) -> Self {
        let bits = depth as usize;
        match kind {
            ColorType::Grayscale => {
                let most = (1_u16 << bits.min(8)) - 1;
                let cells = |sample: u16| {
                    let number = u32::from(sample.min(most)) * 255 / u32::from(most);
                    shade::cell(paint, number as u8, bits < 8)
                };
                Self::Table { bits, cells: Box::new(std::array::from_fn(|sample| cells(sample as u16))) }
            }
            ColorType::Indexed => {
                let palette = info.palette.as_deref().unwrap_or_default();
                let alphas = info.trns.as_deref().unwrap_or_default();
                let is_ours = *palette == PALETTE[..] && paint != Paint::Map;
                let cell = |sample: usize| match palette.get(3 * sample..) {
                    _ if is_ours => shade::cell(Paint::Red, sample as u8, false),
                    Some([red, green, blue, ..]) => {
                        let alpha = alphas.get(sample).copied().unwrap_or(255);
                        colour::cell(paint, [*red, *green, *blue, alpha])
                    }
                    _ => shade::UNKNOWN,
                };
                Self::Table { bits, cells: Box::new(std::array::from_fn(cell)) }
            }
            ColorType::GrayscaleAlpha => Self::Pixels { samples: 2, grey: true, paint },
            ColorType::Rgb => Self::Pixels { samples: 3, grey: false, paint },
            ColorType::Rgba => Self::Pixels { samples: 4, grey: false, paint },
        }
    }

    /// Appends the cells of one row.
    fn append(&self, row: &[u8], width: usize, cells: &mut Vec<u8>) {
        match self {
            Self::Table { bits, cells: table } => {
                let begin = cells.len();
                if *bits == 8 {
                    cells.extend_from_slice(row.get(..width).unwrap_or(row));
                } else {
                    let mask = ((1_u16 << bits) - 1) as u8;
                    for byte in row {
                        cells.extend((0..8 / bits).rev().map(|place| (byte >> (place * bits)) & mask));
                    }
                    cells.truncate(begin + width);
                }
                // In place: a chain of iterators over samples takes ten times as long where nothing is inlined.
                for cell in cells.get_mut(begin..).unwrap_or_default() {
                    *cell = table[usize::from(*cell)].cast_unsigned();
                }
            }
            Self::Pixels { samples, grey, paint } => {
                let cell = |pixel: &[u8]| match *pixel {
                    [number, alpha] if *grey && *paint != Paint::Map && alpha >= 128 => {
                        shade::cell(*paint, number, false)
                    }
                    [number, alpha] => colour::cell(*paint, [number, number, number, alpha]),
                    [red, green, blue] => colour::cell(*paint, [red, green, blue, 255]),
                    [red, green, blue, alpha] => colour::cell(*paint, [red, green, blue, alpha]),
                    _ => shade::UNKNOWN,
                };
                let pixels = row.chunks_exact(*samples).take(width);
                cells.extend(pixels.map(|pixel| cell(pixel).cast_unsigned()));
            }
        }
    }
}
