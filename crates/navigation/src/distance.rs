//! How far each cell is from the nearest blocked one, exactly (Felzenszwalb and Huttenlocher's two passes).

use super::Grid;

/// Square of a distance that no grid has.
const FAR: f64 = 1e12;

/// Distances from middle to middle, metres.
pub(super) fn distances(blocked: &Grid<bool>) -> Grid<f32> {
    let mut squares = blocked.map(|it| if it { 0.0 } else { FAR });
    let (width, height) = (squares.width, squares.height);
    let mut parabolas = Parabolas::default();
    let mut line = Vec::new();
    for column in 0..width {
        line.clear();
        line.extend((0..height).map(|row| squares.cells[row * width + column]));
        parabolas.lowest(&mut line);
        for (row, square) in line.iter().enumerate() {
            squares.cells[row * width + column] = *square;
        }
    }
    for row in squares.cells.chunks_mut(width.max(1)) {
        parabolas.lowest(row);
    }
    let resolution_m = blocked.resolution_m;
    squares.map(|square| (square.sqrt() * resolution_m) as f32)
}

/// The lower outline of one parabola for each cell of a line.
#[derive(Default)]
struct Parabolas {
    /// Where the lowest ones have their feet, from left to right.
    feet: Vec<usize>,
    /// From where on each is the lowest.
    from: Vec<f64>,
    before: Vec<f64>,
}

impl Parabolas {
    fn lowest(&mut self, line: &mut [f64]) {
        self.feet.clear();
        self.from.clear();
        self.before.clear();
        self.before.extend_from_slice(line);
        for (at, height) in self.before.iter().enumerate() {
            if *height >= FAR {
                continue;
            }
            let mut from = f64::NEG_INFINITY;
            while let (Some(foot), Some(begins)) = (self.feet.last(), self.from.last()) {
                let (a, b) = (at as f64, *foot as f64);
                from = (height + a * a - self.before[*foot] - b * b) / (2.0 * (a - b));
                if from > *begins {
                    break;
                }
                self.feet.pop();
                self.from.pop();
                from = f64::NEG_INFINITY;
            }
            self.feet.push(at);
            self.from.push(from);
        }
        if self.feet.is_empty() {
            return;
        }
        let mut lowest = 0;
        for (at, square) in line.iter_mut().enumerate() {
            while self.from.get(lowest + 1).is_some_and(|from| *from < at as f64) {
                lowest += 1;
            }
            let foot = self.feet[lowest];
            *square = (at as f64 - foot as f64).powi(2) + self.before[foot];
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn distances_are_those_that_trying_all_gives(
            density in prop::sample::select(vec![0.005, 0.05, 0.5]),
            chances in prop::collection::vec(0.0..1.0_f64, 30 * 20),
        ) {
            let mut grid = Grid::over([0.0, 0.0], [3.0, 2.0], 0.0, 0.1, false);
            grid.cells.iter_mut().zip(chances).for_each(|(cell, chance)| *cell = chance < density);
            grid.cells[77] = true;
            let found = distances(&grid);
            for index in 0..grid.cells.len() {
                let [x, y] = grid.cell(index);
                let solid = (0..grid.cells.len()).filter(|it| grid.cells[*it]);
                let nearest = solid
                    .map(|it| grid.cell(it))
                    .map(|[a, b]| f64::from(a - x).hypot(f64::from(b - y)) * 0.1)
                    .fold(f64::INFINITY, f64::min);
                prop_assert!((f64::from(found.cells[index]) - nearest).abs() < 1e-5, "{} {}", x, y);
            }
        }
    }

    #[test]
    fn nothing_blocked_is_far_from_everything() {
        let grid = Grid::over([0.0, 0.0], [1.0, 1.0], 0.0, 0.1, false);
        assert!(distances(&grid).cells.iter().all(|m| *m > 1e3));
    }
}
