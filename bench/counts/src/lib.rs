//! Crowds of robots that worlds are measured with, by the clock or by instructions.

mod crowd;
mod room;

pub use crowd::Crowd;

/// Floor for each robot of a swarm, m².
pub const SWARM_AREA_M2: f64 = 1.0;
/// Floor for each robot among all kinds, m²: 200 of them live in 36 × 36 m.
pub const MIXED_AREA_M2: f64 = 6.48;
