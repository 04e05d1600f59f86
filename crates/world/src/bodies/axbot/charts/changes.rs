//! How the world is another one than the map: what is new and what is gone, where scans fit, and where they
//! would constrain little anyway. Gathered only while it is subscribed to, and kept until the map is another one.

use crate::geometry::Pose2;
use crate::nav::{Grid, Known, KnownMap, SeenMap, featureless};
use crate::sensors::Scan;

/// What was not seen, or where it never was.
const NOTHING: i8 = -1;

/// How many cells from a known wall something must be to be no part of it; a cell that is gone has nothing
/// seen so near.
const NEAR_CELLS: i32 = 2;

/// Below these tenths of log-odds a cell is surely free.
const SURELY_FREE: i8 = -12;

/// Share of a fit that one more scan changes.
const FRESH: f64 = 0.25;

/// About where it is as well determined as where it is itself, metres.
const ABOUT_M: f64 = 0.25;

/// The maps, each begun at the first subscription.
#[derive(Debug, Default)]
pub(super) struct Changes {
    seen: Option<SeenMap>,
    fits: Option<Grid<i8>>,
    featureless: Option<Grid<i8>>,
}

impl Changes {
    /// Takes in a scan of a scanner at a pose, for the maps that are watched: what is new, fits, featureless.
    pub(super) fn take(&mut self, scan: &Scan, scanner: Pose2, known: &KnownMap, watched: [bool; 3]) {
        let empty = || known.grid.map(|_| NOTHING);
        if watched[0] {
            self.seen.get_or_insert_with(|| SeenMap::empty(empty())).integrate(scan, scanner);
        }
        if watched[1] {
            let fits = self.fits.get_or_insert_with(empty);
            for point in scan.points(scanner) {
                let off = if known.is_solid_near(point, 1) { 0.0 } else { 100.0 };
                let cell = fits.cell_at(point);
                let Some(before) = fits.get(cell) else { continue };
                let before = if before == NOTHING { off } else { f64::from(before) };
                fits.set(cell, (before + FRESH * (off - before)).round() as i8);
            }
        }
        if watched[2] {
            let map = self.featureless.get_or_insert_with(empty);
            let percent = (100.0 * featureless(scan)).round() as i8;
            let reach = (ABOUT_M / map.resolution_m).round() as i32;
            let [column, row] = map.cell_at([scanner.x_m, scanner.y_m]);
            for (dx, dy) in (-reach..=reach).flat_map(|dx| (-reach..=reach).map(move |dy| (dx, dy))) {
                if dx * dx + dy * dy <= reach * reach {
                    map.set([column + dx, row + dy], percent);
                }
            }
        }
    }

    /// The map is another one.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// One of the maps, as they are counted; nothing before something was seen.
    pub(super) fn map(&self, number: usize, known: &KnownMap) -> Option<Grid<i8>> {
        match number {
            0 => self.seen.as_ref().map(|seen| changes_of(seen, known)),
            1 => self.fits.clone(),
            _ => self.featureless.clone(),
        }
    }
}

/// What was seen that the known map says otherwise: 100 something new, 0 something gone.
fn changes_of(seen: &SeenMap, known: &KnownMap) -> Grid<i8> {
    let mut changes = known.grid.map(|_| NOTHING);
    for (index, odds) in seen.grid.cells.iter().enumerate().filter(|(_, odds)| **odds != 0) {
        let cell = seen.grid.cell(index);
        let is_new = || !known.is_solid_near(seen.grid.middle_of(cell), NEAR_CELLS);
        let is_gone = || {
            let solid = known.grid.get(cell) == Some(Known::Solid);
            solid && !seen.grid.around(cell, NEAR_CELLS).any(|(_, odds)| odds > 0)
        };
        if *odds > 0 && is_new() {
            changes.set(cell, 100);
        } else if *odds <= SURELY_FREE && is_gone() {
            changes.set(cell, 0);
        }
    }
    changes
}
