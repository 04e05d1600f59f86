//! How bright things are: light from everywhere and from lamps, without shadows.
//!
//! A lamp brightens what faces it (Lambert) and less what is far. Walls do not hold its light back: where
//! things are can be seen from their faces, and shadows would cost as much as all the rest.

use super::vector::{Vector, dot, length, scale, sub};

/// Lamps of the usual light hang this far above the floor, metres.
const LAMP_M: f64 = 2.2;

/// About how far from each other they hang, metres.
const APART_M: f64 = 4.0;

/// Most of them along one side of a room.
const MOST: f64 = 3.0;

/// Distance at which a lamp is as bright as its level says, squared, m².
const KNEE_M2: f64 = 4.0;

/// A lamp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Where it hangs, on the map and above the floor, metres.
    pub at_m: [f64; 3],
    /// How much brighter it makes what faces it two metres away, 0..1.
    pub level: f64,
}

/// All the light of a scene. A brightness of 1 shows a thing in its own colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Lighting {
    /// Brightness that is everywhere, 0..1.
    pub ambient: f64,
    /// The lamps; each costs time in every picture.
    pub lamps: Vec<Light>,
}

impl Lighting {
    /// Light from everywhere: each thing in its own colour from all sides.
    pub fn even(ambient: f64) -> Self {
        Self { ambient, lamps: Vec::new() }
    }

    /// Daylight and a few lamps, evenly over a room of a length east and north in metres.
    pub fn usual(size_m: [f64; 2]) -> Self {
        let [across, along] = size_m.map(|side| (side / APART_M).ceil().clamp(1.0, MOST));
        let place = |i: u32, count: f64, side: f64| (f64::from(i) + 0.5) / count * side;
        let lamps = (0..across as u32).flat_map(|i| (0..along as u32).map(move |j| (i, j)));
        let lamps = lamps.map(|(i, j)| Light {
            at_m: [place(i, across, size_m[0]), place(j, along, size_m[1]), LAMP_M],
            level: 0.38,
        });
        Self { ambient: 0.55, lamps: lamps.collect() }
    }

    /// How much light there is at a point, whatever it faces: what a light sensor or an iris sees.
    pub fn at(&self, point_m: [f64; 3]) -> f64 {
        let lamp = |lamp: &Light| {
            let far = sub(lamp.at_m, point_m);
            lamp.level * 2.0 * KNEE_M2 / (KNEE_M2 + dot(far, far))
        };
        self.ambient + self.lamps.iter().map(lamp).sum::<f64>()
    }

    /// Brightness of a surface.
    pub(super) fn on(&self, point: Vector, normal: Vector) -> f64 {
        let lamp = |lamp: &Light| {
            let way = sub(lamp.at_m, point);
            let far = length(way).max(1e-6);
            let facing = dot(normal, scale(way, 1.0 / far)).max(0.0);
            lamp.level * facing * 2.0 * KNEE_M2 / (KNEE_M2 + far * far)
        };
        self.ambient + self.lamps.iter().map(lamp).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lamps_brighten_what_faces_them_and_is_near() {
        let lamp = Light { at_m: [0.0, 0.0, 2.0], level: 0.4 };
        let light = Lighting { ambient: 0.5, lamps: vec![lamp] };
        let (up, down) = ([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
        assert!((light.on([0.0; 3], up) - 0.9).abs() < 1e-9);
        assert_eq!(light.on([0.0; 3], down), 0.5);
        assert!(light.on([3.0, 0.0, 0.0], up) < 0.75);
        assert!(light.at([0.0, 0.0, 1.0]) > light.at([2.0, 0.0, 1.0]));
        assert_eq!(Lighting::usual([8.0, 6.0]).lamps.len(), 4);
        assert_eq!(Lighting::usual([900.0, 0.5]).lamps.len(), 3);
    }
}
