//! Topics that the gateway publishes on in a robot's name, and who follows them.

use std::sync::Arc;

use tokio::sync::watch;

use super::Hub;
use crate::derive::Vocabulary;
use crate::exchange::{DemandIndex, Exchange, Topic, WakeUps};
use crate::model::{Kind, PartName, RobotId, Update};

/// A topic of a robot that the gateway publishes on. Dropping it takes the topic out of the hub.
pub(crate) struct DerivedTopic {
    exchange: Arc<Exchange>,
    topic: Arc<Topic>,
}

impl DerivedTopic {
    /// Delivers an update, unless the robot publishes it itself by now.
    pub(crate) fn publish(&self, update: Update, wakes: &mut WakeUps) {
        if self.exchange.has_topic(&self.topic) {
            self.exchange.publish(&self.topic, update, wakes);
        }
    }
}

impl Drop for DerivedTopic {
    fn drop(&mut self) {
        self.exchange.remove_topics([&*self.topic].into_iter());
    }
}

impl Hub {
    /// A topic to publish on; `None` if there is one already.
    pub(crate) fn derived_topic(
        &self,
        robot: &RobotId,
        kind: Kind,
        part: Option<&PartName>,
    ) -> Option<DerivedTopic> {
        if self.0.exchange.topic(robot, kind, part).is_some() {
            return None;
        }
        let topic = self.0.exchange.add_topic(robot, kind, part)?;
        Some(DerivedTopic { exchange: self.0.exchange.clone(), topic })
    }

    /// Sets what programs of all families expect of a robot.
    pub fn set_vocabulary(&self, vocabulary: Vocabulary) {
        self.0.vocabulary.store(Arc::new(vocabulary));
    }

    /// What programs of all families expect of a robot.
    pub fn vocabulary(&self) -> Arc<Vocabulary> {
        self.0.vocabulary.load_full()
    }

    /// Whether a robot publishes a kind, or one part of it, or the gateway derives it: also before anything of it came. Of a robot that
    /// declares no kinds anything may come.
    pub fn offers(&self, robot: &RobotId, kind: Kind, part: Option<&str>) -> bool {
        let profile = self.profile(robot);
        if profile.kinds.is_empty() || self.vocabulary().derives(&profile, kind, part) {
            return true;
        }
        match part {
            Some(part) if self.last(robot, kind, Some(&PartName::of(part))).is_some() => true,
            Some(part) => profile.kinds.contains(kind) && profile.has_part(kind, part).unwrap_or(true),
            None => profile.kinds.contains(kind) || !self.last_of_parts(robot, kind).is_empty(),
        }
    }

    /// Changes with what is subscribed to.
    pub(crate) fn demand_changes(&self) -> watch::Receiver<u64> {
        self.0.exchange.demand_changes()
    }

    /// What is subscribed to now.
    pub(crate) fn demand_index(&self) -> DemandIndex {
        DemandIndex::of(&self.0.exchange)
    }
}
