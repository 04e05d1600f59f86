//! Debounce: a gate that lets something through at most once per interval.

use std::time::Duration;

use crate::clock::Timestamp;

/// Open or shut, by the time of the last passage.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gate {
    passed: Option<Timestamp>,
}

impl Gate {
    /// When the gate is open again; `None` if it is open now and always was.
    pub(super) fn opens(self, every: Duration) -> Option<Timestamp> {
        self.passed.filter(|_| !every.is_zero()).map(|passed| passed.after(every))
    }

    /// Whether something may pass now.
    pub(super) fn is_open(self, every: Duration, now: Timestamp) -> bool {
        self.opens(every).is_none_or(|opens| opens <= now)
    }

    /// Something passed.
    pub(super) fn pass(&mut self, now: Timestamp) {
        self.passed = Some(now);
    }
}
