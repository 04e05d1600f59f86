//! What robots do to the small things of the household, and where people put them.

use super::World;
use crate::bodies::Effect;
use crate::household::{Household, Item, Whereabouts};

/// How near a person must be to take what a robot holds out, from the robot's middle, metres (plausible:
/// the reach of its arm and of a person's).
const HAND_OVER_M: f64 = 1.5;

/// How far before a robot's middle a thing falls that is not taken, metres (plausible).
const BEFORE_M: f64 = 0.45;

impl World {
    /// The small things and where they are.
    pub fn household(&self) -> &Household {
        &self.household
    }

    /// The same, to be changed by scenarios.
    pub fn household_mut(&mut self) -> &mut Household {
        &mut self.household
    }

    /// Every small thing that is in the room, with its middle on the map and its height above the floor,
    /// metres: for cameras and pictures.
    pub fn things(&self) -> impl Iterator<Item = (&Item, [f64; 3])> {
        let robots = |number: usize| self.crowd.get(number).map(|it| it.pose);
        let people = |number: usize| self.people.iter().nth(number).map(|it| it.at);
        self.household.placed(&self.file, robots, people)
    }

    /// Carries out what robots did to small things and said to people in this step.
    pub(super) fn keep_house(&mut self) {
        let mut rest = Vec::new();
        for (number, effect) in std::mem::take(&mut self.wishes.effects) {
            match effect {
                Effect::TakeObject(name) => {
                    self.household.take(&name, number);
                }
                Effect::PutObject { name, place } => {
                    let known = place.filter(|name| self.file.place(name).is_some());
                    let to = known.map_or_else(|| self.let_go(number), Whereabouts::Place);
                    self.household.put(&name, number, to);
                }
                Effect::AskToStay { person, seconds } => self.people.stay(person, seconds),
                other => rest.push((number, other)),
            }
        }
        self.wishes.effects = rest;
    }

    /// Where a thing comes that a robot lets go: to the nearest person, or to the floor.
    fn let_go(&self, robot: usize) -> Whereabouts {
        let Some(at) = self.crowd.get(robot).map(|it| it.pose) else { return Whereabouts::Gone };
        let off_m = |person: [f64; 2]| at.distance_to(person[0], person[1]);
        let people = self.people.iter().enumerate().map(|(number, it)| (number, off_m(it.at)));
        let nearest = people.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|it| it.1 <= HAND_OVER_M);
        match nearest {
            Some((person, _)) => Whereabouts::Person(person),
            None => Whereabouts::Floor(at.point_out(BEFORE_M, 0.0)),
        }
    }
}
