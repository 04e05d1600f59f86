//! The topics' messages that describe themselves, each field beside what it is in the model.
//!
//! | file | topics |
//! |---|---|
//! | [`battery`] | `/battery_state`, `/detailed_battery_state` |
//! | [`place`] | `/tracked_pose`, `/odom_state`, `/global_positioning_state` |
//!
//! Keys stand in the order of the specification; one that a frame lacks is `None`, never 0, and is left out again; one that
//! the specification does not name is kept in `extra` and written behind the others.

pub mod battery;
mod codecs;
pub mod place;

use latimer_core::Timestamp;

use super::style::Style;
use crate::describe;

/// What encoding needs beside a record.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// When it happened.
    pub at: Timestamp,
    /// How messages are written.
    pub style: Style,
    /// Whether the robot never has a map, so that the frame in which it started is all the world that it knows.
    pub mapless: bool,
}

impl describe::Context for Context {
    fn at(&self) -> Timestamp {
        self.at
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::model::Kind;

    use super::battery::{BatteryState, DetailedBatteryState};
    use super::place::{GlobalPositioningState, OdomState, TrackedPose};
    use super::*;
    use crate::describe::check::derived;

    #[test]
    fn every_message_goes_both_ways_as_it_is_described() {
        let context = Context { at: Timestamp::default(), style: Style::default(), mapless: false };
        derived::<BatteryState>(Kind::Battery, &context);
        derived::<DetailedBatteryState>(Kind::Battery, &context);
        derived::<TrackedPose>(Kind::Pose, &context);
        derived::<OdomState>(Kind::Odometry, &context);
        derived::<GlobalPositioningState>(Kind::Relocation, &context);
    }
}
