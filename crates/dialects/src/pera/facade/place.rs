//! Who is served, under which number.

use std::borrow::Cow;
use std::collections::BTreeMap;

use latimer_core::hub::{Origin, RobotReport};
use latimer_core::model::signal::{Frame, Signal};
use latimer_core::{Hub, RobotId, Update};

use crate::pera::roster::{Roster, SwarmId};
use crate::pera::wire::Reality;
use crate::pera::{NAME, frame_of};

/// What has changed.
#[derive(Default)]
pub(super) struct Change {
    pub(super) new: Vec<(SwarmId, RobotReport)>,
    pub(super) gone: Vec<SwarmId>,
}

/// Who is served, under which number.
pub(super) struct ServedIds {
    /// Robots that have a number by the config.
    fixed: BTreeMap<RobotId, SwarmId>,
    serve_all: bool,
    roster: Roster,
    /// Who is here.
    present: BTreeMap<RobotId, SwarmId>,
}

impl ServedIds {
    pub(super) fn new(serve: Vec<(RobotId, SwarmId)>, serve_all: bool, roster: Roster) -> Self {
        for (robot, id) in &serve {
            roster.serve(*id, robot);
        }
        Self { fixed: serve.into_iter().collect(), serve_all, roster, present: BTreeMap::new() }
    }

    /// Compares who is here with who was.
    pub(super) fn look(&mut self, hub: &Hub) -> Change {
        let mut change = Change::default();
        let robots: BTreeMap<RobotId, RobotReport> =
            hub.robots().into_iter().map(|report| (report.info.robot.clone(), report)).collect();
        let gone = self.present.extract_if(.., |robot, _| !robots.contains_key(robot));
        change.gone = gone.map(|(_, id)| id).collect();
        // Also of robots that were listed and went before they were served.
        for (id, robot) in self.roster.all() {
            if !self.fixed.contains_key(&robot) && !robots.contains_key(&robot) {
                self.roster.release(id);
            }
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
        if self.serve_all { enlist(&self.roster, report) } else { None }
    }
}

/// The number of a robot where all are served; `None` if it is one of the swarm, since those speak for themselves.
pub(in crate::pera) fn enlist(roster: &Roster, report: &RobotReport) -> Option<SwarmId> {
    if report.info.is_connected_by(NAME) { None } else { roster.enlist(&report.info.robot) }
}

/// An update with its pose in the swarm's arena, a frame of the site; `None` if there is no transform.
pub(super) fn in_arena<'u>(hub: &Hub, frame: &str, update: &'u Update) -> Option<Cow<'u, Update>> {
    let Signal::Pose(pose) = &update.signal else { return Some(Cow::Borrowed(update)) };
    let at = hub.transform(&update.robot, pose.frame, frame_of(hub, frame)).ok()?;
    let pose = at.place(pose, Frame::Map);
    Some(Cow::Owned(Update { signal: pose.into(), native: None, ..update.clone() }))
}

/// Most robots that one line of the log names.
const MOST_NAMED: usize = 32;

/// Robots with their numbers, in a line: `rover-1 is 1, digger-1 is 100`.
pub(super) fn numbers(new: &[(SwarmId, RobotReport)]) -> String {
    let named = new.iter().take(MOST_NAMED).map(|(id, report)| format!("{} is {id}", report.info.robot));
    let rest = new.len().saturating_sub(MOST_NAMED);
    let rest = (rest > 0).then(|| format!("and {rest} more, which /api/v1/robots lists"));
    named.chain(rest).collect::<Vec<_>>().join(", ")
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
        let roster = Roster::default();
        roster.enlist(&RobotId::new("gone-3").unwrap());
        let mut places = ServedIds::new(vec![(fixed, 2)], true, roster);
        let _a = add(&hub, "a-2", "test", connected());
        let b = add(&hub, "b-3", "pera", Origin::Simulated);
        let _guest = add(&hub, "pera-9", "pera", connected());
        assert_eq!(new(&places.look(&hub)), [(100, "a-2"), (3, "b-3")], "2 is taken, 9 speaks for itself");
        let _boss = add(&hub, "boss", "pera", Origin::Simulated);
        assert_eq!(new(&places.look(&hub)), [(2, "boss")]);
        let report = hub.robot(&RobotId::new("boss").unwrap()).unwrap();
        assert_eq!(numbers(&[(2, report.clone()), (7, report.clone())]), "boss is 2, boss is 7");
        let many = numbers(&vec![(2, report); 1_000]);
        assert!(many.ends_with("boss is 2, and 968 more, which /api/v1/robots lists"), "{many}");
        drop(b);
        assert_eq!(places.look(&hub).gone, [3]);
        let _c = add(&hub, "c-3", "test", connected());
        assert_eq!(new(&places.look(&hub)), [(3, "c-3")]);
    }

    #[test]
    fn only_those_who_are_named_are_served_otherwise() {
        let hub = Hub::new(Clock::system());
        let named = RobotId::new("a-1").unwrap();
        let mut places = ServedIds::new(vec![(named, 7)], false, Roster::default());
        let _a = add(&hub, "a-1", "test", Origin::Simulated);
        let _b = add(&hub, "b-2", "test", Origin::Simulated);
        assert_eq!(new(&places.look(&hub)), [(7, "a-1")]);
    }
}
