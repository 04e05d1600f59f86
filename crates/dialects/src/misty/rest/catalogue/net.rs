//! Types of arguments and results, by the names that the robot's runtime gives them.

use serde_json::Value;

macro_rules! system {
    ($name:literal) => {
        concat!(
            $name,
            ", System.Private.CoreLib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a"
        )
    };
}

macro_rules! system_of {
    ($outer:literal, $inner:expr) => {
        concat!(
            $outer,
            "[[",
            $inner,
            "]], System.Private.CoreLib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a"
        )
    };
}

macro_rules! misty {
    ($name:literal) => {
        concat!(
            "Misty.HomeRobot.",
            $name,
            ", Misty.HomeRobot, Version=2.1.1.9469, Culture=neutral, PublicKeyToken=null"
        )
    };
}

macro_rules! misty_response {
    ($name:literal) => {
        concat!(
            "Misty.HomeRobot.Api.Commands.ResponseObjects.",
            $name,
            ", Misty.HomeRobot.Services, Version=2.1.1.9469, Culture=neutral, PublicKeyToken=null"
        )
    };
}

/// Type of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ArgType {
    Boolean,
    Byte,
    Double,
    Int,
    String,
    NullableBoolean,
    NullableDouble,
    NullableInt,
    /// Booleans by sensor name.
    Booleans,
    /// Numbers by sensor name.
    Doubles,
}

impl ArgType {
    /// The full name in the robot's runtime, as `GET help` tells it.
    pub const fn net_name(self) -> &'static str {
        match self {
            Self::Boolean => system!("System.Boolean"),
            Self::Byte => system!("System.Byte"),
            Self::Double => system!("System.Double"),
            Self::Int => system!("System.Int32"),
            Self::String => system!("System.String"),
            Self::NullableBoolean => system_of!("System.Nullable`1", system!("System.Boolean")),
            Self::NullableDouble => system_of!("System.Nullable`1", system!("System.Double")),
            Self::NullableInt => system_of!("System.Nullable`1", system!("System.Int32")),
            Self::Booleans => system_of!(
                "System.Collections.Generic.Dictionary`2",
                concat!(system!("System.String"), "],[", system!("System.Boolean"))
            ),
            Self::Doubles => system_of!(
                "System.Collections.Generic.Dictionary`2",
                concat!(system!("System.String"), "],[", system!("System.Double"))
            ),
        }
    }
}

/// Value of an argument that is not sent.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Default {
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(&'static str),
}

impl From<Default> for Value {
    fn from(default: Default) -> Self {
        match default {
            Default::Null => Self::Null,
            Default::Bool(flag) => flag.into(),
            Default::Int(number) => number.into(),
            Default::Double(number) => number.into(),
            Default::Text(text) => text.into(),
        }
    }
}

/// Type of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ResultType {
    AudioAction,
    AudioList,
    Battery,
    Boolean,
    CommandGroup,
    Device,
    FaceTraining,
    HazardSettings,
    Help,
    Image,
    MotorControl,
    RunningSkills,
    Skills,
    SlamStatus,
    String,
    Strings,
    StringsByInterface,
    Websockets,
}

impl ResultType {
    /// The full name in the robot's runtime, as `GET help` tells it.
    pub const fn net_name(self) -> &'static str {
        match self {
            Self::AudioAction => misty!("Robot.AudioActionCommand"),
            Self::AudioList => {
                system_of!("System.Collections.Generic.List`1", misty_response!("AudioDataResponse"))
            }
            Self::Battery => misty!("Robot.SensoryMessages.BatteryChargeMessage"),
            Self::Boolean => system!("System.Boolean"),
            Self::CommandGroup => misty!("Kinematics.CommandGroup"),
            Self::Device => misty!("Robot.RobotDeviceInformation"),
            Self::FaceTraining => misty_response!("StartFaceTrainingResponse"),
            // The name of this one is not known.
            Self::HazardSettings => system!("System.Object"),
            Self::Help => system_of!(
                "System.Collections.Generic.Dictionary`2",
                concat!(
                    system!("System.String"),
                    "],[",
                    system_of!("System.Collections.Generic.List`1", misty!("Api.ApiCommandDetails"))
                )
            ),
            Self::Image => misty_response!("ImageResponse"),
            Self::MotorControl => misty!("Brain.MotorControlCommand"),
            Self::RunningSkills => {
                system_of!("System.Collections.Generic.List`1", misty_response!("RunningSkillResponse"))
            }
            Self::Skills => system_of!("System.Collections.Generic.List`1", misty!("Skills.IRobotSkill")),
            Self::SlamStatus => misty!("Robot.SensoryMessages.SlamStatus"),
            Self::String => system!("System.String"),
            Self::Strings => system_of!("System.Collections.Generic.List`1", system!("System.String")),
            Self::StringsByInterface => {
                system_of!("System.Collections.Generic.IList`1", system!("System.String"))
            }
            Self::Websockets => {
                system_of!("System.Collections.Generic.List`1", misty_response!("WebSocketHelpResponse"))
            }
        }
    }
}
