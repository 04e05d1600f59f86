//! Patterns: how much darker a surface is at a point, so that a robot that moves sees that it does.
//!
//! A pattern is fixed to the world and fades before its cells get smaller than pixels, where it would
//! flicker.

use super::face::Look;

/// What a pattern needs to know of a pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Where on the map and above the floor, metres.
    pub(super) at: [f32; 3],
    /// Along an upright face, metres from its first corner.
    pub(super) along: f32,
    /// Length of that face, metres.
    pub(super) length: f32,
    /// From the lower to the upper end of that face, metres above the floor.
    pub(super) height: [f32; 2],
    /// Pixels that a metre of the surface covers, the way it is most foreshortened.
    pub(super) per_m: f32,
}

/// Factor by which a surface is darker, 0.6..=1.
// Called once a pixel: a call that passes the spot through memory costs as much as the pattern.
#[inline(always)]
pub(super) fn shade(look: &Look, spot: &Spot) -> f32 {
    let [x, y, z] = spot.at;
    match look {
        Look::Floor => {
            let tile = 0.05 * noise(x, y, Cells(2.5)) * spot.fade(0.4);
            let joint = if rim(x, 0.006) || rim(y, 0.006) { 0.14 * spot.fade(0.012) } else { 0.0 };
            1.0 - tile - joint - spot.grainy(x, y, 0.05, Cells(20.0), 0.05)
        }
        Look::Rug => {
            let squares = Cells(10.0);
            let row = if (squares.of(x) ^ squares.of(y)) & 1 == 0 { 0.06 * spot.fade(0.1) } else { 0.0 };
            1.0 - row - spot.grainy(x, y, 0.02, Cells(50.0), 0.06)
        }
        Look::Wall if z < 0.08 && spot.height[1] > 2.0 => 0.72,
        Look::Wall => {
            let strip = if Cells(5.0).of(spot.along) & 1 == 0 { 0.035 * spot.fade(0.2) } else { 0.0 };
            1.0 - strip - spot.grainy(spot.along, z, 0.1, Cells(10.0), 0.03)
        }
        Look::Edged => {
            let inside = spot.along.min(spot.length - spot.along).min(z - spot.height[0]);
            let edge = if inside.min(spot.height[1] - z) < 0.012 { 0.22 * spot.fade(0.012) } else { 0.0 };
            1.0 - edge - spot.grainy(spot.along, z, 0.06, Cells(16.0), 0.05)
        }
        Look::Round { .. } => 1.0 - spot.grainy(x + y, z, 0.05, Cells(20.0), 0.05),
        Look::Plain | Look::Glass | Look::Ball { .. } | Look::Pit { .. } => 1.0,
    }
}

impl Spot {
    /// How much of a pattern is left: all if a cell covers three pixels, none if it covers one.
    fn fade(&self, cell: f32) -> f32 {
        (cell * 0.5 * self.per_m - 0.5).clamp(0.0, 1.0)
    }

    /// Fine noise, unless its cells are too small to be seen.
    fn grainy(&self, x: f32, y: f32, cell: f32, cells: Cells, strength: f32) -> f32 {
        let left = self.fade(cell);
        if left > 0.0 { strength * left * noise(x, y, cells) } else { 0.0 }
    }
}

/// How many cells of a pattern go into a metre.
#[derive(Clone, Copy)]
struct Cells(f32);

impl Cells {
    /// The number of the cell at a place.
    fn of(self, at: f32) -> i32 {
        // Shifted so that the cast, which is much faster than `floor`, rounds down everywhere.
        (at * self.0 + 65_536.0) as i32 - 65_536
    }
}

/// Whether a place is in the joint between two tiles.
fn rim(at: f32, width: f32) -> bool {
    let tiles = Cells(2.5);
    let into = at - tiles.of(at) as f32 * 0.4;
    into < width || 0.4 - into < width
}

/// The same number in 0..1 all over a cell, another in the next.
fn noise(x: f32, y: f32, cells: Cells) -> f32 {
    let (column, row) = (cells.of(x) as u32, cells.of(y) as u32);
    let seed = column.wrapping_mul(0x9e37_79b1) ^ row.wrapping_mul(0x85eb_ca77);
    let mixed = (seed ^ (seed >> 15)).wrapping_mul(0x2c1b_3c6d);
    (mixed >> 8) as i32 as f32 * (1.0 / (1 << 24) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_subtle_and_fade() {
        let spot =
            |x: f32, per_m: f32| Spot { at: [x, -x, 1.0], along: x, length: 9.0, height: [0.0, 2.5], per_m };
        for look in [Look::Floor, Look::Rug, Look::Wall, Look::Edged, Look::Plain] {
            let shades: Vec<f32> =
                (-200_i16..200).map(|i| shade(&look, &spot(f32::from(i) * 0.013, 1e3))).collect();
            assert!(shades.iter().all(|it| (0.7..=1.0).contains(it)), "{look:?}");
            let far = shade(&look, &spot(1.0, 1.0));
            assert!(far > 0.99, "{look:?}: {far}");
        }
        assert_eq!(Cells(2.5).of(-0.1), -1);
    }
}
