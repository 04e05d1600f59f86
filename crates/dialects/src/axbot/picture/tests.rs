use proptest::prelude::*;

use super::*;

fn grid(width: u32, height: u32, cells: &[i8]) -> OccupancyGrid {
    OccupancyGrid {
        resolution_m: 0.05,
        width,
        height,
        cells: cells.iter().map(|cell| cell.cast_unsigned()).collect(),
        ..OccupancyGrid::UPRIGHT
    }
}

fn signed(cells: &Bytes) -> Vec<i8> {
    cells.iter().map(|cell| cell.cast_signed()).collect()
}

fn painted(width: u32, height: u32, kind: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(kind);
    encoder.set_depth(depth);
    if kind == ColorType::Indexed {
        encoder.set_palette(&[255, 255, 255, 139, 0, 0, 255, 170, 170, 128, 128, 128][..]);
    }
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    file
}

/// Every sample as it is in the file.
fn raw(file: &[u8]) -> (ColorType, BitDepth, Vec<u8>) {
    let decoder = png::Decoder::new(std::io::Cursor::new(file));
    let mut reader = decoder.read_info().unwrap();
    let mut samples = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut samples).unwrap();
    assert!(!reader.info().interlaced);
    (frame.color_type, frame.bit_depth, samples)
}

#[test]
fn every_cost_comes_back() {
    let all: Vec<i8> = (-1..=100).collect();
    for paint in [Paint::Map, Paint::Red, Paint::Grey] {
        let png = png_from_grid(&grid(51, 2, &all), paint);
        let (width, height, cells) = cells_from_png(&png, paint).unwrap();
        assert_eq!((width, height, signed(&cells)), (51, 2, all.clone()), "{paint:?}");
    }
}

#[test]
fn row_0_is_on_top() {
    // Lower left occupied, upper right unknown.
    let png = png_from_grid(&grid(3, 2, &[100, 0, 0, 0, 0, -1]), Paint::Map);
    assert_eq!(raw(&png).2, [254, 254, 205, 0, 254, 254]);
    let (_, _, cells) = cells_from_png(&png, Paint::Map).unwrap();
    assert_eq!(signed(&cells), [100, 0, 0, 0, 0, -1]);
}

#[test]
fn obstacles_have_200_and_more_and_what_is_near_them_less() {
    let all: Vec<i8> = (-1..=100).collect();
    let grey = raw(&png_from_grid(&grid(102, 1, &all), Paint::Grey));
    let red = raw(&png_from_grid(&grid(102, 1, &all), Paint::Red));
    assert_eq!((grey.0, grey.1), (ColorType::Grayscale, BitDepth::Eight));
    assert_eq!((red.0, red.1), (ColorType::Indexed, BitDepth::Eight));
    assert_eq!(grey.2, red.2, "who reads samples sees the same numbers");
    let [unknown, free, near @ .., obstacle] = &grey.2[..] else { panic!() };
    assert!(*unknown < 200 && !near.contains(unknown), "{unknown}");
    assert_eq!((*free, *obstacle, near[0], near[98]), (0, 254, 1, 199));
    assert!(near.is_sorted_by(|a, b| a < b));
}

#[test]
fn a_viewer_sees_the_colours_of_the_papers() {
    let png = png_from_grid(&grid(4, 1, &[0, 100, 99, 10]), Paint::Red);
    let mut decoder = png::Decoder::new(std::io::Cursor::new(&png));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut seen = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut seen).unwrap();
    let [free, obstacle, near, far] = [0, 1, 2, 3].map(|i| &seen[4 * i..4 * i + 4]);
    assert_eq!(free[3], 0);
    assert!(obstacle[0] > 100 && obstacle[1] < 50 && obstacle[3] == 255, "dark red: {obstacle:?}");
    assert!(near[0] == 255 && near[1] > 100 && near[1] < far[1], "light red, stronger when near: {near:?}");
    // The same picture after a program made plain colours of it.
    let colours = painted(4, 1, ColorType::Rgba, BitDepth::Eight, &seen);
    let (_, _, cells) = cells_from_png(&colours, Paint::Red).unwrap();
    assert_eq!(signed(&cells), [0, 100, 50, 50]);
}

#[test]
fn reads_what_others_paint() {
    let read = |file: &[u8], paint| signed(&cells_from_png(file, paint).unwrap().2);
    let nibbles = painted(3, 1, ColorType::Grayscale, BitDepth::Four, &[0x0c, 0xf0]);
    assert_eq!(read(&nibbles, Paint::Map), [100, -1, 0], "a map of four bits has an unknown, too");
    let bits = painted(3, 2, ColorType::Grayscale, BitDepth::One, &[0b0110_0000, 0b1000_0000]);
    assert_eq!(read(&bits, Paint::Map), [0, 100, 100, 100, 0, 0]);
    let pairs = painted(4, 1, ColorType::Grayscale, BitDepth::Two, &[0b0001_1011]);
    assert_eq!(read(&pairs, Paint::Map), [100, 67, 33, 0]);
    let palette = painted(4, 1, ColorType::Indexed, BitDepth::Two, &[0b0001_1011]);
    assert_eq!(read(&palette, Paint::Red), [0, 100, 50, -1]);
    let grey = painted(3, 1, ColorType::Grayscale, BitDepth::Eight, &[0, 220, 199]);
    assert_eq!(read(&grey, Paint::Red), [0, 100, 99]);
    let colours = painted(3, 1, ColorType::Rgb, BitDepth::Eight, &[255, 255, 255, 180, 0, 0, 255, 200, 200]);
    assert_eq!(read(&colours, Paint::Grey), [0, 100, 50]);
    let deep = painted(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0, 0, 254, 7]);
    assert_eq!(read(&deep, Paint::Map), [100, 0]);
    let seen = painted(3, 1, ColorType::GrayscaleAlpha, BitDepth::Eight, &[0, 255, 254, 255, 0, 0]);
    assert_eq!(read(&seen, Paint::Map), [100, 0, -1]);
}

#[test]
fn says_why_a_picture_cannot_be_read() {
    let problem = |png: &[u8]| cells_from_png(png, Paint::Map).unwrap_err().to_string();
    assert!(problem(b"").contains("send a PNG file"));
    assert!(problem(b"\xff\xd8\xff\xe0 a JPEG").contains("send a PNG file"));
    let mut whole = png_from_grid(&grid(2, 2, &[0; 4]), Paint::Map).to_vec();
    for length in 0..whole.len() - 12 {
        assert!(cells_from_png(&whole[..length], Paint::Map).is_err(), "{length}");
    }
    // A small file that claims to be a large picture.
    whole[16..24].copy_from_slice(&[0, 0, 0x40, 0, 0, 0, 0x40, 0]);
    let check = crc(&whole[12..29]);
    whole[29..33].copy_from_slice(&check.to_be_bytes());
    assert!(problem(&whole).contains("16384 times 16384"), "{}", problem(&whole));
}

/// The checksum of a chunk, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
    !bytes.iter().fold(!0_u32, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

#[test]
fn a_grid_without_cells_is_no_picture_and_missing_cells_are_unknown() {
    assert!(png_from_grid(&grid(0, 3, &[]), Paint::Map).is_empty());
    assert!(png_from_grid(&grid(u32::MAX, u32::MAX, &[0]), Paint::Map).is_empty(), "nobody has so much room");
    let png = png_from_grid(&grid(2, 2, &[0, 100, 7]), Paint::Grey);
    assert_eq!(signed(&cells_from_png(&png, Paint::Grey).unwrap().2), [0, 100, 7, -1]);
}

fn kinds() -> impl Strategy<Value = (ColorType, BitDepth)> {
    use BitDepth::{Eight, Four, One, Sixteen, Two};
    use ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    let few = [One, Two, Four, Eight].map(|depth| (Grayscale, depth));
    let indexed = [Two, Four, Eight].map(|depth| (Indexed, depth));
    let colours = [Rgb, Rgba, GrayscaleAlpha, Grayscale].map(|kind| (kind, Sixteen));
    let bytes = [Rgb, Rgba, GrayscaleAlpha].map(|kind| (kind, Eight));
    proptest::sample::select([&few[..], &indexed, &colours, &bytes].concat())
}

proptest! {
    #[test]
    fn whatever_is_painted_is_read(
        (kind, depth) in kinds(),
        (width, height) in (1_u32..40, 1_u32..40),
        seed in proptest::collection::vec(any::<u8>(), 64),
    ) {
        let row = (width as usize * depth as usize * kind.samples()).div_ceil(8);
        let data: Vec<u8> = seed.iter().copied().cycle().take(row * height as usize).collect();
        let file = painted(width, height, kind, depth, &data);
        for paint in [Paint::Map, Paint::Red, Paint::Grey] {
            let (read_width, read_height, cells) = cells_from_png(&file, paint).unwrap();
            prop_assert_eq!((read_width, read_height), (width, height));
            prop_assert_eq!(cells.len(), (width * height) as usize);
            prop_assert!(signed(&cells).iter().all(|cell| (-1..=100).contains(cell)));
        }
    }

    #[test]
    fn garbage_is_no_picture(bytes in proptest::collection::vec(any::<u8>(), 0..200), place in 8_usize..60) {
        prop_assert!(cells_from_png(&bytes, Paint::Map).is_err());
        let mut file = png_from_grid(&grid(9, 9, &[50; 81]), Paint::Red).to_vec();
        // Whatever stands behind a broken place, there is no panic.
        for (at, byte) in file.iter_mut().skip(place).zip(&bytes) {
            *at = *byte;
        }
        let _ = cells_from_png(&file, Paint::Red);
    }
}
