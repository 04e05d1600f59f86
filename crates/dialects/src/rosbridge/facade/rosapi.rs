//! `rosapi`, the services by which clients ask what there is, and the services of each robot.

use latimer_core::model::Kind;
use latimer_core::{Command, PartName};
use serde_json::{Value as Json, json};

use super::Facade;
use crate::rosbridge::topics::{self, COMMANDS, SERVICES, TOPICS, Topic};

/// The services of `rosapi`, with their types.
const ROSAPI: [(&str, &str); 7] = [
    ("/rosapi/topics", "rosapi/Topics"),
    ("/rosapi/topics_for_type", "rosapi/TopicsForType"),
    ("/rosapi/topic_type", "rosapi/TopicType"),
    ("/rosapi/services", "rosapi/Services"),
    ("/rosapi/service_type", "rosapi/ServiceType"),
    ("/rosapi/nodes", "rosapi/Nodes"),
    ("/rosapi/get_time", "rosapi/GetTime"),
];

/// What a call of a robot's service asks of the robot; `None` if it has no such service.
pub(super) fn command_from_call(path: &str, args: &Json) -> Option<Command> {
    match path {
        "stop" => Some(Command::Stop { hold: false }),
        "emergency_stop" => Some(Command::EmergencyStop(args["data"].as_bool()?)),
        _ => None,
    }
}

/// The answer of `rosapi`; `None` if it has no such service.
pub(super) fn answer(facade: &Facade, service: &str, args: &Json) -> Option<Json> {
    let asked = |name: &str| args[name].as_str().or_else(|| args[0].as_str()).unwrap_or_default().to_owned();
    Some(match service {
        "/rosapi/topics" => {
            let (topics, types): (Vec<_>, Vec<_>) = robot_topics(facade).into_iter().unzip();
            json!({"topics": topics, "types": types})
        }
        "/rosapi/topics_for_type" => {
            let wanted = asked("type").replacen("/msg/", "/", 1);
            let topics = robot_topics(facade).into_iter().filter(|(_, ros_type)| *ros_type == wanted);
            json!({"topics": topics.map(|(topic, _)| topic).collect::<Vec<_>>()})
        }
        "/rosapi/topic_type" => json!({"type": type_of(robot_topics(facade), &asked("topic"))}),
        "/rosapi/services" => {
            let (services, _): (Vec<_>, Vec<_>) = services(facade).into_iter().unzip();
            json!({"services": services})
        }
        "/rosapi/service_type" => json!({"type": type_of(services(facade), &asked("service"))}),
        "/rosapi/nodes" => json!({"nodes": ["/latimer"]}),
        "/rosapi/get_time" => {
            let nanos = facade.hub.clock().now().as_nanos();
            json!({"time": {"secs": nanos / 1_000_000_000, "nsecs": nanos % 1_000_000_000}})
        }
        _ => return None,
    })
}

/// The topics of robots with the types: those that a robot has to say something on that the client may see, also of each part that it has,
/// and those on which it listens.
fn robot_topics(facade: &Facade) -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    for (robot, prefix) in facade.robots() {
        let mut add = |path: &str, ros_type| all.push((format!("{prefix}{path}"), ros_type));
        let common = TOPICS.iter().filter(|topic| !topic.is_by_part());
        let offers = |topic: &Topic, part: Option<&PartName>| {
            topic.is_offered(&facade.hub, &robot, part) && facade.hub.shows_some_of(&robot, topic.kind, part)
        };
        let offered = common.filter(|topic| offers(topic, None));
        offered.for_each(|topic| add(topic.path, topic.ros_type));
        COMMANDS.iter().for_each(|topic| add(topic.path, topic.ros_type));
        let profile = facade.hub.profile(&robot);
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
        for last in facade.hub.last_of_robot(&robot) {
            if let Some((topic, path, _)) = topics::translate(&facade.hub, &last) {
                add(&path, topic.ros_type);
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

/// The type of the topic or service of a name; empty if there is none.
fn type_of(all: Vec<(String, &'static str)>, name: &str) -> &'static str {
    all.into_iter().find(|(known, _)| known == name).map(|(_, ros_type)| ros_type).unwrap_or_default()
}

fn services(facade: &Facade) -> Vec<(String, &'static str)> {
    let of_robots = facade
        .robots()
        .into_iter()
        .flat_map(|(_, prefix)| SERVICES.map(|(path, ros_type)| (format!("{prefix}{path}"), ros_type)));
    of_robots.chain(ROSAPI.map(|(service, ros_type)| (service.to_owned(), ros_type))).collect()
}
