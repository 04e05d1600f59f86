//! What a body has to say at the next step: parts of it write here, commands too.

use latimer_core::PartName;
use latimer_core::model::Signal;

use super::Outbox;

/// Signals waiting for the next step.
#[derive(Debug, Default)]
pub(super) struct Reports(Vec<(Option<PartName>, Signal)>);

impl Reports {
    /// Something of the whole robot.
    pub(super) fn publish(&mut self, signal: impl Into<Signal>) {
        self.0.push((None, signal.into()));
    }

    /// Something of a part.
    pub(super) fn of(&mut self, part: &PartName, signal: impl Into<Signal>) {
        self.0.push((Some(part.clone()), signal.into()));
    }

    /// Hands everything over.
    pub(super) fn flush(&mut self, out: &mut Outbox<'_>) {
        for (part, signal) in self.0.drain(..) {
            out.publish(part, signal);
        }
    }
}
