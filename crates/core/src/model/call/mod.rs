//! Commands of one family. A dialect describes each once (`#[derive(Call)]` in `latimer_dialects`); the core knows its name, its
//! arguments and what it does to the robot's motion, and all that is not the dialect's follows from that: our own API, its
//! OpenAPI, the command line, the page, bounds, leases, stops.
//!
//! ```text
//! struct ──derive──▶ CallDescription ◀── NativeCall { about, arguments } ──▶ owner ──▶ session or simulated body
//! ```

mod argument;
mod motion;
mod quantity;
mod sample;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Refusal, Value};
pub use argument::{Argument, ArgumentType, Presence, Spelling};
pub use motion::CallMotion;
pub use quantity::{MAX_DURATION_S, Quantity};

/// Looks at the arguments of a call together.
pub type CallCheck = fn(&NativeCall) -> Result<(), ArgumentError>;

/// What a command of one family is.
#[derive(Debug)]
pub struct CallDescription {
    /// The dialect that describes it.
    pub dialect: &'static str,
    /// Its name in our own API, e.g. `drive_arc`; no other command of any dialect has it.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Its arguments, in the order in which people write them.
    pub arguments: &'static [Argument],
    /// What it does to the robot's motion.
    pub motion: CallMotion,
    /// Its word on the command line; none if that has other words for it.
    pub word: Option<&'static str>,
    /// What arguments ask of each other, beside the bounds of each.
    pub check: Option<CallCheck>,
}

/// A command of one family with its arguments.
#[derive(Clone)]
pub struct NativeCall {
    about: &'static CallDescription,
    arguments: Arc<[Value]>,
}

/// An argument that cannot be meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} {problem}; {advice}")]
pub struct ArgumentError {
    /// Its name.
    pub name: &'static str,
    /// What is wrong, e.g. `is -1`.
    pub problem: String,
    /// What to write.
    pub advice: &'static str,
}

impl From<ArgumentError> for Refusal {
    fn from(error: ArgumentError) -> Self {
        Self::bad_argument(error.to_string())
    }
}

impl NativeCall {
    /// A command with a value for each argument, in their order; [`Value::Null`] is not given.
    pub fn new(about: &'static CallDescription, given: Vec<Value>) -> Result<Self, ArgumentError> {
        let given = given.into_iter().chain(std::iter::repeat(Value::Null));
        let arguments = about.arguments.iter().zip(given).map(|(argument, value)| argument.checked(value));
        let call = Self { about, arguments: arguments.collect::<Result<_, _>>()? };
        about.check.map_or(Ok(()), |check| check(&call))?;
        Ok(call)
    }

    /// What it is.
    pub const fn about(&self) -> &'static CallDescription {
        self.about
    }

    /// Its arguments with their values.
    pub fn arguments(&self) -> impl Iterator<Item = (&'static Argument, &Value)> {
        self.about.arguments.iter().zip(self.arguments.iter())
    }

    /// Whether an argument is given.
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some_and(|value| *value != Value::Null)
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.arguments().find(|(argument, _)| argument.name == name).map(|(_, value)| value)
    }

    /// An argument by its name.
    pub fn argument<T: ArgumentType>(&self, name: &str) -> Result<T, Refusal> {
        let value = self.value(name).and_then(T::from_argument);
        value.ok_or_else(|| Refusal::bad_argument(format!("{} has no {name} of that kind", self.about.name)))
    }

    /// The same in another time, for one that says how long it takes.
    pub(crate) fn within(&self, time: Duration) -> Self {
        let timed = |(argument, value): (&Argument, &Value)| match argument.name {
            motion::DURATION => Value::Float(time.as_secs_f64()),
            _ => value.clone(),
        };
        Self { about: self.about, arguments: self.arguments().map(timed).collect() }
    }
}

impl PartialEq for NativeCall {
    fn eq(&self, other: &Self) -> bool {
        self.about.name == other.about.name && self.arguments == other.arguments
    }
}

impl fmt::Debug for NativeCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut call = f.debug_struct(self.about.name);
        for (argument, value) in self.arguments() {
            call.field(argument.name, value);
        }
        call.finish()
    }
}

#[cfg(test)]
pub(crate) mod tests;
