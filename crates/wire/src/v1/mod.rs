//! Version 1 of Latimer's own JSON.
//!
//! | message | type | where |
//! |---|---|---|
//! | an update | [`Update`] | `/api/v1/stream`, `/api/v1/last` |
//! | a hole in the stream | [`Gap`] | `/api/v1/stream` |
//! | many frames at once | [`Frame::Batch`] | `/api/v1/stream?batch=` |
//! | the stream's end | [`End`] | `/api/v1/stream` |
//! | a robot | [`Robot`] | `/api/v1/robots` |
//! | what a robot has and can | [`RobotProfile`] | `/api/v1/robots/{id}` |
//! | where to reach what | [`Endpoint`] | `/api/v1/endpoints` |
//! | subscriber | [`Sink`] | `/api/v1/sinks` |
//! | what a client has open | [`ClientSession`] | `/api/v1/sessions` |
//! | a task | [`TaskRecord`] | `/api/v1/tasks` |
//! | something wrong | [`Alert`] | `/api/v1/alerts` |
//! | what numbers were | [`Samples`] | `/api/v1/history` |
//! | whether all is well | [`Readiness`] | `/api/v1/ready` |
//! | a kind and the fields of its record | [`KindShape`] | `/api/v1/kinds` |
//! | a dialect's messages beside the model | [`Dialect`] | `/api/v1/dialects` |
//! | a line to copy | [`Line`] | `/api/v1/lines` |
//! | a command | [`Command`] | `/api/v1/robots/{id}/commands` |
//! | a command that was given | [`CommandRecord`] | `/api/v1/commands` |
//! | a command on its way | [`CommandFrame`] | `/api/v1/commands/stream` |
//! | something that happens to a simulated robot | [`Stimulus`] | `/api/v1/robots/{id}/poke` |
//! | something that happens in the simulated world | [`Happening`] | `/api/v1/world/poke` |
//! | what the simulated world looks like | [`World`] | `/api/v1/world` |
//! | what moves in it | [`WorldFrame`] | `/api/v1/world/stream` |
//! | a scenario to begin | [`Scenario`] | `/api/v1/world/scenario` |
//! | what a family's robot looks like | [`Figure`] | `/api/v1/families` |
//! | how fast the simulated world goes | [`Pace`] | `/api/v1/world/pace` |
//! | what became of it | [`CommandOutcome`], [`Outcome`] | the answers to all of these |
//! | what a probe found | [`Probe`] | `latimer probe --json` |
//! | an error | [`Problem`] | any |
//!
//! Units stand in field names as in the model (`_m`, `_rad`, `_mps`, `_radps`, `_s`, `_ratio` 0..1).
//! Times are RFC 3339 in UTC with nanoseconds. A value that a robot does not give is `null`.
//! Within version 1 fields are added, never changed or taken away.

mod alert;
mod bounds;
mod command;
mod command_record;
mod command_step;
mod dialect;
mod endpoint;
mod field;
mod figure;
mod frame;
mod frame_schema;
mod happening;
mod json;
mod kind;
mod line;
mod native;
mod outcome;
mod pace;
mod probe;
mod problem;
mod profile;
mod quantity;
mod readiness;
mod robot;
mod samples;
mod scenario;
mod session;
mod sink;
mod stimulus;
mod task_record;
#[cfg(test)]
mod tests;
mod time;
mod update;
mod word;
mod world;

pub use alert::Alert;
pub use command::add_schemas;
pub use command::{
    Camera, Charger, Command, ControlMode, Described, Destination, HazardThreshold, JointTarget,
    LocalizationAction, Navigate, PartSwitch, Pose, Reality, Sense, Sensing, Target, Task,
};
pub use command_record::{Author, CommandRecord};
pub use command_step::{CommandFrame, CommandStep};
pub use dialect::{Dialect, DialectField, DialectMessage, DialectWord};
pub use endpoint::Endpoint;
pub use field::InvalidField;
pub use figure::{Figure, FigureCamera, FigureJoint, FigureLamp, FigurePart};
pub use frame::{End, EndWhy, Frame, FrameError, Gap, MAX_MESSAGE_BYTES, batch_of};
pub use frame_schema::FRAMES;
pub use happening::{BoxSize, CylinderSize, Happening, Rgb};
pub use json::BytesForm;
pub use kind::{Field, KindShape, ValueType};
pub use line::Line;
pub use native::{Native, NativeMessage};
pub use outcome::{CommandOutcome, Outcome, Reading};
pub use pace::{Pace, SPEEDS};
pub use probe::{Probe, ProbeClock, ProbeDeviation, ProbeDevice, ProbeFault, ProbeLink, ProbeTopic};
pub use problem::{MEDIA_TYPE as PROBLEM_MEDIA_TYPE, Problem};
pub use profile::{PartRole, RangeSensor, RobotProfile};
pub use quantity::{
    AngularSpeed, Celsius, NonNegative, Number, Positive, QuantityError, Radians, Ratio, Seconds, Share,
};
pub use quantity::{duration, sides, speed};
pub use readiness::{Check, Readiness};
pub use robot::{Bounds, Link, Motion, Robot, Unstopped};
pub use samples::Samples;
pub use scenario::Scenario;
pub use session::ClientSession;
pub use sink::Sink;
pub use stimulus::Stimulus;
pub use task_record::{TaskRecord, TaskReport};
pub use time::{WALL, millis_from_timestamp, nanos_from_rfc3339, rfc3339_as_given, rfc3339_from_timestamp};
pub use update::{Provenance, Stamp, Update};
pub use word::json;
pub use world::{
    Circle, DoorLeaf, PersonPose, Point, RobotPose, Shape, ThingPose, World, WorldFrame, WorldNow,
};
