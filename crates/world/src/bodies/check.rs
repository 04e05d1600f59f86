//! Numbers that come from outside: a command with a bad one is refused as a whole.

use std::time::Duration;

use latimer_core::{Command, Outcome};

/// Longest time accepted, seconds; a day.
const LONGEST_S: f64 = 86_400.0;

/// What a robot of a family was not made for.
pub(super) fn cannot(family: &str, command: &Command) -> Outcome {
    let article =
        if family.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    Outcome::unsupported(format!("{article} {family} cannot carry out the command {}", command.name()))
}

/// A number within bounds, or the refusal.
pub(super) fn within(what: &str, value: f64, low: f64, high: f64) -> Result<f64, Outcome> {
    if value >= low && value <= high {
        return Ok(value);
    }
    Err(Outcome::bad_argument(format!("{what} is {value}, but must be from {low} to {high}")))
}

/// A time in seconds, or the refusal.
pub(super) fn seconds(what: &str, duration: Duration) -> Result<f64, Outcome> {
    within(what, duration.as_secs_f64(), 0.0, LONGEST_S)
}
