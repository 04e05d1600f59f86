//! What can be asked of a robot, e.g. `{"command": "drive", "linear_mps": 0.2, "duration_s": 2}`.

use latimer_core::Command as ModelCommand;
use latimer_core::model::signal::{Limit, Switch};
use latimer_core::model::{PartName, TrackSpeeds};
use serde::{Deserialize, Serialize};

use super::command_parts::{HazardSwitch, HazardThreshold, JointTarget, LocalizationAction};
use super::json::value_from_json;
use super::number::{InvalidNumber, finite, positive, ratio, seconds};

const fn yes() -> bool {
    true
}

/// Something asked of a robot; the `command` says what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Go at a speed, for a while or until told otherwise.
    Drive {
        /// Forward.
        #[serde(default)]
        linear_mps: f64,
        /// Counter-clockwise.
        #[serde(default)]
        angular_radps: f64,
        /// For how long.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        duration_s: Option<f64>,
    },
    /// Go with a speed for each track.
    DriveTracks {
        /// Left one, forward.
        left_mps: f64,
        /// Right one, forward.
        right_mps: f64,
    },
    /// Go straight for a distance at a heading.
    DriveHeading {
        /// By the robot's own yaw.
        heading_rad: f64,
        /// How far.
        distance_m: f64,
        /// In what time.
        duration_s: f64,
        /// Backwards.
        #[serde(default)]
        reverse: bool,
    },
    /// Go on a circle until a heading is reached.
    DriveArc {
        /// By the robot's own yaw.
        heading_rad: f64,
        /// Of the circle.
        radius_m: f64,
        /// In what time.
        duration_s: f64,
        /// Backwards.
        #[serde(default)]
        reverse: bool,
    },
    /// Stop driving.
    Stop {
        /// Hold the position with the motors.
        #[serde(default)]
        hold: bool,
    },
    /// Stop every motor, or those of a mask of the robot's own.
    Halt {
        /// Which motors.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        motor_mask: Option<u32>,
    },
    /// Move joints together.
    Joints {
        /// Which, and where to.
        targets: Vec<JointTarget>,
    },
    /// Colour of a lamp.
    Lamp {
        /// Which lamp; the main one if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<String>,
        /// Red, green, blue, each 0..255.
        rgb: [u8; 3],
    },
    /// Play a sound file of the robot.
    Play {
        /// The file's name.
        name: String,
        /// How loud.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        volume_ratio: Option<f64>,
    },
    /// Default loudness.
    Volume {
        /// How loud.
        volume_ratio: f64,
    },
    /// Record sound.
    Record {
        /// Begin or end.
        #[serde(default = "yes")]
        on: bool,
        /// The file's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Listen for the key phrase, once.
    Listen {
        /// Begin or end.
        #[serde(default = "yes")]
        on: bool,
    },
    /// Look for faces.
    DetectFaces {
        /// Begin or end.
        #[serde(default = "yes")]
        on: bool,
    },
    /// Compare faces with the known ones.
    RecognizeFaces {
        /// Begin or end.
        #[serde(default = "yes")]
        on: bool,
    },
    /// Learn the face in view.
    TrainFace {
        /// Under which name.
        label: String,
    },
    /// Stop learning.
    CancelFaceTraining {},
    /// Forget a face.
    ForgetFace {
        /// Whose; all if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
    /// Send text to hardware on the serial port.
    Serial {
        /// The text.
        text: String,
    },
    /// Publish a message of a program on the robot.
    SkillMessage {
        /// The message.
        text: String,
        /// What is attached.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        data: Option<serde_json::Value>,
    },
    /// Set which hazards stop the robot; what is not named stays.
    HazardSettings {
        /// Back to the defaults first.
        #[serde(default)]
        revert: bool,
        /// Bumpers.
        #[serde(default)]
        bumpers: Vec<HazardSwitch>,
        /// Edge and range sensors.
        #[serde(default)]
        ranges: Vec<HazardThreshold>,
    },
    /// Control the localisation.
    Localization {
        /// What it shall do.
        action: LocalizationAction,
    },
}

impl TryFrom<Command> for ModelCommand {
    type Error = InvalidNumber;

    fn try_from(command: Command) -> Result<Self, InvalidNumber> {
        Ok(match command {
            Command::Drive { linear_mps, angular_radps, duration_s } => Self::Drive {
                linear_mps: finite("linear_mps", linear_mps)?,
                angular_radps: finite("angular_radps", angular_radps)?,
                duration: duration_s.map(|given| seconds("duration_s", given)).transpose()?,
            },
            Command::DriveTracks { left_mps, right_mps } => Self::DriveTracks(TrackSpeeds {
                left_mps: finite("left_mps", left_mps)?,
                right_mps: finite("right_mps", right_mps)?,
            }),
            Command::DriveHeading { heading_rad, distance_m, duration_s, reverse } => Self::DriveHeading {
                heading_rad: finite("heading_rad", heading_rad)?,
                distance_m: positive("distance_m", distance_m)?,
                duration: seconds("duration_s", duration_s)?,
                reverse,
            },
            Command::DriveArc { heading_rad, radius_m, duration_s, reverse } => Self::DriveArc {
                heading_rad: finite("heading_rad", heading_rad)?,
                radius_m: positive("radius_m", radius_m)?,
                duration: seconds("duration_s", duration_s)?,
                reverse,
            },
            Command::Stop { hold } => Self::Stop { hold },
            Command::Halt { motor_mask } => Self::Halt { motor_mask },
            Command::Joints { targets } => {
                Self::Joints(targets.into_iter().map(TryInto::try_into).collect::<Result<_, _>>()?)
            }
            Command::Lamp { part, rgb } => Self::Lamp { part: part.as_deref().map(PartName::of), rgb },
            Command::Play { name, volume_ratio } => Self::Play {
                name,
                volume_ratio: volume_ratio.map(|given| ratio("volume_ratio", given)).transpose()?,
            },
            Command::Volume { volume_ratio } => Self::Volume(ratio("volume_ratio", volume_ratio)?),
            Command::Record { on, name } => Self::Record { on, name },
            Command::Listen { on } => Self::ListenForKeyPhrase(on),
            Command::DetectFaces { on } => Self::DetectFaces(on),
            Command::RecognizeFaces { on } => Self::RecognizeFaces(on),
            Command::TrainFace { label } => Self::TrainFace(label),
            Command::CancelFaceTraining {} => Self::CancelFaceTraining,
            Command::ForgetFace { label } => Self::ForgetFace(label),
            Command::Serial { text } => Self::Serial(text),
            Command::SkillMessage { text, data } => {
                Self::SkillMessage { text, data: data.map(value_from_json) }
            }
            Command::HazardSettings { revert, bumpers, ranges } => {
                let switch = |HazardSwitch { part, enabled }| Switch { part: part.into(), enabled };
                let limit = |HazardThreshold { part, threshold_m }| {
                    let threshold_m = positive("threshold_m", threshold_m)?;
                    Ok(Limit { part: part.into(), threshold_m })
                };
                Self::HazardSettings {
                    revert,
                    bumpers: bumpers.into_iter().map(switch).collect(),
                    ranges: ranges.into_iter().map(limit).collect::<Result<_, InvalidNumber>>()?,
                }
            }
            Command::Localization { action } => Self::Localization(action.into()),
        })
    }
}
