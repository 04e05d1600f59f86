//! A scenario: what happens at which time, so that the rare things can be seen on cue and again.

use latimer_core::model::{Command, Happening, Stimulus};
use latimer_core::{Outcome, RobotId};

use crate::world::World;

/// What happens.
#[derive(Clone, Debug, PartialEq)]
pub enum Cue {
    /// To a robot.
    Poke(RobotId, Stimulus),
    /// In the world.
    Happen(Happening),
    /// A robot is asked for something.
    Command(RobotId, Command),
}

/// What happens, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Seconds of the world's time since it began.
    pub at_s: f64,
    /// What.
    pub cue: Cue,
}

/// A timeline of events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// In the order of time.
    events: Vec<Event>,
    /// After this many seconds it begins again.
    repeat_s: Option<f64>,
    next: usize,
    /// When the present round began.
    began_s: f64,
}

impl Scenario {
    /// A timeline; events of the same time happen in the order given. Repeats if told to.
    pub fn new(mut events: Vec<Event>, repeat_s: Option<f64>) -> Self {
        events.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
        Self { events, repeat_s, next: 0, began_s: 0.0 }
    }

    /// The robots that things happen to.
    pub fn robots(&self) -> impl Iterator<Item = &RobotId> {
        self.events.iter().filter_map(|event| match &event.cue {
            Cue::Poke(robot, _) | Cue::Command(robot, _) => Some(robot),
            Cue::Happen(_) => None,
        })
    }

    /// The next event that is due by a time of the world's clock.
    fn due(&mut self, time_s: f64) -> Option<Cue> {
        if let Some(round_s) = self.repeat_s.filter(|round_s| time_s >= self.began_s + round_s) {
            self.began_s += round_s;
            self.next = 0;
        }
        let event = self.events.get(self.next)?;
        if time_s < self.began_s + event.at_s {
            return None;
        }
        self.next += 1;
        Some(event.cue.clone())
    }
}

impl World {
    /// Lets a scenario happen, in place of the one before.
    pub fn play(&mut self, scenario: Scenario) {
        self.scenario = scenario;
    }

    /// Lets happen what is due; what is refused is logged, for nobody waits for an answer.
    pub(crate) fn cue(&mut self) {
        let time_s = self.time_s();
        while let Some(cue) = self.scenario.due(time_s) {
            let refused = match cue.clone() {
                Cue::Poke(robot, stimulus) => reason(self.command(&robot, Command::Poke(stimulus))),
                Cue::Command(robot, command) => reason(self.command(&robot, command)),
                Cue::Happen(happening) => self.happen(happening).err(),
            };
            if let Some(reason) = refused {
                tracing::warn!(time_s, ?cue, reason, "the scenario asks for what cannot be");
            }
        }
    }
}

fn reason(outcome: Outcome) -> Option<String> {
    match outcome {
        Outcome::Refused(reason) => Some(reason),
        Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) | Outcome::TimedOut => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_in_time_and_again() {
        let robot = RobotId::new("m").unwrap();
        let event = |at_s, text: &str| Event {
            at_s,
            cue: Cue::Poke(robot.clone(), Stimulus::Serial(text.to_owned())),
        };
        let mut scenario = Scenario::new(vec![event(2.0, "b"), event(0.5, "a"), event(2.0, "c")], Some(3.0));
        let mut told = Vec::new();
        for step in 0..600 {
            let time_s = f64::from(step) * 0.01;
            while let Some(Cue::Poke(_, Stimulus::Serial(text))) = scenario.due(time_s) {
                told.push((step, text));
            }
        }
        let told: Vec<_> = told.iter().map(|(step, text)| (*step, text.as_str())).collect();
        assert_eq!(told, [(50, "a"), (200, "b"), (200, "c"), (350, "a"), (500, "b"), (500, "c")]);
    }
}
