//! What can happen to it.

use latimer_core::Outcome;
use latimer_simulator_api::Stimulus;

use super::Pera;
use super::program::Program;
use crate::bodies::check;

impl Pera {
    /// Lets something happen.
    pub(super) fn happen(&mut self, stimulus: Stimulus) -> Result<Outcome, Outcome> {
        let without = |what: &str| Err(Outcome::unsupported(format!("a Pera robot has no {what}")));
        match stimulus {
            Stimulus::Battery(ratio) => {
                self.battery.set_charge(check::within("charge", ratio, 0.0, 1.0)?);
                Ok(Outcome::Done)
            }
            Stimulus::Lift { hold } => {
                self.state.lifted_until_s = self.state.time_s + check::seconds("hold in seconds", hold)?;
                Ok(Outcome::Done)
            }
            Stimulus::Place { .. } => Err(Outcome::unsupported("only the world can put a robot elsewhere")),
            Stimulus::Touch { .. } => without("touch sensors"),
            Stimulus::Bump { .. } => without("bumpers"),
            Stimulus::Face { .. } => without("camera"),
            Stimulus::KeyPhrase { .. } | Stimulus::Sound { .. } => without("microphone"),
            Stimulus::Serial(_) => without("serial port"),
            Stimulus::SkillMessage { text, data } => {
                Program::say(&text, data.as_ref(), &mut self.state.reports)?;
                Ok(Outcome::Done)
            }
            Stimulus::EmergencyStop(_) => without("emergency stop"),
            Stimulus::ForgetHome { .. } => without("database of objects"),
            Stimulus::Heat { .. } => without("thermometer"),
            Stimulus::LosePose { .. } => {
                Err(Outcome::unsupported("a camera above tells a Pera robot where it is"))
            }
            Stimulus::Fail { part, .. } => {
                Err(Outcome::bad_argument(format!("{part} of a Pera robot cannot fail")))
            }
        }
    }
}
