//! What the topics of a robot behind a bridge are for, as the config says it: topic by topic, or by the preset of a make.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// What a topic is for, in the words of the config.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Speed and dead reckoning, `nav_msgs/Odometry`.
    Odom,
    /// Takes speeds, `geometry_msgs/Twist` unless the bridge says otherwise.
    CmdVel,
    /// Takes speeds, `geometry_msgs/TwistStamped`.
    CmdVelStamped,
    /// Takes goals, `geometry_msgs/PoseStamped`.
    Goal,
    /// Takes goals by an action of ROS 2, `nav2_msgs/NavigateToPose`, or `irobot_create_msgs/NavigateToPosition` where it ends with
    /// `navigate_to_position`.
    Action,
    /// Cancels goals, `actionlib_msgs/GoalID`; or the service `…/_action/cancel_goal` of an action of ROS 2.
    Cancel,
    /// Where the robot is on the map, `geometry_msgs/PoseWithCovarianceStamped` or `PoseStamped`.
    Pose,
    /// Transforms, `tf2_msgs/TFMessage`.
    Tf,
    /// `sensor_msgs/LaserScan`.
    Scan,
    /// `sensor_msgs/Imu`.
    Imu,
    /// `sensor_msgs/BatteryState`.
    Battery,
    /// `sensor_msgs/JointState`.
    JointStates,
    /// `sensor_msgs/Range`.
    Range,
    /// `nav_msgs/OccupancyGrid`.
    Map,
    /// `sensor_msgs/CompressedImage`.
    Camera,
    /// `sensor_msgs/Image`.
    Image,
    /// `sensor_msgs/PointCloud2`.
    Points,
    /// `std_msgs/Bool`, true while it is pressed; `kobuki_msgs/BumperEvent`, `irobot_create_msgs/HazardDetectionVector`.
    Bumper,
}

/// Topics by what they are for; below the robot's name unless they begin with a slash.
pub type Roles = BTreeMap<Role, String>;

/// The topics of robots of a make, by its name in the config.
pub(super) static PRESETS: LazyLock<BTreeMap<String, Roles>> =
    LazyLock::new(|| serde_json::from_str(include_str!("presets.json")).unwrap_or_default());

/// The topics of one robot, as far as the config names them.
#[derive(Clone, Debug, Default)]
pub(super) struct Described {
    /// Those of the preset where no other is written: they count if they are there.
    pub(super) preset: Roles,
    /// Those that are written, which count in any case.
    pub(super) written: Roles,
}

impl Described {
    /// Those of a robot whose topics begin with `prefix`.
    pub(super) fn new(prefix: &str, preset: Option<&str>, written: &Roles) -> Self {
        let full =
            |name: &String| if name.starts_with('/') { name.clone() } else { format!("{prefix}{name}") };
        let written: Roles = written.iter().map(|(role, name)| (*role, full(name))).collect();
        let takes_speeds = |role: &Role| matches!(role, Role::CmdVel | Role::CmdVelStamped);
        let is_open = |role: &Role| {
            !written.keys().any(|other| other == role || (takes_speeds(other) && takes_speeds(role)))
        };
        let preset = preset.and_then(|name| PRESETS.get(name)).into_iter().flatten();
        let preset =
            preset.filter(|(role, _)| is_open(role)).map(|(role, name)| (*role, full(name))).collect();
        Self { preset, written }
    }

    /// Whether the config names none.
    pub(super) fn is_empty(&self) -> bool {
        self.preset.is_empty() && self.written.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_preset_is_read_and_drives_or_can_be_cancelled() {
        assert_eq!(PRESETS.len(), 4);
        for (name, roles) in &*PRESETS {
            assert!(roles.contains_key(&Role::Odom), "{name}");
            assert!(roles.contains_key(&Role::CmdVel) != roles.contains_key(&Role::CmdVelStamped), "{name}");
        }
        // One of the makes has no navigation.
        let takes_goals = |roles: &&Roles| roles.keys().any(|it| matches!(it, Role::Goal | Role::Action));
        assert_eq!(PRESETS.values().filter(takes_goals).count(), 3);
    }

    #[test]
    fn what_is_written_wins_over_the_preset() {
        let written = [(Role::CmdVelStamped, "/base/cmd_vel".to_owned()), (Role::Odom, "wheels".to_owned())];
        let described = Described::new("/a/", Some("nav2"), &written.into());
        assert_eq!(described.written[&Role::CmdVelStamped], "/base/cmd_vel");
        assert_eq!(described.written[&Role::Odom], "/a/wheels");
        assert_eq!(described.preset[&Role::Scan], "/a/scan");
        assert!(!described.preset.contains_key(&Role::CmdVel) && !described.preset.contains_key(&Role::Odom));
    }
}
