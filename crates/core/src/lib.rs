//! The heart of Latimer: one typed model of the robots' signals, and the hub that carries it.
//!
//! ```text
//! source ──Update──▶ hub ──Delivery──▶ sink
//!        ◀─Command──     ◀──Command───
//! ```
//!
//! Nothing here opens a socket or knows a wire format; see `latimer-dialects` for those and
//! `latimer-world` for simulated robots. [`model`] is the vocabulary, [`hub`] the exchange,
//! [`authority`] who may move a robot, [`mod@derive`] what is made of what a robot publishes, [`memory`] what clients can fill, [`service`] the steps of every part of the gateway, [`sessions`] what clients have open,
//! [`supervisor`] the only place that retries, [`RateLimit`] how often a client may ask and
//! [`clock`] the only place that asks what time it is, of which [`WallClock`] has what people read.

pub mod access;
pub mod authority;
pub mod broker;
pub mod clock;
pub mod derive;
pub mod dispatcher;
mod exchange;
pub mod frames;
pub mod hub;
pub mod key_expression;
pub mod limits;
pub mod memory;
pub mod model;
mod rate_limit;
mod robot;
pub mod service;
pub mod sessions;
pub mod supervisor;
mod wall_clock;

pub use broker::BrokerAddress;
pub use clock::{Clock, Timestamp};
pub use hub::Hub;
pub use model::{Author, Command, Outcome, PartName, RobotId, Signal, Stamp, Update, Value};
pub use rate_limit::RateLimit;
#[doc(hidden)]
#[cfg(feature = "fuzzing")]
pub use robot::fuzz as fuzz_robot;
pub use robot::{Kept, MotionCondition, MotionKnown, Unstopped};
pub use wall_clock::WallClock;
