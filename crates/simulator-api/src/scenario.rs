//! A scenario: what happens at which time, so that the rare things can be seen on cue and again.

use std::fmt;

use latimer_core::{Command, RobotId};

use crate::{Happening, Stimulus};

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

/// In words, for logs: `rover-1: stop`, `open the door front`.
impl fmt::Display for Cue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Poke(robot, stimulus) => write!(f, "{robot}: {}", stimulus.name()),
            Self::Command(robot, command) => write!(f, "{robot}: {}", command.name()),
            Self::Happen(happening) => fmt::Display::fmt(happening, f),
        }
    }
}

/// What happens, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioEvent {
    /// Seconds of the world's time since the scenario began.
    pub at_s: f64,
    /// What.
    pub cue: Cue,
}

/// A timeline of events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    events: Vec<ScenarioEvent>,
    /// Where each stood before they were put in order.
    numbers: Vec<usize>,
    repeat_s: Option<f64>,
}

impl Scenario {
    /// A timeline; events of the same time happen in the order given. Repeats after so many seconds if `repeat` is set.
    pub fn new(events: Vec<ScenarioEvent>, repeat_s: Option<f64>) -> Self {
        let mut numbered: Vec<_> = events.into_iter().enumerate().collect();
        numbered.sort_by(|(_, a), (_, b)| a.at_s.total_cmp(&b.at_s));
        let (numbers, events) = numbered.into_iter().unzip();
        Self { events, numbers, repeat_s }
    }

    /// Its events in the order of time.
    pub fn events(&self) -> &[ScenarioEvent] {
        &self.events
    }

    /// The same, each with its number in the order in which they were given.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &ScenarioEvent)> {
        self.numbers.iter().copied().zip(&self.events)
    }

    /// After how many seconds it begins again.
    pub fn repeat_s(&self) -> Option<f64> {
        self.repeat_s
    }

    /// The robots that things happen to.
    pub fn robots(&self) -> impl Iterator<Item = &RobotId> {
        self.events.iter().filter_map(|event| match &event.cue {
            Cue::Poke(robot, _) | Cue::Command(robot, _) => Some(robot),
            Cue::Happen(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_know_where_they_were_given() {
        let door = |at_s| {
            let cue = Cue::Happen(Happening::Door { name: "front".into(), open: at_s > 1.0 });
            ScenarioEvent { at_s, cue }
        };
        let scenario = Scenario::new(vec![door(2.0), door(1.0)], None);
        let steps: Vec<_> = scenario.numbered().map(|(it, event)| format!("{it} {}", event.cue)).collect();
        assert_eq!(steps, ["1 shut the door front", "0 open the door front"]);
        let stop = Cue::Command(RobotId::new("m").unwrap(), Command::Stop { hold: true });
        assert_eq!(stop.to_string(), "m: stop");
        assert_eq!(
            Cue::Poke(RobotId::new("m").unwrap(), Stimulus::LosePose { hold: None }).to_string(),
            "m: lose_pose"
        );
    }
}
