//! The units that Misty's commands use, and what they mean in SI.
//!
//! Speeds are percent of the robot's own top speed. Its documentation names 450 mm/s as the limit at
//! which the hazard system still lets it drive; no page gives the turn or joint speed at 100 %, so
//! those are the figures of the simulated body.

/// Forward speed at 100 %.
pub const FULL_SPEED_MPS: f64 = 0.45;
/// Turn rate at 100 %; just below the 100 °/s at which the hazard system stops the drive.
pub const FULL_TURN_RADPS: f64 = std::f64::consts::FRAC_PI_2;
/// Joint speed at 100 %.
pub const FULL_JOINT_RADPS: f64 = std::f64::consts::PI;

/// A joint that commands name, and how far it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointRange {
    /// The part's name in the model.
    pub part: &'static str,
    /// Least angle: position -5.
    pub min_deg: f64,
    /// Greatest angle: position +5.
    pub max_deg: f64,
}

/// Head, up (negative) to down.
pub const HEAD_PITCH: JointRange = JointRange { part: "head_pitch", min_deg: -40.0, max_deg: 26.0 };
/// Head, tipped left (negative) to right.
pub const HEAD_ROLL: JointRange = JointRange { part: "head_roll", min_deg: -40.0, max_deg: 40.0 };
/// Head, turned right (negative) to left.
pub const HEAD_YAW: JointRange = JointRange { part: "head_yaw", min_deg: -81.0, max_deg: 81.0 };
/// Left arm, up (negative) to down.
pub const LEFT_ARM: JointRange = JointRange { part: "arm_left", min_deg: -29.0, max_deg: 90.0 };
/// Right arm, up (negative) to down.
pub const RIGHT_ARM: JointRange = JointRange { part: "arm_right", min_deg: -29.0, max_deg: 90.0 };

/// The unit of a joint's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointUnit {
    /// Degrees, the default.
    Degrees,
    /// Radians.
    Radians,
    /// -5 to 5, from one end to the other with 0 at rest.
    Position,
}

impl JointUnit {
    /// Reads `Units`, in any case.
    pub fn from_word(word: &str) -> Option<Self> {
        [("degrees", Self::Degrees), ("radians", Self::Radians), ("position", Self::Position)]
            .into_iter()
            .find_map(|(known, unit)| known.eq_ignore_ascii_case(word.trim()).then_some(unit))
    }

    /// The angle that a number in this unit means for a joint.
    pub fn radians(self, number: f64, joint: JointRange) -> f64 {
        match self {
            Self::Degrees => number.to_radians(),
            Self::Radians => number,
            Self::Position if number < 0.0 => (number / -5.0 * joint.min_deg).to_radians(),
            Self::Position => (number / 5.0 * joint.max_deg).to_radians(),
        }
    }
}

/// A share of a top speed from percent; more than all is all.
pub fn ratio_from_percent(percent: f64) -> f64 {
    (percent / 100.0).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_run_from_end_to_end_with_rest_at_zero() {
        let at = |number| JointUnit::Position.radians(number, HEAD_PITCH).to_degrees().round();
        assert_eq!([at(-5.0), at(0.0), at(5.0)], [-40.0, 0.0, 26.0]);
        assert_eq!(JointUnit::from_word("Position"), Some(JointUnit::Position));
        assert_eq!(JointUnit::from_word("turns"), None);
    }

    #[test]
    fn percent_is_held_within_all() {
        assert_eq!(ratio_from_percent(250.0), 1.0);
        assert_eq!(ratio_from_percent(-20.0), -0.2);
    }
}
