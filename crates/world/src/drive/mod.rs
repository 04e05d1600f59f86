//! Driving on two tracks: what the motors can do, and how a goal becomes speeds.

mod pilot;
mod tracks;

pub use latimer_navigation::Speeds;
pub use pilot::{Feeling, Goal, Pilot, PilotLimits, Progress};
pub use tracks::{TrackLimits, Tracks};
