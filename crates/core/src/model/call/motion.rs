//! What a described command does to the robot's motion. The arguments that tell how are known by their names.

use std::time::Duration;

use super::{ArgumentType, NativeCall};
use crate::model::Motion;

/// How long it takes.
pub(super) const DURATION: &str = "duration_s";

/// What a command of one family does to the robot's motion; a description has one, or it does not compile.
#[derive(Clone, Copy, Debug)]
pub enum CallMotion {
    /// Nothing.
    Still,
    /// Ends all motion.
    Stop,
    /// Drives at the speed of its arguments `linear_mps` and `angular_radps`, for `duration_s` if there is such an argument.
    Speed,
    /// Drives `distance_m` at `heading_rad`, within `duration_s`; backwards if `reverse`.
    Heading,
    /// Drives on a circle of `radius_m`, within `duration_s`.
    Arc,
    /// Drives by itself, until it is there or done.
    Goal,
    /// Moves its base, in a way and for a time of its own.
    Own,
    /// Moves parts of it.
    Parts,
    /// Lets it begin to move of its own.
    Starts,
    /// Ends what it drives for by itself.
    EndsGoal,
    /// Ends something else, or measures.
    Ends,
    /// What its arguments say: one of those above that need no argument.
    By(fn(&NativeCall) -> CallMotion),
}

impl NativeCall {
    /// What it does to the robot's motion.
    pub fn motion(&self) -> Motion {
        let duration = || self.tells::<Duration>(DURATION);
        let motion = match self.about.motion {
            CallMotion::By(function) => match function(self) {
                // A speed or a way that nothing bounds.
                CallMotion::Speed | CallMotion::Heading | CallMotion::Arc => CallMotion::Own,
                motion => motion,
            },
            motion => motion,
        };
        match motion {
            CallMotion::Still => Motion::Other,
            CallMotion::Stop => Motion::Stop,
            CallMotion::Speed => {
                Motion::Speed { duration: duration(), is_zero: self.speed() == Some([0.0; 2]) }
            }
            CallMotion::Heading => Motion::Heading {
                heading_rad: self.number("heading_rad"),
                distance_m: self.number("distance_m"),
                duration: duration().unwrap_or_default(),
                reverse: self.tells("reverse").unwrap_or_default(),
            },
            CallMotion::Arc => {
                Motion::Arc { radius_m: self.number("radius_m"), duration: duration().unwrap_or_default() }
            }
            CallMotion::Goal => Motion::Goal,
            CallMotion::Own | CallMotion::By(_) => Motion::Own,
            CallMotion::Parts => Motion::Parts,
            CallMotion::Starts => Motion::Starts,
            CallMotion::EndsGoal => Motion::EndsGoal,
            CallMotion::Ends => Motion::Ends,
        }
    }

    /// The speed that it sets, if it sets one: forward and counter-clockwise.
    pub(crate) fn speed(&self) -> Option<[f64; 2]> {
        matches!(self.about.motion, CallMotion::Speed)
            .then(|| ["linear_mps", "angular_radps"].map(|name| self.number(name)))
    }

    fn tells<T: ArgumentType>(&self, name: &str) -> Option<T> {
        self.argument::<Option<T>>(name).ok().flatten()
    }

    fn number(&self, name: &str) -> f64 {
        self.tells(name).unwrap_or_default()
    }
}
