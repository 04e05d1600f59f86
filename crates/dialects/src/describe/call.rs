//! A command of one family as one description: a struct with `#[derive(Call)]`.

use latimer_core::model::call::ArgumentError;
use latimer_core::model::{CallDescription, NativeCall};
use latimer_core::{Command, Value};

/// A described command of one family.
pub trait Call: Sized {
    /// What the core, our own API, the command line and the page know of it.
    const DESCRIPTION: &'static CallDescription;

    /// Its arguments, in their order.
    fn values(self) -> Vec<Value>;

    /// As a command of the model, if its arguments are within their bounds.
    fn command(self) -> Result<Command, ArgumentError> {
        NativeCall::new(Self::DESCRIPTION, self.values()).map(Command::Native)
    }
}
