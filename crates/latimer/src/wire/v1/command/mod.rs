//! What can be asked of a robot, e.g. `{"command": "drive", "linear_mps": 0.2, "duration_s": 2}`.

mod maintain;
mod model;
mod navigate;
mod parts;
mod sense;
mod task;

pub use maintain::MaintainAction;
pub use navigate::{CarryAction, Charger, Destination, FollowTarget, Navigate, Pose, Target};
pub use parts::{HazardSwitch, HazardThreshold, JointTarget, LocalizationAction};
pub use sense::{Camera, Reality, Sense, Sensing};
use serde::{Deserialize, Serialize};
pub use task::{ControlMode, Pins, Task};
use utoipa::ToSchema;

const fn yes() -> bool {
    true
}

/// Something asked of a robot; the `command` says what.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
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
        #[schema(min_items = 3, max_items = 3)]
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
    /// Say where the robot is on its map.
    SetPose {
        /// East of the map's origin.
        x_m: f64,
        /// North of the map's origin.
        y_m: f64,
        /// Counter-clockwise from +x.
        #[serde(default)]
        yaw_rad: f64,
    },
    /// Drive somewhere by itself.
    Navigate(Navigate),
    /// Stop driving by itself.
    CancelNavigation {},
    /// Tell where the one to follow is.
    Follow {
        /// Where, or that it waits, or that it is lost.
        target: FollowTarget,
    },
    /// Take, put down, load or unload.
    Carry {
        /// What to do.
        action: CarryAction,
    },
    /// Do something to the robot's own parts.
    Maintain {
        /// What to do.
        action: MaintainAction,
    },
    /// Switch outputs.
    Pins(Pins),
    /// Say who drives.
    ControlMode {
        /// Who.
        mode: ControlMode,
    },
    /// Press or release the emergency stop.
    EmergencyStop {
        /// Press it.
        #[serde(default = "yes")]
        pressed: bool,
    },
    /// Switch the sensors on again.
    WakeUp {},
    /// How a camera delivers.
    Camera(Camera),
    /// Do a task and report on it.
    Task(Task),
    /// Give up a task.
    CancelTask {
        /// Its name.
        id: String,
    },
    /// Measure now and answer with the reading.
    Sense(Sense),
}
