//! What can be made to happen to a simulated robot, e.g. `{"stimulus": "touch", "part": "touch_chin"}`.

use latimer_core::model::PartName;
use latimer_simulator_api::Stimulus as ModelStimulus;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::field::{InvalidField, finite, positive, ratio, said, seconds};

/// What is so unless told otherwise, in the API as on the command line; the page leaves out what nobody fills in.
pub(crate) mod default {
    /// How long a touch, a bump, a lift or a sound lasts.
    pub(crate) const fn hold_s() -> f64 {
        1.0
    }

    /// How long something fails.
    pub(crate) const fn failure_s() -> f64 {
        5.0
    }

    /// How long heat lasts.
    pub(crate) const fn heat_s() -> f64 {
        10.0
    }

    /// How long a face stays.
    pub(crate) const fn face_s() -> f64 {
        3.0
    }

    /// How far away a face is.
    pub(crate) const fn face_m() -> f64 {
        1.0
    }

    /// How clearly the key phrase is said and how loud a sound is.
    pub(crate) const fn ratio() -> f64 {
        0.8
    }

    /// Whether an emergency stop is pressed.
    pub(super) const fn pressed() -> bool {
        true
    }
}

/// Something that happens to a simulated robot; the `stimulus` says what.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(tag = "stimulus", rename_all = "snake_case", deny_unknown_fields)]
pub enum Stimulus {
    /// A hand touches a sensor.
    Touch {
        /// Which sensor, e.g. `touch_head_front`.
        part: String,
        /// For how long.
        #[serde(default = "default::hold_s")]
        hold_s: f64,
    },
    /// Something presses a bumper.
    Bump {
        /// Which bumper, e.g. `bump_front_left`.
        part: String,
        /// For how long.
        #[serde(default = "default::hold_s")]
        hold_s: f64,
    },
    /// A face comes into view.
    Face {
        /// Whose; a stranger's if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
        /// Direction, counter-clockwise from ahead.
        #[serde(default)]
        bearing_rad: f64,
        /// How far away.
        #[serde(default = "default::face_m")]
        distance_m: f64,
        /// For how long.
        #[serde(default = "default::face_s")]
        hold_s: f64,
    },
    /// Somebody says the key phrase.
    KeyPhrase {
        /// How clearly.
        #[serde(default = "default::ratio")]
        confidence_ratio: f64,
    },
    /// A voice or a noise is heard.
    Sound {
        /// Direction, counter-clockwise from ahead.
        #[serde(default)]
        bearing_rad: f64,
        /// How loud.
        #[serde(default = "default::ratio")]
        level_ratio: f64,
        /// A voice, rather than a noise.
        #[serde(default)]
        voice: bool,
        /// For how long.
        #[serde(default = "default::hold_s")]
        hold_s: f64,
    },
    /// Hardware on the serial port sends text.
    Serial {
        /// The text.
        text: String,
    },
    /// A program on the robot publishes a message.
    SkillMessage {
        /// The message.
        text: String,
    },
    /// The charge is set.
    Battery {
        /// Charge left.
        charge_ratio: f64,
    },
    /// The robot is lifted and held in the air.
    Lift {
        /// For how long.
        #[serde(default = "default::hold_s")]
        hold_s: f64,
    },
    /// The robot is put elsewhere.
    Place {
        /// East of the map's origin.
        x_m: f64,
        /// North of the map's origin.
        y_m: f64,
        /// Counter-clockwise from +x.
        #[serde(default)]
        yaw_rad: f64,
    },
    /// The localisation loses the pose.
    LosePose {},
    /// An emergency stop is pressed or released.
    EmergencyStop {
        /// Pressed.
        #[serde(default = "default::pressed")]
        pressed: bool,
    },
    /// A sensor or a motor fails.
    Fail {
        /// Which one, e.g. `lidar`, `imu`, `front_center`.
        part: String,
        /// For how long.
        #[serde(default = "default::failure_s")]
        hold_s: f64,
    },
    /// The robot gets hot inside.
    Heat {
        /// How hot, degrees Celsius.
        temperature_c: f64,
        /// For how long.
        #[serde(default = "default::heat_s")]
        hold_s: f64,
    },
}

impl TryFrom<Stimulus> for ModelStimulus {
    type Error = InvalidField;

    fn try_from(stimulus: Stimulus) -> Result<Self, InvalidField> {
        let hold = |given| seconds("hold_s", given);
        Ok(match stimulus {
            Stimulus::Touch { part, hold_s } => {
                Self::Touch { part: PartName::of(&part), hold: hold(hold_s)? }
            }
            Stimulus::Bump { part, hold_s } => Self::Bump { part: PartName::of(&part), hold: hold(hold_s)? },
            Stimulus::Face { label, bearing_rad, distance_m, hold_s } => Self::Face {
                label,
                bearing_rad: finite("bearing_rad", bearing_rad)?,
                distance_m: positive("distance_m", distance_m)?,
                hold: hold(hold_s)?,
            },
            Stimulus::KeyPhrase { confidence_ratio } => {
                Self::KeyPhrase { confidence_ratio: ratio("confidence_ratio", confidence_ratio)? }
            }
            Stimulus::Sound { bearing_rad, level_ratio, voice, hold_s } => Self::Sound {
                bearing_rad: finite("bearing_rad", bearing_rad)?,
                level_ratio: ratio("level_ratio", level_ratio)?,
                voice,
                hold: hold(hold_s)?,
            },
            Stimulus::Serial { text } => Self::Serial(text),
            Stimulus::SkillMessage { text } => Self::SkillMessage(text),
            Stimulus::Battery { charge_ratio } => Self::Battery(ratio("charge_ratio", charge_ratio)?),
            Stimulus::Lift { hold_s } => Self::Lift { hold: hold(hold_s)? },
            Stimulus::Place { x_m, y_m, yaw_rad } => Self::Place {
                x_m: finite("x_m", x_m)?,
                y_m: finite("y_m", y_m)?,
                yaw_rad: finite("yaw_rad", yaw_rad)?,
            },
            Stimulus::LosePose {} => Self::LosePose,
            Stimulus::EmergencyStop { pressed } => Self::EmergencyStop(pressed),
            Stimulus::Fail { part, hold_s } => {
                Self::Fail { part: PartName::of(&said("part", part)?), hold: hold(hold_s)? }
            }
            Stimulus::Heat { temperature_c, hold_s } => {
                Self::Heat { temperature_c: finite("temperature_c", temperature_c)?, hold: hold(hold_s)? }
            }
        })
    }
}
