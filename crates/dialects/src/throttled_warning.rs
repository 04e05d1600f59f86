//! A warning that is logged at most once per interval.

use latimer_core::Timestamp;

use crate::limits::WARNING_INTERVAL;

/// One kind of throttled_warning.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ThrottledWarning {
    count: u64,
    reported: Option<Timestamp>,
}

impl ThrottledWarning {
    /// Counts one more; how often it happened since the last line, if it is time for another.
    pub(crate) fn due(&mut self, now: Timestamp, more: u64) -> Option<u64> {
        self.count += more;
        if self.reported.is_some_and(|reported| now.since(reported) < WARNING_INTERVAL) {
            return None;
        }
        self.reported = Some(now);
        Some(std::mem::take(&mut self.count))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn is_published_at_once_and_then_now_and_then() {
        let start = Timestamp::from_nanos(0);
        let mut throttled_warning = ThrottledWarning::default();
        assert_eq!(throttled_warning.due(start, 1), Some(1));
        assert_eq!(throttled_warning.due(start.after(Duration::from_secs(1)), 5), None);
        assert_eq!(throttled_warning.due(start.after(Duration::from_secs(31)), 1), Some(6));
    }
}
