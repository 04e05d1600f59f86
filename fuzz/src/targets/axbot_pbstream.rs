//! Maps as pbstream files: no panic, and what was read is written and read again as it was.

use latimer_dialects::axbot::pbstream::{grid_from_pbstream, pbstream_from_grid};

pub(super) fn run(file: &[u8]) {
    let Ok(Some(grid)) = grid_from_pbstream(file) else { return };
    // Packing a large one takes longer than a run may.
    if grid.cells.len() > 1 << 16 {
        return;
    }
    assert_eq!(grid_from_pbstream(&pbstream_from_grid(&grid)), Ok(Some(grid)));
}
