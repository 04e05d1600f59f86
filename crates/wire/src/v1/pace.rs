//! How fast the simulated world goes, e.g. `{"pace": "speed", "speed": 10}` or `{"pace": "pause"}`.

use clap::Subcommand;
use latimer_simulator_api::Pace as ModelPace;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::field::InvalidField;
use super::quantity::speed;
use latimer_world::MAX_SPEED;

/// What to write for a speed.
pub const SPEEDS: &str =
    "write how many times as fast as the clock, from 0 to 100; 0 stands still, 1 is as fast";

const fn once() -> u32 {
    1
}

/// How fast the simulated world goes; the `pace` says what to do.
#[derive(Clone, Copy, Debug, PartialEq, ToSchema, Serialize, Deserialize, Subcommand)]
#[serde(tag = "pace", rename_all = "snake_case", deny_unknown_fields)]
pub enum Pace {
    /// The world goes so many times as fast as the clock.
    Speed {
        /// From 0 to 100; 0 stands still.
        #[arg(allow_negative_numbers = true, value_parser = speed)]
        speed: f64,
    },
    /// The world stands still.
    Pause {},
    /// The world goes on at the speed before the pause.
    Resume {},
    /// The world goes on by some steps and stands still again.
    Step {
        /// How many.
        #[serde(default = "once")]
        #[arg(default_value_t = once())]
        steps: u32,
    },
}

impl TryFrom<Pace> for ModelPace {
    type Error = InvalidField;

    fn try_from(pace: Pace) -> Result<Self, InvalidField> {
        match pace {
            Pace::Speed { speed } if (0.0..=MAX_SPEED).contains(&speed) => Ok(Self::Speed(speed)),
            Pace::Speed { speed } => Err(InvalidField::new("speed", format!("is {speed}"), SPEEDS)),
            Pace::Pause {} => Ok(Self::Pause),
            Pace::Resume {} => Ok(Self::Resume),
            Pace::Step { steps: 0 } => Err(InvalidField::new("steps", "is 0", "write 1 or more")),
            Pace::Step { steps } => Ok(Self::Step(steps)),
        }
    }
}
