//! What can be asked of a robot. Every command is answered by an [`Outcome`](super::Outcome).

use std::time::Duration;

use super::behaviour_drive::BehaviourDrive;
use super::call::NativeCall;
use super::navigation_goal::{CameraSettings, MapUse, NavigationGoal, RelocateBy, SenseRequest, TaskRequest};
use super::signal::{CompressedImage, ControlMode, Limit, Switch};
use super::{PartName, Value};

/// Where a joint shall stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointPosition {
    /// A hinge's angle; REP-103 sense about its axis.
    Angle {
        /// Radians.
        rad: f64,
    },
    /// A share of the joint's range, for ears, tails and eyelids: 0..1, or -1..1 about a neutral middle.
    Share {
        /// The share.
        ratio: f64,
    },
}

impl JointPosition {
    /// A hinge's angle.
    pub const fn angle(rad: f64) -> Self {
        Self::Angle { rad }
    }

    /// The angle, if it is one.
    pub const fn as_angle_rad(self) -> Option<f64> {
        match self {
            Self::Angle { rad } => Some(rad),
            Self::Share { .. } => None,
        }
    }
}

/// Where a joint shall go.
#[derive(Clone, Debug, PartialEq)]
pub struct JointTarget {
    /// Which joint, e.g. `head_yaw`.
    pub part: PartName,
    /// Where to.
    pub position: JointPosition,
    /// How fast; the robot's own pace if not given.
    pub velocity_radps: Option<f64>,
    /// In what time; overrides the velocity.
    pub duration: Option<Duration>,
}

/// The speeds of two tracks or wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackSpeeds {
    /// Left one, forward.
    pub left_mps: f64,
    /// Right one, forward.
    pub right_mps: f64,
}

/// What the localisation shall do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalizationCommand {
    /// Begin making a map whose origin is where the robot stands, or end making one.
    Mapping(bool),
    /// Begin making a map in the frame of the robot's present poses.
    MappingInFrame,
    /// Begin or end following the robot on the map.
    Tracking(bool),
    /// Switch the sensor's stream.
    Streaming(bool),
    /// Forget everything.
    Reset,
    /// Look for the robot on the whole map.
    Relocate(RelocateBy),
}

/// Something asked of a robot.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Go at a speed, for a while or until the next command; the robot may stop by itself when nobody renews it.
    Drive {
        /// Forward.
        linear_mps: f64,
        /// Counter-clockwise.
        angular_radps: f64,
        /// For how long.
        duration: Option<Duration>,
    },
    /// Go with a speed for each track.
    DriveTracks(TrackSpeeds),
    /// Stop driving.
    Stop {
        /// Hold the position with the motors.
        hold: bool,
    },
    /// Stop every motor, or those of a mask of the robot's own.
    Halt {
        /// Which motors; all if not given.
        motor_mask: Option<u32>,
    },
    /// Move joints together.
    Joints(Vec<JointTarget>),
    /// Colour of a lamp.
    Lamp {
        /// Which lamp; the main one if not given.
        part: Option<PartName>,
        /// Red, green, blue.
        rgb: [u8; 3],
    },
    /// Play a sound file.
    Play {
        /// Name of the file on the robot.
        name: String,
        /// 0..1; the robot's default if not given.
        volume_ratio: Option<f64>,
    },
    /// Default loudness, 0..1.
    Volume(f64),
    /// Publish a message of a program on the robot.
    SkillMessage {
        /// The message.
        text: String,
        /// What is attached.
        data: Option<Value>,
    },
    /// Set which hazards stop the robot; what is not named stays.
    HazardSettings {
        /// Back to the defaults first.
        revert: bool,
        /// Bumpers.
        bumpers: Vec<Switch>,
        /// Edge and range sensors.
        ranges: Vec<Limit>,
    },
    /// Influence the robot's own behaviour.
    BehaviourDrive(Box<BehaviourDrive>),
    /// Switch parts of the robot's own behaviour; what is not named stays.
    BehaviourSwitches(Vec<Switch>),
    /// Control the localisation.
    Localization(LocalizationCommand),
    /// Say where the robot is on its map.
    SetPose {
        /// East of the map's origin.
        x_m: f64,
        /// North of the map's origin.
        y_m: f64,
        /// Counter-clockwise from +x.
        yaw_rad: f64,
    },
    /// Drive by another map, or by none.
    UseMap(Option<Box<MapUse>>),
    /// A picture for the robot, from a camera that is not its own.
    Picture {
        /// Which of its cameras it stands in for, e.g. `camera_front`.
        part: PartName,
        /// The picture.
        image: CompressedImage,
    },
    /// Drive somewhere by itself.
    Navigate(NavigationGoal),
    /// Stop driving by itself.
    CancelNavigation,
    /// Say who drives.
    ControlMode(ControlMode),
    /// Press or release the emergency stop.
    EmergencyStop(bool),
    /// How a camera delivers.
    Camera(CameraSettings),
    /// Do a task and report on it.
    Task(TaskRequest),
    /// Give up a task, by its name.
    CancelTask(String),
    /// Measure now and answer with the reading.
    Sense(SenseRequest),
    /// A command of one family, as its dialect describes it.
    Native(NativeCall),
}

impl Command {
    /// A word for it, for logs and messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Drive { .. } => "drive",
            Self::DriveTracks(_) => "drive_tracks",
            Self::Stop { .. } => "stop",
            Self::Halt { .. } => "halt",
            Self::Joints(_) => "joints",
            Self::Lamp { .. } => "lamp",
            Self::Play { .. } => "play",
            Self::Volume(_) => "volume",
            Self::SkillMessage { .. } => "skill_message",
            Self::HazardSettings { .. } => "hazard_settings",
            Self::BehaviourDrive(_) => "behaviour_drive",
            Self::BehaviourSwitches(_) => "behaviour_switches",
            Self::Localization(_) => "localization",
            Self::SetPose { .. } => "set_pose",
            Self::UseMap(_) => "use_map",
            Self::Picture { .. } => "picture",
            Self::Navigate(_) => "navigate",
            Self::CancelNavigation => "cancel_navigation",
            Self::ControlMode(_) => "control_mode",
            Self::EmergencyStop(_) => "emergency_stop",
            Self::Camera(_) => "camera",
            Self::Task(_) => "task",
            Self::CancelTask(_) => "cancel_task",
            Self::Sense(_) => "sense",
            Self::Native(call) => call.about().name,
        }
    }
}
