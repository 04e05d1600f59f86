//! The model: what a robot publishes ([`Update`], [`Signal`]) and the commands that it takes ([`Command`]).
//!
//! Units stand in field names (`_m`, `_rad`, `_mps`, `_radps`, `_mps2`, `_v`, `_a`, `_c`, `_s`,
//! `_ratio` in 0..1). Axes follow REP-103 (x forward, y left, z up, yaw counter-clockwise from +x),
//! frames REP-105 (`map`, `odom`, `base_link`). A value that a robot does not give is `None`, never 0.
//! Nothing here is `Serialize`: what leaves the process is a wire type.

mod author;
mod behaviour_drive;
pub mod call;
mod command;
mod id;
mod motion_effect;
mod native;
mod navigation_goal;
mod outcome;
pub mod profile;
mod record;
pub mod sample;
pub mod shape;
pub mod signal;
mod spelling;
mod stamp;
mod update;
pub(crate) mod value;

pub use author::Author;
pub(crate) use author::ConnectionId;
pub use behaviour_drive::{ActionBias, AttentionTarget, BehaviourDrive, Pull, Push, PushWay};
pub use call::{CallDescription, NativeCall};
pub use command::{Command, JointPosition, JointTarget, LocalizationCommand, TrackSpeeds};
pub use id::{IdError, PartName, RobotId};
pub use motion_effect::{Motion, MotionEffect};
pub use native::Native;
pub use navigation_goal::{
    CameraSettings, Carry, Destination, FollowState, Maintenance, MapUse, NavigationGoal, Reading, Realities,
    RelocateBy, SenseRequest, Sensing, TaskRequest,
};
pub use outcome::{Outcome, Refusal, RefusalCode};
pub use profile::RobotProfile;
pub use record::{Record, ToValue, Word, words};
pub use signal::{Class, Kind, KindSet, Retention, Signal};
pub use spelling::is_same_name;
pub use stamp::{ClockSource, Skew, Stamp};
pub(crate) use update::key;
pub use update::{Provenance, Update};
pub use value::{Path, PathError, Value};
