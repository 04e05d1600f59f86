//! What robots are called in ROS. A name is one robot's: what is published below it moves no other.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_core::hub::{Population, Residency};
use latimer_core::{Hub, RobotId};
use tokio_util::sync::CancellationToken;

use crate::rosbridge::RosbridgeConfig;

/// Why a robot's topics are not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{robot} is served under no name: {prefix} is {other} here; give one of them another with [[rosbridge.serve]], or connect to \
     /robots/{robot}/rosbridge"
)]
pub(in crate::rosbridge) struct NameTaken {
    pub(in crate::rosbridge) robot: RobotId,
    /// With a slash before and behind.
    pub(in crate::rosbridge) prefix: String,
    pub(in crate::rosbridge) other: RobotId,
}

/// Which robot has which name.
pub(super) struct Names {
    hub: Hub,
    config: Arc<RosbridgeConfig>,
    /// Names that the config gives, whether their robots are there or not.
    given: HashMap<String, RobotId>,
    kept: Mutex<Kept>,
}

struct Kept {
    /// Tells whether there is something to look up.
    population: Population,
    robots: BTreeMap<RobotId, Named>,
    holders: HashMap<String, RobotId>,
    /// Most levels that a name has.
    levels: usize,
}

struct Named {
    stay: Option<Residency>,
    prefix: Result<String, NameTaken>,
}

impl Names {
    pub(super) fn new(hub: Hub, config: Arc<RosbridgeConfig>) -> Self {
        let given = config.named().map(|robot| (config.prefix(robot), robot.clone())).collect();
        let kept = Kept {
            population: hub.population(),
            robots: BTreeMap::new(),
            holders: HashMap::new(),
            levels: 0,
        };
        Self { hub, config, given, kept: Mutex::new(kept) }
    }

    /// Keeps the names of robots that register and leave, until `stop`: the first of two robots keeps a name, and the log says which one is refused.
    pub(super) async fn follow(&self, stop: CancellationToken) {
        let mut population = self.hub.population();
        while stop.run_until_cancelled(population.changed()).await.is_some() {
            drop(self.refreshed(self.kept()));
        }
    }

    /// What a robot's topics begin with, if it has a name.
    pub(super) fn prefix(&self, robot: &RobotId) -> Option<String> {
        let kept = self.kept();
        let kept = if kept.robots.contains_key(robot) { kept } else { self.refreshed(kept) };
        kept.robots.get(robot)?.prefix.clone().ok()
    }

    /// The robot that a topic or service is of, and the path below its name.
    pub(super) fn find<'n>(&self, name: &'n str) -> Option<(RobotId, &'n str)> {
        let kept = self.kept();
        match kept.find(name).filter(|(robot, _)| self.hub.has(robot)) {
            Some(found) => Some(found),
            None => self.refreshed(kept).find(name),
        }
    }

    /// Why nothing has the name, if it is that of a robot that has none here.
    pub(super) fn taken(&self, name: &str) -> Option<NameTaken> {
        let first = name.trim_start_matches('/').split('/').next()?;
        let robot: RobotId = first.parse().ok()?;
        self.kept().robots.get(&robot)?.prefix.as_ref().err().cloned()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Names who came since the last time, if somebody did. A robot that has none stays so while it is there: what was published for one
    /// shall not move another later.
    fn refreshed<'k>(&self, mut kept: MutexGuard<'k, Kept>) -> MutexGuard<'k, Kept> {
        if !kept.population.has_changed() {
            return kept;
        }
        let robots: Vec<RobotId> = self.hub.robots().into_iter().map(|it| it.info.robot).collect();
        let Kept { robots: named, holders, levels, .. } = &mut *kept;
        named.retain(|robot, it| it.stay.is_some() && it.stay == self.hub.stay(robot));
        holders.retain(|_, robot| named.contains_key(robot));
        for robot in robots {
            if named.contains_key(&robot) {
                continue;
            }
            let (stay, prefix) = (self.hub.stay(&robot), self.config.prefix(&robot));
            let other = self.given.get(&prefix).or_else(|| holders.get(&prefix)).filter(|it| **it != robot);
            let prefix = match other.cloned() {
                Some(other) => Err(NameTaken { robot: robot.clone(), prefix, other }),
                None => Ok(prefix),
            };
            match &prefix {
                Err(taken) => tracing::warn!(%robot, other = %taken.other, "{taken}"),
                Ok(prefix) => {
                    *levels = (*levels).max(prefix.matches('/').count() - 1);
                    holders.insert(prefix.clone(), robot.clone());
                }
            }
            named.insert(robot, Named { stay, prefix });
        }
        kept
    }
}

impl Kept {
    fn find<'n>(&self, name: &'n str) -> Option<(RobotId, &'n str)> {
        let below = name.strip_prefix('/').unwrap_or(name);
        let ends = below.match_indices('/').take(self.levels).map(|(at, _)| at);
        // Of a robot `a` and one `a/b` the longer name counts.
        ends.filter_map(|at| {
            Some((self.holders.get(&format!("/{}/", &below[..at]))?.clone(), &below[at + 1..]))
        })
        .last()
    }
}
