//! What comes by the clock: the calls of the roll, and who is struck off.

use std::time::Duration;

use latimer_core::Timestamp;

use crate::pera::limits::SILENCE_LOOK_INTERVAL;

/// Something that is due at every full multiple of a time, as at full and half minutes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beat {
    every: Option<Duration>,
    next: Option<Timestamp>,
}

impl Beat {
    /// One of so many seconds; never if there are none.
    pub(super) fn new(seconds: f64) -> Self {
        let every = Duration::try_from_secs_f64(seconds).ok().filter(|every| !every.is_zero());
        Self { every, next: None }
    }

    /// Looks for the silent: every minute, and often enough for who may be silent shorter.
    pub(super) fn for_silence(most_s: f64) -> Self {
        Self::new((most_s / 4.0).min(SILENCE_LOOK_INTERVAL.as_secs_f64()))
    }

    /// When it is due next.
    pub(super) fn next(&mut self, now: Timestamp) -> Option<Timestamp> {
        let every = i64::try_from(self.every?.as_nanos()).ok()?;
        let next = *self.next.get_or_insert_with(|| {
            Timestamp::from_nanos((now.as_nanos().div_euclid(every) + 1).saturating_mul(every))
        });
        Some(next)
    }

    /// Whether it is due; then it is not until the next time.
    pub(super) fn is_due(&mut self, now: Timestamp) -> bool {
        let due = self.next(now).is_some_and(|next| next <= now);
        if due {
            self.next = None;
            self.next(now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beats_at_full_multiples_and_leaves_out_what_was_missed() {
        let at = |seconds: i64| Timestamp::from_nanos(seconds * 1_000_000_000);
        let mut beat = Beat::new(30.0);
        assert!(!beat.is_due(at(70)));
        assert_eq!(beat.next(at(70)), Some(at(90)));
        assert!(beat.is_due(at(200)) && !beat.is_due(at(200)));
        assert_eq!(beat.next(at(500)), Some(at(210)), "it is due until somebody looks");
        assert_eq!(Beat::new(0.0).next(at(1)), None);
    }
}
