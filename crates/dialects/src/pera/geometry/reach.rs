//! Whom a robot's message reaches.

use super::angle::{bearing, difference, distance};
use crate::pera::messages::localization::Localization;
use crate::pera::topic::Reach;

/// How far a message reaches that says no distance.
const FAR_CM: f64 = 60.0;

/// How far off the heading a message to those ahead reaches.
const OFF_DEG: f64 = 15.0;

/// Whether a message reaches somebody.
pub(in crate::pera) fn reaches(reach: Reach, from: Localization, to: [f64; 2], most_cm: Option<f64>) -> bool {
    let start = [from.x, from.y];
    let near = distance(start, to) <= most_cm.unwrap_or(FAR_CM);
    near && match reach {
        Reach::Simple => true,
        Reach::Direct => difference(from.heading, bearing(start, to)).abs() <= OFF_DEG,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_around_and_those_ahead() {
        let from = Localization { x: 0.0, y: 0.0, heading: 350.0 };
        assert!(reaches(Reach::Simple, from, [-60.0, 0.0], None));
        assert!(!reaches(Reach::Simple, from, [60.01, 0.0], None));
        assert!(!reaches(Reach::Simple, from, [40.0, 0.0], Some(39.99)));
        assert!(reaches(Reach::Direct, from, [50.0, 0.0], None), "10° off");
        assert!(!reaches(Reach::Direct, from, [50.0, 10.0], None), "21° off");
        assert!(!reaches(Reach::Direct, from, [-50.0, 0.0], None));
    }
}
