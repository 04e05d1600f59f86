//! How large a picture is that came from elsewhere, by the header of its JPEG file.

/// Markers of the JPEG format: what begins each, the file's begin and end, and its data's begin.
const MARK: u8 = 0xff;
const START: u8 = 0xd8;
const END: u8 = 0xd9;
const DATA: u8 = 0xda;

/// Width and height in pixels; nothing if it is no JPEG file.
pub fn jpeg_size(file: &[u8]) -> Option<[u32; 2]> {
    let mut rest = file.strip_prefix(&[MARK, START])?;
    loop {
        rest = rest.strip_prefix(&[MARK])?;
        // A marker may begin with several of these bytes.
        while let Some(more) = rest.strip_prefix(&[MARK]) {
            rest = more;
        }
        let (&marker, more) = rest.split_first()?;
        if matches!(marker, 0 | START | END | DATA) {
            return None;
        }
        let (length, _) = more.split_first_chunk::<2>()?;
        let segment = more.get(2..usize::from(u16::from_be_bytes(*length)))?;
        // Frames of every kind; three markers of this range are of tables.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let [_, high, low, wide_high, wide_low] = *segment.first_chunk::<5>()?;
            let side = |high: u8, low: u8| u32::from(u16::from_be_bytes([high, low]));
            let size = [side(wide_high, wide_low), side(high, low)];
            return size.iter().all(|side| *side > 0).then_some(size);
        }
        rest = more.get(usize::from(u16::from_be_bytes(*length))..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Picture;

    fn file(width: u32, height: u32) -> Vec<u8> {
        Picture { width, height, rgb: vec![90; (width * height * 3) as usize] }.jpeg(80).unwrap()
    }

    #[test]
    fn the_size_is_read_from_the_header() {
        for [width, height] in [[1, 1], [320, 240], [33, 517]] {
            assert_eq!(jpeg_size(&file(width, height)), Some([width, height]));
        }
    }

    #[test]
    fn any_bytes_are_looked_at_without_harm() {
        let whole = file(64, 48);
        let header = (0..whole.len()).find(|end| jpeg_size(&whole[..*end]).is_some()).unwrap();
        assert!(header < whole.len() && (0..header).all(|end| jpeg_size(&whole[..end]).is_none()));
        for wrong in
            [&b""[..], b"\x89PNG\r\n", &[0xff; 64], &[0xff, 0xd8, 0xff, 0xe0, 0, 0, 1, 2], &[0xff, 0xd8]]
        {
            assert_eq!(jpeg_size(wrong), None);
        }
        let mut rng = crate::rng::Rng::new(3);
        for _ in 0..2_000 {
            let mut bytes = whole.clone();
            for _ in 0..8 {
                let index = (rng.bits() % 700) as usize % bytes.len();
                bytes[index] = rng.bits() as u8;
            }
            jpeg_size(&bytes);
        }
    }
}
