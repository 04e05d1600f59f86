//! What is broken for a while.

use latimer_core::{Outcome, PartName};

/// What can break.
const PARTS: [&str; 5] = ["sonar", "cliff_left", "cliff_right", "camera_left", "camera_right"];

/// Until when each part is broken, by the world's clock, seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Failures {
    until_s: [f64; 5],
}

/// What is broken at a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Broken {
    pub(super) sonar: bool,
    /// Left and right.
    pub(super) cliffs: [bool; 2],
    /// Left and right.
    pub(super) cameras: [bool; 2],
}

impl Failures {
    /// Breaks a part until a time.
    pub(super) fn break_part(&mut self, part: &PartName, until_s: f64) -> Result<(), Outcome> {
        let Some(found) = PARTS.iter().position(|known| *known == part.as_str()) else {
            return Err(Outcome::bad_argument(format!("{part} cannot fail; what can: {}", PARTS.join(", "))));
        };
        self.until_s[found] = until_s;
        Ok(())
    }

    /// What is broken at a time.
    pub(super) fn at(&self, time_s: f64) -> Broken {
        let [sonar, cliff_left, cliff_right, camera_left, camera_right] =
            self.until_s.map(|until_s| time_s < until_s);
        Broken { sonar, cliffs: [cliff_left, cliff_right], cameras: [camera_left, camera_right] }
    }
}
