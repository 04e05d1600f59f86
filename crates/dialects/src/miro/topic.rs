//! The topics below `/miro/ROBOT/`.

use std::fmt;

use latimer_ros1::msgs::{Message, geometry_msgs, nav_msgs, sensor_msgs, std_msgs};

/// Topics, as they are called below the robot's name.
macro_rules! topics {
    ($($(#[doc = $doc:literal])* $topic:ident = $path:literal, $type_name:expr;)*) => {
        /// A topic of a robot.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Topic {
            $($(#[doc = $doc])* $topic,)*
        }

        impl Topic {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$topic,)*];

            /// Below the robot's name, e.g. `platform/sensors`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$topic => $path,)*
                }
            }

            /// The type of its messages, e.g. `miro_msgs/platform_sensors`.
            pub const fn type_name(self) -> &'static str {
                match self {
                    $(Self::$topic => $type_name,)*
                }
            }
        }
    };
}

topics! {
    /// What the platform senses.
    Sensors = "platform/sensors", "miro_msgs/platform_sensors";
    /// How the platform is.
    State = "platform/state", "miro_msgs/platform_state";
    /// What the microphones hear.
    Mics = "platform/mics", "miro_msgs/platform_mics";
    /// What the left eye sees.
    CamL = "platform/caml", sensor_msgs::Image::TYPE;
    /// What the right eye sees.
    CamR = "platform/camr", sensor_msgs::Image::TYPE;
    /// What the left eye sees, as files.
    CamLCompressed = "platform/caml/compressed", sensor_msgs::CompressedImage::TYPE;
    /// What the right eye sees, as files.
    CamRCompressed = "platform/camr/compressed", sensor_msgs::CompressedImage::TYPE;
    /// How the left eye sees.
    CamLInfo = "platform/caml/camera_info", sensor_msgs::CameraInfo::TYPE;
    /// How the right eye sees.
    CamRInfo = "platform/camr/camera_info", sensor_msgs::CameraInfo::TYPE;
    /// How the robot's own behaviour stands.
    CoreState = "core/state", "miro_msgs/core_state";
    /// What the robot says of itself.
    Log = "log", std_msgs::String::TYPE;
    /// Standard Interface: how fast it goes, m/s and rad/s.
    BodyVel = "sensors/body_vel", geometry_msgs::Twist::TYPE;
    /// Standard Interface: where it is by its wheels, m.
    Odom = "sensors/odom", nav_msgs::Odometry::TYPE;
    /// Standard Interface: how the neck stands.
    KinematicJoints = "sensors/kinematic_joints", sensor_msgs::JointState::TYPE;
    /// Standard Interface: what the sonar measures.
    SonarRange = "sensors/sonar_range", sensor_msgs::Range::TYPE;
    /// Standard Interface: how surely there is a floor.
    Cliff = "sensors/cliff", std_msgs::UInt16MultiArray::TYPE;
    /// Standard Interface: how bright it is.
    Light = "sensors/light", std_msgs::UInt16MultiArray::TYPE;
    /// Standard Interface: what is touched.
    Touch = "sensors/touch", std_msgs::UInt16MultiArray::TYPE;
    /// What the platform is to do.
    Control = "platform/control", "miro_msgs/platform_control";
    /// How the platform is set up.
    Config = "platform/config", "miro_msgs/platform_config";
    /// What the bridge publishes.
    BridgeConfig = "bridge/config", "miro_msgs/bridge_config";
    /// What the bridge plays.
    BridgeStream = "bridge/stream", "miro_msgs/bridge_stream";
    /// What the core is to do.
    CoreControl = "core/control", "miro_msgs/core_control";
    /// How the core is set up.
    CoreConfig = "core/config", "miro_msgs/core_config";
    /// Standard Interface: how fast it is to go, m/s and rad/s.
    CmdVel = "control/cmd_vel", geometry_msgs::Twist::TYPE;
    /// Standard Interface: where tail, ears and eyelids are to go.
    CosmeticJoints = "control/cosmetic_joints", std_msgs::Float32MultiArray::TYPE;
    /// Standard Interface: red, green, blue of six lamps.
    ControlLights = "control/lights", std_msgs::UInt16MultiArray::TYPE;
}

impl Topic {
    /// The whole name for a robot, e.g. `/miro/rob01/platform/sensors`.
    pub fn of(self, robot: &str) -> String {
        format!("/miro/{robot}/{self}")
    }

    /// How often a robot publishes it by the specification, as far as each message is passed on: its fast clock, and tenths of a second of
    /// sound.
    pub const fn rate_hz(self) -> Option<f64> {
        match self {
            Self::Sensors | Self::CoreState => Some(50.0),
            Self::Mics => Some(10.0),
            _ => None,
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_below_the_robot_and_none_is_twice() {
        assert_eq!(Topic::CamL.of("rob01"), "/miro/rob01/platform/caml");
        for (i, topic) in Topic::ALL.iter().enumerate() {
            assert!(Topic::ALL.iter().skip(i + 1).all(|other| other.as_str() != topic.as_str()), "{topic}");
        }
    }
}
