//! What can be made to happen to a simulated robot.

use std::time::Duration;

use latimer_core::{PartName, Value};

/// Something that happens to a simulated robot on cue.
#[derive(Clone, Debug, PartialEq)]
pub enum Stimulus {
    /// A hand touches a sensor, for a while.
    Touch {
        /// Which sensor, e.g. `touch_head_front`.
        part: PartName,
        /// For how long.
        hold: Duration,
    },
    /// Something presses a bumper, for a while.
    Bump {
        /// Which bumper, e.g. `bump_front_left`.
        part: PartName,
        /// For how long.
        hold: Duration,
    },
    /// A face comes into view.
    Face {
        /// Whose; a stranger's if not given.
        label: Option<String>,
        /// Direction, counter-clockwise from ahead.
        bearing_rad: f64,
        /// How far away.
        distance_m: f64,
        /// For how long.
        hold: Duration,
    },
    /// Somebody says the key phrase.
    KeyPhrase {
        /// How clearly, 0..1.
        confidence_ratio: f64,
    },
    /// A voice or a noise sounds.
    Sound {
        /// Direction, counter-clockwise from ahead.
        bearing_rad: f64,
        /// How loud, 0..1.
        level_ratio: f64,
        /// A voice, rather than a noise.
        voice: bool,
        /// For how long.
        hold: Duration,
    },
    /// Hardware on the serial port sends text.
    Serial(String),
    /// A program on the robot publishes a message.
    SkillMessage {
        /// The message.
        text: String,
        /// What is attached.
        data: Option<Value>,
    },
    /// The charge is set, 0..1.
    Battery(f64),
    /// The robot is lifted and held in the air, for a while.
    Lift {
        /// For how long.
        hold: Duration,
    },
    /// The robot is put elsewhere.
    Place {
        /// East of the map's origin.
        x_m: f64,
        /// North of the map's origin.
        y_m: f64,
        /// Counter-clockwise from +x.
        yaw_rad: f64,
    },
    /// The localisation loses the pose.
    LosePose {
        /// For how long; if not given, as long as such a robot needs, which may be until somebody finds it.
        hold: Option<Duration>,
    },
    /// An emergency stop is pressed or released.
    EmergencyStop(bool),
    /// A sensor or a motor fails, for a while.
    Fail {
        /// Which one, e.g. `lidar`, `imu`, `front_center`.
        part: PartName,
        /// For how long.
        hold: Duration,
    },
    /// The robot no longer knows where an object belongs.
    ForgetHome {
        /// Which object.
        object: String,
    },
    /// The robot gets as hot as this inside, degrees Celsius, for a while.
    Heat {
        /// How hot.
        temperature_c: f64,
        /// For how long.
        hold: Duration,
    },
}

impl Stimulus {
    /// A word for it, for logs and messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Touch { .. } => "touch",
            Self::Bump { .. } => "bump",
            Self::Face { .. } => "face",
            Self::KeyPhrase { .. } => "key_phrase",
            Self::Sound { .. } => "sound",
            Self::Serial(_) => "serial",
            Self::SkillMessage { .. } => "skill_message",
            Self::Battery(_) => "battery",
            Self::Lift { .. } => "lift",
            Self::Place { .. } => "place",
            Self::LosePose { .. } => "lose_pose",
            Self::EmergencyStop(_) => "emergency_stop",
            Self::Fail { .. } => "fail",
            Self::ForgetHome { .. } => "forget_home",
            Self::Heat { .. } => "heat",
        }
    }
}
