//! What there is on a port, as clients may see it: the graph of nodes that `rosapi` answers from.

use std::collections::BTreeSet;

use latimer_core::model::Kind;
use latimer_core::{PartName, RobotId};
use latimer_ros1::name::base_name;

use super::extra::{OF_ALL, OF_ROBOT};
use super::goals::{ACTION, CANCEL, GOAL};
use super::rosout::{LOG, ROSOUT};
use super::{BRIDGE_NODE, Facade, REPUBLISHER_NODE, ROSAPI_NODE, republisher, rosapi};
use crate::rosbridge::topics::{self, COMMANDS, SERVICES, TOPICS, Topic};

/// A topic, with the nodes at its ends.
pub(super) struct GraphTopic {
    pub(super) name: String,
    pub(super) ros_type: String,
    pub(super) publishers: Vec<String>,
    pub(super) subscribers: Vec<String>,
}

impl GraphTopic {
    fn published(name: String, ros_type: &str, node: &str) -> Self {
        let (publishers, subscribers) = (vec![node.to_owned()], Vec::new());
        Self { name, ros_type: ros_type.to_owned(), publishers, subscribers }
    }

    fn taken(name: String, ros_type: &str, node: &str) -> Self {
        let (publishers, subscribers) = (Vec::new(), vec![node.to_owned()]);
        Self { name, ros_type: ros_type.to_owned(), publishers, subscribers }
    }
}

/// A service, with the node that serves it.
pub(super) struct GraphService {
    pub(super) name: String,
    pub(super) ros_type: String,
    pub(super) node: String,
}

/// All topics, by name. A robot is a node; clients are one together.
pub(super) fn topics(facade: &Facade) -> Vec<GraphTopic> {
    let bridge = |is: bool| is.then(|| BRIDGE_NODE.to_owned());
    let mut all = Vec::new();
    for (robot, prefix) in facade.robots() {
        let node = node_of(&robot, &prefix);
        let extra = OF_ROBOT.iter().map(|(path, extra)| ((*path).to_owned(), extra.ros_type()));
        for (path, ros_type) in published(facade, &robot).into_iter().chain(extra) {
            all.push(GraphTopic::published(format!("{prefix}{path}"), ros_type, &node));
        }
        let commands = COMMANDS.iter().map(|topic| (topic.path, topic.ros_type));
        for (path, ros_type) in commands.chain([GOAL, CANCEL]) {
            all.push(GraphTopic::taken(format!("{prefix}{path}"), ros_type, &node));
        }
        all.push(GraphTopic::published(format!("{prefix}{}", &ROSOUT[1..]), LOG, BRIDGE_NODE));
    }
    let of_clients = facade.relay.topics().into_iter().filter(|(name, ..)| name != ROSOUT);
    all.extend(of_clients.map(|(name, ros_type, [is_published, is_followed])| GraphTopic {
        name,
        ros_type,
        publishers: bridge(is_published).into_iter().collect(),
        subscribers: bridge(is_followed).into_iter().collect(),
    }));
    all.push(GraphTopic::published(ROSOUT.to_owned(), LOG, BRIDGE_NODE));
    for (path, extra) in OF_ALL {
        let name = format!("/{path}");
        let node = if name.starts_with(REPUBLISHER_NODE) { REPUBLISHER_NODE } else { BRIDGE_NODE };
        all.push(GraphTopic::published(name, extra.ros_type(), node));
    }
    for (path, ros_type) in republisher::TAKEN {
        all.push(GraphTopic::taken(format!("{REPUBLISHER_NODE}/{path}"), ros_type, REPUBLISHER_NODE));
    }
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all.dedup_by(|one, other| one.name == other.name);
    all
}

/// All services, by name.
pub(super) fn services(facade: &Facade) -> Vec<GraphService> {
    let mut all = Vec::new();
    for (robot, prefix) in facade.robots() {
        let node = node_of(&robot, &prefix);
        all.extend(SERVICES.map(|(path, ros_type)| GraphService {
            name: format!("{prefix}{path}"),
            ros_type: ros_type.to_owned(),
            node: node.clone(),
        }));
    }
    let of_clients = facade.relay.services().into_iter();
    all.extend(of_clients.map(|(name, ros_type)| GraphService {
        name,
        ros_type,
        node: BRIDGE_NODE.to_owned(),
    }));
    let (name, ros_type) = republisher::SERVICE;
    all.push(GraphService {
        name: name.to_owned(),
        ros_type: ros_type.to_owned(),
        node: REPUBLISHER_NODE.to_owned(),
    });
    all.extend(rosapi::SERVICES.iter().map(|(name, _)| GraphService {
        name: format!("{ROSAPI_NODE}/{name}"),
        ros_type: rosapi::type_name(name),
        node: ROSAPI_NODE.to_owned(),
    }));
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

/// All nodes, by name.
pub(super) fn nodes(facade: &Facade) -> BTreeSet<String> {
    let robots = facade.robots().into_iter().map(|(robot, prefix)| node_of(&robot, &prefix));
    robots.chain([BRIDGE_NODE, REPUBLISHER_NODE, ROSAPI_NODE].map(str::to_owned)).collect()
}

/// The actions: what has all five topics of actionlib, and the one of ROS 2 of each robot that tells how its drives end.
pub(super) fn action_servers(facade: &Facade) -> Vec<String> {
    let names: BTreeSet<String> = topics(facade).into_iter().map(|it| it.name).collect();
    let ends = ["cancel", "feedback", "result", "status"];
    let has_all = |action: &&str| ends.iter().all(|end| names.contains(&format!("{action}/{end}")));
    let actions = names.iter().filter_map(|it| it.strip_suffix("/goal")).filter(has_all);
    let robots = facade.robots().into_iter();
    let robots = robots.filter(|(robot, _)| facade.hub.offers(robot, Kind::Navigation, None));
    let robots = robots.map(|(_, prefix)| format!("{prefix}{}", ACTION.0));
    actions.map(str::to_owned).chain(robots).collect()
}

/// A robot as a node: as its topics begin, or by its own name where they begin at the root.
fn node_of(robot: &RobotId, prefix: &str) -> String {
    match prefix.trim_end_matches('/') {
        "" => format!("/{}", base_name(robot.as_str())),
        name => name.to_owned(),
    }
}

/// What a robot publishes, below its name, with the types: what it has to say something on that the client may see, also of each part
/// that it has.
fn published(facade: &Facade, robot: &RobotId) -> BTreeSet<(String, &'static str)> {
    let mut all = BTreeSet::new();
    let mut add = |path: &str, ros_type| _ = all.insert((path.to_owned(), ros_type));
    let common = TOPICS.iter().filter(|topic| !topic.is_by_part());
    let offers = |topic: &Topic, part: Option<&PartName>| {
        topic.is_offered(&facade.hub, robot, part) && facade.hub.shows_some_of(robot, topic.kind, part)
    };
    common.filter(|topic| offers(topic, None)).for_each(|topic| add(topic.path, topic.ros_type));
    let profile = facade.hub.profile(robot);
    let cameras = profile.cameras.iter().map(|it| (Kind::CompressedImage, Some(&it.part)));
    let ranges = profile.ranges.iter().map(|it| (it.kind, it.part.as_ref()));
    let placed = profile.placed.iter().map(|it| (it.kind, Some(&it.part)));
    let rules = facade.hub.vocabulary().rules(&profile);
    let derived = rules.iter().map(|rule| (rule.to.0, rule.to.1.as_ref()));
    let parts = cameras.chain(ranges).chain(placed).chain(derived);
    let by_part = parts.flat_map(|(kind, part)| topics::of_kind(kind).map(move |topic| (topic, part)));
    for (topic, part) in by_part.filter(|(topic, part)| offers(topic, *part)) {
        topic.path_of(part).into_iter().for_each(|path| add(&path, topic.ros_type));
    }
    for last in facade.hub.last_of_robot(robot) {
        if let Some((topic, path, _)) = topics::translate(&facade.hub, &last) {
            add(&path, topic.ros_type);
        }
    }
    all
}
