//! The cells that a straight line passes, one after another (Amanatides and Woo's walk).

use super::{Cell, Grid};

/// All cells from the one of a point to the one of another; each shares a side with the one before.
pub(super) fn cells_between<T: Copy>(grid: &Grid<T>, from: [f64; 2], to: [f64; 2]) -> Walk {
    let (start, end) = (grid.cell_at(from), grid.cell_at(to));
    let way = |axis: usize| to[axis] - from[axis];
    let border = |axis: usize| {
        let ahead = f64::from(start[axis]) + if way(axis) > 0.0 { 1.0 } else { 0.0 };
        (grid.origin_m[axis] + ahead * grid.resolution_m - from[axis]) / way(axis)
    };
    let left = [0, 1].map(|axis| (end[axis] - start[axis]).unsigned_abs());
    Walk {
        cell: Some(start),
        step: [0, 1].map(|axis| (end[axis] - start[axis]).signum()),
        left,
        next: [0, 1].map(|axis| if left[axis] > 0 { border(axis) } else { f64::INFINITY }),
        stride: [0, 1].map(|axis| grid.resolution_m / way(axis).abs()),
    }
}

/// The walk.
pub(super) struct Walk {
    cell: Option<Cell>,
    step: [i32; 2],
    /// How many columns and rows are still to go; counting them ends the walk in the very last cell.
    left: [u32; 2],
    /// Where on the line, 0..1, the next column and row begin.
    next: [f64; 2],
    stride: [f64; 2],
}

impl Iterator for Walk {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let cell = self.cell?;
        let axis = match self.left {
            [0, 0] => {
                self.cell = None;
                return Some(cell);
            }
            [_, 0] => 0,
            [0, _] => 1,
            _ => usize::from(self.next[1] < self.next[0]),
        };
        let mut ahead = cell;
        ahead[axis] += self.step[axis];
        self.left[axis] -= 1;
        self.next[axis] += self.stride[axis];
        self.cell = Some(ahead);
        Some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_goes_side_by_side_and_never_leaves_its_line() {
        let grid = Grid::over([0.0, 0.0], [2.0, 2.0], 0.0, 0.1, 0_u8);
        for (from, to) in [
            ([0.05, 0.05], [1.95, 1.2]),
            ([1.9, 0.3], [0.1, 1.7]),
            ([1.0, 1.0], [1.0, 0.1]),
            ([0.5, 0.5], [0.5, 0.5]),
            ([0.0, 0.0], [1.0, 1.0]),
        ] {
            let cells: Vec<Cell> = cells_between(&grid, from, to).collect();
            assert_eq!(cells.first(), Some(&grid.cell_at(from)));
            assert_eq!(cells.last(), Some(&grid.cell_at(to)));
            for pair in cells.windows(2) {
                assert_eq!((pair[0][0] - pair[1][0]).abs() + (pair[0][1] - pair[1][1]).abs(), 1);
            }
            let length = (to[0] - from[0]).hypot(to[1] - from[1]).max(1e-9);
            for cell in cells {
                let [x, y] = grid.middle_of(cell);
                let off = (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]);
                assert!((off / length).abs() < 0.0708, "{cell:?} of {from:?} {to:?}");
            }
        }
    }
}
