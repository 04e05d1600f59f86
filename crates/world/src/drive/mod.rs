//! Driving on two tracks: what the motors can do, and how a goal becomes speeds.

mod pilot;
mod tracks;

pub use pilot::{Feeling, Goal, Pilot, PilotLimits, Progress, Speeds};
pub use tracks::{TrackLimits, Tracks};
