//! A command, e.g. `{"command": "drive", "linear_mps": 0.2, "duration_s": 2}` or `latimer send misty-1 drive 0.2 --for 2s`.
//!
//! [`Command`] declares each command once: JSON (serde), OpenAPI (utoipa), bounds (the fields' types) and the words of the
//! command line (clap). A command with `#[command(skip)]` has words of its own in `latimer send`. What one family alone has is
//! described by its dialect ([`Described`]).

mod behaviour;
mod model;
mod native;
mod navigate;
mod parts;
mod sense;
mod task;

use behaviour::BehaviourDrive;
use clap::{ArgAction, Subcommand};
pub use native::Described;
pub use native::add_schemas;
pub use navigate::{Charger, Destination, Navigate, Pose, Target};
pub use parts::{HazardThreshold, JointTarget, LocalizationAction, PartSwitch};
pub use sense::{Camera, Reality, Sense, Sensing};
use serde::{Deserialize, Serialize};
pub use task::{ControlMode, Task};
use utoipa::ToSchema;

use super::quantity::{Number, Radians, Ratio, Seconds};
use super::word::{json, on, word};

const fn yes() -> bool {
    true
}

/// Something asked of a robot; the `command` says what.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize, Subcommand)]
#[serde(remote = "Self", tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Go at a speed, for a while, or until another command comes or its client goes.
    Drive {
        /// Forward, m/s.
        #[serde(default)]
        #[arg(allow_negative_numbers = true)]
        linear_mps: Number,
        /// Counter-clockwise, rad/s or e.g. 30deg.
        #[serde(default)]
        #[arg(allow_hyphen_values = true, default_value_t)]
        angular_radps: Radians,
        /// For how long.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[arg(long = "for", value_name = "DURATION")]
        duration_s: Option<Seconds>,
    },
    /// Go with a speed for each track.
    #[command(name = "tracks")]
    DriveTracks {
        /// Left track, m/s forward.
        #[arg(allow_negative_numbers = true)]
        left_mps: Number,
        /// Right track, m/s forward.
        #[arg(allow_negative_numbers = true)]
        right_mps: Number,
    },
    /// Stop driving.
    Stop {
        /// Hold the position with the motors.
        #[serde(default)]
        #[arg(long)]
        hold: bool,
    },
    /// Stop every motor, or those of a mask of the robot's own.
    Halt {
        /// Which motors; all if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[arg(long = "mask")]
        motor_mask: Option<u32>,
    },
    /// Move joints together.
    #[command(skip)]
    Joints {
        /// Which, and where to.
        targets: Vec<JointTarget>,
    },
    /// Colour of a lamp.
    #[command(skip)]
    Lamp {
        /// Which lamp; the main one if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<String>,
        /// Red, green, blue, each 0..255.
        #[schema(min_items = 3, max_items = 3)]
        rgb: [u8; 3],
    },
    /// Play a sound file of the robot.
    Play {
        /// The file's name.
        name: String,
        /// How loud, e.g. 50%.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[arg(long = "volume")]
        volume_ratio: Option<Ratio>,
    },
    /// Default loudness.
    Volume {
        /// How loud, e.g. 50%.
        volume_ratio: Ratio,
    },
    /// Publish a message of a program on the robot.
    #[command(name = "skill")]
    SkillMessage {
        /// The message.
        text: String,
        /// What is attached, as JSON.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[arg(long, value_name = "JSON", value_parser = json::<serde_json::Value>)]
        data: Option<serde_json::Value>,
    },
    /// Set which hazards stop the robot; what is not named stays.
    #[command(skip)]
    HazardSettings {
        /// Back to the defaults first.
        #[serde(default)]
        revert: bool,
        /// Bumpers.
        #[serde(default)]
        bumpers: Vec<PartSwitch>,
        /// Edge and range sensors.
        #[serde(default)]
        ranges: Vec<HazardThreshold>,
    },
    /// Influence the robot's own behaviour for a second.
    #[command(skip)]
    BehaviourDrive(BehaviourDrive),
    /// Switch parts of the robot's own behaviour; what is not named stays.
    #[command(skip)]
    BehaviourSwitches {
        /// The parts.
        switches: Vec<PartSwitch>,
    },
    /// Control the localisation.
    #[command(name = "localize")]
    Localization {
        /// What it shall do, e.g. start_mapping, relocate.
        #[arg(value_parser = word::<LocalizationAction>)]
        action: LocalizationAction,
    },
    /// Say where the robot is on its map.
    #[command(name = "pose")]
    SetPose {
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
    /// Drive somewhere by itself.
    #[command(skip)]
    Navigate(Navigate),
    /// Stop driving by itself.
    #[command(name = "cancel")]
    CancelNavigation {},
    /// Say who drives: auto, manual or remote.
    #[command(name = "mode")]
    ControlMode {
        /// Who.
        #[arg(value_parser = word::<ControlMode>)]
        mode: ControlMode,
    },
    /// Press or release the emergency stop.
    #[command(name = "estop")]
    EmergencyStop {
        /// Pressed or released.
        #[serde(default = "yes")]
        #[arg(value_parser = on(), action = ArgAction::Set)]
        pressed: bool,
    },
    /// How a camera delivers; what is not given stays.
    Camera(Camera),
    /// Do a task and report on it.
    #[command(skip)]
    Task(Task),
    /// Give up a task.
    CancelTask {
        /// Its name.
        id: String,
    },
    /// Measure now and answer with the reading.
    Sense(Sense),
    /// One of a family alone, by its dialect's description.
    #[serde(skip)]
    #[command(flatten)]
    Native(Described),
}
