//! The simulated world: one room with walls, furniture, stairs and chargers, and robots in it.
//!
//! ```text
//! WorldFile (TOML) ──▶ World ──step 100 Hz──▶ Update, Update, …
//!                        ▲
//!                 Command, Stimulus
//! ```
//!
//! Nothing here knows a wire format: a body says what a robot of its family says in the words of
//! [`latimer_core::model`]. The physics is a top view in metres on `rapier2d`; what a sensor reports
//! follows from where things really are. [`World`] holds no clock and no thread: it receives the time at
//! each step and, for the same seed and the same commands at the same steps, says the same things.
//! [`Runtime`] runs one in real time.
//!
//! [`config`] is the file, [`physics`] what moves and collides, [`sensors`] and [`drive`] the parts that
//! bodies are built from, [`nav`] maps and the way to a goal, [`bodies`] the robots' families,
//! [`behaviour`] what a robot does unasked, [`camera`] what a robot's camera sees and [`acoustics`] what its
//! microphones hear, [`render`] a picture of the room for people.

pub mod acoustics;
pub mod behaviour;
pub mod bodies;
pub mod camera;
pub mod config;
mod distance;
pub mod drive;
mod error;
pub mod household;
pub mod limits;
pub mod nav;
pub mod physics;
pub mod render;
mod rng;
mod runtime;
pub mod scenario;
pub mod sensors;
mod world;

pub use behaviour::{Behaviour, Habits, RESUME_AFTER_S};
pub use config::{WorldFile, WorldFileError};
pub use error::WorldError;
pub use household::{Household, Whereabouts};
pub use latimer_navigation::geometry;
pub use latimer_navigation::geometry::Pose2;
pub use rng::Rng;
pub use runtime::{MAX_SPEED, Population, PopulationError, Runtime, RuntimeError, RuntimeHandle};
pub use world::{Newcomer, Start, World};
