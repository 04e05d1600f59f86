//! Numbers from outside: finite, and within what the model can hold.

use std::time::Duration;

/// Longest duration that a command or stimulus may have.
const MAX_DURATION_S: f64 = 86_400.0;

/// A number that cannot be meant.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{field} is {given}; write {wanted}")]
pub struct InvalidNumber {
    /// The field's name.
    pub field: &'static str,
    /// What was given.
    pub given: f64,
    /// What can be meant.
    pub wanted: &'static str,
}

/// A finite number.
pub(super) fn finite(field: &'static str, given: f64) -> Result<f64, InvalidNumber> {
    if given.is_finite() {
        return Ok(given);
    }
    Err(InvalidNumber { field, given, wanted: "a finite number" })
}

/// A finite number of zero or more.
pub(super) fn positive(field: &'static str, given: f64) -> Result<f64, InvalidNumber> {
    if given.is_finite() && given >= 0.0 {
        return Ok(given);
    }
    Err(InvalidNumber { field, given, wanted: "a finite number that is not negative" })
}

/// A part of a whole.
pub(super) fn ratio(field: &'static str, given: f64) -> Result<f64, InvalidNumber> {
    if (0.0..=1.0).contains(&given) {
        return Ok(given);
    }
    Err(InvalidNumber { field, given, wanted: "a ratio from 0 to 1" })
}

/// A duration of at most a day.
pub(super) fn seconds(field: &'static str, given: f64) -> Result<Duration, InvalidNumber> {
    if (0.0..=MAX_DURATION_S).contains(&given) {
        return Ok(Duration::from_secs_f64(given));
    }
    Err(InvalidNumber { field, given, wanted: "seconds from 0 to 86400" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_infinite_passes() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(finite("x_m", bad).is_err());
            assert!(positive("x_m", bad).is_err());
            assert!(ratio("x_ratio", bad).is_err());
            assert!(seconds("x_s", bad).is_err());
        }
        assert!(seconds("x_s", -1.0).is_err() && seconds("x_s", 1e300).is_err());
        assert_eq!(seconds("x_s", 0.5), Ok(Duration::from_millis(500)));
        assert_eq!(
            ratio("volume_ratio", 15.0).unwrap_err().to_string(),
            "volume_ratio is 15; write a ratio from 0 to 1"
        );
    }
}
