//! A map that is as large as what was seen.

use crate::nav::Grid;

/// A map that grows does so by blocks of so many cells a side: 1 m.
const BLOCK: i32 = 20;

/// The part of a map that was seen, in whole blocks; the block about a place if that is nothing.
pub(super) fn seen_part(map: Grid<i8>, place: [f64; 2]) -> Grid<i8> {
    let seen = map.cells.iter().enumerate().filter(|(_, cell)| **cell >= 0).map(|(index, _)| map.cell(index));
    let ends = seen.fold(None, |ends: Option<[[i32; 2]; 2]>, [x, y]| {
        let [low, high] = ends.unwrap_or([[x, y], [x, y]]);
        Some([[low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)]])
    });
    let [low, high] = ends.unwrap_or([map.cell_at(place); 2]);
    let sides = [map.width as i32, map.height as i32];
    let from = [0, 1].map(|axis| (low[axis].div_euclid(BLOCK) * BLOCK).clamp(0, sides[axis] - 1));
    let to =
        [0, 1].map(|axis| ((high[axis].div_euclid(BLOCK) + 1) * BLOCK).clamp(from[axis] + 1, sides[axis]));
    let cells = (from[1]..to[1]).flat_map(|y| (from[0]..to[0]).map(move |x| [x, y]));
    Grid {
        resolution_m: map.resolution_m,
        origin_m: [0, 1].map(|axis| map.origin_m[axis] + f64::from(from[axis]) * map.resolution_m),
        width: (to[0] - from[0]) as usize,
        height: (to[1] - from[1]) as usize,
        cells: cells.map(|cell| map.get(cell).unwrap_or(-1)).collect(),
    }
}
