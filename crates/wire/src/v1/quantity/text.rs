//! Numbers as the command line takes and prints them: `20deg`, `15%`, `500ms`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::v1::pace::SPEEDS;
use latimer_world::MAX_SPEED;

use super::{
    AngularSpeed, Celsius, MAX_DURATION_S, NonNegative, Number, Positive, Radians, Ratio, Seconds, Share,
};

/// A text that is no such number.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QuantityError {
    /// Neither digits nor a known unit.
    #[error("this is no number{advice}")]
    NotANumber {
        /// What to write instead, from `; write` on.
        advice: &'static str,
    },
    /// Infinite, or too large for a number of 64 bits.
    #[error("this is no finite number{advice}")]
    NotFinite {
        /// What to write instead, from `; write` on.
        advice: &'static str,
    },
    /// Below 0 or above 1.
    #[error("a ratio is from 0 to 1, or from 0% to 100%")]
    NotARatio,
    /// Below -1 or above 1.
    #[error("a share is from -1 to 1, or from -100% to 100%")]
    NotAShare,
    /// No duration.
    #[error("{0}; write a duration such as 500ms or 2s")]
    NotADuration(#[from] humantime::DurationError),
    /// A speed of the simulated world out of its bounds.
    #[error("{SPEEDS}")]
    NotASpeed,
    /// No width and height.
    #[error("write width and height in pixels, such as 320x240")]
    NotPixels,
    /// A duration past the longest.
    #[error("this is longer than a day")]
    TooLong,
}

impl QuantityError {
    fn advising(self, advice: &'static str) -> Self {
        match self {
            Self::NotANumber { .. } => Self::NotANumber { advice },
            Self::NotFinite { .. } => Self::NotFinite { advice },
            other => other,
        }
    }
}

/// A finite number.
fn number(text: &str) -> Result<f64, QuantityError> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(QuantityError::NotFinite { advice: "" }),
        Err(_) => Err(QuantityError::NotANumber { advice: "" }),
    }
}

/// A duration of at most a day: `500ms`, `2s`, `1m 30s`.
pub fn duration(text: &str) -> Result<Duration, QuantityError> {
    let duration = humantime::parse_duration(text.trim())?;
    if duration > Duration::from_secs_f64(MAX_DURATION_S) {
        return Err(QuantityError::TooLong);
    }
    Ok(duration)
}

/// How many times as fast as the clock: `10`, `10x` or `0.5`.
pub fn speed(text: &str) -> Result<f64, QuantityError> {
    let text = text.trim();
    match number(text.strip_suffix('x').unwrap_or(text)) {
        Ok(speed) if (0.0..=MAX_SPEED).contains(&speed) => Ok(speed),
        _ => Err(QuantityError::NotASpeed),
    }
}

/// Two sides: `0.4x0.3`.
pub fn sides<T>(text: &str, side: impl Fn(&str) -> Option<T>) -> Option<[T; 2]> {
    let (first, second) = text.split_once(['x', '×'])?;
    Some([side(first.trim())?, side(second.trim())?])
}

/// Width and height in pixels: `320x240`.
pub(crate) fn pixels(text: &str) -> Result<[u32; 2], QuantityError> {
    sides(text, |side| side.parse().ok().filter(|side| *side > 0)).ok_or(QuantityError::NotPixels)
}

fn radians(text: &str) -> Result<f64, QuantityError> {
    let text = text.trim();
    let degrees = ["deg", "°"].iter().find_map(|unit| text.strip_suffix(unit));
    match degrees {
        Some(degrees) => number(degrees).map(f64::to_radians),
        None => number(text.strip_suffix("rad").unwrap_or(text)),
    }
    .map_err(|error| error.advising("; write an angle such as 20deg or 0.35rad"))
}

fn ratio(text: &str) -> Result<f64, QuantityError> {
    let text = text.trim();
    let ratio = match text.strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        None => number(text),
    };
    let ratio = ratio.map_err(|error| error.advising("; write a ratio such as 15% or 0.15"))?;
    if (0.0..=1.0).contains(&ratio) { Ok(ratio) } else { Err(QuantityError::NotARatio) }
}

fn share(text: &str) -> Result<f64, QuantityError> {
    match text.trim().strip_prefix('-') {
        Some(rest) => ratio(rest).map(|share| -share),
        None => ratio(text),
    }
    .map_err(|_| QuantityError::NotAShare)
}

fn celsius(text: &str) -> Result<f64, QuantityError> {
    let text = text.trim();
    let text = text.strip_suffix(['C', 'c']).unwrap_or(text);
    number(text.strip_suffix('°').unwrap_or(text))
        .map_err(|error| error.advising("; write degrees Celsius, such as 85 or 85C"))
}

fn seconds(text: &str) -> Result<f64, QuantityError> {
    duration(text).map(|duration| duration.as_secs_f64())
}

/// Reads a type by a function, and prints it in a form that the function reads.
macro_rules! texts {
    ($($name:ident: $read:ident, |$given:ident| $form:literal $(, $of:expr)?;)*) => {$(
        impl FromStr for $name {
            type Err = QuantityError;

            fn from_str(text: &str) -> Result<Self, QuantityError> {
                $read(text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let $given = self.0;
                write!(f, $form $(, $of)?)
            }
        }
    )*};
}

texts! {
    Number: number, |given| "{given}";
    NonNegative: number, |given| "{given}";
    Positive: number, |given| "{given}";
    Ratio: ratio, |given| "{}%", given * 100.0;
    Share: share, |given| "{}%", given * 100.0;
    Radians: radians, |given| "{given}";
    AngularSpeed: radians, |given| "{given}";
    Celsius: celsius, |given| "{given}";
    Seconds: seconds, |given| "{given}s";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: FromStr<Err = QuantityError>>(text: &str) -> Result<T, QuantityError> {
        text.parse()
    }

    #[test]
    fn reads_units() {
        assert_eq!(read("180deg"), Ok(Radians(std::f64::consts::PI)));
        assert_eq!(read("-90°"), Ok(Radians(-std::f64::consts::FRAC_PI_2)));
        assert_eq!(read("0.5rad"), Ok(Radians(0.5)));
        assert_eq!(read("0.5"), Ok(Radians(0.5)));
        assert_eq!(read("15%"), Ok(Ratio(0.15)));
        assert_eq!(read("1"), Ok(Ratio(1.0)));
        assert_eq!(read("1m 30s"), Ok(Seconds(90.0)));
        assert_eq!((read("-50%"), read("0.5")), (Ok(Share(-0.5)), Ok(Share(0.5))));
        assert_eq!((speed("10x"), speed("0")), (Ok(10.0), Ok(0.0)));
        assert_eq!(pixels("320x240"), Ok([320, 240]));
        assert_eq!((read("85°C"), read("-5")), (Ok(Celsius(85.0)), Ok(Celsius(-5.0))));
    }

    #[test]
    fn refuses_other_texts() {
        for bad in ["nan", "inf", "1e999", "", "deg", "20grad", "--5"] {
            assert!(read::<Radians>(bad).is_err(), "{bad}");
        }
        for bad in ["15", "-1%", "101%", "nan%", "%"] {
            assert!(read::<Ratio>(bad).is_err(), "{bad}");
        }
        for bad in ["2", "-101%", "--1", ""] {
            assert!(read::<Share>(bad).is_err(), "{bad}");
        }
        assert!(read::<Celsius>("hot").is_err());
        for bad in ["-1", "101", "nan", "fast", ""] {
            assert_eq!(speed(bad), Err(QuantityError::NotASpeed), "{bad}");
        }
        for bad in ["320", "0x240", "ax1", "1.5x2"] {
            assert_eq!(pixels(bad), Err(QuantityError::NotPixels), "{bad}");
        }
        for bad in ["5", "-1s", "2 days", "", "inf"] {
            assert!(read::<Seconds>(bad).is_err(), "{bad}");
        }
        let error = read::<Radians>("20grad").unwrap_err().to_string();
        assert_eq!(error, "this is no number; write an angle such as 20deg or 0.35rad");
    }

    #[test]
    fn what_is_printed_is_read_again() {
        assert_eq!(read(&Ratio(0.8).to_string()), Ok(Ratio(0.8)));
        assert_eq!(read(&Share(-0.25).to_string()), Ok(Share(-0.25)));
        assert_eq!(read(&Seconds(2.5).to_string()), Ok(Seconds(2.5)));
        assert_eq!(read(&Radians(-0.5).to_string()), Ok(Radians(-0.5)));
        assert_eq!(read(&Celsius(85.0).to_string()), Ok(Celsius(85.0)));
    }
}
