//! A boot of the robot, which goes by the clock.

use std::time::Duration;

use latimer_core::Timestamp;

use crate::axbot::limits::RESTART_TIME;

/// A boot, over or not.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Boot {
    pub(in super::super) began: Timestamp,
    pub(in super::super) takes: Duration,
}

impl Boot {
    /// A boot that begins now.
    pub(in super::super) fn new(began: Timestamp, takes: Duration) -> Self {
        Self { began, takes }
    }

    /// A boot that somebody asks for.
    pub(in super::super) fn asked(began: Timestamp, usual: Duration) -> Self {
        Self { began, takes: if usual.is_zero() { RESTART_TIME } else { usual } }
    }

    /// Whether it goes on.
    pub(in super::super) fn is_on(&self, now: Timestamp) -> bool {
        now < self.began.after(self.takes)
    }

    /// How much is done, 0..1.
    pub(in super::super) fn progress(&self, now: Timestamp) -> f64 {
        if self.is_on(now) { now.since(self.began).div_duration_f64(self.takes) } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boot_ends_by_itself() {
        let at = |s: u64| Timestamp::default().after(Duration::from_secs(s));
        let boot = Boot::new(at(10), Duration::from_secs(4));
        assert!(boot.is_on(at(10)) && boot.is_on(at(13)) && !boot.is_on(at(14)));
        assert_eq!([10, 11, 14, 99].map(|s| boot.progress(at(s))), [0.0, 0.25, 1.0, 1.0]);
        assert!(!Boot::new(at(10), Duration::ZERO).is_on(at(10)));
        assert!(Boot::asked(at(10), Duration::ZERO).is_on(at(12)));
    }
}
