//! The messages, spelled as the platform's specification and the programs of its maker spell them.
//!
//! A field that another build of the messages lacks is as if it were zero, one that it has besides is not read: layouts
//! are what the `.msg` texts say, these structs only what is understood of them.

mod config;
mod control;
mod lenient;
mod mics;
mod sensors;
pub mod signals;
mod state;

pub use config::{BridgeConfig, BridgeStream, CoreControl, PlatformConfig};
pub use control::PlatformControl;
pub use mics::PlatformMics;
pub use sensors::{BatteryState, PlatformSensors};
pub use state::PlatformState;
