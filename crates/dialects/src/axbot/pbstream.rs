//! `.pbstream` files, the maps that a chassis finds its place on.
//!
//! ```text
//!  magic (8 bytes) │ length (8 bytes) gzip(message) │ length gzip(message) │ …      little-endian; Cartographer's container
//!                           1st: format_version            2nd: ours, in a field that Cartographer does not use
//! ```
//!
//! A file of a chassis holds what only Cartographer reads, and is kept as it is. One that is made here holds the cells of the map as
//! they are, so that they are read again without loss. To Cartographer it is a map without submaps.

use std::io::{Read as _, Write as _};

use bytes::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use latimer_core::model::signal::OccupancyGrid;

/// The first eight bytes of every file.
const MAGIC: u64 = 0x7b1d_1f7b_5bf5_01db;

/// `SerializationHeader { format_version: 2 }`
const HEADER: [u8; 2] = [0x08, 0x02];

/// The field of the second message that holds our map.
const MAP_FIELD: u64 = 4_711;

/// What our map is written as; another number is of a later program.
const VERSION: u64 = 1;

/// Most cells that are read.
const MOST_CELLS: usize = 16 << 20;

/// Most bytes of a message that are read: the cells, and some more for what is beside them.
const MOST_BYTES: u64 = (MOST_CELLS + 1_024) as u64;

/// A file that was made here but cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PbstreamError {
    /// It ends before its time.
    #[error("the pbstream file is not whole; fetch it again")]
    Truncated,
    /// What is in it is no map.
    #[error("the pbstream file was made here, but what is in it is no map")]
    Invalid,
    /// It is too large.
    #[error("the pbstream file holds more than {MOST_CELLS} cells")]
    TooLarge,
    /// A later version wrote it.
    #[error("the pbstream file was made by a later version of this program")]
    Later,
}

/// A map as a file.
pub fn pbstream_from_grid(grid: &OccupancyGrid) -> Bytes {
    let OccupancyGrid {
        frame: _,
        resolution_m,
        width,
        height,
        origin_x_m,
        origin_y_m,
        origin_yaw_rad: _,
        cells,
    } = grid;
    let mut map = Vec::with_capacity(cells.len() + 64);
    number(&mut map, 1, VERSION);
    fixed(&mut map, 2, *resolution_m);
    number(&mut map, 3, u64::from(*width));
    number(&mut map, 4, u64::from(*height));
    fixed(&mut map, 5, *origin_x_m);
    fixed(&mut map, 6, *origin_y_m);
    piece(&mut map, 7, cells);
    let mut message = Vec::with_capacity(map.len() + 16);
    piece(&mut message, MAP_FIELD, &map);
    let mut file = MAGIC.to_le_bytes().to_vec();
    for message in [HEADER.as_slice(), &message] {
        let packed = gzip(message);
        file.extend((packed.len() as u64).to_le_bytes());
        file.extend(packed);
    }
    file.into()
}

/// The map of a file that was made here; `None` of any other file.
pub fn grid_from_pbstream(file: &[u8]) -> Result<Option<OccupancyGrid>, PbstreamError> {
    let Some(rest) = file.strip_prefix(&MAGIC.to_le_bytes()) else { return Ok(None) };
    // Chassis' own are not looked into any further than this.
    let Some((header, rest)) = packed(rest) else { return Ok(None) };
    if gunzip(header, 1_024).is_none_or(|header| header != HEADER) {
        return Ok(None);
    }
    let Some((second, _)) = packed(rest) else {
        return if is_ours(rest) { Err(PbstreamError::Truncated) } else { Ok(None) };
    };
    if !is_ours_packed(second) {
        return Ok(None);
    }
    let message = gunzip(second, MOST_BYTES).ok_or(PbstreamError::TooLarge)?;
    let map = Fields(&message).find_map(|it| match it {
        (MAP_FIELD, Value::Piece(map)) => Some(map),
        _ => None,
    });
    grid(map.ok_or(PbstreamError::Invalid)?).map(Some)
}

fn grid(map: &[u8]) -> Result<OccupancyGrid, PbstreamError> {
    let (mut version, mut sides, mut metres, mut cells) = (0, [0; 2], [f64::NAN; 3], None);
    for field in Fields(map) {
        match field {
            (1, Value::Number(value)) => version = value,
            (3, Value::Number(value)) => sides[0] = value,
            (4, Value::Number(value)) => sides[1] = value,
            (2, Value::Fixed(value)) => metres[0] = value,
            (5, Value::Fixed(value)) => metres[1] = value,
            (6, Value::Fixed(value)) => metres[2] = value,
            (7, Value::Piece(value)) => cells = Some(value),
            _ => {}
        }
    }
    if version > VERSION {
        return Err(PbstreamError::Later);
    }
    let cells = cells.ok_or(PbstreamError::Invalid)?;
    let [resolution_m, origin_x_m, origin_y_m] = metres;
    let [width, height] = sides.map(|side| u32::try_from(side).unwrap_or(0));
    let count = (width as usize).checked_mul(height as usize);
    let makes_sense = resolution_m > 0.0 && metres.iter().all(|it| it.is_finite()) && !cells.is_empty();
    if !makes_sense || count != Some(cells.len()) || version == 0 {
        return Err(PbstreamError::Invalid);
    }
    let cells = Bytes::copy_from_slice(cells);
    Ok(OccupancyGrid { resolution_m, width, height, origin_x_m, origin_y_m, cells, ..OccupancyGrid::UPRIGHT })
}

/// The first packed message, and what comes after it; `None` if it is not whole.
fn packed(file: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = file.split_first_chunk::<8>()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

/// Whether what is there of a packed message with its length is ours.
fn is_ours(rest: &[u8]) -> bool {
    rest.get(8..).is_some_and(is_ours_packed)
}

/// Whether a packed message begins with our field.
fn is_ours_packed(packed: &[u8]) -> bool {
    let mut tag = Vec::new();
    varint(&mut tag, MAP_FIELD << 3 | 2);
    let mut begins = vec![0; tag.len()];
    GzDecoder::new(packed).read_exact(&mut begins).is_ok() && begins == tag
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    // A vector takes whatever is written.
    let _ = packer.write_all(bytes);
    packer.finish().unwrap_or_default()
}

/// The bytes that were packed, if they are so many at most and whole.
fn gunzip(packed: &[u8], most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn number(out: &mut Vec<u8>, field: u64, value: u64) {
    varint(out, field << 3);
    varint(out, value);
}

fn fixed(out: &mut Vec<u8>, field: u64, value: f64) {
    varint(out, field << 3 | 1);
    out.extend(value.to_le_bytes());
}

fn piece(out: &mut Vec<u8>, field: u64, value: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, value.len() as u64);
    out.extend(value);
}

/// What a field of a message holds.
enum Value<'a> {
    Number(u64),
    Fixed(f64),
    Piece(&'a [u8]),
}

/// The fields of a message, up to the first that cannot be read.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u64, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let tag = self.varint()?;
        let value = match tag & 7 {
            0 => Value::Number(self.varint()?),
            1 => {
                let (bytes, rest) = self.0.split_first_chunk::<8>()?;
                self.0 = rest;
                Value::Fixed(f64::from_le_bytes(*bytes))
            }
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                let (bytes, rest) = self.0.split_at_checked(length)?;
                self.0 = rest;
                Value::Piece(bytes)
            }
            _ => return None,
        };
        Some((tag >> 3, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hall() -> OccupancyGrid {
        let cells: Vec<u8> = (0..60_u32).map(|it| [0, 7, 100, 255][it as usize % 4]).collect();
        OccupancyGrid {
            resolution_m: 0.05,
            width: 10,
            height: 6,
            origin_x_m: -1.234_567_890_123,
            origin_y_m: 7.5,
            cells: cells.into(),
            ..OccupancyGrid::UPRIGHT
        }
    }

    #[test]
    fn what_is_written_is_read_again_without_loss() {
        let file = pbstream_from_grid(&hall());
        assert_eq!(grid_from_pbstream(&file), Ok(Some(hall())));
        assert_eq!(pbstream_from_grid(&hall()), file, "the same map is the same file");
    }

    #[test]
    fn it_is_the_container_that_cartographer_reads() {
        let file = pbstream_from_grid(&hall());
        assert_eq!(file[..8], [0xdb, 0x01, 0xf5, 0x5b, 0x7b, 0x1f, 0x1d, 0x7b]);
        let (mut rest, mut messages) = (&file[8..], Vec::new());
        while let Some((message, after)) = packed(rest) {
            messages.push(gunzip(message, 1 << 20).unwrap());
            rest = after;
        }
        assert!(rest.is_empty() && messages.len() == 2 && messages[0] == HEADER);
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let mut foreign = MAGIC.to_le_bytes().to_vec();
        for message in [[0x08, 0x02].as_slice(), &[0x0a, 0x00]] {
            let packed = gzip(message);
            foreign.extend((packed.len() as u64).to_le_bytes());
            foreign.extend(packed);
        }
        let magic = MAGIC.to_le_bytes();
        for file in [&[][..], b"the scanner's own", &magic, &foreign, &foreign[..foreign.len() - 3]] {
            assert_eq!(grid_from_pbstream(file), Ok(None), "{file:?}");
        }
    }

    #[test]
    fn a_broken_file_of_ours_is_reported() {
        let file = pbstream_from_grid(&hall());
        assert_eq!(grid_from_pbstream(&file[..file.len() - 9]), Err(PbstreamError::Truncated));
        let made = |map: &[u8]| {
            let mut message = Vec::new();
            piece(&mut message, MAP_FIELD, map);
            let mut file = MAGIC.to_le_bytes().to_vec();
            for message in [HEADER.as_slice(), &message] {
                let packed = gzip(message);
                file.extend((packed.len() as u64).to_le_bytes());
                file.extend(packed);
            }
            grid_from_pbstream(&file)
        };
        assert_eq!(made(&[]), Err(PbstreamError::Invalid));
        assert_eq!(made(&[0x08, 0x02]), Err(PbstreamError::Later));
        let mut few = Vec::new();
        number(&mut few, 1, 1);
        fixed(&mut few, 2, 0.05);
        number(&mut few, 3, u64::from(u32::MAX));
        number(&mut few, 4, u64::from(u32::MAX));
        fixed(&mut few, 5, 0.0);
        fixed(&mut few, 6, 0.0);
        piece(&mut few, 7, &[0; 4]);
        assert_eq!(made(&few), Err(PbstreamError::Invalid));
        assert_eq!(made(&vec![0; MOST_CELLS + 2_000]), Err(PbstreamError::TooLarge), "a bomb");
    }
}
