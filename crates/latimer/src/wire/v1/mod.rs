//! Version 1 of Latimer's own JSON.
//!
//! | message | type | where |
//! |---|---|---|
//! | an update | [`Update`] | `/api/v1/stream`, `/api/v1/last` |
//! | a hole in the stream | [`Gap`] | `/api/v1/stream` |
//! | the stream's end | [`End`] | `/api/v1/stream` |
//! | a robot | [`Robot`] | `/api/v1/robots` |
//! | where to reach what | [`Endpoint`] | `/api/v1/endpoints` |
//! | someone who looks | [`Sink`] | `/api/v1/sinks` |
//! | a command | [`Command`] | `/api/v1/robots/{id}/commands` |
//! | something that happens to a simulated robot | [`Stimulus`] | `/api/v1/robots/{id}/poke` |
//! | what became of it | [`Outcome`] | the answers to both |
//! | an error | [`Problem`] | any |
//!
//! Units stand in field names as in the model (`_m`, `_rad`, `_mps`, `_radps`, `_s`, `_ratio` 0..1).
//! Times are RFC 3339 in UTC with nanoseconds. A value that a robot does not give is `null`.
//! Within version 1 fields are added, never changed or taken away.

mod command;
mod command_parts;
mod endpoint;
mod frame;
mod json;
mod native;
mod number;
mod outcome;
mod problem;
mod robot;
mod sink;
mod stimulus;
#[cfg(test)]
mod tests;
mod time;
mod update;

pub use command::Command;
pub use command_parts::{HazardSwitch, HazardThreshold, JointTarget, LocalizationAction};
pub use endpoint::Endpoint;
pub use frame::{End, EndWhy, Frame, FrameError, Gap};
pub use json::{json_from_value, value_from_json};
pub use native::{Message, Native};
pub use number::InvalidNumber;
pub use outcome::{Outcome, Reading};
pub use problem::{MEDIA_TYPE as PROBLEM_MEDIA_TYPE, Problem};
pub use robot::{Link, Robot};
pub use sink::Sink;
pub use stimulus::Stimulus;
pub use time::{nanos_from_rfc3339, rfc3339_from_timestamp};
pub use update::{Stamp, Update};
