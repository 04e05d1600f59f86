//! Light: a little from everywhere, more from the lamps that are on and not in the shadow.
//!
//! A lamp gives its level to the floor below it, and less with the square of the distance. What stands
//! between is found by a ray on the floor plan to the point below the lamp; it makes a shadow if it is
//! taller than the straight way to the lamp is there. Nothing is reflected, and shadows have hard edges:
//! enough for robots that seek or flee the light.

use super::{Chassis, Physics};
use crate::config::{Light, WorldFile};
use latimer_core::model::Refusal;

/// Nearest that a sensor can be to a lamp, metres: so that none is blinded without end.
const NEAREST_M: f64 = 0.05;

/// A lamp in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Lamp {
    /// What the file says of it.
    pub file: Light,
    /// Whether it is on now.
    pub on: bool,
}

/// All light of the world.
#[derive(Clone, Debug, Default)]
pub struct Lights {
    ambient: f64,
    lamps: Vec<Lamp>,
}

impl Lights {
    /// The light of a world file.
    pub fn new(file: &WorldFile) -> Self {
        let lamp = |file: &Light| Lamp { on: file.on, file: file.clone() };
        Self { ambient: file.ambient, lamps: file.lights.iter().map(lamp).collect() }
    }

    /// All lamps, in the order of the world file.
    pub fn iter(&self) -> impl Iterator<Item = &Lamp> {
        self.lamps.iter()
    }

    /// What is said of a lamp that does not exist.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let known: Vec<&str> = self.lamps.iter().map(|lamp| lamp.file.name.as_str()).collect();
        match known.as_slice() {
            [] => format!("there is no light {name:?}; this world has no lights"),
            some => format!("there is no light {name:?}; the lights are: {}", some.join(", ")),
        }
    }

    /// Turns a lamp on or off.
    pub fn switch(&mut self, name: &str, on: bool) -> Result<(), Refusal> {
        let Some(lamp) = self.lamps.iter_mut().find(|lamp| lamp.file.name == name) else {
            return Err(Refusal::bad_argument(self.unknown(name)));
        };
        lamp.on = on;
        Ok(())
    }

    /// How much light reaches a sensor at a point (x, y and height, metres), 0..1. One that faces somewhere
    /// level takes less from what is beside it and nothing from behind; one that does not takes light from
    /// all around. The asking chassis makes no shadow for itself.
    pub fn level_at(
        &self,
        physics: &Physics,
        point: [f64; 3],
        facing_rad: Option<f64>,
        asking: Option<&Chassis>,
    ) -> f64 {
        let lit = self.lamps.iter().filter(|lamp| lamp.on).map(|lamp| {
            let [x, y] = lamp.file.position_m;
            let lamp_at = [x, y, lamp.file.height_m];
            let share = share(&lamp.file, point, facing_rad);
            if share > 0.0 && !physics.shades(point, lamp_at, asking) { share } else { 0.0 }
        });
        (self.ambient + lit.sum::<f64>()).min(1.0)
    }
}

/// What a lamp gives to a sensor that nothing shades.
fn share(lamp: &Light, [x, y, z]: [f64; 3], facing_rad: Option<f64>) -> f64 {
    let (dx, dy, dz) = (lamp.position_m[0] - x, lamp.position_m[1] - y, lamp.height_m - z);
    let distance_m = dx.hypot(dy).hypot(dz).max(NEAREST_M);
    let cosine = facing_rad.map_or(1.0, |angle| {
        let (sin, cos) = angle.sin_cos();
        ((dx * cos + dy * sin) / distance_m).max(0.0)
    });
    lamp.level * (lamp.height_m / distance_m).powi(2) * cosine
}
