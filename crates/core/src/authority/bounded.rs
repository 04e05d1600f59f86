//! A command that may go to its robot.

use std::ops::Deref;

use crate::model::Command;

/// A command within its robot's bounds: sessions and the simulated world get no other, and the authority alone makes those that move the base.
#[derive(Debug, PartialEq)]
pub struct Bounded(Command);

impl Bounded {
    /// One that the authority has brought within the bounds.
    pub(super) const fn within(command: Command) -> Self {
        Self(command)
    }

    /// One that does not move the base, such as a setting.
    pub(crate) fn unmoving(command: Command) -> Self {
        debug_assert!(!command.moves_base(), "{command:?} needs bounds");
        Self(command)
    }

    /// The same with the robot's own names of parts and sounds, and what `rename` says of that.
    pub(crate) fn renamed<T>(self, rename: impl FnOnce(Command) -> (Command, T)) -> (Self, T) {
        let motion = self.motion();
        let (command, note) = rename(self.0);
        debug_assert_eq!(motion, command.motion(), "a name changes no motion");
        (Self(command), note)
    }

    /// The command, to be carried out in this process.
    pub fn into_command(self) -> Command {
        self.0
    }
}

impl Deref for Bounded {
    type Target = Command;

    fn deref(&self) -> &Command {
        &self.0
    }
}

impl PartialEq<Command> for Bounded {
    fn eq(&self, other: &Command) -> bool {
        self.0 == *other
    }
}
