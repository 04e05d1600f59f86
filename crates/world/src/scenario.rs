//! Playing a scenario: what is due happens.

use latimer_core::Outcome;
use latimer_core::model::Refusal;
pub use latimer_simulator_api::{Cue, Scenario, ScenarioEvent as Event};

use crate::world::World;

/// A scenario that is being played.
#[derive(Clone, Debug, Default)]
pub(crate) struct Player {
    scenario: Scenario,
    next: usize,
    /// When the present round began.
    began_s: f64,
}

impl Player {
    /// Begins a scenario at a time of the world's clock.
    fn new(scenario: Scenario, began_s: f64) -> Self {
        Self { scenario, next: 0, began_s }
    }

    /// The next event that is due by a time of the world's clock.
    fn due(&mut self, time_s: f64) -> Option<Cue> {
        let round_s = self.scenario.repeat_s();
        if let Some(round_s) = round_s.filter(|round_s| time_s >= self.began_s + round_s) {
            self.began_s += round_s;
            self.next = 0;
        }
        let event = self.scenario.events().get(self.next)?;
        if time_s < self.began_s + event.at_s {
            return None;
        }
        self.next += 1;
        Some(event.cue.clone())
    }
}

impl World {
    /// Lets a scenario happen from now on, in place of the one before; the reason if it cannot.
    pub fn play(&mut self, scenario: Scenario) -> Result<(), Refusal> {
        self.check_names(&scenario)?;
        self.player = Player::new(scenario, self.time_s());
        Ok(())
    }

    /// Lets happen what is due; refusals are logged, because no client waits for an answer.
    pub(crate) fn cue(&mut self) {
        let time_s = self.time_s();
        while let Some(cue) = self.player.due(time_s) {
            let refused = match cue.clone() {
                Cue::Poke(robot, stimulus) => reason(self.poke(&robot, stimulus)),
                Cue::Command(robot, command) => reason(self.command(&robot, command)),
                Cue::Happen(happening) => self.happen(happening).err().map(|it| it.reason),
            };
            if let Some(reason) = refused {
                tracing::warn!(time_s, %cue, reason, "the scenario asks for what cannot be");
            }
        }
    }
}

fn reason(outcome: Outcome) -> Option<String> {
    match outcome {
        Outcome::Refused(refusal) => Some(refusal.reason),
        Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) | Outcome::TimedOut => None,
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::RobotId;
    use latimer_simulator_api::Stimulus;

    use super::*;

    #[test]
    fn events_come_in_time_and_again() {
        let robot = RobotId::new("m").unwrap();
        let event = |at_s, text: &str| Event {
            at_s,
            cue: Cue::Poke(robot.clone(), Stimulus::Serial(text.to_owned())),
        };
        let scenario = Scenario::new(vec![event(2.0, "b"), event(0.5, "a"), event(2.0, "c")], Some(3.0));
        let mut player = Player::new(scenario, 0.0);
        let mut published = Vec::new();
        for step in 0..600 {
            let time_s = f64::from(step) * 0.01;
            while let Some(Cue::Poke(_, Stimulus::Serial(text))) = player.due(time_s) {
                published.push((step, text));
            }
        }
        let published: Vec<_> = published.iter().map(|(step, text)| (*step, text.as_str())).collect();
        assert_eq!(published, [(50, "a"), (200, "b"), (200, "c"), (350, "a"), (500, "b"), (500, "c")]);
    }
}
