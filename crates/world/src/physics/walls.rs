//! Walls as what stops sight and damps sound: they reach the ceiling, all else does not.

use crate::config::WorldFile;

/// The middle lines of a world's inner walls.
#[derive(Clone, Debug, Default)]
pub struct Walls {
    lines: Vec<[[f64; 2]; 2]>,
}

impl Walls {
    /// The walls of a world file.
    pub fn new(file: &WorldFile) -> Self {
        let pairs = file.walls.iter().flat_map(|wall| wall.points_m.windows(2));
        Self { lines: pairs.filter_map(|pair| pair.try_into().ok()).collect() }
    }

    /// How many walls are between two points.
    pub fn between(&self, from: [f64; 2], to: [f64; 2]) -> usize {
        self.lines.iter().filter(|[start, end]| cross(from, to, *start, *end)).count()
    }
}

/// Whether two lines cross.
fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    let side = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) >= 0.0
    };
    side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_are_counted_and_doors_are_open() {
        let text = "name = \"x\"\nsize_m = [4.0, 4.0]\n[[walls]]\npoints_m = [[2.0, 0.0], [2.0, 1.5]]\n\
                    [[walls]]\npoints_m = [[3.0, 0.0], [3.0, 4.0]]";
        let walls = Walls::new(&WorldFile::parse(text).unwrap());
        assert_eq!(walls.between([1.0, 1.0], [3.5, 1.0]), 2);
        assert_eq!(walls.between([1.0, 2.0], [3.5, 2.0]), 1);
        assert_eq!(walls.between([1.0, 2.0], [2.5, 2.0]), 0);
    }
}
