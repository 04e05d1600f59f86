//! What can be made to happen to a simulated robot, e.g. `{"stimulus": "touch", "part": "touch_chin"}`.

use clap::{ArgAction, Subcommand};
use latimer_core::model::PartName;
use latimer_dialects::json::value_from_json;
use latimer_simulator_api::Stimulus as ModelStimulus;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::field::{InvalidField, not_blank};
use super::quantity::{Celsius, NonNegative, Number, Radians, Ratio, Seconds, checked};
use super::word::{json, on};

/// Defaults of the API and of the command line; the page leaves out what its user leaves empty.
mod default {
    use super::{NonNegative, Ratio, Seconds};

    /// How long a touch, a bump, a lift or a sound lasts.
    pub(super) const fn hold_s() -> Seconds {
        Seconds(1.0)
    }

    /// How long something fails.
    pub(super) const fn failure_s() -> Seconds {
        Seconds(5.0)
    }

    /// How long heat lasts.
    pub(super) const fn heat_s() -> Seconds {
        Seconds(10.0)
    }

    /// How long a face stays.
    pub(super) const fn face_s() -> Seconds {
        Seconds(3.0)
    }

    /// How far away a face is.
    pub(super) const fn face_m() -> NonNegative {
        NonNegative(1.0)
    }

    /// How clear the key phrase and how loud a sound is.
    pub(super) const fn ratio() -> Ratio {
        Ratio(0.8)
    }

    /// Whether an emergency stop is pressed.
    pub(super) const fn pressed() -> bool {
        true
    }
}

/// Something that happens to a simulated robot; the `stimulus` says what.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize, Subcommand)]
#[serde(tag = "stimulus", rename_all = "snake_case", deny_unknown_fields)]
pub enum Stimulus {
    /// A hand touches a sensor.
    Touch {
        /// Which sensor, e.g. `touch_head_front`.
        part: String,
        /// For how long.
        #[serde(default = "default::hold_s")]
        #[arg(long = "for", value_name = "DURATION", default_value_t = default::hold_s())]
        hold_s: Seconds,
    },
    /// Something presses a bumper.
    Bump {
        /// Which bumper, e.g. `bump_front_left`.
        part: String,
        /// For how long.
        #[serde(default = "default::hold_s")]
        #[arg(long = "for", value_name = "DURATION", default_value_t = default::hold_s())]
        hold_s: Seconds,
    },
    /// A face comes into view.
    Face {
        /// Whose; a stranger's if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
        /// Direction, counter-clockwise from ahead.
        #[serde(default)]
        #[arg(long = "bearing", allow_hyphen_values = true, default_value_t)]
        bearing_rad: Radians,
        /// How far away, metres.
        #[serde(default = "default::face_m")]
        #[arg(long = "distance", default_value_t = default::face_m())]
        distance_m: NonNegative,
        /// For how long.
        #[serde(default = "default::face_s")]
        #[arg(long = "for", value_name = "DURATION", default_value_t = default::face_s())]
        hold_s: Seconds,
    },
    /// Somebody says the key phrase.
    #[command(name = "keyphrase", alias = "key-phrase")]
    KeyPhrase {
        /// How clearly.
        #[serde(default = "default::ratio")]
        #[arg(long = "confidence", default_value_t = default::ratio())]
        confidence_ratio: Ratio,
    },
    /// A voice or a noise near the robot.
    Sound {
        /// Direction, counter-clockwise from ahead.
        #[serde(default)]
        #[arg(allow_hyphen_values = true, default_value_t)]
        bearing_rad: Radians,
        /// How loud.
        #[serde(default = "default::ratio")]
        #[arg(long = "level", default_value_t = default::ratio())]
        level_ratio: Ratio,
        /// A voice, rather than a noise.
        #[serde(default)]
        #[arg(long)]
        voice: bool,
        /// For how long.
        #[serde(default = "default::hold_s")]
        #[arg(long = "for", value_name = "DURATION", default_value_t = default::hold_s())]
        hold_s: Seconds,
    },
    /// Hardware on the serial port sends text.
    Serial {
        /// The text.
        text: String,
    },
    /// A program on the robot publishes a message.
    #[command(name = "skill")]
    SkillMessage {
        /// The message.
        text: String,
        /// What is attached, as JSON.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[arg(long, value_name = "JSON", value_parser = json::<serde_json::Value>)]
        data: Option<serde_json::Value>,
    },
    /// The charge is set.
    Battery {
        /// Charge left, e.g. 15%.
        charge_ratio: Ratio,
    },
    /// The robot is lifted and held in the air.
    Lift {
        /// For how long.
        #[serde(default = "default::hold_s")]
        #[arg(long = "for", value_name = "DURATION", default_value_t = default::hold_s())]
        hold_s: Seconds,
    },
    /// The robot is put elsewhere.
    Place {
        /// East of the map's origin, metres.
        #[arg(allow_negative_numbers = true)]
        x_m: Number,
        /// North of the map's origin, metres.
        #[arg(allow_negative_numbers = true)]
        y_m: Number,
        /// Counter-clockwise from +x.
        #[serde(default)]
        #[arg(allow_hyphen_values = true, default_value_t)]
        yaw_rad: Radians,
    },
    /// The localisation loses the pose.
    LosePose {
        /// For how long; without it, a chassis stays lost until somebody finds it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[arg(long = "for", value_name = "DURATION")]
        hold_s: Option<Seconds>,
    },
    /// An emergency stop is pressed or released.
    #[command(name = "estop")]
    EmergencyStop {
        /// Pressed or released.
        #[serde(default = "default::pressed")]
        #[arg(value_parser = on(), action = ArgAction::Set)]
        pressed: bool,
    },
    /// A sensor or a motor fails.
    Fail {
        /// Which one, e.g. `lidar`, `imu`, `front_center`.
        part: String,
        /// For how long.
        #[serde(default = "default::failure_s")]
        #[arg(long = "for", value_name = "DURATION", default_value_t = default::failure_s())]
        hold_s: Seconds,
    },
    /// The robot no longer knows where an object belongs.
    ForgetHome {
        /// Which object.
        object: String,
    },
    /// The robot gets hot inside.
    Heat {
        /// How hot, degrees Celsius.
        #[arg(allow_hyphen_values = true)]
        temperature_c: Celsius,
        /// For how long.
        #[serde(default = "default::heat_s")]
        #[arg(long = "for", value_name = "DURATION", default_value_t = default::heat_s())]
        hold_s: Seconds,
    },
}

impl TryFrom<Stimulus> for ModelStimulus {
    type Error = InvalidField;

    fn try_from(stimulus: Stimulus) -> Result<Self, InvalidField> {
        Ok(match stimulus {
            Stimulus::Touch { part, hold_s } => {
                Self::Touch { part: PartName::of(&part), hold: checked!(hold_s) }
            }
            Stimulus::Bump { part, hold_s } => {
                Self::Bump { part: PartName::of(&part), hold: checked!(hold_s) }
            }
            Stimulus::Face { label, bearing_rad, distance_m, hold_s } => Self::Face {
                label,
                bearing_rad: checked!(bearing_rad),
                distance_m: checked!(distance_m),
                hold: checked!(hold_s),
            },
            Stimulus::KeyPhrase { confidence_ratio } => {
                Self::KeyPhrase { confidence_ratio: checked!(confidence_ratio) }
            }
            Stimulus::Sound { bearing_rad, level_ratio, voice, hold_s } => Self::Sound {
                bearing_rad: checked!(bearing_rad),
                level_ratio: checked!(level_ratio),
                voice,
                hold: checked!(hold_s),
            },
            Stimulus::Serial { text } => Self::Serial(text),
            Stimulus::SkillMessage { text, data } => {
                Self::SkillMessage { text, data: data.as_ref().map(value_from_json) }
            }
            Stimulus::Battery { charge_ratio } => Self::Battery(checked!(charge_ratio)),
            Stimulus::Lift { hold_s } => Self::Lift { hold: checked!(hold_s) },
            Stimulus::Place { x_m, y_m, yaw_rad } => {
                Self::Place { x_m: checked!(x_m), y_m: checked!(y_m), yaw_rad: checked!(yaw_rad) }
            }
            Stimulus::LosePose { hold_s } => Self::LosePose { hold: checked!(hold_s) },
            Stimulus::EmergencyStop { pressed } => Self::EmergencyStop(pressed),
            Stimulus::Fail { part, hold_s } => {
                Self::Fail { part: PartName::of(&not_blank("part", part)?), hold: checked!(hold_s) }
            }
            Stimulus::ForgetHome { object } => Self::ForgetHome { object: not_blank("object", object)? },
            Stimulus::Heat { temperature_c, hold_s } => {
                Self::Heat { temperature_c: checked!(temperature_c), hold: checked!(hold_s) }
            }
        })
    }
}
