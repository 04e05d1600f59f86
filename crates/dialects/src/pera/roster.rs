//! Which numbers are robots of this gateway, known to those who serve them, to the simulator and to those who list them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_core::RobotId;

/// A robot's number in the swarm.
pub type SwarmId = u32;

/// The first number given to robots whose names have none that is free.
pub const FIRST_FREE: SwarmId = 100;

/// The numbers of robots that are served; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Roster(Arc<Mutex<Served>>);

#[derive(Debug, Default)]
struct Served {
    robots: BTreeMap<SwarmId, RobotId>,
    /// The same the other way round.
    numbers: BTreeMap<RobotId, SwarmId>,
}

impl Served {
    fn insert(&mut self, id: SwarmId, robot: &RobotId) {
        self.robots.insert(id, robot.clone());
        self.numbers.insert(robot.clone(), id);
    }
}

/// Rosters are the same if they number the same robots.
impl PartialEq for Roster {
    fn eq(&self, other: &Self) -> bool {
        self.all() == other.all()
    }
}

impl Roster {
    /// Gives a robot a number; false if another one has it.
    pub fn serve(&self, id: SwarmId, robot: &RobotId) -> bool {
        let mut served = self.served();
        match served.robots.get(&id) {
            Some(other) => other == robot,
            None => {
                served.insert(id, robot);
                true
            }
        }
    }

    /// Gives a robot the number that it has already, that its name ends with, or the next free one from [`FIRST_FREE`].
    pub fn enlist(&self, robot: &RobotId) -> Option<SwarmId> {
        let mut served = self.served();
        if let Some(id) = served.numbers.get(robot) {
            return Some(*id);
        }
        let mut numbers = number_of(robot).into_iter().chain(FIRST_FREE..);
        let id = numbers.find(|id| !served.robots.contains_key(id))?;
        served.insert(id, robot);
        Some(id)
    }

    /// Takes a number back.
    pub fn release(&self, id: SwarmId) {
        let mut served = self.served();
        if let Some(robot) = served.robots.remove(&id) {
            served.numbers.remove(&robot);
        }
    }

    /// Which robot of this gateway has a number.
    pub fn robot(&self, id: SwarmId) -> Option<RobotId> {
        self.served().robots.get(&id).cloned()
    }

    /// The number of a robot of this gateway.
    pub fn number(&self, robot: &RobotId) -> Option<SwarmId> {
        self.served().numbers.get(robot).copied()
    }

    /// All of them.
    pub fn all(&self) -> Vec<(SwarmId, RobotId)> {
        self.served().robots.iter().map(|(id, robot)| (*id, robot.clone())).collect()
    }

    fn served(&self) -> MutexGuard<'_, Served> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number that a robot's name ends with, as `pera-3` does.
pub fn number_of(robot: &RobotId) -> Option<SwarmId> {
    let name = robot.as_str();
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    name[name.len() - digits..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn robot(name: &str) -> RobotId {
        RobotId::new(name).unwrap()
    }

    #[test]
    fn a_number_has_one_robot() {
        let roster = Roster::default();
        assert!(roster.serve(3, &robot("a")) && roster.serve(3, &robot("a")));
        assert!(!roster.serve(3, &robot("b")));
        assert_eq!((roster.robot(3), roster.number(&robot("a"))), (Some(robot("a")), Some(3)));
        roster.release(3);
        assert_eq!(roster.all(), []);
    }

    #[test]
    fn a_robot_keeps_the_number_that_it_got() {
        let roster = Roster::default();
        assert!(roster.serve(2, &robot("boss")));
        let enlist = |name| roster.enlist(&robot(name)).unwrap();
        assert_eq!(["a-2", "b-3", "c", "boss", "d-100"].map(enlist), [100, 3, 101, 2, 102]);
        roster.release(2);
        assert_eq!(["a-2", "e-2"].map(enlist), [100, 2]);
    }

    #[test]
    fn names_end_with_numbers() {
        assert_eq!(number_of(&robot("pera-3")), Some(3));
        assert_eq!(number_of(&robot("robot12")), Some(12));
        assert_eq!(number_of(&robot("rover")), None);
        assert_eq!(number_of(&robot("r99999999999")), None);
    }
}
