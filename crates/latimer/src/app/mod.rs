//! The gateway at work: everything is built before anything runs, and everything stops in time.
//!
//! ```text
//! Config ──Gateway::build()──▶ Gateway ──run(shutdown)──▶ stopped
//!          binds every port,             world thread, broker, dialects, HTTP;
//!          makes the world               at most SHUTDOWN_GRACE_TIME after `shutdown`
//! ```

pub(crate) mod audit;
mod broker;
mod build;
mod change;
mod config_file;
#[doc(hidden)]
pub mod fuzzing;
mod hangups;
mod reload;
mod run;
pub mod signals;
mod state;
mod topic_roles;
mod units;
pub mod world;

pub use build::{AppError, Gateway};
pub use reload::{Reload, ReloadError, ReloadOptions, Reloaded, Standing};
pub use run::Stopped;
