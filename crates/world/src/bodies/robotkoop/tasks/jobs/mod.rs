//! The tasks themselves, one file each.

mod bring;
mod clean;
mod goto_greet;
mod learn;
mod memorize;
#[cfg(test)]
mod script;

use latimer_core::model::TaskRequest;

use super::request::LEARN;
use super::{Act, Event, Memory, Voice};
use bring::Bring;
use clean::Clean;
use goto_greet::{Goto, Greet};
use learn::Learn;
pub(super) use learn::{OPERATIONS, lesson};
use memorize::Memorize;

/// How long it takes to look something up, seconds (plausible).
const LOOK_UP_S: f64 = 1.0;

/// How long it waits before it tries a blocked way again, seconds (plausible).
const TRY_AGAIN_S: f64 = 5.0;

/// How often it tries a blocked way.
const TRIES: u32 = 2;

/// What a job may know and use.
pub(in crate::bodies::robotkoop) struct JobContext<'a> {
    /// The robot's database.
    pub(in crate::bodies::robotkoop) memory: &'a mut Memory,
    /// What the robot carries.
    pub(in crate::bodies::robotkoop) carried: &'a [String],
    /// Where it believes to be, on the map, metres.
    pub(in crate::bodies::robotkoop) at_m: [f64; 2],
    /// How it speaks.
    pub(in crate::bodies::robotkoop) voice: Voice<'a>,
}

/// A task's own state machine: it receives an event and returns the next act.
pub(super) trait Job: Send {
    /// Goes on.
    fn go_on(&mut self, event: Event, context: &mut JobContext<'_>) -> Act;

    /// Whether it looks for an object that it has not found yet.
    fn is_searching(&self) -> bool {
        false
    }
}

/// The job for a request that lacks nothing, if the robot understands it.
pub(super) fn job(request: &TaskRequest, memory: &Memory) -> Option<Box<dyn Job>> {
    let place =
        |name: &str| request.parameter(name).and_then(|it| memory.place(it)).map(|it| it.name.clone());
    Some(match request.kind.as_str() {
        "bring" => {
            Box::new(Bring::new(memory.spelled(request.parameter("object")?), place("from"), place("to")))
        }
        "clean" => Box::new(Clean::new(place("to"))),
        "memorize" => Box::new(Memorize::new()),
        "greet" => Box::new(Greet::new(request.parameter("operation") == Some("delete"))),
        LEARN => Box::new(Learn::new(request)?),
        "goto" => Box::new(Goto::new(place("to"))),
        _ => return None,
    })
}
