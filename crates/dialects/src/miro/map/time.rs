//! The embedded clock: microseconds that roll over at 2^29, about every nine minutes.

use latimer_core::Timestamp;

use crate::miro::messages::signals::TIME_ROLLS_OVER_USEC;

/// What the embedded clock shows, so long after it was switched on.
pub fn usec_from_timestamp(now: Timestamp, switched_on: Timestamp) -> i32 {
    let usec = now.since(switched_on).as_micros() as i64;
    i32::try_from(usec.rem_euclid(TIME_ROLLS_OVER_USEC)).unwrap_or_default()
}

/// Follows an embedded clock over its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedClock {
    last_usec: Option<i32>,
}

impl EmbeddedClock {
    /// Seconds since the message before; `None` of the first one, and of one that did not come later.
    pub fn since_last(&mut self, usec: i32) -> Option<f64> {
        let last = self.last_usec.replace(usec)?;
        let step = (i64::from(usec) - i64::from(last)).rem_euclid(TIME_ROLLS_OVER_USEC);
        // More than half a turn is a message that was overtaken, or a clock that was set anew.
        (step > 0 && step < TIME_ROLLS_OVER_USEC / 2).then(|| step as f64 / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_rolls_over_and_is_followed() {
        let at = |s: i64| Timestamp::from_nanos(s * 1_000_000_000);
        assert_eq!(usec_from_timestamp(at(10), at(4)), 6_000_000);
        // 536.870912 s are a turn.
        assert_eq!(usec_from_timestamp(at(537), at(0)), 129_088);
        let mut clock = EmbeddedClock::default();
        assert_eq!(clock.since_last(536_860_912), None);
        assert_eq!(clock.since_last(10_000), Some(0.02));
        assert_eq!(clock.since_last(10_000), None, "the same again");
        assert_eq!(clock.since_last(5_000), None, "overtaken");
    }
}
