//! What a bridge lists, and which of it is the robot's: what the config writes, then what its preset names, then what is found by name and
//! type.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use latimer_core::model::{Kind, PartName};
use latimer_ros1::msgs::{Message, geometry_msgs, nav_msgs, sensor_msgs, std_msgs};
use serde_json::Value as Json;

use super::GOAL_ID;
use super::action::Action;
use crate::rosbridge::described::{Described, Role, Roles};
use crate::rosbridge::limits::MAX_LISTED_TOPICS;
use crate::rosbridge::topics::{
    CMD_VEL, COMMANDS, CommandTopic, Foreign, GOAL, TOPICS, Topic, find, of_kind,
};

/// What the service ends with that cancels the goals of an action of ROS 2.
const CANCEL_GOAL: &str = "/_action/cancel_goal";
/// A speed with a header, which takes the place of the one without at some bases.
pub(super) const TWIST_STAMPED: &str = "geometry_msgs/TwistStamped";
/// Actions by which a base drives, of Nav2 and of a Create: a stop cancels their goals.
const DRIVES: [&str; 17] = [
    "navigate_to_pose",
    "navigate_through_poses",
    "follow_waypoints",
    "follow_path",
    "drive_on_heading",
    "assisted_teleop",
    "backup",
    "spin",
    "dock_robot",
    "undock_robot",
    "navigate_to_position",
    "drive_arc",
    "drive_distance",
    "rotate_angle",
    "wall_follow",
    "dock",
    "undock",
];
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
    /// As ROS 1 does.
    pub(super) plain_type: Arc<str>,
}

impl Incoming {
    fn new(reader: Reader, part: Option<PartName>, ros_type: &str) -> Self {
        Self { reader, part, ros_type: ros_type.to_owned(), plain_type: plain_type(ros_type).into() }
    }
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
    /// The action that takes goals.
    pub(super) action: Option<Action>,
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

    fn reads(self, ros_type: &str) -> bool {
        match self {
            // Some makers have the fields of that one in a package of their own.
            Self::Own(topic) if topic.kind == Kind::Battery => ros_type.ends_with("/BatteryState"),
            Self::Own(topic) => topic.ros_type == ros_type,
            Self::Foreign(foreign) => foreign.reads(ros_type),
        }
    }

    pub(super) fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Own(topic) => topic.kinds(),
            Self::Foreign(foreign) => foreign.kinds(),
        }
    }

    /// Whether it tells where things are to others.
    pub(super) fn is_transforms(self) -> bool {
        matches!(self, Self::Foreign(Foreign::Transforms))
    }

    /// Whether a robot has several such topics, of which none is the right one.
    fn is_many(self) -> bool {
        self.is_by_part() || matches!(self, Self::Foreign(foreign) if foreign.adds_up())
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
        Role::Bumper => {
            let makers = [Foreign::BumperEvent, Foreign::Hazards].map(Reader::Foreign);
            (own("bumper/{part}").into_iter().chain(makers).collect(), Some(BUMPER))
        }
        Role::CmdVel | Role::CmdVelStamped | Role::Goal | Role::Action | Role::Cancel => (Vec::new(), None),
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
        Reader::Foreign(Foreign::Image | Foreign::Points | Foreign::BumperEvent | Foreign::Hazards) => {
            (&[], false)
        }
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
    let foreign = || Foreign::ALL.into_iter().find(|it| it.reads(ros_type)).map(Reader::Foreign);
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
        let is_listed = |name: &str| listed.as_ref().is_none_or(|it| it.contains_key(name));
        let is_there = |(role, name): &(&Role, &String)| match role {
            // A service is no topic, and actions are listed apart.
            Role::Cancel => true,
            Role::Action => listed.is_none(),
            _ => is_listed(name.as_str()),
        };
        let preset = described.preset.iter().filter(is_there);
        let preset: Roles = preset.map(|(role, name)| (*role, name.clone())).collect();
        for (role, name) in preset.iter().chain(&described.written) {
            let offered = listed.as_ref().and_then(|it| it.get(name.as_str()).copied());
            graph.describe(*role, name, offered);
            let beside = format!("{name}_static");
            if *role == Role::Tf && is_listed(&beside) {
                graph.describe(*role, &beside, offered);
            }
        }
        graph
    }

    /// Takes the actions that a bridge lists.
    pub(super) fn take_actions(&mut self, described: &Described, prefix: &str, actions: &[String]) {
        if !described.written.contains_key(&Role::Action) {
            self.action = None;
        }
        for name in actions.iter().filter(|name| name.starts_with(prefix)) {
            let path = name.rsplit('/').next().unwrap_or(name);
            if DRIVES.contains(&path) {
                self.cancel_by(Cancel::Service(format!("{name}{CANCEL_GOAL}")));
            }
            if self.action.is_none() && Action::TAKE_GOALS.contains(&path) {
                self.action = Some(Action::of(name));
            }
        }
    }

    fn cancel_by(&mut self, cancel: Cancel) {
        if !self.cancels.contains(&cancel) {
            self.cancels.push(cancel);
        }
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
            Role::Action => {
                self.cancel_by(Cancel::Service(format!("{name}{CANCEL_GOAL}")));
                self.action = Some(Action::of(name));
            }
            Role::Cancel => self.cancel_by(match name.ends_with(CANCEL_GOAL) {
                true => Cancel::Service(name.to_owned()),
                false => Cancel::Topic(outgoing(GOAL_ID)),
            }),
            _ => self.describe_incoming(role, name, offered),
        }
    }

    fn describe_incoming(&mut self, role: Role, name: &str, offered: Option<&str>) {
        let (readers, part) = readers(role);
        let Some(usual) = readers.first() else { return };
        let ros_type = offered.unwrap_or(usual.ros_type());
        let Some(reader) = readers.iter().find(|it| it.reads(&plain_type(ros_type))) else {
            let readable: Vec<_> = readers.iter().map(|it| it.ros_type()).collect();
            let problem = format!("{name} is of type {ros_type}, and {} is read", readable.join(" or "));
            return self.problems.push(problem);
        };
        // What was found for the same is something else.
        if part.is_none() && !reader.is_transforms() {
            self.incoming
                .retain(|_, it| !readers.iter().any(|reader| reader.ros_type() == it.reader.ros_type()));
        }
        let incoming = Incoming::new(*reader, part.map(PartName::of), ros_type);
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
            if !reader.is_many()
                && let Some(rank) = rank(reader, path)
            {
                let best = single.entry(reader.ros_type()).or_insert((rank, name));
                *best = (*best).min((rank, name));
            }
            self.incoming.insert((*name).to_owned(), Incoming::new(reader, part, offered));
        }
        self.incoming
            .retain(|name, it| single.get(it.reader.ros_type()).is_none_or(|(_, best)| best == name));
    }

    /// Takes a topic for one on which the robot takes commands, or by which its goals are cancelled, if it is.
    fn discover_command(&mut self, name: &str, path: &str, offered: &str) {
        let ros_type = plain_type(offered);
        let outgoing = || Outgoing { name: name.to_owned(), ros_type: offered.to_owned() };
        if name.ends_with("/cancel") && ros_type == GOAL_ID {
            self.cancel_by(Cancel::Topic(outgoing()));
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
