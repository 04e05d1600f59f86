//! Going on and off without a click.

/// How long a sound takes to come and to go, seconds.
const FADE_S: f64 = 0.01;

/// How far a pattern of seconds on, off, on, … has a sound open at a time, 0..=1.
/// An odd pattern ends with "on", so the next round begins where it is on, too.
pub(super) fn gate(pattern_s: &[f64], time_s: f64) -> f64 {
    let period: f64 = pattern_s.iter().sum();
    if period <= 0.0 || !period.is_finite() {
        return 1.0;
    }
    let odd = pattern_s.len() % 2 == 1;
    let mut into = time_s.rem_euclid(period);
    for (i, length) in pattern_s.iter().enumerate() {
        if into >= *length {
            into -= length;
            continue;
        }
        if i % 2 == 1 {
            return 0.0;
        }
        // An odd pattern ends with "on" and begins with it again: nothing to fade between the two.
        let come = if odd && i == 0 { 1.0 } else { into / FADE_S };
        let go = if odd && i + 1 == pattern_s.len() { 1.0 } else { (length - into) / FADE_S };
        return come.min(go).min(1.0);
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_is_on_and_the_ends_are_soft() {
        assert_eq!(gate(&[], 5.0), 1.0);
        assert_eq!(gate(&[2.0, 1.0], 1.0), 1.0);
        assert_eq!(gate(&[2.0, 1.0], 2.5), 0.0);
        assert!((gate(&[2.0, 1.0], 3.005) - 0.5).abs() < 1e-6);
        assert!((gate(&[2.0, 1.0], 1.995) - 0.5).abs() < 1e-6);
        assert_eq!(gate(&[1.0, 1.0, 1.0], 2.999), 1.0);
        assert_eq!(gate(&[1.0, 1.0, 1.0], 3.001), 1.0);
    }
}
