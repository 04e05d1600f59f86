//! Who is served, under which number.

use std::collections::BTreeMap;

use latimer_core::hub::{Origin, RobotReport};
use latimer_core::{Hub, RobotId};

use crate::pera::NAME;
use crate::pera::roster::{Roster, SwarmId, number_of};
use crate::pera::wire::Reality;

/// The first number given to robots whose names have none.
pub(super) const FIRST_FREE: SwarmId = 100;

/// What has changed.
#[derive(Default)]
pub(super) struct Change {
    pub(super) new: Vec<(SwarmId, RobotReport)>,
    pub(super) gone: Vec<SwarmId>,
}

/// Who is served, under which number.
pub(super) struct Places {
    /// Robots that have a number by the config.
    fixed: BTreeMap<RobotId, SwarmId>,
    serve_all: bool,
    roster: Roster,
    /// Who is here.
    present: BTreeMap<RobotId, SwarmId>,
}

impl Places {
    pub(super) fn new(serve: Vec<(RobotId, SwarmId)>, serve_all: bool, roster: Roster) -> Self {
        for (robot, id) in &serve {
            roster.serve(*id, robot.clone());
        }
        Self { fixed: serve.into_iter().collect(), serve_all, roster, present: BTreeMap::new() }
    }

    /// Compares who is here with who was.
    pub(super) fn look(&mut self, hub: &Hub) -> Change {
        let mut change = Change::default();
        let robots: BTreeMap<RobotId, RobotReport> =
            hub.robots().into_iter().map(|report| (report.info.robot.clone(), report)).collect();
        let gone = self.present.extract_if(.., |robot, _| !robots.contains_key(robot));
        for (robot, id) in gone.collect::<Vec<_>>() {
            if !self.fixed.contains_key(&robot) {
                self.roster.release(id);
            }
            change.gone.push(id);
        }
        for (robot, report) in robots {
            if !self.present.contains_key(&robot)
                && let Some(id) = self.number(&report)
            {
                self.present.insert(robot, id);
                change.new.push((id, report));
            }
        }
        change
    }

    /// The number of a robot that shall be served.
    fn number(&self, report: &RobotReport) -> Option<SwarmId> {
        let robot = &report.info.robot;
        if let Some(id) = self.fixed.get(robot) {
            return Some(*id);
        }
        // Robots of the swarm speak for themselves.
        if !self.serve_all || report.info.is_connected_by(NAME) {
            return None;
        }
        let own = number_of(robot).filter(|id| self.roster.serve(*id, robot.clone()));
        own.or_else(|| (FIRST_FREE..).find(|id| self.roster.serve(*id, robot.clone())))
    }
}

/// What a robot is to the swarm.
pub(super) fn reality_of(report: &RobotReport) -> Reality {
    match report.info.origin {
        Origin::Simulated => Reality::V,
        Origin::Connected(_) => Reality::R,
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::Clock;
    use latimer_core::hub::{RobotInfo, Source};

    use super::*;

    fn add(hub: &Hub, name: &str, family: &'static str, origin: Origin) -> Source {
        hub.register(RobotInfo::new(RobotId::new(name).unwrap(), family, origin)).unwrap()
    }

    fn new(change: &Change) -> Vec<(SwarmId, &str)> {
        change.new.iter().map(|(id, report)| (*id, report.info.robot.as_str())).collect()
    }

    #[test]
    fn all_get_numbers_and_give_them_back() {
        let hub = Hub::new(Clock::system());
        let connected = || Origin::Connected("h".to_owned());
        let fixed = RobotId::new("boss").unwrap();
        let mut places = Places::new(vec![(fixed, 2)], true, Roster::default());
        let _a = add(&hub, "a-2", "test", connected());
        let b = add(&hub, "b-3", "pera", Origin::Simulated);
        let _guest = add(&hub, "pera-9", "pera", connected());
        assert_eq!(new(&places.look(&hub)), [(100, "a-2"), (3, "b-3")], "2 is taken, 9 speaks for itself");
        let _boss = add(&hub, "boss", "pera", Origin::Simulated);
        assert_eq!(new(&places.look(&hub)), [(2, "boss")]);
        drop(b);
        assert_eq!(places.look(&hub).gone, [3]);
        let _c = add(&hub, "c-3", "test", connected());
        assert_eq!(new(&places.look(&hub)), [(3, "c-3")]);
    }

    #[test]
    fn only_those_who_are_named_are_served_otherwise() {
        let hub = Hub::new(Clock::system());
        let named = RobotId::new("a-1").unwrap();
        let mut places = Places::new(vec![(named, 7)], false, Roster::default());
        let _a = add(&hub, "a-1", "test", Origin::Simulated);
        let _b = add(&hub, "b-2", "test", Origin::Simulated);
        assert_eq!(new(&places.look(&hub)), [(7, "a-1")]);
    }
}
