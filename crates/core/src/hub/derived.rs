//! Topics that the gateway publishes on in a robot's name, and who follows them.

use std::sync::Arc;

use foldhash::HashMap;
use tokio::sync::watch;
use zenoh_keyexpr::{OwnedKeyExpr, keyexpr};

use super::interest::Demand;
use super::topic::Topic;
use super::{DemandLevel, Hub, HubInner, Wakes};
use crate::derive::Vocabulary;
use crate::model::{Kind, PartName, RobotId, Update, key};

/// A topic of a robot that the gateway publishes on. Dropping it takes the topic out of the hub.
pub(crate) struct DerivedTopic {
    hub: Arc<HubInner>,
    topic: Arc<Topic>,
}

impl DerivedTopic {
    /// Delivers an update, unless the robot publishes it itself by now.
    pub(crate) fn publish(&self, update: Update, wakes: &mut Wakes) {
        if self.hub.has_topic(&self.topic) {
            self.hub.publish(&self.topic, update, wakes);
        }
    }
}

impl Drop for DerivedTopic {
    fn drop(&mut self) {
        self.hub.remove_topic(&self.topic);
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
        let name = OwnedKeyExpr::new(key(robot, kind, part)).ok()?;
        if self.0.topics.load().contains_key(name.as_str()) {
            return None;
        }
        let topic = self.0.add_topic(Topic::new(name, kind, part.cloned()));
        Some(DerivedTopic { hub: self.0.clone(), topic })
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
        self.0.generation.subscribe()
    }
}

/// What is subscribed to, by the robot that each expression begins with.
pub(crate) struct DemandIndex {
    demand: Arc<Vec<Demand>>,
    of_robot: HashMap<String, Vec<usize>>,
    of_many: Vec<usize>,
}

impl DemandIndex {
    /// What is subscribed to now.
    pub(crate) fn of(hub: &Hub) -> Self {
        let demand = hub.0.demand.load_full();
        let mut of_robot: HashMap<String, Vec<usize>> = HashMap::default();
        let mut of_many = Vec::new();
        for (i, it) in demand.iter().enumerate() {
            match it.expression.split('/').next() {
                Some(robot) if !robot.contains('*') => of_robot.entry(robot.to_owned()).or_default().push(i),
                _ => of_many.push(i),
            }
        }
        Self { demand, of_robot, of_many }
    }

    /// How closely a key of a robot is followed; `None` if nobody follows it.
    pub(crate) fn level(&self, robot: &RobotId, key: &str) -> Option<DemandLevel> {
        let key = keyexpr::new(key).ok()?;
        let own = self.of_robot.get(robot.as_str()).into_iter().flatten();
        let demand = own.chain(&self.of_many).filter_map(|i| self.demand.get(*i));
        let levels = demand.filter(|it| it.derived && it.expression.intersects(key)).map(|it| it.full);
        levels.max().map(|full| if full { DemandLevel::Full } else { DemandLevel::Slow })
    }
}
