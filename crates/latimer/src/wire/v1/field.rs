//! What is read from outside: numbers that are finite and that the model can hold, fields that fit together.

use std::time::Duration;

/// Longest duration that a command or stimulus may have.
const MAX_DURATION_S: f64 = 86_400.0;

/// A field that cannot be meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} {problem}; {advice}")]
pub struct InvalidField {
    /// The field's name.
    pub field: &'static str,
    /// What is wrong, e.g. `is -1`.
    pub problem: String,
    /// What to do.
    pub advice: &'static str,
}

impl InvalidField {
    /// Which field, what is wrong, what to do.
    pub(super) fn new(field: &'static str, problem: impl Into<String>, advice: &'static str) -> Self {
        Self { field, problem: problem.into(), advice }
    }
}

/// A number for which something holds.
fn checked(field: &'static str, given: f64, holds: bool, advice: &'static str) -> Result<f64, InvalidField> {
    if holds { Ok(given) } else { Err(InvalidField::new(field, format!("is {given}"), advice)) }
}

/// A finite number.
pub(super) fn finite(field: &'static str, given: f64) -> Result<f64, InvalidField> {
    checked(field, given, given.is_finite(), "write a finite number")
}

/// A finite number of zero or more.
pub(super) fn positive(field: &'static str, given: f64) -> Result<f64, InvalidField> {
    let holds = given.is_finite() && given >= 0.0;
    checked(field, given, holds, "write a finite number that is not negative")
}

/// A finite number of more than zero.
pub(super) fn above_zero(field: &'static str, given: f64) -> Result<f64, InvalidField> {
    checked(field, given, given.is_finite() && given > 0.0, "write a finite number above zero")
}

/// A part of a whole.
pub(super) fn ratio(field: &'static str, given: f64) -> Result<f64, InvalidField> {
    checked(field, given, (0.0..=1.0).contains(&given), "write a ratio from 0 to 1")
}

/// A part of a range with a middle.
pub(super) fn share(field: &'static str, given: f64) -> Result<f64, InvalidField> {
    checked(field, given, (-1.0..=1.0).contains(&given), "write a ratio from -1 to 1")
}

/// A duration of at most a day.
pub(super) fn seconds(field: &'static str, given: f64) -> Result<Duration, InvalidField> {
    let holds = (0.0..=MAX_DURATION_S).contains(&given);
    checked(field, given, holds, "write seconds from 0 to 86400").map(Duration::from_secs_f64)
}

/// A pose on the map: x, y in metres, yaw in radians.
pub(super) fn pose(x_m: f64, y_m: f64, yaw_rad: f64) -> Result<[f64; 3], InvalidField> {
    Ok([finite("x_m", x_m)?, finite("y_m", y_m)?, finite("yaw_rad", yaw_rad)?])
}

/// A text that says something.
pub(super) fn said(field: &'static str, given: String) -> Result<String, InvalidField> {
    if given.trim().is_empty() {
        return Err(InvalidField::new(field, "is empty", "write a name"));
    }
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_infinite_passes() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(finite("x_m", bad).is_err());
            assert!(positive("x_m", bad).is_err());
            assert!(above_zero("x_m", bad).is_err());
            assert!(ratio("x_ratio", bad).is_err());
            assert!(share("x_ratio", bad).is_err());
            assert!(seconds("x_s", bad).is_err());
        }
        assert!(above_zero("x_m", 0.0).is_err() && positive("x_m", 0.0).is_ok());
        assert!(seconds("x_s", -1.0).is_err() && seconds("x_s", 1e300).is_err());
        assert_eq!(seconds("x_s", 0.5), Ok(Duration::from_millis(500)));
        assert_eq!(
            ratio("volume_ratio", 15.0).unwrap_err().to_string(),
            "volume_ratio is 15; write a ratio from 0 to 1"
        );
    }
}
