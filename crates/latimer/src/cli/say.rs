//! The words of `latimer send`.

use clap::{Subcommand, ValueEnum};

use super::numbers::{angle, number, ratio, seconds, share};
use super::say_device::SayDevice;
use super::say_errand::SayErrand;

#[derive(Debug, Subcommand)]
#[command(subcommand_value_name = "COMMAND", subcommand_help_heading = "Commands")]
pub(super) enum Say {
    /// Go at a speed, for a while or until told otherwise
    Drive {
        /// Forward, m/s
        #[arg(allow_negative_numbers = true, value_parser = number)]
        linear: f64,
        /// Counter-clockwise, rad/s or e.g. 30deg
        #[arg(allow_hyphen_values = true, value_parser = angle, default_value = "0")]
        angular: f64,
        /// For how long
        #[arg(long = "for", value_name = "DURATION", value_parser = seconds)]
        hold: Option<f64>,
    },
    /// Go with a speed for each track
    Tracks {
        /// Left track, m/s forward
        #[arg(allow_negative_numbers = true, value_parser = number)]
        left: f64,
        /// Right track, m/s forward
        #[arg(allow_negative_numbers = true, value_parser = number)]
        right: f64,
    },
    /// Go straight for a distance at a heading
    Heading {
        /// By the robot's own yaw
        #[arg(allow_hyphen_values = true, value_parser = angle)]
        heading: f64,
        /// How far, metres
        #[arg(value_parser = number)]
        distance: f64,
        /// In what time
        #[arg(long = "in", value_name = "DURATION", value_parser = seconds)]
        within: f64,
        /// Backwards
        #[arg(long)]
        reverse: bool,
    },
    /// Go on a circle until a heading is reached
    Arc {
        /// By the robot's own yaw
        #[arg(allow_hyphen_values = true, value_parser = angle)]
        heading: f64,
        /// Radius of the circle, metres
        #[arg(value_parser = number)]
        radius: f64,
        /// In what time
        #[arg(long = "in", value_name = "DURATION", value_parser = seconds)]
        within: f64,
        /// Backwards
        #[arg(long)]
        reverse: bool,
    },
    /// Stop driving
    Stop {
        /// Hold the position with the motors
        #[arg(long)]
        hold: bool,
    },
    /// Stop every motor
    Halt {
        /// Only the motors of a mask of the robot's own
        #[arg(long)]
        mask: Option<u32>,
    },
    /// Turn the head
    Head {
        /// To the left
        #[arg(long, allow_hyphen_values = true, value_parser = angle)]
        yaw: Option<f64>,
        /// Down
        #[arg(long, allow_hyphen_values = true, value_parser = angle)]
        pitch: Option<f64>,
        /// To the right
        #[arg(long, allow_hyphen_values = true, value_parser = angle)]
        roll: Option<f64>,
        /// In what time
        #[arg(long = "in", value_name = "DURATION", value_parser = seconds)]
        within: Option<f64>,
    },
    /// Move an arm
    Arm {
        /// Which one
        side: Side,
        /// Where to; down is positive
        #[arg(allow_hyphen_values = true, value_parser = angle)]
        position: f64,
        /// In what time
        #[arg(long = "in", value_name = "DURATION", value_parser = seconds)]
        within: Option<f64>,
    },
    /// Move any joint
    Joint {
        /// Which one, e.g. head_yaw
        part: String,
        /// Where to
        #[arg(
            allow_hyphen_values = true,
            value_parser = angle,
            required_unless_present = "share",
            conflicts_with = "share"
        )]
        position: Option<f64>,
        /// Where to as a share of its range, e.g. 50%; -100% to 100% about a neutral middle
        #[arg(long, allow_hyphen_values = true, value_parser = share)]
        share: Option<f64>,
        /// How fast, rad/s or e.g. 30deg
        #[arg(long, value_parser = angle)]
        velocity: Option<f64>,
        /// In what time
        #[arg(long = "in", value_name = "DURATION", value_parser = seconds)]
        within: Option<f64>,
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
    /// Play a sound file of the robot
    Play {
        /// The file's name
        name: String,
        /// How loud, e.g. 50%
        #[arg(long, value_parser = ratio)]
        volume: Option<f64>,
    },
    /// Default loudness
    Volume {
        /// E.g. 50%
        #[arg(value_parser = ratio)]
        volume: f64,
    },
    /// Record sound, which also tells where sounds come from
    Record {
        /// Begin or end
        switch: Switch,
        /// The file's name
        name: Option<String>,
    },
    /// Listen for the key phrase, once
    Listen {
        /// Begin or end
        #[arg(default_value = "start")]
        switch: Switch,
    },
    /// Look for faces, compare them, learn them
    Faces {
        /// What to do
        what: Faces,
        /// Whose face, for `train` and `forget`
        label: Option<String>,
    },
    /// Send text to hardware on the serial port
    Serial {
        /// The text
        text: String,
    },
    /// Publish a message of a program on the robot
    Skill {
        /// The message
        text: String,
        /// What is attached, as JSON
        #[arg(long, value_name = "JSON")]
        data: Option<String>,
    },
    /// Control the localisation
    Localize {
        /// What it shall do, e.g. start_mapping, relocate
        action: String,
    },
    #[command(flatten)]
    Errand(SayErrand),
    #[command(flatten)]
    Device(SayDevice),
    /// Any command, as the API takes it
    Json {
        /// E.g. '{"command": "halt"}'
        json: String,
    },
}

impl Say {
    /// Whether it is a task that is followed to its end.
    pub(super) fn is_followed(&self) -> bool {
        let Self::Errand(errand) = self else { return false };
        matches!(errand, SayErrand::Bring { .. } | SayErrand::Clean { .. } | SayErrand::Memorize { .. })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Side {
    Left,
    Right,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Switch {
    #[value(alias = "on")]
    Start,
    #[value(alias = "off")]
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OnOff {
    On,
    Off,
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
