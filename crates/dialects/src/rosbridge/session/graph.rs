//! What a bridge lists, and which of it is the robot's: what the config writes, then what its preset names, then what is found by name and
//! type.

use std::collections::BTreeMap;

use latimer_core::model::{Kind, PartName};
use latimer_ros1::msgs::{Message, geometry_msgs, nav_msgs, sensor_msgs, std_msgs};
use serde_json::Value as Json;

use super::GOAL_ID;
use crate::rosbridge::described::{Described, Role, Roles};
use crate::rosbridge::limits::MAX_LISTED_TOPICS;
use crate::rosbridge::topics::{
    CMD_VEL, COMMANDS, CommandTopic, Foreign, GOAL, TOPICS, Topic, find, of_kind,
};

/// What the topic on which an action of ROS 2 tells its goals ends with, and the service that cancels them.
const ACTION_STATUS: &str = "/_action/status";
const CANCEL_GOAL: &str = "/_action/cancel_goal";
/// A speed with a header, which takes the place of the one without at some bases.
pub(super) const TWIST_STAMPED: &str = "geometry_msgs/TwistStamped";
/// How bumpers begin, or end.
const BUMPER: &str = "bumper";
/// Goals that others than this gateway listen to.
const GOALS: [&str; 2] = ["move_base_simple/goal", "goal_pose"];

/// How the messages of a topic are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reader {
    /// As those of the robots that are served here.
    Own(&'static Topic),
    /// As others write them.
    Foreign(Foreign),
}

/// A topic that the robot publishes.
#[derive(Clone, Debug)]
pub(super) struct Incoming {
    pub(super) reader: Reader,
    pub(super) part: Option<PartName>,
    /// As the bridge spells it.
    pub(super) ros_type: String,
}

/// A topic on which the robot takes commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outgoing {
    pub(super) name: String,
    /// As the bridge spells it.
    pub(super) ros_type: String,
}

/// How all goals of an action are cancelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cancel {
    /// By a message on this topic.
    Topic(Outgoing),
    /// By a call of this service.
    Service(String),
}

/// What is known of a robot's topics.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// By name.
    pub(super) incoming: BTreeMap<String, Incoming>,
    /// By the path that the command has here.
    pub(super) outgoing: BTreeMap<&'static str, Outgoing>,
    /// How the goals of its own navigation are cancelled.
    pub(super) cancels: Vec<Cancel>,
    /// What of the config does not fit to what the bridge lists.
    pub(super) problems: Vec<String>,
}

/// The type as ROS 1 spells it.
pub(super) fn plain_type(ros_type: &str) -> String {
    ros_type.replacen("/msg/", "/", 1)
}

impl Reader {
    pub(super) const fn ros_type(self) -> &'static str {
        match self {
            Self::Own(topic) => topic.ros_type,
            Self::Foreign(foreign) => foreign.ros_type(),
        }
    }

    pub(super) fn kinds(self) -> Vec<Kind> {
        match self {
            Self::Own(topic) => topic.kinds().to_vec(),
            Self::Foreign(foreign) => vec![foreign.kind()],
        }
    }

    fn is_by_part(self) -> bool {
        match self {
            Self::Own(topic) => topic.is_by_part(),
            Self::Foreign(foreign) => foreign.is_by_part(),
        }
    }
}

/// The topics that a bridge lists, each with its type.
fn listed(values: &Json) -> BTreeMap<&str, &str> {
    let list = |name: &str| values[name].as_array().into_iter().flatten().take(MAX_LISTED_TOPICS);
    list("topics").zip(list("types")).filter_map(|(name, it)| Some((name.as_str()?, it.as_str()?))).collect()
}

/// How a topic of a role may be read, the usual type first, and the part that it is about.
fn readers(role: Role) -> (Vec<Reader>, Option<&'static str>) {
    let own = |path: &str| TOPICS.iter().filter(|it| it.path == path).map(Reader::Own).collect::<Vec<_>>();
    let kind = |kind: Kind| of_kind(kind).take(1).map(Reader::Own).collect::<Vec<_>>();
    match role {
        Role::Odom => (own("odom"), None),
        Role::Scan => (own("scan"), None),
        Role::Imu => (own("imu"), None),
        Role::Battery => (own("battery"), None),
        Role::JointStates => (own("joint_states"), None),
        Role::Map => (own("map"), None),
        Role::Pose => {
            let localized = Reader::Foreign(Foreign::PoseWithCovariance);
            (std::iter::once(localized).chain(own("pose")).collect(), None)
        }
        Role::Tf => (vec![Reader::Foreign(Foreign::Transforms)], None),
        Role::Range => (kind(Kind::Range), Some("range")),
        Role::Camera => (kind(Kind::CompressedImage), Some("camera")),
        Role::Image => (vec![Reader::Foreign(Foreign::Image)], Some("camera")),
        Role::Points => (vec![Reader::Foreign(Foreign::Points)], Some("points")),
        Role::Bumper => (own("bumper/{part}"), Some(BUMPER)),
        Role::CmdVel | Role::CmdVelStamped | Role::Goal | Role::Cancel => (Vec::new(), None),
    }
}

/// How well a topic's path fits to what its type is for, the best first; `None` if it is for something else.
fn rank(reader: Reader, path: &str) -> Option<usize> {
    let (first, last) = (path.split('/').next().unwrap_or(path), path.rsplit('/').next().unwrap_or(path));
    let (names, is_only_by_name): (&[&str], _) = match reader {
        // Costmaps have the type of maps, and goals that of poses.
        Reader::Own(topic) if topic.ros_type == nav_msgs::OccupancyGrid::TYPE => (&["map"], true),
        Reader::Own(topic) if topic.ros_type == geometry_msgs::PoseStamped::TYPE => {
            (&["pose", "robot_pose"], true)
        }
        Reader::Own(topic) if topic.path == "battery" => (&["battery", "battery_state"], false),
        Reader::Own(topic) => (std::slice::from_ref(&topic.path), false),
        Reader::Foreign(Foreign::PoseWithCovariance) => (&["amcl_pose", "localization_pose", "pose"], true),
        Reader::Foreign(Foreign::Transforms) => (&["tf", "tf_static"], true),
        Reader::Foreign(Foreign::Image | Foreign::Points) => (&[], false),
    };
    let depth = path.split('/').count();
    match names {
        _ if names.contains(&path) => Some(0),
        _ if names.contains(&first) && !is_only_by_name => Some(2 * depth),
        _ if names.contains(&last) => Some(2 * depth + 1),
        _ if is_only_by_name => None,
        _ => Some(1000 + depth),
    }
}

/// What the bridge has for a type at a path; `None` for what is not read.
fn found(path: &str, ros_type: &str) -> Option<(Reader, Option<PartName>)> {
    if let Some((topic, part)) = find(path).filter(|(topic, _)| topic.ros_type == ros_type) {
        return Some((Reader::Own(topic), part));
    }
    let part = || Some(PartName::of(&path.replace('/', "_")));
    // A truth value or a text may be anything.
    if ros_type == std_msgs::Bool::TYPE {
        let topic = TOPICS.iter().find(|it| it.path == "bumper/{part}" && path.contains(BUMPER))?;
        return Some((Reader::Own(topic), part()));
    }
    // Distances are no picture, whether compressed or not.
    let is_depth = path.to_ascii_lowercase().contains("depth") && ros_type != sensor_msgs::PointCloud2::TYPE;
    if ros_type == std_msgs::String::TYPE || (ros_type.ends_with("Image") && is_depth) {
        return None;
    }
    let own = TOPICS.iter().find(|it| it.ros_type == ros_type).map(Reader::Own);
    let foreign = || Foreign::ALL.into_iter().find(|it| it.ros_type() == ros_type).map(Reader::Foreign);
    let reader = own.or_else(foreign)?;
    rank(reader, path)?;
    Some((reader, reader.is_by_part().then(part).flatten()))
}

impl Graph {
    /// The robot's topics: by the config alone, or also by what the bridge lists.
    pub(super) fn new(described: &Described, prefix: &str, values: Option<&Json>) -> Self {
        let listed = values.map(listed);
        let mut graph = Self::default();
        if let Some(listed) = &listed {
            graph.discover(prefix, listed);
        }
        let is_there = |name: &String| listed.as_ref().is_none_or(|it| it.contains_key(name.as_str()));
        let preset = described.preset.iter().filter(|(role, name)| **role == Role::Cancel || is_there(name));
        let preset: Roles = preset.map(|(role, name)| (*role, name.clone())).collect();
        for (role, name) in preset.iter().chain(&described.written) {
            let offered = listed.as_ref().and_then(|it| it.get(name.as_str()).copied());
            graph.describe(*role, name, offered);
        }
        graph
    }

    /// Takes a topic for what the config says.
    fn describe(&mut self, role: Role, name: &str, offered: Option<&str>) {
        let outgoing = |usual: &str| {
            let ros_type = offered.unwrap_or(usual).to_owned();
            Outgoing { name: name.to_owned(), ros_type }
        };
        match role {
            Role::CmdVel => _ = self.outgoing.insert(CMD_VEL.path, outgoing(CMD_VEL.ros_type)),
            Role::CmdVelStamped => _ = self.outgoing.insert(CMD_VEL.path, outgoing(TWIST_STAMPED)),
            Role::Goal => _ = self.outgoing.insert(GOAL.path, outgoing(GOAL.ros_type)),
            Role::Cancel => {
                let cancel = match name.ends_with(CANCEL_GOAL) {
                    true => Cancel::Service(name.to_owned()),
                    false => Cancel::Topic(outgoing(GOAL_ID)),
                };
                if !self.cancels.contains(&cancel) {
                    self.cancels.push(cancel);
                }
            }
            _ => self.describe_incoming(role, name, offered),
        }
    }

    fn describe_incoming(&mut self, role: Role, name: &str, offered: Option<&str>) {
        let (readers, part) = readers(role);
        let Some(usual) = readers.first() else { return };
        let ros_type = offered.unwrap_or(usual.ros_type());
        let Some(reader) = readers.iter().find(|it| it.ros_type() == plain_type(ros_type)) else {
            let readable: Vec<_> = readers.iter().map(|it| it.ros_type()).collect();
            let problem = format!("{name} is of type {ros_type}, and {} is read", readable.join(" or "));
            return self.problems.push(problem);
        };
        // What was found for the same is something else.
        if part.is_none() {
            self.incoming
                .retain(|_, it| !readers.iter().any(|reader| reader.ros_type() == it.reader.ros_type()));
        }
        let incoming =
            Incoming { reader: *reader, part: part.map(PartName::of), ros_type: ros_type.to_owned() };
        self.incoming.insert(name.to_owned(), incoming);
    }

    /// Finds the robot's topics by their paths, or else by their types.
    fn discover(&mut self, prefix: &str, listed: &BTreeMap<&str, &str>) {
        // Of several topics of a type that a robot has once, the one whose name fits best.
        let mut single: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        for (name, offered) in listed {
            let Some(path) = name.strip_prefix(prefix) else { continue };
            let ros_type = plain_type(offered);
            self.discover_command(name, path, offered);
            let Some((reader, part)) = found(path, &ros_type) else { continue };
            let is_single = !reader.is_by_part() && !matches!(reader, Reader::Foreign(Foreign::Transforms));
            if is_single && let Some(rank) = rank(reader, path) {
                let best = single.entry(reader.ros_type()).or_insert((rank, name));
                *best = (*best).min((rank, name));
            }
            let incoming = Incoming { reader, part, ros_type: (*offered).to_owned() };
            self.incoming.insert((*name).to_owned(), incoming);
        }
        self.incoming
            .retain(|name, it| single.get(it.reader.ros_type()).is_none_or(|(_, best)| best == name));
    }

    /// Takes a topic for one on which the robot takes commands, or by which its goals are cancelled, if it is.
    fn discover_command(&mut self, name: &str, path: &str, offered: &str) {
        let ros_type = plain_type(offered);
        let outgoing = || Outgoing { name: name.to_owned(), ros_type: offered.to_owned() };
        if let Some(action) = name.strip_suffix(ACTION_STATUS) {
            self.cancels.push(Cancel::Service(format!("{action}{CANCEL_GOAL}")));
        } else if name.ends_with("/cancel") && ros_type == GOAL_ID {
            self.cancels.push(Cancel::Topic(outgoing()));
        }
        let is_taken = |topic: &CommandTopic| {
            ros_type == topic.ros_type || (topic.path == CMD_VEL.path && ros_type == TWIST_STAMPED)
        };
        if let Some(topic) = COMMANDS.iter().find(|it| it.path == path && is_taken(it)) {
            self.outgoing.insert(topic.path, outgoing());
        }
        if path.ends_with("/cmd_vel") && is_taken(&CMD_VEL) {
            self.outgoing.entry(CMD_VEL.path).or_insert_with(outgoing);
        }
        if GOALS.contains(&path) && is_taken(&GOAL) {
            self.outgoing.entry(GOAL.path).or_insert_with(outgoing);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn graph(keys: &[(Role, &str)], preset: Option<&str>, listed: Option<&[(&str, &str)]>) -> Graph {
        let written = keys.iter().map(|(role, name)| (*role, (*name).to_owned())).collect();
        let described = Described::new("/", preset, &written);
        let values = listed.map(|listed| {
            let (topics, types): (Vec<_>, Vec<_>) = listed.iter().copied().unzip();
            json!({"topics": topics, "types": types})
        });
        Graph::new(&described, "/", values.as_ref())
    }

    fn names(graph: &Graph) -> Vec<&str> {
        graph.incoming.keys().map(String::as_str).collect()
    }

    #[test]
    fn of_several_the_one_by_name_and_no_costmap_goal_or_depth() {
        let graph = graph(
            &[],
            None,
            Some(&[
                ("/a_wheel_odom", "nav_msgs/msg/Odometry"),
                ("/odom", "nav_msgs/msg/Odometry"),
                ("/camera/imu", "sensor_msgs/msg/Imu"),
                ("/imu/data", "sensor_msgs/msg/Imu"),
                ("/back/scan", "sensor_msgs/msg/LaserScan"),
                ("/scan", "sensor_msgs/msg/LaserScan"),
                ("/global_costmap/costmap", "nav_msgs/msg/OccupancyGrid"),
                ("/map", "nav_msgs/msg/OccupancyGrid"),
                ("/goal_pose", "geometry_msgs/msg/PoseStamped"),
                ("/initialpose", "geometry_msgs/msg/PoseWithCovarianceStamped"),
                ("/amcl_pose", "geometry_msgs/msg/PoseWithCovarianceStamped"),
                ("/tf", "tf2_msgs/msg/TFMessage"),
                ("/tf_static", "tf2_msgs/msg/TFMessage"),
                ("/camera/image_raw", "sensor_msgs/msg/Image"),
                ("/camera/depth/image_raw", "sensor_msgs/msg/Image"),
                ("/camera/depth/image_raw/compressedDepth", "sensor_msgs/msg/CompressedImage"),
                ("/camera/depth/points", "sensor_msgs/msg/PointCloud2"),
                ("/front_bumper", "std_msgs/msg/Bool"),
                ("/is_awake", "std_msgs/msg/Bool"),
                ("/cmd_vel", "geometry_msgs/msg/TwistStamped"),
            ]),
        );
        let own = [
            "/amcl_pose",
            "/camera/depth/points",
            "/camera/image_raw",
            "/front_bumper",
            "/imu/data",
            "/map",
            "/odom",
            "/scan",
            "/tf",
            "/tf_static",
        ];
        assert_eq!(names(&graph), own);
        assert_eq!(graph.outgoing["cmd_vel"].ros_type, "geometry_msgs/msg/TwistStamped");
        assert_eq!(graph.outgoing["goal"].name, "/goal_pose");
    }

    #[test]
    fn what_is_written_wins_over_the_preset_and_that_over_what_is_found() {
        let listed: &[(&str, &str)] = &[
            ("/odom", "nav_msgs/Odometry"),
            ("/odometry/filtered", "nav_msgs/Odometry"),
            ("/scan", "sensor_msgs/LaserScan"),
            ("/nav/cmd_vel", "geometry_msgs/Twist"),
            ("/base/cmd_vel", "geometry_msgs/Twist"),
            ("/battery_state", "std_msgs/String"),
        ];
        let written = [
            (Role::Odom, "/odometry/filtered"),
            (Role::CmdVel, "nav/cmd_vel"),
            (Role::Cancel, "stop_all"),
            (Role::Battery, "battery_state"),
        ];
        let graph = graph(&written, Some("turtlebot3"), Some(listed));
        assert_eq!(names(&graph), ["/odometry/filtered", "/scan"]);
        assert_eq!(graph.outgoing["cmd_vel"].name, "/nav/cmd_vel");
        assert!(!graph.outgoing.contains_key("goal"), "the preset's goal is not listed");
        assert_eq!(
            graph.cancels,
            [Cancel::Topic(Outgoing { name: "/stop_all".into(), ros_type: GOAL_ID.into() })]
        );
        assert_eq!(graph.problems.len(), 1, "{:?}", graph.problems);
    }

    #[test]
    fn without_a_list_the_config_is_all_there_is() {
        let graph = graph(&[(Role::Map, "/hall")], Some("nav2"), None);
        assert_eq!(
            names(&graph),
            ["/amcl_pose", "/battery_state", "/hall", "/imu", "/joint_states", "/odom", "/scan", "/tf"]
        );
        assert_eq!(graph.outgoing["goal"].name, "/goal_pose");
        assert_eq!(graph.cancels, [Cancel::Service("/navigate_to_pose/_action/cancel_goal".into())]);
    }
}
