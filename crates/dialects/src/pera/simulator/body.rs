//! What the world is asked in one go: bodies that come, move and go, then readings.

use foldhash::{HashMap, HashMapExt};
use latimer_core::RobotId;
use latimer_core::model::Realities;
use latimer_simulator_api::WorldRequest;

use super::member::Member;
use crate::pera::messages::localization::Localization;
use crate::pera::roster::SwarmId;
use crate::pera::wire::Reality;

/// The kind of body that a robot of the swarm gets.
const KIND: &str = "pera";

/// Asks that wait for the next turn: of a robot that comes, moves and goes often, what is left of it in the end.
#[derive(Debug)]
pub(super) struct Asks {
    list: Vec<Option<WorldRequest>>,
    /// Which of them makes a robot's body.
    bodies: HashMap<SwarmId, usize>,
    /// Which of them moves a robot.
    moves: HashMap<SwarmId, usize>,
}

impl Default for Asks {
    fn default() -> Self {
        Self { list: Vec::new(), bodies: HashMap::new(), moves: HashMap::new() }
    }
}

impl Asks {
    /// A robot gets a body.
    pub(super) fn embody(&mut self, id: SwarmId, robot: &RobotId, member: &Member, frame: Option<String>) {
        let reality = if member.reality == Reality::R { Realities::Real } else { Realities::Virtual };
        let (robot, kind, pose) = (robot.clone(), KIND.to_owned(), pose(member.place));
        self.bodies.insert(id, self.list.len());
        self.list.push(Some(WorldRequest::Embody { robot, kind, pose, frame, reality }));
    }

    /// A robot's body goes elsewhere.
    pub(super) fn shift(&mut self, id: SwarmId, robot: &RobotId, member: &Member) {
        let to = pose(member.place);
        let waiting = self.bodies.get(&id).or_else(|| self.moves.get(&id));
        match waiting.and_then(|at| self.list.get_mut(*at)) {
            Some(Some(WorldRequest::Embody { pose, .. } | WorldRequest::Move { pose, .. })) => *pose = to,
            _ => {
                self.moves.insert(id, self.list.len());
                self.list.push(Some(WorldRequest::Move { robot: robot.clone(), pose: to }));
            }
        }
    }

    /// A robot's body goes away; one that is not made yet is not made.
    pub(super) fn release(&mut self, id: SwarmId, robot: &RobotId) {
        self.moves.remove(&id);
        match self.bodies.remove(&id).and_then(|at| self.list.get_mut(at)) {
            Some(body) => *body = None,
            None => self.list.push(Some(WorldRequest::Release(robot.clone()))),
        }
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All that waits.
    pub(super) fn take(&mut self) -> Vec<WorldRequest> {
        self.bodies.clear();
        self.moves.clear();
        std::mem::take(&mut self.list).into_iter().flatten().collect()
    }
}

/// A place in the world's units.
fn pose(Localization { x, y, heading }: Localization) -> [f64; 3] {
    [x / 100.0, y / 100.0, (heading % 360.0).to_radians()]
}

#[cfg(test)]
mod tests {
    use latimer_core::Timestamp;

    use super::*;
    use crate::pera::simulator::member::Members;

    #[test]
    fn of_who_comes_moves_and_goes_often_the_end_is_left() {
        let (robot, now) = (RobotId::new("pera-1").unwrap(), Timestamp::from_nanos(0));
        let mut members = Members::default();
        members.add(1, Localization { x: 0.0, y: 0.0, heading: 0.0 }, Reality::V, now);
        let mut asks = Asks::default();
        for x in 0..100 {
            asks.shift(1, &robot, members.get(1).unwrap());
            asks.release(1, &robot);
            asks.embody(1, &robot, members.get(1).unwrap(), None);
            members.put(1, Localization { x: f64::from(x), y: 0.0, heading: 0.0 }, Reality::R, now);
        }
        asks.shift(1, &robot, members.get(1).unwrap());
        let taken = asks.take();
        assert!(
            matches!(
                &taken[..],
                [WorldRequest::Move { .. }, WorldRequest::Release(_), WorldRequest::Embody { pose, reality: Realities::Real, .. }] if pose[0] == 0.99
            ),
            "{taken:?}"
        );
        asks.embody(1, &robot, members.get(1).unwrap(), None);
        asks.release(1, &robot);
        assert_eq!(asks.take(), [], "it came and went");
        asks.release(1, &robot);
        assert_eq!(asks.take(), [WorldRequest::Release(robot)], "its body is gone with it");
    }
}
