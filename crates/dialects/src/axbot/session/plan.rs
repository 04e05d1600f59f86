//! Which topics a robot shall send, from what the gateway's sinks want; no I/O.

use std::collections::BTreeSet;

use latimer_core::PartName;
use latimer_core::model::Kind;
use serde_json::json;

use crate::axbot::needs;
use crate::axbot::topic::Topic;

/// Sent whether anybody looks or not: the battery shows every second that the robot lives, and the others are
/// cheap and the sources of lists, drives and places.
const ALWAYS: [Topic; 7] = [
    Topic::BatteryState,
    Topic::Alerts,
    Topic::WheelState,
    Topic::SlamState,
    Topic::PlanningState,
    Topic::TrackedPose,
    Topic::MapInfo,
];

/// The topics that are wanted now; `cached` if the robot tells maps as addresses.
///
/// Where two topics tell the same, one is taken: a big map by its address, so that it travels once, and an obstacle
/// map, which is small and new each second, with its picture. Both topics of the battery are taken, because one is
/// the beat and the other has the cells.
pub(super) fn wanted_topics(
    wants: impl Fn(Kind, Option<&PartName>) -> bool,
    cached: bool,
) -> BTreeSet<Topic> {
    let is_wanted = |topic: &Topic| {
        topic.origins().iter().any(|(kind, part)| match part {
            Some(part) => wants(*kind, Some(&PartName::of(part))),
            None => wants(*kind, None),
        })
    };
    let is_taken = |topic: &Topic| match topic {
        Topic::Map | Topic::IncrementalMap => !cached,
        Topic::MapV2 | Topic::IncrementalMapV2 => cached,
        // It is asked for by a request, and `GET /device/info` answered with more.
        Topic::Costmap | Topic::CostmapV2 | Topic::DeviceInfoBrief => false,
        // The same is published on `/action` and `/scan_matched_points2`.
        Topic::ImuState | Topic::HorizontalLaser => false,
        // The same is published on `/wheel_state`, `/robot_model`, `/nearby_auto_doors` and `/io_pins_state`.
        Topic::ChassisState | Topic::RobotFootprint | Topic::DetectedGates | Topic::RawIoBoardState => false,
        _ => true,
    };
    let all = Topic::ALL.iter().copied();
    all.filter(|topic| ALWAYS.contains(topic) || is_taken(topic) && is_wanted(topic)).collect()
}

/// The topics that are passed on as they come, and that somebody names: `names` tells of which parts.
pub(super) fn named_topics(names: impl Fn(&PartName) -> bool) -> BTreeSet<&'static str> {
    needs::TOPICS.iter().map(|(topic, _)| *topic).filter(|topic| names(&needs::part(topic))).collect()
}

/// The names that a topic is enabled by; robots before 2.5 know the trajectory under another one.
const fn names(topic: Topic) -> &'static [&'static str] {
    match topic {
        Topic::Trajectory => &["/trajectory", "/trajectory_node_list"],
        _ => &[],
    }
}

fn names_of(topics: impl Iterator<Item = Topic>) -> Vec<&'static str> {
    let mut all = Vec::new();
    for topic in topics {
        match names(topic) {
            [] => all.push(topic.as_str()),
            several => all.extend_from_slice(several),
        }
    }
    all
}

/// The topics that the robot was asked for.
#[derive(Debug, Default)]
pub(super) struct Enabled {
    /// Whether several topics may be named at a time.
    lists: bool,
    current: BTreeSet<Topic>,
    /// Those that are passed on as they come.
    passed: BTreeSet<&'static str>,
    warned: BTreeSet<Topic>,
}

impl Enabled {
    /// A new connection has no topics yet; `lists` tells whether several may be named at a time.
    pub(super) fn begin(&mut self, lists: bool) {
        self.lists = lists;
        self.current.clear();
        self.passed.clear();
    }

    /// The messages that bring the robot from what it was asked for to what is wanted now.
    pub(super) fn follow(&mut self, wanted: BTreeSet<Topic>, passed: BTreeSet<&'static str>) -> Vec<String> {
        let mut gone = names_of(self.current.difference(&wanted).copied());
        gone.extend(self.passed.difference(&passed));
        let mut new = names_of(wanted.difference(&self.current).copied());
        new.extend(passed.difference(&self.passed));
        (self.current, self.passed) = (wanted, passed);
        let mut messages = self.messages("disable_topic", &gone);
        messages.extend(self.messages("enable_topic", &new));
        messages
    }

    fn messages(&self, verb: &str, names: &[&str]) -> Vec<String> {
        match names {
            [] => Vec::new(),
            names if self.lists => vec![json!({verb: names}).to_string()],
            names => names.iter().map(|name| json!({verb: name}).to_string()).collect(),
        }
    }

    /// The topics that the robot was asked for and does not list; each is named once.
    pub(super) fn missing(&mut self, listed: &[String]) -> Vec<Topic> {
        let has = |topic: Topic| listed.iter().any(|name| name.parse() == Ok(topic));
        let missing: Vec<Topic> = self.current.iter().copied().filter(|topic| !has(*topic)).collect();
        missing.into_iter().filter(|topic| self.warned.insert(*topic)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_cheap_is_asked_for_when_nobody_looks() {
        let topics = wanted_topics(|_, _| false, true);
        assert_eq!(topics, ALWAYS.into_iter().collect());
    }

    #[test]
    fn each_map_is_taken_once() {
        let both = |cached| wanted_topics(|_, _| true, cached);
        for (kind, part) in [(Kind::Map, "map"), (Kind::Map, "costmap_5cm"), (Kind::Map, "incremental_map")] {
            for cached in [false, true] {
                let topics = both(cached);
                let publish = topics.iter().filter(|topic| topic.origins().contains(&(kind, Some(part))));
                assert_eq!(publish.count(), 1, "{part}");
            }
        }
        assert!(both(true).contains(&Topic::MapV2) && both(false).contains(&Topic::Map));
    }

    #[test]
    fn the_cameras_of_other_robots_are_not_looked_for() {
        let front = PartName::of("camera_front");
        let topics = wanted_topics(|kind, part| kind == Kind::Video && part == Some(&front), false);
        assert!(topics.contains(&Topic::FrontVideo) && !topics.contains(&Topic::BackVideo));
        let topics = wanted_topics(|_, part| part.is_some_and(|part| part.as_str() == "camera"), false);
        assert_eq!(topics.len(), ALWAYS.len());
    }

    #[test]
    fn lists_are_for_robots_that_know_them() {
        let wanted: BTreeSet<Topic> = [Topic::Path, Topic::Trajectory].into();
        let mut old = Enabled::default();
        assert_eq!(
            old.follow(wanted.clone(), BTreeSet::new()),
            [
                r#"{"enable_topic":"/path"}"#,
                r#"{"enable_topic":"/trajectory"}"#,
                r#"{"enable_topic":"/trajectory_node_list"}"#,
            ]
        );
        assert_eq!(old.follow([Topic::Trajectory].into(), BTreeSet::new()), [r#"{"disable_topic":"/path"}"#]);
        let mut new = Enabled { lists: true, ..Enabled::default() };
        assert_eq!(
            new.follow(wanted, BTreeSet::new()),
            [r#"{"enable_topic":["/path","/trajectory","/trajectory_node_list"]}"#]
        );
        assert_eq!(
            new.follow([Topic::Path, Topic::Alerts].into(), BTreeSet::new()),
            [
                r#"{"disable_topic":["/trajectory","/trajectory_node_list"]}"#,
                r#"{"enable_topic":["/alerts"]}"#
            ]
        );
        assert!(new.follow([Topic::Path, Topic::Alerts].into(), BTreeSet::new()).is_empty());
    }

    #[test]
    fn what_is_passed_on_is_asked_for_while_somebody_names_it() {
        let hook = named_topics(|part| part.as_str() == "towing_state");
        assert_eq!(hook, ["/towing_state"].into());
        let mut enabled = Enabled { lists: true, ..Enabled::default() };
        let asked = enabled.follow([Topic::Path].into(), hook.clone());
        assert_eq!(asked, [r#"{"enable_topic":["/path","/towing_state"]}"#]);
        assert!(enabled.follow([Topic::Path].into(), hook).is_empty());
        let gone = enabled.follow([Topic::Path].into(), BTreeSet::new());
        assert_eq!(gone, [r#"{"disable_topic":["/towing_state"]}"#]);
    }

    #[test]
    fn what_the_robot_does_not_list_is_named_once() {
        let mut enabled = Enabled::default();
        enabled.follow([Topic::Path, Topic::Trajectory, Topic::JackState].into(), BTreeSet::new());
        let listed = ["/trajectory_node_list".to_owned(), "/path".to_owned()];
        assert_eq!(enabled.missing(&listed), [Topic::JackState]);
        assert!(enabled.missing(&listed).is_empty());
    }
}
