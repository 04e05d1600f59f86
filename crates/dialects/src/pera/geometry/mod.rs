//! How the reference simulator reckons distances and colours, with all its roundings, offsets and tolerances.
//!
//! Robots and programs were tuned against these numbers, so they are reproduced as they are, not as they should
//! be: centimetres, degrees counter-clockwise from +x, and in this order
//!
//! | thing | met when | distance |
//! |---|---|---|
//! | `wall` | its ends, 6 cm longer, are on both sides of the ray | to where the two lines cross, rounded |
//! | `cylinder` | the ray is within a tolerance of its middle, not across 180° | to its middle, less its radius |
//! | box | never | |
//! | `robots` | as a cylinder, with 5° more | to its middle, less 3 cm |
//!
//! Which reality is asked for makes no difference here: all obstacles and robots count.

mod angle;
mod cylinder;
pub(super) mod listing;
mod reach;
mod robots;
mod round;
mod scene;
#[cfg(test)]
mod tests;
mod wall;

pub(super) use reach::reaches;
pub(super) use robots::Crowd;
pub use scene::Scene;
pub(super) use scene::pretty;

/// A robot's diameter, which every distance is less by.
const DIAMETER_CM: f64 = 6.0;
