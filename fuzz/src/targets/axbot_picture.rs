//! Maps as PNG files: no panic, and what was read and painted reads the same again. The first byte tells how.

use latimer_core::model::signal::{Frame, OccupancyGrid};
use latimer_dialects::axbot::codec;
use latimer_dialects::axbot::picture::{Paint, cells_from_png, png_from_grid};

pub(super) fn run(bytes: &[u8]) {
    // Whatever comes from a robot is told apart first.
    let _ = codec::Frame::of(bytes);
    let Some((how, png)) = bytes.split_first() else { return };
    let paint = [Paint::Map, Paint::Red, Paint::Grey][usize::from(how % 3)];
    let Ok((width, height, cells)) = cells_from_png(png, paint) else { return };
    assert_eq!(cells.len(), width as usize * height as usize);
    // Painting a large one takes longer than a run may.
    if cells.len() > 1 << 16 {
        return;
    }
    let grid = OccupancyGrid {
        frame: Frame::Map,
        resolution_m: 0.05,
        width,
        height,
        origin_x_m: 0.0,
        origin_y_m: 0.0,
        origin_yaw_rad: 0.0,
        cells: cells.clone(),
    };
    let again = cells_from_png(&png_from_grid(&grid, paint), paint).expect("what was painted is read");
    assert_eq!(again, (width, height, cells));
}
