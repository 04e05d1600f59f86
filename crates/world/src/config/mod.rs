//! The world file: a room in TOML, checked while it is read so that errors name their line.
//!
//! Lengths are in metres, the origin is the lower left corner, angles are in degrees counter-clockwise
//! from +x. Walls stand around `size_m` by themselves.

mod builtin;
mod check;
mod life;
mod surface;
mod world_file;

pub use builtin::BUILTIN;
pub use life::{Person, Sound, SoundKind};
pub use surface::{Color, Reality};
pub use world_file::{Box2, Charger, Cylinder, Drop, Floor, Spawn, Wall, WorldFile, WorldFileError};
