//! Which numbers are robots of this gateway, known to those who serve them and to the simulator.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_core::RobotId;

/// A robot's number in the swarm.
pub type SwarmId = u32;

/// The numbers of robots that are served; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Roster(Arc<Mutex<BTreeMap<SwarmId, RobotId>>>);

/// Rosters are the same if they number the same robots.
impl PartialEq for Roster {
    fn eq(&self, other: &Self) -> bool {
        self.all() == other.all()
    }
}

impl Roster {
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
        assert!(roster.serve(3, robot("a")) && roster.serve(3, robot("a")));
        assert!(!roster.serve(3, robot("b")));
        assert_eq!((roster.robot(3), roster.number(&robot("a"))), (Some(robot("a")), Some(3)));
        roster.release(3);
        assert_eq!(roster.all(), []);
    }

    #[test]
    fn names_end_with_numbers() {
        assert_eq!(number_of(&robot("pera-3")), Some(3));
        assert_eq!(number_of(&robot("robot12")), Some(12));
        assert_eq!(number_of(&robot("rover")), None);
        assert_eq!(number_of(&robot("r99999999999")), None);
    }
}
