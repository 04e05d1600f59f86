//! Who may move which robot, by the config.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Hub;
use crate::authority::Policy;
use crate::model::RobotId;
use crate::robot::Event;

/// Who may move which robot: by name, or any other.
#[derive(Clone, Debug, Default)]
pub struct Policies {
    /// Of robots that have one of their own.
    pub of: BTreeMap<RobotId, Policy>,
    /// Of all others.
    pub others: Policy,
}

impl Policies {
    pub(super) fn get(&self, robot: &RobotId) -> &Policy {
        self.of.get(robot).unwrap_or(&self.others)
    }
}

impl Hub {
    /// Sets who may move which robot, also of those that are here already.
    pub fn set_policies(&self, policies: Policies) {
        let now = self.0.clock.now();
        for (robot, entry) in self.0.robots.all().iter() {
            self.0.step(entry, Event::Policy(policies.get(robot).clone()), now);
        }
        self.0.owners.policies.store(Arc::new(policies));
    }

    /// Who may move which robot.
    pub fn policies(&self) -> Arc<Policies> {
        self.0.owners.policies.load_full()
    }

    /// Robots that move and whose bounds would be wider by these policies, each with the key in the config of what is.
    pub fn loosened_in_motion(&self, policies: &Policies) -> Vec<(RobotId, &'static str)> {
        let (now, before) = (self.0.clock.now(), self.policies());
        let robots = self.0.robots.all();
        let loosened = robots.iter().filter_map(|(robot, entry)| {
            let key = policies.get(robot).loosens(before.get(robot))?;
            let owner = entry.robot();
            (owner.moves(now) || owner.owes_stop()).then(|| (robot.clone(), key))
        });
        loosened.collect()
    }
}
