//! The words of `latimer send`.

use clap::{Subcommand, ValueEnum};

use super::navigation::Navigation;
use super::task::TaskWords;
use latimer_wire::v1::{AngularSpeed, Command, Radians, Seconds, Share};

/// The API's commands, and short words for some of them.
#[derive(Debug, Subcommand)]
#[command(subcommand_value_name = "COMMAND", subcommand_help_heading = "Commands")]
pub(super) enum Words {
    #[command(flatten)]
    Command(Command),
    /// Turn the head
    Head {
        /// To the left
        #[arg(long, allow_hyphen_values = true)]
        yaw: Option<Radians>,
        /// Down
        #[arg(long, allow_hyphen_values = true)]
        pitch: Option<Radians>,
        /// To the right
        #[arg(long, allow_hyphen_values = true)]
        roll: Option<Radians>,
        /// In what time
        #[arg(long = "in", value_name = "DURATION")]
        within: Option<Seconds>,
    },
    /// Move an arm
    Arm {
        /// Which one
        side: Side,
        /// Where to; down is positive
        #[arg(allow_hyphen_values = true)]
        position: Radians,
        /// In what time
        #[arg(long = "in", value_name = "DURATION")]
        within: Option<Seconds>,
    },
    /// Move any joint
    Joint {
        /// Which one, e.g. head_yaw
        part: String,
        /// Where to
        #[arg(allow_hyphen_values = true, required_unless_present = "share", conflicts_with = "share")]
        position: Option<Radians>,
        /// Where to as a share of its range, e.g. 50%; -100% to 100% about a neutral middle
        #[arg(long, allow_hyphen_values = true)]
        share: Option<Share>,
        /// How fast, rad/s or e.g. 30deg
        #[arg(long)]
        velocity: Option<AngularSpeed>,
        /// In what time
        #[arg(long = "in", value_name = "DURATION")]
        within: Option<Seconds>,
    },
    /// Colour of a lamp
    Led {
        /// 0..255
        red: u8,
        /// 0..255
        green: u8,
        /// 0..255
        blue: u8,
        /// Which lamp
        #[arg(long)]
        part: Option<String>,
    },
    /// Look for faces, compare them, learn them
    Faces {
        /// What to do
        what: Faces,
        /// Whose face, for `train` and `forget`
        label: Option<String>,
    },
    #[command(flatten)]
    Navigation(Navigation),
    #[command(flatten)]
    Task(TaskWords),
    /// Any command, as the API takes it
    Json {
        /// E.g. '{"command": "halt"}'
        json: String,
    },
}

impl Words {
    /// Whether what they ask for takes its time, and ends by itself.
    pub(super) fn are_followed(&self) -> bool {
        match self {
            Self::Task(task) => task.is_followed(),
            Self::Navigation(drive) => drive.is_followed(),
            _ => false,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Side {
    Left,
    Right,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Faces {
    Detect,
    DetectStop,
    Recognize,
    RecognizeStop,
    Train,
    TrainCancel,
    Forget,
}
