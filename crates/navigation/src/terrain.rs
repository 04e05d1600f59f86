//! All that a way has to mind at one moment: the map, what is seen now, doors.

use super::shapes::distance_to;
use super::{Berth, CostMap, Grid, Obstacles};

/// A shut door's leaf is seen beside where the door is drawn, metres.
const LEAF_M: f64 = 0.15;

/// A door: free on the map, whether or not it is shut now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Door {
    /// What its leaf covers while it is shut.
    pub polygon_m: Vec<[f64; 2]>,
    /// Whether it is shut now.
    pub shut: bool,
}

/// The moment's map.
#[derive(Clone, Copy, Debug)]
pub struct Terrain<'a> {
    /// Where the robot cannot or may not be by the map, doors taken as open.
    pub blocked: &'a Grid<bool>,
    /// What is seen now.
    pub obstacles: Option<&'a Obstacles>,
    /// The doors.
    pub doors: &'a [Door],
}

impl Terrain<'_> {
    /// The map to plan on, with what is seen now or without.
    pub fn costs(&self, berth: Berth, with_obstacles: bool, time_s: f64) -> CostMap {
        let Some(obstacles) = self.obstacles.filter(|_| with_obstacles) else {
            return CostMap::new(self.blocked, berth);
        };
        let mut blocked = self.blocked.clone();
        for point in obstacles.points(time_s).filter(|point| self.is_no_leaf(*point)) {
            blocked.set(blocked.cell_at(point), true);
        }
        CostMap::new(&blocked, berth)
    }

    /// Whether something seen is at a point of the way, so near that the robot would run into it.
    pub(super) fn is_taken(&self, point: [f64; 2], robot: [f64; 2], radius_m: f64, time_s: f64) -> bool {
        self.obstacles
            .is_some_and(|it| it.blocks(point, robot, radius_m, time_s, |seen| self.is_no_leaf(seen)))
    }

    /// Whether a robot at a point of the way would stand in a shut door; one that it leaves does not count.
    pub(super) fn is_shut(&self, point: [f64; 2], robot: [f64; 2], radius_m: f64) -> bool {
        self.doors.iter().filter(|door| door.shut).any(|door| {
            let off_m = distance_to(&door.polygon_m, point);
            off_m < radius_m && (off_m == 0.0 || off_m < distance_to(&door.polygon_m, robot))
        })
    }

    /// A shut door is waited for, not driven around as if a person stood there.
    fn is_no_leaf(&self, point: [f64; 2]) -> bool {
        !self.doors.iter().any(|door| door.shut && distance_to(&door.polygon_m, point) < LEAF_M)
    }
}
