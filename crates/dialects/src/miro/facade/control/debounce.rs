//! A number that is pulsed: programs send it over and over for a moment and mean it once.

use latimer_core::Timestamp;

use crate::miro::limits::PULSE_DEBOUNCE_TIME;

/// The last number and when it came.
#[derive(Debug, Default)]
pub(super) struct Debounce(Option<(i32, Timestamp)>);

impl Debounce {
    /// Whether a number is news; after a 0 every number is.
    pub(super) fn is_raised(&mut self, number: i32, now: Timestamp) -> bool {
        let goes_on = self.0.is_some_and(|(last, at)| last == number && now.since(at) < PULSE_DEBOUNCE_TIME);
        self.0 = (number != 0).then_some((number, now));
        number != 0 && !goes_on
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_number_that_is_sent_over_and_over_is_meant_once() {
        let mut debounce = Debounce::default();
        let mut raised =
            |number, ms| debounce.is_raised(number, Timestamp::default().after(Duration::from_millis(ms)));
        assert!(raised(3, 0));
        assert!((1..300).all(|ms| !raised(3, ms)), "a flood of them");
        assert!(raised(4, 300), "another");
        assert!(raised(-1, 310), "stop");
        assert!(raised(4, 320));
        assert!(!raised(0, 330));
        assert!(raised(4, 340), "put down between");
        assert!(raised(4, 1_000), "long after");
    }
}
