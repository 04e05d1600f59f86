//! Width and height of picture files, from their headers.

use latimer_core::model::signal::image::PictureFormat;

/// Width and height from the header of a file; `None` if it is not one of the format.
pub(crate) fn picture_size(format: PictureFormat, data: &[u8]) -> Option<(u32, u32)> {
    match format {
        PictureFormat::Jpeg => jpeg_size(data),
        PictureFormat::Png => png_size(data),
    }
}

fn two_bytes(data: &[u8], at: usize) -> Option<u32> {
    let bytes = data.get(at..at.checked_add(2)?)?;
    Some(u32::from(bytes[0]) << 8 | u32::from(bytes[1]))
}

/// Width and height from the frame header of a JPEG file.
fn jpeg_size(data: &[u8]) -> Option<(u32, u32)> {
    let mut at = data.starts_with(&[0xff, 0xd8]).then_some(2)?;
    loop {
        let [0xff, marker] = *data.get(at..at + 2)? else { return None };
        match marker {
            // Fill bytes.
            0xff => at += 1,
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                return Some((two_bytes(data, at + 7)?, two_bytes(data, at + 5)?));
            }
            _ => at += 2 + two_bytes(data, at + 2)? as usize,
        }
    }
}

/// Width and height from the header of a PNG file.
fn png_size(data: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| data.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    data.starts_with(b"\x89PNG").then_some(())?;
    Some((number(16)?, number(20)?))
}
