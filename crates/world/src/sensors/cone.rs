//! A cone of rays: what a range sensor with a field of view meets first.

use crate::config::{Color, Reality};
use crate::physics::Surroundings;

/// A cone in the chassis's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Where the sensor sits, forward of the middle, metres.
    pub x_m: f64,
    /// Where the sensor sits, left of the middle, metres.
    pub y_m: f64,
    /// Where it looks, counter-clockwise from ahead.
    pub yaw_rad: f64,
    /// Full width of the cone.
    pub field_of_view_rad: f64,
    /// How many rays stand for it; one looks along the middle if odd.
    pub rays: u32,
    /// Length of the rays, metres.
    pub reach_m: f64,
}

/// What came back from the nearest thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Echo {
    /// How far away, metres.
    pub distance_m: f64,
    /// Where it is, counter-clockwise from ahead of the chassis.
    pub bearing_rad: f64,
    /// Cosine of the angle between the ray and the surface's normal.
    pub incidence_cos: f64,
    /// How much light the surface sends back, 0..1.
    pub reflectivity: f64,
    /// The surface's colour.
    pub color: Color,
    /// Whether the thing is real or virtual.
    pub reality: Reality,
}

impl Cone {
    /// Looks once.
    pub fn look(&self, around: &Surroundings<'_>) -> Option<Echo> {
        let gaps = f64::from(self.rays.max(2) - 1);
        let mut nearest: Option<Echo> = None;
        for ray in 0..self.rays {
            let offset = if self.rays > 1 { f64::from(ray) / gaps - 0.5 } else { 0.0 };
            let bearing_rad = self.yaw_rad + offset * self.field_of_view_rad;
            // What is behind the nearest so far is of no interest.
            let reach_m = nearest.map_or(self.reach_m, |it| it.distance_m);
            let Some(hit) = around.cast(self.x_m, self.y_m, bearing_rad, reach_m) else { continue };
            nearest = Some(Echo {
                distance_m: hit.distance_m,
                bearing_rad,
                incidence_cos: hit.incidence_cos,
                reflectivity: hit.reflectivity,
                color: hit.color,
                reality: hit.reality,
            });
        }
        nearest
    }
}
