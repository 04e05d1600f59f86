//! The names in a scenario: unknown names are refused before it begins.

use std::collections::BTreeSet;

use latimer_core::RobotId;
use latimer_core::model::Refusal;
use latimer_simulator_api::{Cue, Happening, ObjectLocation, Scenario};

use super::World;

/// Names of obstacles while a scenario goes on.
type Things<'a> = BTreeSet<&'a str>;

/// The names that a scenario's events may be about, as it goes on.
struct Known<'a> {
    things: Things<'a>,
    /// Of the household, also those that were taken away: they can be moved back.
    objects: BTreeSet<&'a str>,
}

impl World {
    /// Whether all that a scenario is about exists; if not, which event is wrong and which names there are.
    pub(crate) fn check_names(&self, scenario: &Scenario) -> Result<(), Refusal> {
        let mut names = Known {
            things: self.obstacles.iter().map(|placed| placed.name.as_str()).collect(),
            objects: self.household.iter().map(|item| item.object.name.as_str()).collect(),
        };
        for (number, event) in scenario.numbered() {
            let found = match &event.cue {
                Cue::Poke(robot, _) | Cue::Command(robot, _) => self.check_robot(robot),
                Cue::Happen(happening) => self.check_happening(happening, &mut names),
            };
            found.map_err(|Refusal { code, reason }| {
                Refusal::new(code, format!("events[{number}] (at {} s): {reason}", event.at_s))
            })?;
        }
        Ok(())
    }

    fn check_robot(&self, robot: &RobotId) -> Result<(), Refusal> {
        if self.population().any(|(known, _)| known == robot) {
            return Ok(());
        }
        let known: Vec<&str> = self.population().map(|(robot, _)| robot.as_str()).collect();
        Err(Refusal::bad_argument(match known.as_slice() {
            [] => format!("no robot {robot} is simulated; this world has no robots"),
            some => format!("no robot {robot} is simulated; there are: {}", some.join(", ")),
        }))
    }

    /// Events that were checked before may have put things and taken them away.
    fn check_happening<'a>(&self, it: &'a Happening, names: &mut Known<'a>) -> Result<(), Refusal> {
        let Known { things, objects } = names;
        let known = |found: bool, unknown: &dyn Fn() -> String| {
            if found { Ok(()) } else { Err(Refusal::bad_argument(unknown())) }
        };
        match it {
            Happening::Door { name, .. } => {
                known(self.doors.iter().any(|it| it.file.name == *name), &|| self.doors.unknown(name))
            }
            Happening::Light { name, .. } => {
                known(self.lights.iter().any(|it| it.file.name == *name), &|| self.lights.unknown(name))
            }
            Happening::PlacePerson { name, .. } => {
                let is_called = self.people.iter().any(|it| it.person.name.as_ref() == Some(name));
                known(is_called, &|| self.people.unknown(name))
            }
            Happening::PutObject { name, at, .. } => {
                objects.insert(name);
                self.check_location(at)
            }
            Happening::MoveObject { name, to } => {
                known(objects.contains(name.as_str()), &|| self.household.unknown(name))?;
                self.check_location(to)
            }
            Happening::RemoveObject { name } => {
                known(objects.contains(name.as_str()), &|| self.household.unknown(name))
            }
            Happening::PutObstacle { name, .. } => {
                things.insert(name);
                Ok(())
            }
            Happening::MoveObstacle { name, .. } => {
                known(things.contains(name.as_str()), &|| missing(name, things))
            }
            Happening::RemoveObstacle { name } => {
                let is_there = things.remove(name.as_str());
                known(is_there, &|| missing(name, things))
            }
        }
    }

    fn check_location(&self, at: &ObjectLocation) -> Result<(), Refusal> {
        match at {
            ObjectLocation::Place(name) => self.known_place(name).map(drop),
            ObjectLocation::Floor(_) => Ok(()),
        }
    }
}

fn missing(name: &str, things: &Things<'_>) -> String {
    let known: Vec<&str> = things.iter().copied().collect();
    match known.as_slice() {
        [] => format!("there is no obstacle {name:?} by then; nothing has a name, put one before"),
        some => format!("there is no obstacle {name:?} by then; there are: {}", some.join(", ")),
    }
}
