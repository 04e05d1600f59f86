//! Windows in the outer walls, through which daylight falls.

use serde::Deserialize;

use super::{WorldFile, check};
use crate::camera::WALL_M;

/// How far an end may be from an outer wall, metres.
const NEAR_M: f64 = 0.01;

fn sill_m() -> f64 {
    0.9
}

fn head_m() -> f64 {
    2.1
}

/// A window in an outer wall.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// Its two ends, on the same outer wall.
    #[serde(deserialize_with = "check::ends")]
    pub points_m: [[f64; 2]; 2],
    /// Its lower edge above the floor.
    #[serde(default = "sill_m", deserialize_with = "check::level_m")]
    pub sill_m: f64,
    /// Its upper edge above the floor.
    #[serde(default = "head_m", deserialize_with = "check::level_m")]
    pub head_m: f64,
}

impl Window {
    /// What does not fit into the room's walls, and what to do.
    pub(super) fn misfit(&self, file: &WorldFile) -> Option<String> {
        if self.inward(file.size_m).is_none() {
            return Some("this window is in no outer wall; put both ends on one edge of size_m".to_owned());
        }
        if !(self.sill_m < self.head_m && self.head_m <= WALL_M) {
            return Some(format!("this window needs sill_m below head_m, and head_m up to {WALL_M}"));
        }
        None
    }

    /// The way into the room, if it is in an outer wall.
    pub fn inward(&self, size_m: [f64; 2]) -> Option<[f64; 2]> {
        let on = |axis: usize, edge: f64| self.points_m.iter().all(|end| (end[axis] - edge).abs() <= NEAR_M);
        let ways = [(0, 0.0, [1.0, 0.0]), (0, size_m[0], [-1.0, 0.0]), (1, 0.0, [0.0, 1.0])];
        let ways = ways.into_iter().chain([(1, size_m[1], [0.0, -1.0])]);
        ways.into_iter().find(|(axis, edge, _)| on(*axis, *edge)).map(|(.., way)| way)
    }
}
