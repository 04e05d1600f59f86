//! What the world is asked in one go: bodies that come, move and go, then readings.

use foldhash::{HashMap, HashMapExt};
use latimer_core::RobotId;
use latimer_core::model::Realities;
use latimer_core::stage::Ask;

use super::member::Member;
use crate::pera::roster::SwarmId;
use crate::pera::wire::Reality;
use crate::pera::wire::localization::Place;

/// The kind of body that a robot of the swarm gets.
const KIND: &str = "pera";

/// Asks that wait for the next turn.
#[derive(Debug)]
pub(super) struct Asks {
    list: Vec<Ask>,
    /// Which of them moves a robot; somebody who moves often is moved once.
    moves: HashMap<SwarmId, usize>,
}

impl Default for Asks {
    fn default() -> Self {
        Self { list: Vec::new(), moves: HashMap::new() }
    }
}

impl Asks {
    /// A robot gets a body.
    pub(super) fn embody(&mut self, robot: &RobotId, member: &Member, frame: Option<String>) {
        let reality = if member.reality == Reality::R { Realities::Real } else { Realities::Virtual };
        let (robot, kind, pose) = (robot.clone(), KIND.to_owned(), pose(member.place));
        self.list.push(Ask::Embody { robot, kind, pose, frame, reality });
    }

    /// A robot's body goes elsewhere.
    pub(super) fn shift(&mut self, id: SwarmId, robot: &RobotId, member: &Member) {
        let to = pose(member.place);
        if let Some(Ask::Move { pose, .. }) = self.moves.get(&id).and_then(|at| self.list.get_mut(*at)) {
            *pose = to;
            return;
        }
        self.moves.insert(id, self.list.len());
        self.list.push(Ask::Move { robot: robot.clone(), pose: to });
    }

    /// A robot's body goes away.
    pub(super) fn release(&mut self, id: SwarmId, robot: &RobotId) {
        self.moves.remove(&id);
        self.list.push(Ask::Release(robot.clone()));
    }

    /// All that waits.
    pub(super) fn take(&mut self) -> Vec<Ask> {
        self.moves.clear();
        std::mem::take(&mut self.list)
    }
}

/// A place in the world's units.
fn pose(Place { x, y, heading }: Place) -> [f64; 3] {
    [x / 100.0, y / 100.0, (heading % 360.0).to_radians()]
}
