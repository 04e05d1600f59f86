//! What can happen to it.

use latimer_core::Outcome;
use latimer_simulator_api::Stimulus;

use super::RobotKoop;
use crate::bodies::check;

/// What can fail.
const FALLIBLE: [&str; 3] = ["camera", "gripper", "lidar"];

impl RobotKoop {
    /// Lets something happen.
    pub(super) fn happen(&mut self, stimulus: Stimulus) -> Result<Outcome, Outcome> {
        let now_s = self.state.time_s;
        let until = |hold| check::seconds("hold in seconds", hold).map(|seconds| now_s + seconds);
        match stimulus {
            Stimulus::Bump { part, hold } => {
                if self.rover.bumpers.press(&part, until(hold)?) {
                    return Ok(Outcome::Done);
                }
                let names = self.rover.bumpers.names();
                Err(Outcome::bad_argument(format!("no bumper {part}; there are: {names}")))
            }
            Stimulus::Battery(ratio) => {
                self.rover.power.battery.set_charge(check::within("charge", ratio, 0.0, 1.0)?);
                Ok(Outcome::Done)
            }
            Stimulus::Lift { hold } => {
                self.state.lifted_until_s = until(hold)?;
                Ok(Outcome::Done)
            }
            Stimulus::LosePose { hold } => {
                self.rover.bearings.lose(hold.map(until).transpose()?);
                Ok(Outcome::Done)
            }
            Stimulus::EmergencyStop(pressed) => {
                self.obey(latimer_core::model::Command::EmergencyStop(pressed))
            }
            Stimulus::Fail { part, hold } => {
                let until_s = until(hold)?;
                match part.as_str() {
                    "camera" => {
                        self.recognition.fail(until_s);
                        self.camera_driver.fail(until_s);
                    }
                    "lidar" => self.rover.bearings.fail(until_s),
                    "gripper" => self.gripper_failed_until_s = until_s,
                    _ => {
                        let why = format!("{part} cannot fail; there are: {}", FALLIBLE.join(", "));
                        return Err(Outcome::bad_argument(why));
                    }
                }
                Ok(Outcome::Done)
            }
            Stimulus::ForgetHome { object } => {
                self.memory
                    .forget_home(&object)
                    .map_err(|unknown| Outcome::bad_argument(unknown.to_string()))?;
                Ok(Outcome::Done)
            }
            Stimulus::Place { .. } => Err(Outcome::unsupported("only the world can put a robot elsewhere")),
            Stimulus::Face { .. } => {
                Err(Outcome::unsupported("it sees people who are there; put somebody before it in the world"))
            }
            Stimulus::Touch { .. }
            | Stimulus::KeyPhrase { .. }
            | Stimulus::Sound { .. }
            | Stimulus::Serial(_)
            | Stimulus::SkillMessage { .. }
            | Stimulus::Heat { .. } => Err(Outcome::unsupported("a household robot has no sense for that")),
        }
    }
}
