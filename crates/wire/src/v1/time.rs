//! Times: RFC 3339 in UTC with nanoseconds, as the machine's clock showed them.

use latimer_core::{Timestamp, WallClock};

/// The machine's clock: there is one, so that there is one here.
pub static WALL: WallClock = WallClock::new();

/// A moment of the gateway's clock as text, e.g. `2026-11-21T10:04:05.123456789Z`.
pub fn rfc3339_from_timestamp(at: Timestamp) -> String {
    rfc3339_as_given(WALL.at(at))
}

/// A moment of the gateway's clock in milliseconds since the Unix epoch.
pub fn millis_from_timestamp(at: Timestamp) -> i64 {
    WALL.at(at).as_nanos() / 1_000_000
}

/// A moment of another clock as text, e.g. of a robot's.
pub fn rfc3339_as_given(at: Timestamp) -> String {
    match jiff::Timestamp::from_nanosecond(i128::from(at.as_nanos())) {
        Ok(at) => format!("{at:.9}"),
        // Every i64 of nanoseconds is between the years 1677 and 2262.
        Err(_) => unreachable!("{at:?} is out of range"),
    }
}

/// Nanoseconds since the Unix epoch of a moment as text.
pub fn nanos_from_rfc3339(text: &str) -> Option<i64> {
    i64::try_from(text.parse::<jiff::Timestamp>().ok()?.as_nanosecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanoseconds_survive() {
        for ns in [0, 1, 1_795_255_445_123_456_789, -5, i64::MAX, i64::MIN] {
            let text = rfc3339_from_timestamp(Timestamp::from_nanos(ns));
            assert_eq!(nanos_from_rfc3339(&text), Some(ns), "{text}");
        }
        assert_eq!(
            rfc3339_from_timestamp(Timestamp::from_nanos(1_500_000_000)),
            "1970-01-01T00:00:01.500000000Z"
        );
        assert_eq!(nanos_from_rfc3339("yesterday"), None);
    }
}
