//! Numbers as people write them: `20deg`, `15%`, `500ms`.

use std::time::Duration;

use crate::config::world::{MAX_SPEED, SPEEDS};

/// Longest duration that is taken.
const MAX_DURATION: Duration = Duration::from_secs(86_400);

/// A finite number.
pub(super) fn number(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err("this is no finite number".to_owned()),
        Err(_) => Err("this is no number".to_owned()),
    }
}

/// An angle in radians: `20deg`, `20°`, `0.35rad` or plain radians.
pub(super) fn angle(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let wrong = |why: String| format!("{why}; write an angle such as 20deg or 0.35rad");
    for degrees in ["deg", "°"] {
        if let Some(degrees) = text.strip_suffix(degrees) {
            return number(degrees).map(f64::to_radians).map_err(wrong);
        }
    }
    number(text.strip_suffix("rad").unwrap_or(text)).map_err(wrong)
}

/// A part of a whole: `15%` or `0.15`.
pub(super) fn ratio(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let ratio = match text.strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        None => number(text),
    };
    let ratio = ratio.map_err(|why| format!("{why}; write a ratio such as 15% or 0.15"))?;
    if (0.0..=1.0).contains(&ratio) {
        return Ok(ratio);
    }
    Err("a ratio is from 0 to 1, or from 0% to 100%".to_owned())
}

/// A part of a range with a middle: `50%`, `0.5` or `-0.5`.
pub(super) fn share(text: &str) -> Result<f64, String> {
    match text.trim().strip_prefix('-') {
        Some(rest) => ratio(rest).map(|share| -share),
        None => ratio(text),
    }
    .map_err(|_| "a share is from -1 to 1, or from -100% to 100%".to_owned())
}

/// Angles in radians, with commas between them: `0,30deg,-30deg`.
pub(super) fn angles(text: &str) -> Result<Angles, String> {
    text.split(',').map(angle).collect::<Result<_, _>>().map(Angles)
}

/// Several angles in one word.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Angles(pub(super) Vec<f64>);

/// A temperature in degrees Celsius: `85`, `85C` or `85°C`.
pub(super) fn temperature(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let text = text.strip_suffix(['C', 'c']).unwrap_or(text);
    number(text.strip_suffix('°').unwrap_or(text))
        .map_err(|why| format!("{why}; write degrees Celsius, such as 85 or 85C"))
}

/// How many times as fast as the clock: `10`, `10x` or `0.5`.
pub(super) fn speed(text: &str) -> Result<f64, String> {
    let text = text.trim();
    match number(text.strip_suffix('x').unwrap_or(text)) {
        Ok(speed) if (0.0..=MAX_SPEED).contains(&speed) => Ok(speed),
        _ => Err(SPEEDS.to_owned()),
    }
}

/// Two sides: `0.4x0.3`.
pub(super) fn sides<T>(text: &str, side: impl Fn(&str) -> Option<T>) -> Option<[T; 2]> {
    let (first, second) = text.split_once(['x', '×'])?;
    Some([side(first.trim())?, side(second.trim())?])
}

/// Width and height in pixels: `320x240`.
pub(super) fn pixels(text: &str) -> Result<Pixels, String> {
    let size = sides(text, |side| side.parse().ok().filter(|side| *side > 0));
    size.map(Pixels).ok_or_else(|| "write width and height in pixels, such as 320x240".to_owned())
}

/// A picture's size in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pixels(pub(super) [u32; 2]);

/// A duration: `500ms`, `2s`, `1m 30s`, of at most a day.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text.trim());
    let duration = duration.map_err(|error| format!("{error}; write a duration such as 500ms or 2s"))?;
    if duration > MAX_DURATION {
        return Err("this is longer than a day".to_owned());
    }
    Ok(duration)
}

/// A duration in seconds.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    duration(text).map(|duration| duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        assert_eq!(angle("180deg"), Ok(std::f64::consts::PI));
        assert_eq!(angle("-90°"), Ok(-std::f64::consts::FRAC_PI_2));
        assert_eq!(angle("0.5rad"), Ok(0.5));
        assert_eq!(angle("0.5"), Ok(0.5));
        assert_eq!(ratio("15%"), Ok(0.15));
        assert_eq!(ratio("1"), Ok(1.0));
        assert_eq!(seconds("1m 30s"), Ok(90.0));
        assert_eq!((share("-50%"), share("0.5")), (Ok(-0.5), Ok(0.5)));
        assert_eq!(angles("0,-180deg"), Ok(Angles(vec![0.0, -std::f64::consts::PI])));
        assert_eq!((temperature("85°C"), temperature("-5")), (Ok(85.0), Ok(-5.0)));
        assert_eq!((speed("10x"), speed("0")), (Ok(10.0), Ok(0.0)));
        assert_eq!(pixels("320x240"), Ok(Pixels([320, 240])));
    }

    #[test]
    fn refuses_what_cannot_be_meant() {
        for bad in ["nan", "inf", "1e999", "", "deg", "20grad", "--5"] {
            assert!(angle(bad).is_err(), "{bad}");
        }
        for bad in ["15", "-1%", "101%", "nan%", "%"] {
            assert!(ratio(bad).is_err(), "{bad}");
        }
        for bad in ["-1", "101", "nan", "fast", ""] {
            assert!(speed(bad).is_err(), "{bad}");
        }
        for bad in ["2", "-101%", "--1", ""] {
            assert!(share(bad).is_err(), "{bad}");
        }
        for bad in ["320", "0x240", "ax1", "1.5x2"] {
            assert!(pixels(bad).is_err(), "{bad}");
        }
        assert!(angles("0,,1").is_err() && temperature("hot").is_err());
        for bad in ["5", "-1s", "2 days", "", "inf"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
