//! A grid of cells over a part of the floor, and the way from points to cells and back.

/// A cell by column and row, from 0 at the lower left; beyond the grid if it was asked for there.
pub type Cell = [i32; 2];

/// Cells farther off than this are of no grid; keeps sums of cell numbers from overflowing.
const FAR: f64 = 1e6;

/// A grid, row by row from its lower left corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<T> {
    /// Side of a cell, metres.
    pub resolution_m: f64,
    /// The lower left corner of the lower left cell, metres.
    pub origin_m: [f64; 2],
    /// How many columns.
    pub width: usize,
    /// How many rows.
    pub height: usize,
    /// The cells.
    pub cells: Vec<T>,
}

impl<T: Copy> Grid<T> {
    /// A grid that covers a rectangle and some more around it.
    pub fn over(low_m: [f64; 2], high_m: [f64; 2], more_m: f64, resolution_m: f64, fill: T) -> Self {
        let more = (more_m / resolution_m - 1e-6).ceil();
        let origin_m = low_m.map(|low| low - more * resolution_m);
        let count = |axis: usize| {
            ((high_m[axis] - low_m[axis]) / resolution_m - 1e-6).ceil().max(1.0) as usize + 2 * more as usize
        };
        let (width, height) = (count(0), count(1));
        Self { resolution_m, origin_m, width, height, cells: vec![fill; width * height] }
    }

    /// A grid of the same shape made cell by cell.
    pub fn map<U>(&self, make: impl Fn(T) -> U) -> Grid<U> {
        Grid {
            resolution_m: self.resolution_m,
            origin_m: self.origin_m,
            width: self.width,
            height: self.height,
            cells: self.cells.iter().map(|cell| make(*cell)).collect(),
        }
    }

    /// The cell that holds a point, which may be one beyond the grid.
    pub fn cell_at(&self, point: [f64; 2]) -> Cell {
        [0, 1].map(|axis| {
            let cell = (point[axis] - self.origin_m[axis]) / self.resolution_m;
            cell.floor().clamp(-FAR, FAR) as i32
        })
    }

    /// The cell that holds a point, if the grid does.
    pub fn cell_of(&self, point: [f64; 2]) -> Option<Cell> {
        let cell = point.iter().all(|it| it.is_finite()).then(|| self.cell_at(point))?;
        self.index(cell).map(|_| cell)
    }

    /// The middle of a cell.
    pub fn middle_of(&self, [column, row]: Cell) -> [f64; 2] {
        let at =
            |axis: usize, number: i32| self.origin_m[axis] + (f64::from(number) + 0.5) * self.resolution_m;
        [at(0, column), at(1, row)]
    }

    /// Where in [`Self::cells`] a cell is.
    pub fn index(&self, [column, row]: Cell) -> Option<usize> {
        let (column, row) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
        (column < self.width && row < self.height).then(|| row * self.width + column)
    }

    /// The reverse of [`Self::index`].
    pub fn cell(&self, index: usize) -> Cell {
        [(index % self.width) as i32, (index / self.width) as i32]
    }

    /// What a cell holds.
    pub fn get(&self, cell: Cell) -> Option<T> {
        self.index(cell).and_then(|index| self.cells.get(index)).copied()
    }

    /// What the cell under a point holds.
    pub fn at(&self, point: [f64; 2]) -> Option<T> {
        self.cell_of(point).and_then(|cell| self.get(cell))
    }

    /// Changes a cell; one beyond the grid is left alone.
    pub fn set(&mut self, cell: Cell, value: T) {
        if let Some(it) = self.index(cell).and_then(|index| self.cells.get_mut(index)) {
            *it = value;
        }
    }

    /// All cells within a square about a cell, rows first.
    pub fn around(&self, [column, row]: Cell, reach: i32) -> impl Iterator<Item = (Cell, T)> {
        let rows = row - reach..=row + reach;
        let cells = rows.flat_map(move |row| (column - reach..=column + reach).map(move |it| [it, row]));
        cells.filter_map(|cell| self.get(cell).map(|value| (cell, value)))
    }

    /// What the cells within a square about a cell hold, row by row.
    pub fn rows_around(&self, [column, row]: Cell, reach: i32) -> impl Iterator<Item = &[T]> {
        let within = |middle: i32, count: usize| {
            let end = |number: i32| usize::try_from(number).map_or(0, |number| number.min(count));
            end(middle - reach)..end(middle + reach + 1)
        };
        let columns = within(column, self.width);
        within(row, self.height).filter_map(move |row| {
            let first = row * self.width;
            self.cells.get(first + columns.start..first + columns.end)
        })
    }

    /// Changes all cells that a polygon covers or cuts.
    pub fn fill(&mut self, polygon: &[[f64; 2]], value: T) {
        let fold = |pick: fn(f64, f64) -> f64, start: f64| {
            polygon.iter().fold([start; 2], |[x, y], point| [pick(x, point[0]), pick(y, point[1])])
        };
        let low = self.cell_at(fold(f64::min, f64::INFINITY));
        let high = self.cell_at(fold(f64::max, f64::NEG_INFINITY));
        for row in low[1].max(0)..=high[1].min(self.height as i32 - 1) {
            for column in low[0].max(0)..=high[0].min(self.width as i32 - 1) {
                let middle = self.middle_of([column, row]);
                if super::shapes::meets_square(polygon, middle, self.resolution_m / 2.0) {
                    self.set([column, row], value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_cells_are_inverses() {
        let grid = Grid::over([0.0, 0.0], [4.8, 4.0], 0.1, 0.05, 0_u8);
        assert_eq!((grid.width, grid.height), (100, 84));
        for index in [0, 57, grid.cells.len() - 1] {
            let cell = grid.cell(index);
            assert_eq!(grid.cell_of(grid.middle_of(cell)), Some(cell));
            assert_eq!(grid.index(cell), Some(index));
        }
        for outside in [[-0.2, 0.0], [f64::NAN, 0.0], [1e300, 0.0], [0.0, f64::INFINITY]] {
            assert_eq!(grid.cell_of(outside), None);
        }
    }

    #[test]
    fn rows_around_a_cell_are_those_of_the_grid() {
        let mut grid = Grid::over([0.0, 0.0], [4.0, 3.0], 0.0, 1.0, 0_u32);
        (0..).zip(&mut grid.cells).for_each(|(number, cell)| *cell = number);
        for cell in [[0, 0], [1, 1], [3, 2], [-1, 1], [4, 4], [-9, 9], [2, -3]] {
            for reach in 0..4 {
                let one: Vec<u32> = grid.around(cell, reach).map(|(_, value)| value).collect();
                let rows: Vec<u32> = grid.rows_around(cell, reach).flatten().copied().collect();
                assert_eq!(one, rows, "{cell:?} {reach}");
            }
        }
    }

    #[test]
    fn a_polygon_fills_what_it_cuts_but_not_what_it_touches() {
        let mut grid = Grid::over([0.0, 0.0], [1.0, 1.0], 0.0, 0.1, false);
        grid.fill(&[[0.2, 0.2], [0.4, 0.2], [0.4, 0.31], [0.2, 0.31]], true);
        let filled: Vec<Cell> = (0..100).filter(|it| grid.cells[*it]).map(|it| grid.cell(it)).collect();
        assert_eq!(filled, [[2, 2], [3, 2], [2, 3], [3, 3]]);
    }
}
