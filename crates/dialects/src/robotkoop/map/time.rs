//! Time on the wire: whole seconds since 1970.

use latimer_core::{Stamp, Timestamp};

/// Numbers beyond this are milliseconds: as seconds they would be the year 5138.
const MILLISECONDS_FROM: i64 = 100_000_000_000;

/// Whole seconds since 1970.
pub fn seconds_from_timestamp(at: Timestamp) -> i64 {
    at.as_nanos().div_euclid(1_000_000_000)
}

/// A moment by the robot's clock; when it arrived if the message tells no time.
pub fn stamp_from_seconds(seconds: Option<i64>, received: Timestamp) -> Stamp {
    let Some(number) = seconds.filter(|it| *it > 0) else { return Stamp::gateway(received) };
    let unit = if number >= MILLISECONDS_FROM { 1_000_000 } else { 1_000_000_000 };
    match number.checked_mul(unit) {
        Some(nanos) => Stamp::robot(Timestamp::from_nanos(nanos)),
        None => Stamp::gateway(received),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_whole_and_milliseconds_are_known_by_their_size() {
        let received = Timestamp::from_nanos(5);
        let at = Timestamp::from_nanos(1_552_481_472_900_000_000);
        assert_eq!(seconds_from_timestamp(at), 1_552_481_472);
        let stamp = stamp_from_seconds(Some(1_552_481_472), received);
        assert_eq!(stamp, Stamp::robot(Timestamp::from_nanos(1_552_481_472_000_000_000)));
        assert_eq!(stamp_from_seconds(Some(1_552_481_472_000), received), stamp);
        for none in [None, Some(0), Some(-7), Some(i64::MAX)] {
            assert_eq!(stamp_from_seconds(none, received), Stamp::gateway(received));
        }
    }
}
