//! Which numbers are robots of this gateway, known to those who serve them and to the simulator.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use latimer_core::{Hub, RobotId};

/// A robot's number in the swarm.
pub type SwarmId = u32;

/// Rosters and the hubs that they are of, for who knows only the hub.
static ROSTERS: Mutex<Vec<(usize, Weak<Lists>)>> = Mutex::new(Vec::new());

/// See the module; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Roster(Arc<Lists>);

#[derive(Debug, Default)]
struct Lists {
    served: Mutex<BTreeMap<SwarmId, RobotId>>,
    /// Robots that are connected to, which may be called otherwise than they are numbered.
    connected: BTreeMap<RobotId, SwarmId>,
}

impl Roster {
    /// The roster of a hub, with the robots that are connected to.
    pub fn of(hub: &Hub, connected: impl IntoIterator<Item = (RobotId, SwarmId)>) -> Self {
        let lists = Lists { served: Mutex::default(), connected: connected.into_iter().collect() };
        let roster = Self(Arc::new(lists));
        let mut rosters = rosters();
        rosters.retain(|(_, lists)| lists.strong_count() > 0);
        rosters.push((hub.address(), Arc::downgrade(&roster.0)));
        roster
    }

    /// Gives a robot a number; false if another one has it.
    pub fn serve(&self, id: SwarmId, robot: RobotId) -> bool {
        let mut served = self.served();
        match served.get(&id) {
            Some(other) => *other == robot,
            None => {
                served.insert(id, robot);
                true
            }
        }
    }

    /// Takes a number back.
    pub fn release(&self, id: SwarmId) {
        self.served().remove(&id);
    }

    /// Which robot of this gateway has a number.
    pub fn robot(&self, id: SwarmId) -> Option<RobotId> {
        self.served().get(&id).cloned()
    }

    /// The number of a robot of this gateway.
    pub fn number(&self, robot: &RobotId) -> Option<SwarmId> {
        self.served().iter().find(|(_, known)| *known == robot).map(|(id, _)| *id)
    }

    /// All of them.
    pub fn all(&self) -> Vec<(SwarmId, RobotId)> {
        self.served().iter().map(|(id, robot)| (*id, robot.clone())).collect()
    }

    fn served(&self) -> MutexGuard<'_, BTreeMap<SwarmId, RobotId>> {
        self.0.served.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn rosters() -> MutexGuard<'static, Vec<(usize, Weak<Lists>)>> {
    ROSTERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of a robot of a hub: the one it was given, or the one that its name ends with.
pub(super) fn number_in(hub: &Hub, robot: &RobotId) -> Option<SwarmId> {
    let known: Vec<Roster> = {
        let of_hub =
            |(address, lists): &(usize, Weak<Lists>)| lists.upgrade().filter(|_| *address == hub.address());
        rosters().iter().filter_map(of_hub).map(Roster).collect()
    };
    let given = |roster: &Roster| roster.number(robot).or_else(|| roster.0.connected.get(robot).copied());
    known.iter().find_map(given).or_else(|| number_of(robot))
}

/// The number that a robot's name ends with, as `pera-3` does.
pub fn number_of(robot: &RobotId) -> Option<SwarmId> {
    let name = robot.as_str();
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    name[name.len() - digits..].parse().ok()
}

#[cfg(test)]
mod tests {
    use latimer_core::Clock;

    use super::*;

    fn robot(name: &str) -> RobotId {
        RobotId::new(name).unwrap()
    }

    #[test]
    fn a_number_has_one_robot() {
        let roster = Roster::default();
        assert!(roster.serve(3, robot("a")) && roster.serve(3, robot("a")));
        assert!(!roster.serve(3, robot("b")));
        assert_eq!((roster.robot(3), roster.number(&robot("a"))), (Some(robot("a")), Some(3)));
        roster.release(3);
        assert_eq!(roster.all(), []);
    }

    #[test]
    fn a_number_that_was_given_goes_before_the_names() {
        let (hub, other) = (Hub::new(Clock::system()), Hub::new(Clock::system()));
        let roster = Roster::of(&hub, [(robot("far-7"), 70)]);
        roster.serve(40, robot("rover-1"));
        let number = |name: &str| number_in(&hub, &robot(name));
        assert_eq!([number("rover-1"), number("far-7"), number("pera-3")], [Some(40), Some(70), Some(3)]);
        assert_eq!(number_in(&other, &robot("rover-1")), Some(1), "another gateway gave it none");
        drop(roster);
        assert_eq!(number_in(&hub, &robot("rover-1")), Some(1));
    }

    #[test]
    fn names_end_with_numbers() {
        assert_eq!(number_of(&robot("pera-3")), Some(3));
        assert_eq!(number_of(&robot("robot12")), Some(12));
        assert_eq!(number_of(&robot("rover")), None);
        assert_eq!(number_of(&robot("r99999999999")), None);
    }
}
