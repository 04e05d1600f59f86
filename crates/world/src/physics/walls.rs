//! Walls and shut doors as what stops sight and damps sound: they reach the ceiling, all else does not.

use super::Doors;
use crate::config::WorldFile;
use crate::distance::cross;

/// Lowest wall that stops sight and sound, metres.
const HIGH_M: f64 = 1.5;

/// A door that is open wider than this part of it lets sight and sound through.
const OPEN_RATIO: f64 = 0.5;

/// The middle lines of a world's inner walls and of the doors that are shut.
#[derive(Clone, Debug, Default)]
pub struct Walls {
    lines: Vec<[[f64; 2]; 2]>,
    doors: Vec<[[f64; 2]; 2]>,
}

impl Walls {
    /// The walls of a world file.
    pub fn new(file: &WorldFile) -> Self {
        let high = file.walls.iter().filter(|wall| wall.height_m >= HIGH_M);
        let pairs = high.flat_map(|wall| wall.points_m.windows(2));
        Self {
            lines: pairs.filter_map(|pair| pair.try_into().ok()).collect(),
            doors: file.doors.iter().map(|door| door.points_m).collect(),
        }
    }

    /// Takes over which doors are shut.
    pub fn follow(&mut self, doors: &Doors) {
        self.doors.clear();
        let shut = doors.iter().filter(|door| door.open_ratio < OPEN_RATIO);
        self.doors.extend(shut.map(|door| door.file.points_m));
    }

    /// How many walls and shut doors are between two points.
    pub fn between(&self, from: [f64; 2], to: [f64; 2]) -> usize {
        self.lines.iter().chain(&self.doors).filter(|line| cross([from, to], **line)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_are_counted_and_gaps_are_open() {
        let text = "name = \"x\"\nsize_m = [4.0, 4.0]\n[[walls]]\npoints_m = [[2.0, 0.0], [2.0, 1.5]]\n\
                    [[walls]]\npoints_m = [[3.0, 0.0], [3.0, 4.0]]";
        let walls = Walls::new(&WorldFile::parse(text).unwrap());
        assert_eq!(walls.between([1.0, 1.0], [3.5, 1.0]), 2);
        assert_eq!(walls.between([1.0, 2.0], [3.5, 2.0]), 1);
        assert_eq!(walls.between([1.0, 2.0], [2.5, 2.0]), 0);
    }
}
