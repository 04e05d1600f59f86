//! Which roles the topics of the broker need: those of the robots that they are of.
//!
//! Who may command a robot may publish to its topics, also in the robot's place: MQTT does not say which of both a client
//! is. A topic of several robots needs the role for every robot, and so does a filter with wildcards.

use latimer_core::access::{Caller, Role};
use latimer_dialects::{DIALECTS, Entry};
use latimer_mqtt::broker::TopicRoles;

use crate::api::Translators;

/// The topics of all dialects as they are configured.
pub(super) struct DialectTopics(pub(super) Translators);

/// What comes before the filter of a shared subscription: this, and the group.
const SHARED: &str = "$share/";

impl DialectTopics {
    fn may(&self, role: Role, caller: &Caller, filter: &str) -> bool {
        let mut dialects = dialects_of(filter).peekable();
        if dialects.peek().is_none() {
            // Clients talk to each other.
            return DIALECTS.iter().any(|entry| caller.may_somewhere(role, entry.name));
        }
        let is_topic = !filter.contains(['+', '#']);
        dialects.all(|entry| {
            let robot = self.0.find(entry.name).filter(|_| is_topic).and_then(|it| it.robot_of_topic(filter));
            match robot {
                Some(robot) => caller.may(role, entry.name, &robot),
                None => caller.may_everywhere(role, entry.name),
            }
        })
    }
}

impl TopicRoles for DialectTopics {
    fn may_publish(&self, caller: &Caller, topic: &str) -> bool {
        self.may(Role::Drive, caller, topic)
    }

    fn may_subscribe(&self, caller: &Caller, filter: &str) -> bool {
        let shared = filter.strip_prefix(SHARED).and_then(|rest| rest.split_once('/'));
        self.may(Role::See, caller, shared.map_or(filter, |(_, filter)| filter))
    }
}

/// The dialects that have topics which a filter matches.
fn dialects_of(filter: &str) -> impl Iterator<Item = &'static Entry> {
    DIALECTS
        .iter()
        .copied()
        .filter(move |entry| entry.channels.is_some_and(|channels| channels.touches(filter)))
}

#[cfg(test)]
mod tests {
    use latimer_core::access::{Grant, Grants};

    use super::*;
    use crate::config::{Config, Overrides};

    #[test]
    fn topics_need_the_roles_of_their_robots() {
        let config = Config::demo(&Overrides::default()).unwrap();
        let topics = DialectTopics(Translators::of(&config.dialects));
        let caller = |grants: &[(Role, &str)]| {
            let grant = |(role, select): &(Role, &str)| Grant {
                role: *role,
                select: select.parse().unwrap(),
                dialects: Vec::new(),
            };
            Caller::new("ada", Grants::new(grants.iter().map(grant).collect()))
        };
        let one = caller(&[(Role::Drive, "pera-1"), (Role::See, "*/battery")]);
        let all = caller(&[(Role::See, "*")]);
        for (topic, publish, subscribe) in [
            ("v1/robot/msg/1", true, true),
            ("v1/robot/msg/2", false, false),
            ("v1/sensor/distance/1/?", true, true),
            ("v1/robot/create", false, false),
            ("v1/localization/data", false, false),
            ("/dialogue/task", false, false),
            ("weather/today", true, true),
        ] {
            assert_eq!(topics.may_publish(&one, topic), publish, "{topic}");
            assert_eq!(topics.may_subscribe(&one, topic), subscribe, "{topic}");
            assert!(!topics.may_publish(&all, topic) && topics.may_subscribe(&all, topic), "{topic}");
        }
        for filter in ["v1/#", "#", "v1/robot/msg/+", "$share/g/v1/#"] {
            assert!(!topics.may_subscribe(&one, filter) && topics.may_subscribe(&all, filter), "{filter}");
        }
    }
}
