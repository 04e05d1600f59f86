//! A scenario: what happens at which time, so that the rare things can be seen on cue and again.

use super::{Command, Happening, RobotId, Stimulus};

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
    repeat_s: Option<f64>,
}

impl Scenario {
    /// A timeline; events of the same time happen in the order given. Repeats after so many seconds if told to.
    pub fn new(mut events: Vec<ScenarioEvent>, repeat_s: Option<f64>) -> Self {
        events.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
        Self { events, repeat_s }
    }

    /// Its events in the order of time.
    pub fn events(&self) -> &[ScenarioEvent] {
        &self.events
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
