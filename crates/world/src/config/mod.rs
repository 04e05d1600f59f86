//! The world file: a room in TOML, checked while it is read so that errors name their line.
//!
//! Lengths are in metres, the origin is the lower left corner, angles are in degrees counter-clockwise
//! from +x. Walls stand around `size_m` by themselves.

mod arena;
mod builtin;
mod check;
mod consistency;
mod doors;
mod goods;
mod ground;
mod household;
mod life;
mod lifts;
mod light;
mod naming;
mod stations;
mod surface;
mod tables;
mod things;
mod walks;
mod windows;
mod world_file;

pub use arena::{ArenaFile, ArenaFileError};
pub use builtin::BUILTIN;
pub use doors::{Door, DoorMode};
pub use goods::{Barcode, Landmark, Pallet, Rack, RackArea};
pub use ground::{Drop, Floor};
pub use household::{Object, Place};
pub use life::{Person, Sound, SoundKind};
pub use lifts::Lift;
pub use light::Light;
pub use naming::{NamingError, is_called, place_called};
pub use stations::{Charger, Frame, Spawn};
pub use surface::{Color, Reality};
pub use tables::Table;
pub use things::{Box2, Cylinder, Wall};
pub use windows::Window;
pub use world_file::{WorldFile, WorldFileError};
