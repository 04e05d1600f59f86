//! Who subscribed to what: a tree of the levels of topic filters.
//!
//! ```text
//! "a/+/#"      a ──▶ + ──▶ below: all topics from here on
//! "a/b"        a ──▶ b ──▶ here: this topic
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use super::session::SessionKey;
use super::wire::Options;
use crate::limits::TOPIC_MAX_LEVELS;

/// What comes before the group and the filter of a shared subscription.
const SHARED: &str = "$share/";

/// A filter's group, if it is shared, and its topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filter<'a> {
    pub(super) group: Option<&'a str>,
    pub(super) topics: &'a str,
}

impl<'a> Filter<'a> {
    /// Reads a filter; `None` if it is none.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let filter = match text.strip_prefix(SHARED) {
            Some(shared) => {
                let (group, topics) = shared.split_once('/')?;
                if group.is_empty() || group.contains(['+', '#']) {
                    return None;
                }
                Self { group: Some(group), topics }
            }
            None => Self { group: None, topics: text },
        };
        let mut levels = filter.topics.split('/').peekable();
        let mut count = 0;
        while let Some(level) = levels.next() {
            count += 1;
            let is_right = match level {
                "+" => true,
                "#" => levels.peek().is_none(),
                level => !level.contains(['+', '#']),
            };
            if !is_right {
                return None;
            }
        }
        (!filter.topics.is_empty() && count <= TOPIC_MAX_LEVELS).then_some(filter)
    }

    /// What every topic begins with that it matches.
    pub(super) fn prefix(&self) -> &'a str {
        let end = self.topics.find(['+', '#']).unwrap_or(self.topics.len());
        let prefix = self.topics.get(..end).unwrap_or_default();
        // "a/#" matches "a", too.
        prefix.strip_suffix('/').unwrap_or(prefix)
    }

    /// Whether it matches a topic.
    pub(super) fn matches(&self, topic: &str) -> bool {
        if topic.starts_with('$') && self.topics.starts_with(['+', '#']) {
            return false;
        }
        let (mut levels, mut topic) = (self.topics.split('/'), topic.split('/'));
        loop {
            match (levels.next(), topic.next()) {
                (Some("#"), _) | (None, None) => return true,
                (Some("+"), Some(_)) => {}
                (Some(level), Some(is)) if level == is => {}
                _ => return false,
            }
        }
    }
}

/// Whether something can be published to a topic.
pub(super) fn is_topic(topic: &str) -> bool {
    !topic.is_empty() && !topic.contains(['+', '#']) && topic.split('/').count() <= TOPIC_MAX_LEVELS
}

/// The subscriptions of all sessions.
#[derive(Debug, Default)]
pub(super) struct Subscriptions(Node);

#[derive(Debug, Default)]
struct Node {
    levels: HashMap<Box<str>, Node>,
    here: Leaf,
    below: Leaf,
}

#[derive(Debug, Default)]
struct Leaf {
    plain: Vec<(SessionKey, Options)>,
    shared: Vec<Group>,
}

/// The members of a shared subscription.
#[derive(Debug)]
struct Group {
    name: Arc<str>,
    members: Vec<(SessionKey, Options)>,
    /// Whose turn it is.
    next: usize,
}

impl Leaf {
    fn members(&mut self, group: Option<&str>) -> &mut Vec<(SessionKey, Options)> {
        let Some(name) = group else { return &mut self.plain };
        let at = self.shared.iter().position(|group| &*group.name == name).unwrap_or_else(|| {
            self.shared.push(Group { name: name.into(), members: Vec::new(), next: 0 });
            self.shared.len() - 1
        });
        &mut self.shared[at].members
    }

    fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.shared.is_empty()
    }

    fn visit(
        &mut self,
        is_here: &impl Fn(SessionKey) -> bool,
        found: &mut impl FnMut(SessionKey, &Options, bool),
    ) {
        for (session, options) in &self.plain {
            found(*session, options, false);
        }
        for group in &mut self.shared {
            let turns = (0..group.members.len()).map(|turn| (group.next + turn) % group.members.len());
            let turn = turns.clone().find(|turn| group.members.get(*turn).is_some_and(|it| is_here(it.0)));
            let Some(turn) = turn.or_else(|| turns.clone().next()) else { continue };
            group.next = turn + 1;
            if let Some((session, options)) = group.members.get(turn) {
                found(*session, options, true);
            }
        }
    }
}

impl Node {
    fn is_empty(&self) -> bool {
        self.levels.is_empty() && self.here.is_empty() && self.below.is_empty()
    }

    fn leaf(&mut self, topics: &str) -> &mut Leaf {
        let mut node = self;
        for level in topics.split('/') {
            if level == "#" {
                return &mut node.below;
            }
            node = node.levels.entry(level.into()).or_default();
        }
        &mut node.here
    }

    /// Changes the leaf of a filter, and removes what is empty then.
    fn remove(&mut self, topics: Option<&str>, change: &mut impl FnMut(&mut Leaf)) {
        match topics {
            None => change(&mut self.here),
            Some("#") => change(&mut self.below),
            Some(topics) => {
                let (level, rest) = match topics.split_once('/') {
                    Some((level, rest)) => (level, Some(rest)),
                    None => (topics, None),
                };
                let Some(node) = self.levels.get_mut(level) else { return };
                node.remove(rest, change);
                if node.is_empty() {
                    self.levels.remove(level);
                }
            }
        }
    }

    fn visit(
        &mut self,
        topic: Option<&str>,
        wildcards: bool,
        is_here: &impl Fn(SessionKey) -> bool,
        found: &mut impl FnMut(SessionKey, &Options, bool),
    ) {
        if wildcards {
            self.below.visit(is_here, found);
        }
        let Some(topic) = topic else { return self.here.visit(is_here, found) };
        let (level, rest) = match topic.split_once('/') {
            Some((level, rest)) => (level, Some(rest)),
            None => (topic, None),
        };
        if let Some(node) = self.levels.get_mut(level) {
            node.visit(rest, true, is_here, found);
        }
        if wildcards && let Some(node) = self.levels.get_mut("+") {
            node.visit(rest, true, is_here, found);
        }
    }
}

impl Subscriptions {
    /// Adds one of a session, or changes its options.
    pub(super) fn add(&mut self, filter: Filter<'_>, session: SessionKey, options: Options) {
        let members = self.0.leaf(filter.topics).members(filter.group);
        match members.iter_mut().find(|(member, _)| *member == session) {
            Some((_, before)) => *before = options,
            None => members.push((session, options)),
        }
    }

    /// Removes one of a session.
    pub(super) fn remove(&mut self, filter: Filter<'_>, session: SessionKey) {
        self.0.remove(Some(filter.topics), &mut |leaf| {
            leaf.members(filter.group).retain(|(member, _)| *member != session);
            leaf.shared.retain(|group| !group.members.is_empty());
        });
    }

    /// The sessions that a message of a topic goes to, once for each filter; of a group one, which is here if any is. The last
    /// argument says whether the subscription is shared.
    pub(super) fn visit(
        &mut self,
        topic: &str,
        is_here: impl Fn(SessionKey) -> bool,
        mut found: impl FnMut(SessionKey, &Options, bool),
    ) {
        // Topics of the broker itself are matched by their name alone.
        self.0.visit(Some(topic), !topic.starts_with('$'), &is_here, &mut found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(text: &str) -> Filter<'_> {
        Filter::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    fn found(subscriptions: &mut Subscriptions, topic: &str) -> Vec<u64> {
        let mut all = Vec::new();
        subscriptions.visit(topic, |session| session.0 != 3, |session, _, _| all.push(session.0));
        all.sort_unstable();
        all
    }

    /// Filters, topics that they match, and topics that they do not.
    const TABLE: [(&str, &[&str], &[&str]); 9] = [
        ("a/b", &["a/b"], &["a", "a/b/c", "b", "a/", "/a/b"]),
        ("a/+", &["a/b", "a/"], &["a", "a/b/c"]),
        ("a/#", &["a", "a/b", "a/b/c", "a/"], &["b", "ab", "b/a"]),
        ("#", &["a", "a/b", "/"], &["$SYS/broker/uptime"]),
        ("+/b", &["a/b", "/b"], &["$SYS/b", "a/b/c"]),
        ("$SYS/#", &["$SYS/broker/uptime", "$SYS"], &["a"]),
        ("+/+", &["a/b", "/"], &["a", "a/b/c"]),
        ("a/+/c/#", &["a/b/c", "a/b/c/d/e"], &["a/b", "a/b/d"]),
        ("+", &["a"], &["a/b", "/a", "$a"]),
    ];

    #[test]
    fn filters_match_topics_alike_in_the_tree_and_alone() {
        for (text, matching, others) in TABLE {
            let mut subscriptions = Subscriptions::default();
            subscriptions.add(filter(text), SessionKey(1), Options::default());
            for topic in matching {
                assert!(filter(text).matches(topic), "{text} {topic}");
                assert!(topic.starts_with(filter(text).prefix()), "{text} {topic}");
                assert_eq!(found(&mut subscriptions, topic), [1], "{text} {topic}");
            }
            for topic in others {
                assert!(!filter(text).matches(topic), "{text} {topic}");
                assert!(found(&mut subscriptions, topic).is_empty(), "{text} {topic}");
            }
            subscriptions.remove(filter(text), SessionKey(1));
            assert!(subscriptions.0.is_empty(), "{text}");
        }
    }

    #[test]
    fn what_is_no_filter_or_topic_is_refused() {
        let deep = "a/".repeat(TOPIC_MAX_LEVELS);
        for text in
            ["", "a#", "a/#/b", "a+/b", "#/", "$share/g", "$share//a", "$share/+/a", "$share/g/", &deep]
        {
            assert_eq!(Filter::parse(text), None, "{text}");
        }
        assert!(is_topic("a b/ü") && !is_topic("a/+") && !is_topic("") && !is_topic(&deep));
    }

    #[test]
    fn of_a_group_each_member_that_is_here_gets_its_turn() {
        let mut subscriptions = Subscriptions::default();
        for session in 1..=4 {
            subscriptions.add(filter("$share/g/a"), SessionKey(session), Options::default());
        }
        subscriptions.add(filter("$share/h/#"), SessionKey(3), Options::default());
        let turns: Vec<_> = (0..4).map(|_| found(&mut subscriptions, "a")).collect();
        assert_eq!(turns, [[1, 3], [2, 3], [3, 4], [1, 3]], "session 3 is away, and alone in its group");
        for session in 1..=4 {
            subscriptions.remove(filter("$share/g/a"), SessionKey(session));
        }
        assert_eq!(found(&mut subscriptions, "a"), [3]);
    }
}
