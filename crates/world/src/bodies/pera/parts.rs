//! What a robot of the Pera Swarm is made of.
//!
//! Its size, its speed and what its sensors reach are those of the published simulator and firmware; what
//! is published nowhere is plausible for a disc of 6 cm, and marked so.

use std::f64::consts::FRAC_PI_2;

use crate::bodies::wheels::WheelMake;
use crate::drive::TrackLimits;
use crate::physics::Footprint;
use crate::sensors::Cell;

/// Radius of the disc: half of the published diameter of 6 cm, metres.
pub(super) const RADIUS_M: f64 = 0.03;

/// Outline and mass (the mass is plausible). The corner is a hair less than the radius, because a shape
/// with round corners must have something between them.
pub(super) const FOOTPRINT: Footprint =
    Footprint { length_m: 2.0 * RADIUS_M, width_m: 2.0 * RADIUS_M, corner_m: 0.029_9, mass_kg: 0.12 };

/// The wheels: 10 cm/s at speed 100 (published); the gap and the motors are plausible. A robot goes on
/// until its program says something else.
pub(super) const WHEELS: WheelMake = WheelMake {
    max_mps: 0.1,
    tracks: TrackLimits { gap_m: 0.05, speed_up_mps2: 0.5, slow_down_mps2: 1.0, spin_radps2: 30.0 },
    hold_s: f64::INFINITY,
};

/// Directions in which it measures distance and colour: name and angle from ahead. The first three names
/// are those of the published `-90, 0, 90`, which count clockwise.
pub(super) const BEARINGS: [(&str, f64); 3] = [("left", FRAC_PI_2), ("front", 0.0), ("right", -FRAC_PI_2)];

/// Farthest distance measured, metres: the published simulator answers 10 m less the radius for nothing.
pub(super) const REACH_M: f64 = 10.0;

/// Noise of a distance, metres (plausible).
pub(super) const RANGE_SIGMA_M: f64 = 0.001;

/// How near a thing must be for its colour to be seen, metres (published).
pub(super) const COLOR_REACH_M: f64 = 0.3;

/// How high the light around is measured, metres (plausible).
pub(super) const LIGHT_HEIGHT_M: f64 = 0.05;

/// Noise of the compass, radians: one degree (plausible).
pub(super) const COMPASS_SIGMA_RAD: f64 = 0.017_45;

/// Noise of the camera above the arena that localizes the robots: metres and radians (plausible).
pub(super) const POSE_SIGMA: [f64; 2] = [0.001, 0.005];

/// One lithium cell (plausible).
pub(super) const CELL: Cell =
    Cell { in_series: 1.0, capacity_ah: 1.2, resistance_ohm: 0.12, charging_a: 0.5 };

/// Current of the computer, and of the motors in all and for each m/s, amperes (plausible).
const LOAD_A: [f64; 3] = [0.15, 0.05, 1.5];

/// What it takes out of the battery at a mean speed of the wheels, m/s.
pub(super) fn load_a(speed_mps: f64) -> f64 {
    let [base_a, crawl_a, growth_a] = LOAD_A;
    base_a + if speed_mps > 0.001 { crawl_a + growth_a * speed_mps } else { 0.0 }
}
