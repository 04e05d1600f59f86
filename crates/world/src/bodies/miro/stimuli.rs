//! What can happen to it.

use latimer_core::Outcome;
use latimer_simulator_api::Stimulus;

use super::Miro;
use crate::bodies::check;
use crate::geometry::Pose2;

impl Miro {
    /// Lets something happen while it truly is at a pose.
    pub(super) fn happen(&mut self, stimulus: Stimulus, pose: Pose2) -> Result<Outcome, Outcome> {
        let now_s = self.state.time_s;
        let until = |hold| check::seconds("hold in seconds", hold).map(|seconds| now_s + seconds);
        let without = |what: &str| Err(Outcome::unsupported(format!("a MiRo {what}")));
        match stimulus {
            Stimulus::Touch { part, hold: _ } if self.switches.flip(&part) => {}
            Stimulus::Touch { part, hold } => self.touches.touch(&part, until(hold)?)?,
            Stimulus::Sound { bearing_rad, level_ratio, voice, hold } => {
                let bearing = check::within("bearing in radians", bearing_rad, -100.0, 100.0)?;
                let level = check::within("level", level_ratio, 0.0, 1.0)?;
                self.ears.hear(pose, bearing, level, voice, until(hold)?);
            }
            Stimulus::Battery(ratio) => {
                self.power.battery.set_charge(check::within("charge", ratio, 0.0, 1.0)?);
            }
            Stimulus::Lift { hold } => self.state.lifted_until_s = until(hold)?,
            Stimulus::Heat { temperature_c, hold } => {
                let temperature_c = check::within("temperature in °C", temperature_c, -40.0, 150.0)?;
                self.power.heat(temperature_c, until(hold)?);
            }
            Stimulus::Fail { part, hold } => self.failures.break_part(&part, until(hold)?)?,
            Stimulus::Place { .. } => return without("cannot move itself elsewhere; only the world can"),
            Stimulus::Bump { .. } => return without("has no bumpers"),
            Stimulus::Face { .. } => {
                return without("does not tell faces; its cameras see the people there are");
            }
            Stimulus::KeyPhrase { .. } => return without("does not listen for a key phrase"),
            Stimulus::ForgetHome { .. } => return without("does not know where objects belong"),
            Stimulus::Serial(_) => return without("has no serial port to talk to"),
            Stimulus::SkillMessage { .. } => return without("has no programs that send messages"),
            Stimulus::LosePose { .. } => return without("has no localisation that could lose its pose"),
            Stimulus::EmergencyStop(_) => return without("has no emergency stop"),
        }
        Ok(Outcome::Done)
    }
}
