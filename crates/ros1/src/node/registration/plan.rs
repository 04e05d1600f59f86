//! What is registered, and what is to be done next. No I/O.

use std::collections::{BTreeMap, BTreeSet};

use crate::node::shared::Topics;

/// Something to tell the master.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A topic is offered.
    Offer { id: u64, topic: String, type_name: String },
    /// A topic is followed.
    Follow { id: u64, topic: String, type_name: String },
    /// A service is offered.
    Serve { id: u64, service: String },
    /// A topic is offered no more.
    Withdraw { topic: String },
    /// A topic is followed no more.
    Leave { topic: String },
    /// A service is offered no more.
    Revoke { service: String },
}

/// The topics and services that the master knows, with the numbers that tell them from later ones of the same name.
#[derive(Debug, Default)]
pub(super) struct Registered {
    offered: BTreeMap<String, u64>,
    followed: BTreeMap<String, u64>,
    services: BTreeMap<String, u64>,
}

impl Step {
    /// The number of the topic that is registered.
    pub(super) fn id(&self) -> Option<u64> {
        match self {
            Self::Offer { id, .. } | Self::Follow { id, .. } | Self::Serve { id, .. } => Some(*id),
            Self::Withdraw { .. } | Self::Leave { .. } | Self::Revoke { .. } => None,
        }
    }
}

impl Registered {
    /// Whether the master knows nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.offered.is_empty() && self.followed.is_empty() && self.services.is_empty()
    }

    /// The next calls: first those for what is gone, so that a topic which came again is registered anew. The numbers of
    /// topics that the master refused are passed over.
    pub(super) fn next(&self, topics: &Topics, refused: &BTreeSet<u64>) -> Option<Step> {
        let offered = |topic: &String| topics.offered.get(topic).map(|one| one.id);
        let followed = |topic: &String| topics.followed.get(topic).map(|one| one.id);
        if let Some(topic) = gone(&self.offered, offered) {
            return Some(Step::Withdraw { topic });
        }
        if let Some(topic) = gone(&self.followed, followed) {
            return Some(Step::Leave { topic });
        }
        let served = |service: &String| topics.services.get(service).map(|one| one.id);
        if let Some(service) = gone(&self.services, served) {
            return Some(Step::Revoke { service });
        }
        let missing = |known: &BTreeMap<String, u64>, topic: &str, id: u64| {
            !known.contains_key(topic) && !refused.contains(&id)
        };
        let mut offered = topics.offered.values();
        if let Some(one) = offered.find(|one| missing(&self.offered, &one.topic, one.id)) {
            let (topic, type_name) = (one.topic.clone(), one.layout.type_name().to_owned());
            return Some(Step::Offer { id: one.id, topic, type_name });
        }
        let mut followed = topics.followed.values();
        if let Some(one) = followed.find(|one| missing(&self.followed, &one.topic, one.id)) {
            return Some(Step::Follow { id: one.id, topic: one.topic.clone(), type_name: one.type_name() });
        }
        let mut services = topics.services.values();
        let one = services.find(|one| missing(&self.services, &one.name, one.id))?;
        Some(Step::Serve { id: one.id, service: one.name.clone() })
    }

    /// A step was taken.
    pub(super) fn done(&mut self, step: &Step) {
        match step {
            Step::Offer { id, topic, .. } => _ = self.offered.insert(topic.clone(), *id),
            Step::Follow { id, topic, .. } => _ = self.followed.insert(topic.clone(), *id),
            Step::Withdraw { topic } => _ = self.offered.remove(topic),
            Step::Leave { topic } => _ = self.followed.remove(topic),
            Step::Serve { id, service } => _ = self.services.insert(service.clone(), *id),
            Step::Revoke { service } => _ = self.services.remove(service),
        }
    }

    /// The calls of a node that ends.
    pub(super) fn all(&self) -> Vec<Step> {
        let offered = self.offered.keys().map(|topic| Step::Withdraw { topic: topic.clone() });
        let followed = self.followed.keys().map(|topic| Step::Leave { topic: topic.clone() });
        let services = self.services.keys().map(|service| Step::Revoke { service: service.clone() });
        offered.chain(followed).chain(services).collect()
    }
}

fn gone(known: &BTreeMap<String, u64>, now: impl Fn(&String) -> Option<u64>) -> Option<String> {
    known.iter().find(|(topic, id)| now(topic) != Some(**id)).map(|(topic, _)| topic.clone())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::message::Layout;
    use crate::node::following::Following;
    use crate::node::publication::Publication;

    fn offer(topics: &mut Topics, id: u64, topic: &str) {
        let layout = Arc::new(Layout::from_definition("std_msgs/String", "string data").unwrap());
        let publication = Publication::new(id, topic.to_owned(), layout, 1, false);
        topics.offered.insert(topic.to_owned(), Arc::new(publication));
    }

    fn follow(topics: &mut Topics, id: u64, topic: &str) {
        topics.followed.insert(topic.to_owned(), Arc::new(Following::new(id, topic.to_owned())));
    }

    fn all_steps(registered: &mut Registered, topics: &Topics) -> Vec<Step> {
        let steps = std::iter::from_fn(|| {
            let step = registered.next(topics, &BTreeSet::new())?;
            registered.done(&step);
            Some(step)
        });
        steps.take(10).collect()
    }

    #[test]
    fn what_is_missing_is_registered_and_what_is_gone_unregistered() {
        let (mut topics, mut registered) = (Topics::default(), Registered::default());
        offer(&mut topics, 1, "/a");
        follow(&mut topics, 2, "/b");
        let (a, b) = ("/a".to_owned(), "/b".to_owned());
        let steps = all_steps(&mut registered, &topics);
        let first = Step::Offer { id: 1, topic: a.clone(), type_name: "std_msgs/String".to_owned() };
        assert_eq!(steps, [first, Step::Follow { id: 2, topic: b.clone(), type_name: "*".to_owned() }]);
        assert_eq!(all_steps(&mut registered, &topics), []);
        topics.offered.clear();
        topics.followed.clear();
        let last = [Step::Withdraw { topic: a }, Step::Leave { topic: b }];
        assert_eq!(registered.all(), last);
        assert_eq!(all_steps(&mut registered, &topics), last);
        assert!(registered.is_empty());
    }

    #[test]
    fn what_was_refused_is_passed_over() {
        let (mut topics, mut registered) = (Topics::default(), Registered::default());
        offer(&mut topics, 1, "/a");
        offer(&mut topics, 2, "/b");
        follow(&mut topics, 3, "/a");
        let refused = BTreeSet::from([1, 3]);
        let step = registered.next(&topics, &refused).unwrap();
        assert_eq!(step.id(), Some(2));
        registered.done(&step);
        assert_eq!(registered.next(&topics, &refused), None);
        assert_eq!(registered.next(&topics, &BTreeSet::new()).and_then(|step| step.id()), Some(1));
    }

    #[test]
    fn a_topic_that_came_again_is_reported_as_new() {
        let (mut topics, mut registered) = (Topics::default(), Registered::default());
        offer(&mut topics, 1, "/a");
        all_steps(&mut registered, &topics);
        offer(&mut topics, 2, "/a");
        let steps = all_steps(&mut registered, &topics);
        assert_eq!(steps[0], Step::Withdraw { topic: "/a".to_owned() });
        assert!(matches!(&steps[1], Step::Offer { id: 2, .. }), "{steps:?}");
    }
}
