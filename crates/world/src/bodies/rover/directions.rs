//! The directions that a behaviour asks about at every step. What only a scan or a map changes is not worked out anew until then.

use std::f64::consts::PI;

use latimer_core::model::signal::Scan;

use super::RoverMake;
use crate::geometry::{Pose2, wrap_angle};
use crate::nav::{Grid, Known, KnownMap};

/// Half the sector about a direction that must be free, radians.
const HALF_SECTOR_RAD: f64 = 0.35;

/// So many cells ahead it minds where no robot may go.
const MINDED_CELLS: u32 = 16;

/// Side of the blocks in which places are looked up that no robot may go to, metres: more than it minds from its middle.
const BLOCK_M: f64 = 2.0;

/// A direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bodies) enum Direction {
    Ahead,
    Left,
    Right,
    Behind,
}

impl Direction {
    const ALL: [Self; 4] = [Self::Ahead, Self::Left, Self::Right, Self::Behind];

    const fn bearing_rad(self) -> f64 {
        match self {
            Self::Ahead => 0.0,
            Self::Left => 0.7,
            Self::Right => -0.7,
            Self::Behind => PI,
        }
    }
}

/// A bearing on which it minds the map, from the edge of its outline.
struct Feeler {
    sin: f64,
    cos: f64,
    edge_m: f64,
}

impl Feeler {
    fn new(make: &RoverMake, bearing_rad: f64) -> Self {
        let (sin, cos) = bearing_rad.sin_cos();
        Self { sin, cos, edge_m: make.footprint.edge_m(bearing_rad) }
    }

    /// The way to where no robot may go.
    fn to_keep_out_m(&self, here: Pose2, known: &KnownMap) -> Option<f64> {
        let cell_m = known.grid.resolution_m;
        let mut ways_m = (0..MINDED_CELLS).map(|cell| f64::from(cell) * cell_m);
        ways_m.find(|way_m| {
            let far_m = self.edge_m + way_m;
            let at = known.grid.at(here.point_out(far_m * self.cos, far_m * self.sin));
            at.is_some_and(keeps_out)
        })
    }
}

const fn keeps_out(known: Known) -> bool {
    matches!(known, Known::KeepOut | Known::Forbidden)
}

/// What is known of one direction.
struct Sector {
    direction: Direction,
    feelers: [Feeler; 3],
    /// From the scanner to the edge of the outline.
    edge_m: f64,
    /// The numbers of the rays in it.
    rays: Vec<usize>,
    scanned_m: Option<f64>,
}

/// All of them.
pub(super) struct Directions {
    sectors: [Sector; 4],
    /// Where the bow may be about to leave the floor, with its side: positive is left.
    bow: [(Feeler, f64); 3],
    stern: Feeler,
    /// Whether there is any place near a block that no robot may go to.
    near_keep_out: Grid<bool>,
}

impl Directions {
    pub(super) fn new(make: &RoverMake, known: &KnownMap) -> Self {
        let sector = |direction: Direction| {
            let bearing_rad = direction.bearing_rad();
            Sector {
                direction,
                feelers: [-HALF_SECTOR_RAD, 0.0, HALF_SECTOR_RAD]
                    .map(|off_rad| Feeler::new(make, bearing_rad + off_rad)),
                // The scanner sits off the middle, nearer to what is ahead than to what is behind.
                edge_m: make.footprint.edge_m(bearing_rad) - make.lidar.x_m * bearing_rad.cos(),
                rays: Vec::new(),
                scanned_m: None,
            }
        };
        let bow = [(0.5, 1.0), (-0.5, -1.0), (0.0, 0.0)];
        Self {
            sectors: Direction::ALL.map(sector),
            bow: bow.map(|(bearing_rad, side)| (Feeler::new(make, bearing_rad), side)),
            stern: Feeler::new(make, PI),
            near_keep_out: near_keep_out(known),
        }
    }

    /// Takes in another map.
    pub(super) fn map(&mut self, known: &KnownMap) {
        self.near_keep_out = near_keep_out(known);
    }

    /// Takes in a scan.
    pub(super) fn scan(&mut self, scan: &Scan) {
        for sector in &mut self.sectors {
            if sector.rays.is_empty() {
                let bearing_rad = sector.direction.bearing_rad();
                let within = |angle_rad: f64| wrap_angle(angle_rad - bearing_rad).abs() < HALF_SECTOR_RAD;
                let rays = scan.rays().enumerate().filter(|(_, (angle_rad, _))| within(*angle_rad));
                sector.rays = rays.map(|(number, _)| number).collect();
            }
            let ranges_m = sector.rays.iter().filter_map(|ray| scan.ranges_m.get(*ray));
            let met_m = ranges_m.filter(|range_m| range_m.is_finite());
            let nearest_m = met_m.fold(f64::INFINITY, |least_m, range_m| least_m.min(f64::from(*range_m)));
            sector.scanned_m = nearest_m.is_finite().then(|| (nearest_m - sector.edge_m).max(0.0));
        }
    }

    /// Free way in the sector about a direction, from the robot's outline, metres.
    pub(super) fn free_m(&self, direction: Direction, here: Pose2, known: &KnownMap) -> Option<f64> {
        let sector = self.sectors.iter().find(|it| it.direction == direction)?;
        let feelers = if self.minds(here) { sector.feelers.as_slice() } else { &[] };
        let keep_out_m = feelers.iter().filter_map(|it| it.to_keep_out_m(here, known));
        keep_out_m.chain(sector.scanned_m).min_by(f64::total_cmp)
    }

    /// Which side of the bow is so near to where no robot may go: positive is left.
    pub(super) fn edge_side(&self, within_m: f64, here: Pose2, known: &KnownMap) -> Option<f64> {
        let near = |feeler: &Feeler| feeler.to_keep_out_m(here, known).is_some_and(|way_m| way_m < within_m);
        let bow = if self.minds(here) { self.bow.as_slice() } else { &[] };
        bow.iter().find(|(feeler, _)| near(feeler)).map(|(_, side)| *side)
    }

    /// Whether the stern is so near to where no robot may go.
    pub(super) fn is_edge_behind(&self, within_m: f64, here: Pose2, known: &KnownMap) -> bool {
        self.minds(here) && self.stern.to_keep_out_m(here, known).is_some_and(|way_m| way_m < within_m)
    }

    /// Whether there may be a place in reach that no robot may go to.
    fn minds(&self, here: Pose2) -> bool {
        self.near_keep_out.at([here.x_m, here.y_m]) != Some(false)
    }
}

/// The blocks that have such a place in them or in a block beside them.
fn near_keep_out(known: &KnownMap) -> Grid<bool> {
    let grid = &known.grid;
    let side_m = |count: usize| count as f64 * grid.resolution_m;
    let [x_m, y_m] = grid.origin_m;
    let high_m = [x_m + side_m(grid.width), y_m + side_m(grid.height)];
    let mut blocks = Grid::over(grid.origin_m, high_m, 0.0, BLOCK_M, false);
    for (index, _) in grid.cells.iter().enumerate().filter(|(_, known)| keeps_out(**known)) {
        let [column, row] = blocks.cell_at(grid.middle_of(grid.cell(index)));
        for cell in (row - 1..=row + 1).flat_map(|row| (column - 1..=column + 1).map(move |it| [it, row])) {
            blocks.set(cell, true);
        }
    }
    blocks
}
