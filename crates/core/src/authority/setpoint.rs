//! The speed that a robot was asked for, and the one that it has on the way there.

use super::envelope::{Envelope, Speed};
use crate::clock::Timestamp;
use crate::limits::SETPOINT_STEP;
use crate::model::{Command, Motion};

/// Speeds that differ by less are the same, m/s and rad/s.
const SAME: f64 = 1e-6;

/// A speed on its way to what was asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setpoint {
    asked: Speed,
    sent: Speed,
    sent_at: Timestamp,
    asked_at: Timestamp,
    /// When it ends by itself.
    ends: Option<Timestamp>,
}

impl Setpoint {
    /// A speed that was asked for, after another perhaps, and what is sent of it.
    pub(super) fn begin(
        command: &Command,
        before: Option<Self>,
        envelope: &Envelope,
        now: Timestamp,
    ) -> Option<(Self, Command)> {
        let asked = Speed::of(command)?;
        let Motion::Speed { duration, .. } = command.motion() else { return None };
        let before = before.filter(|it| !it.is_over(now));
        let since = before.map_or(SETPOINT_STEP, |it| now.since(it.sent_at).min(SETPOINT_STEP));
        let sent = envelope.approach(before.map(|it| it.sent), envelope.limit(asked), since);
        let ends = duration.map(|lasts| now.after(lasts));
        Some((Self { asked, sent, sent_at: now, asked_at: now, ends }, sent.command(duration)))
    }

    /// The next speed on the way, if it is another one.
    pub(super) fn step(&mut self, envelope: &Envelope, now: Timestamp) -> Option<Command> {
        if self.is_over(now) {
            return None;
        }
        let since = now.since(self.sent_at).min(SETPOINT_STEP);
        let next = envelope.approach(Some(self.sent), envelope.limit(self.asked), since);
        if next.is_near(self.sent, SAME) {
            return None;
        }
        (self.sent, self.sent_at) = (next, now);
        Some(next.command(self.ends.map(|ends| ends.since(now))))
    }

    /// When it was asked for.
    pub(super) const fn asked_at(&self) -> Timestamp {
        self.asked_at
    }

    fn is_over(&self, now: Timestamp) -> bool {
        self.ends.is_some_and(|ends| now >= ends)
    }
}
