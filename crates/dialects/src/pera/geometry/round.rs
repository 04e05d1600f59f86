//! Rounding to two decimals, as the reference's two ways of doing it come out.

/// `Math.round(x * 100) / 100`: halves go up.
pub(super) fn halves_up(number: f64) -> f64 {
    let hundredths = number * 100.0;
    let floor = hundredths.floor();
    let rounded = if hundredths - floor >= 0.5 { floor + 1.0 } else { floor };
    rounded / 100.0
}

/// `round(x, 2)` of mathjs: halves of the number as it is printed go away from zero.
pub(super) fn as_printed(number: f64) -> f64 {
    let hundredths = number * 100.0;
    let from_half = (hundredths.abs().fract() - 0.5).abs();
    // Far from a half the two agree, and it is a division of whole numbers; infinities stay as they are.
    if !number.is_finite() || from_half > 1e-6 || hundredths.abs() > 1e12 {
        return if number.is_finite() { hundredths.round() / 100.0 } else { number };
    }
    let printed = number.abs().to_string();
    let (whole, decimals) = printed.split_once('.').unwrap_or((&printed, ""));
    let digit = |i: usize| decimals.as_bytes().get(i).map_or(0, |digit| i64::from(digit - b'0'));
    let kept = whole.parse::<i64>().unwrap_or_default() * 100 + digit(0) * 10 + digit(1);
    let rounded = kept + i64::from(digit(2) >= 5);
    (rounded as f64 / 100.0).copysign(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves() {
        for (number, up, printed) in [
            (1.0, 1.0, 1.0),
            (2.345, 2.35, 2.35),
            (1.005, 1.0, 1.01),
            (-1.005, -1.0, -1.01),
            (-0.125, -0.12, -0.13),
            (127.279_220_613_578_54, 127.28, 127.28),
            (0.0, 0.0, 0.0),
            (999.995, 1000.0, 1000.0),
        ] {
            assert_eq!((halves_up(number), as_printed(number)), (up, printed), "{number}");
        }
        assert!(as_printed(f64::NAN).is_nan());
        assert_eq!(as_printed(f64::INFINITY), f64::INFINITY);
    }
}
