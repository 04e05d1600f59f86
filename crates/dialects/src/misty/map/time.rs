//! Misty's time stamps: UTC, up to seven digits behind the second, trailing zeros left out, `Z` at the end.

use latimer_core::{Stamp, Timestamp};

/// What robots count in.
const TICK_NS: i64 = 100;

/// Reads a stamp with its offset from UTC; `None` if it is not one.
pub(in crate::misty) fn timestamp_from_utc(text: &str) -> Option<Timestamp> {
    let moment: jiff::Timestamp = text.trim().parse().ok()?;
    i64::try_from(moment.as_nanosecond()).ok().map(Timestamp::from_nanos)
}

/// Writes a stamp; what is finer than 100 ns is left out.
pub(in crate::misty) fn utc_from_timestamp(at: Timestamp) -> String {
    let whole_ticks = i128::from(at.as_nanos().div_euclid(TICK_NS)) * i128::from(TICK_NS);
    // Every moment of 64 bits of nanoseconds is within the years that jiff knows.
    jiff::Timestamp::from_nanosecond(whole_ticks).map(|moment| moment.to_string()).unwrap_or_default()
}

/// The robot's stamp, or that of arrival for a message that has none or a broken one.
pub(in crate::misty) fn stamp_from_utc(text: Option<&str>, received: Timestamp) -> Stamp {
    text.and_then(timestamp_from_utc).map_or(Stamp::gateway(received), Stamp::robot)
}

#[cfg(test)]
mod tests {
    use latimer_core::model::ClockSource;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn trailing_zeros_are_left_out_and_no_tick_is_lost() {
        for text in [
            "2019-01-09T20:15:38.0870356Z",
            "2019-07-23T16:49:27.558817Z",
            "2019-08-02T15:04:05.12Z",
            "2021-06-01T09:30:00Z",
            "1969-12-31T23:59:59.9999999Z",
        ] {
            assert_eq!(utc_from_timestamp(timestamp_from_utc(text).unwrap()), text);
        }
        let at = timestamp_from_utc("2019-01-09T20:15:38.0870356Z").unwrap();
        assert_eq!(at.as_nanos(), 1_547_064_938_087_035_600);
        assert_eq!(
            utc_from_timestamp(Timestamp::from_nanos(1_547_064_938_087_035_699)),
            "2019-01-09T20:15:38.0870356Z"
        );
    }

    #[test]
    fn offsets_count() {
        let east = timestamp_from_utc("2019-01-09T21:15:38.5+01:00").unwrap();
        assert_eq!(utc_from_timestamp(east), "2019-01-09T20:15:38.5Z");
    }

    #[test]
    fn garbage_is_no_time() {
        for bad in
            ["", "now", "2019-01-09", "2019-13-09T20:15:38Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]
        {
            assert_eq!(timestamp_from_utc(bad), None, "{bad:?}");
        }
        let received = Timestamp::from_nanos(7);
        assert_eq!(stamp_from_utc(Some("now"), received), Stamp::gateway(received));
        assert_eq!(stamp_from_utc(None, received).clock, ClockSource::Gateway);
    }

    proptest! {
        #[test]
        fn every_moment_comes_back(ns in any::<i64>()) {
            let text = utc_from_timestamp(Timestamp::from_nanos(ns));
            let lost = match timestamp_from_utc(&text) {
                Some(at) => i128::from(ns) - i128::from(at.as_nanos()),
                None => i128::from(ns) - i128::from(i64::MIN),
            };
            prop_assert!((0..100).contains(&lost), "{text}");
        }

        #[test]
        fn any_text_is_a_time_or_none(text in "\\PC{0,40}") {
            let _ = timestamp_from_utc(&text);
        }
    }
}
