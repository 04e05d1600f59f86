//! What can happen to it.

use latimer_core::model::signal::{Text, TextChannel};
use latimer_core::{Outcome, PartName, Value};
use latimer_simulator_api::Stimulus;

use super::Misty;
use super::locating::FIND_AGAIN_S;
use super::parts::{BUMPERS, TOUCHES};
use crate::bodies::check;
use crate::geometry::Pose2;

impl Misty {
    /// Lets something happen while it truly is at a pose.
    pub(super) fn happen(&mut self, stimulus: Stimulus, pose: Pose2) -> Result<Outcome, Outcome> {
        let now_s = self.state.time_s;
        let until = |hold| check::seconds("hold in seconds", hold).map(|seconds| now_s + seconds);
        match stimulus {
            Stimulus::Touch { part, hold } => {
                let names = TOUCHES.map(|(name, _)| name);
                found(self.contacts.touch(&part, until(hold)?), "touch sensor", &part, &names)
            }
            Stimulus::Bump { part, hold } => {
                let names = BUMPERS.map(|(name, ..)| name);
                found(self.contacts.press_bumper(&part, until(hold)?), "bumper", &part, &names)
            }
            Stimulus::Face { label, bearing_rad, distance_m, hold } => {
                let at = ahead(pose, bearing_rad, distance_m)?;
                let label = label.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
                self.faces.visit(label, at, until(hold)?);
                Ok(Outcome::Done)
            }
            Stimulus::KeyPhrase { confidence_ratio } => {
                let confidence = check::within("confidence", confidence_ratio, 0.0, 1.0)?;
                if self.hearing.key_phrase(confidence, &mut self.state.reports) {
                    return Ok(Outcome::Done);
                }
                Err(Outcome::not_now("nobody listens; let the robot listen for the key phrase first"))
            }
            Stimulus::Sound { bearing_rad, level_ratio, voice, hold } => {
                let bearing = check::within("bearing in radians", bearing_rad, -100.0, 100.0)?;
                let level = check::within("level", level_ratio, 0.0, 1.0)?;
                self.hearing.hear(pose.yaw_rad + bearing, level, voice, until(hold)?);
                Ok(Outcome::Done)
            }
            Stimulus::Serial(text) => Ok(self.text(TextChannel::Serial, text, None)),
            Stimulus::SkillMessage { text, data } => Ok(self.skill_message(text, data)),
            Stimulus::Battery(ratio) => {
                self.battery.set_charge(check::within("charge", ratio, 0.0, 1.0)?);
                Ok(Outcome::Done)
            }
            Stimulus::Lift { hold } => {
                self.state.lifted_until_s = until(hold)?;
                Ok(Outcome::Done)
            }
            Stimulus::Place { .. } => Err(Outcome::unsupported("only the world can put a robot elsewhere")),
            Stimulus::EmergencyStop(_) => Err(Outcome::unsupported("a Misty has no emergency stop")),
            Stimulus::Fail { part, hold } if part.as_str() == "camera" => {
                self.camera_driver.fail(until(hold)?);
                Ok(Outcome::Done)
            }
            Stimulus::Fail { part, hold } => {
                let fails = self.rangers.fail(&part, until(hold)?);
                found(fails, "sensor", &part, &self.rangers.names())
            }
            Stimulus::ForgetHome { .. } => {
                Err(Outcome::unsupported("a Misty does not know where objects belong"))
            }
            Stimulus::Heat { .. } => Err(Outcome::unsupported("a Misty does not tell how hot it is inside")),
            Stimulus::LosePose { hold } => {
                if self.locating.lose(hold.map(until).transpose()?.unwrap_or(now_s + FIND_AGAIN_S)) {
                    return Ok(Outcome::Done);
                }
                Err(Outcome::not_now("there is no pose to lose; start mapping or tracking first"))
            }
        }
    }

    /// A program publishes a message, which has data though there be none in it.
    pub(super) fn skill_message(&mut self, text: String, data: Option<Value>) -> Outcome {
        let data = data.unwrap_or_else(|| Value::Map(Vec::new()));
        self.text(TextChannel::Skill, text, Some(data))
    }

    fn text(&mut self, channel: TextChannel, text: String, data: Option<Value>) -> Outcome {
        let part = PartName::of(channel.as_str());
        self.state.reports.of(&part, Text { channel, text: text.into(), data, truncated: Some(false) });
        Outcome::Done
    }
}

fn ahead(pose: Pose2, bearing_rad: f64, distance_m: f64) -> Result<[f64; 2], Outcome> {
    let (sin, cos) = check::within("bearing in radians", bearing_rad, -100.0, 100.0)?.sin_cos();
    let distance = check::within("distance in metres", distance_m, 0.1, 20.0)?;
    Ok(pose.point_out(distance * cos, distance * sin))
}

fn found(found: bool, what: &str, part: &PartName, names: &[&str]) -> Result<Outcome, Outcome> {
    if found {
        return Ok(Outcome::Done);
    }
    Err(Outcome::bad_argument(format!("no {what} {part}; there are: {}", names.join(", "))))
}
