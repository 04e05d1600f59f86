//! What can be asked of it, and what it answers.

use latimer_core::Outcome;
use latimer_core::model::{Command, JointTarget, NativeCall};

use super::Misty;
use super::parts::DRIVE_MASK;
use crate::bodies::check;

/// Longest name or text accepted, bytes.
const MAX_TEXT: usize = 64 * 1024;

/// Longest name of a face, bytes.
const MAX_NAME: usize = 200;

impl Misty {
    /// Carries out a command.
    pub(super) fn obey(&mut self, command: Command) -> Result<Outcome, Outcome> {
        if self.contacts.held_by_scruff() {
            return Err(Outcome::not_now(
                "somebody holds the robot by its scruff, so it ignores commands; let go first",
            ));
        }
        self.carry_out(command)
    }

    fn carry_out(&mut self, command: Command) -> Result<Outcome, Outcome> {
        match command {
            Command::Drive { .. } | Command::DriveTracks(_) => self.go(&command),
            Command::Native(call) => self.obey_own(call),
            Command::Stop { hold: _ } => {
                self.driving.halt(&mut self.state.reports);
                Ok(Outcome::Done)
            }
            Command::Halt { motor_mask } => {
                self.halt(motor_mask);
                Ok(Outcome::Done)
            }
            Command::Joints(targets) => self.move_joints(&targets),
            Command::Lamp { part, rgb } => self.lamps.set(part.as_ref(), rgb).map(|()| Outcome::Done),
            Command::Play { name, volume_ratio } => {
                let volume =
                    volume_ratio.map(|volume| check::within("volume", volume, 0.0, 1.0)).transpose()?;
                self.clips.play(&name, volume, self.state.time_s)?;
                Ok(Outcome::Accepted)
            }
            Command::Volume(ratio) => {
                self.clips.set_volume(check::within("volume", ratio, 0.0, 1.0)?);
                Ok(Outcome::Done)
            }
            Command::SkillMessage { text, data } => {
                sized(&text)?;
                Ok(self.skill_message(text, data))
            }
            Command::HazardSettings { revert, bumpers, ranges } => {
                self.hazards.set(revert, &bumpers, &ranges)?;
                self.settings_published = false;
                Ok(Outcome::Done)
            }
            Command::Localization(command) => {
                self.locating.command(command, self.state.time_s).map_err(Outcome::not_now)?;
                Ok(Outcome::Accepted)
            }
            Command::Camera(settings) => match self.camera_driver.set(&settings)? {
                true => Ok(Outcome::Done),
                false => Err(Outcome::bad_argument("a Misty has one camera, called `camera`")),
            },
            Command::SetPose { .. }
            | Command::Navigate(_)
            | Command::CancelNavigation
            | Command::ControlMode(_)
            | Command::EmergencyStop(_)
            | Command::BehaviourDrive(_)
            | Command::BehaviourSwitches(_)
            | Command::UseMap(_)
            | Command::Picture { .. }
            | Command::Task(_)
            | Command::CancelTask(_)
            | Command::Sense(_) => Err(check::cannot("Misty", &command)),
        }
    }

    /// What a Misty alone can do.
    fn obey_own(&mut self, call: NativeCall) -> Result<Outcome, Outcome> {
        match call.about().name {
            "drive_heading" | "drive_arc" => return self.go(&Command::Native(call)),
            "record" => {
                let on = call.argument("on")?;
                self.hearing
                    .record(on, self.state.time_s, &mut self.state.reports)
                    .map_err(Outcome::not_now)?;
                return Ok(if on { Outcome::Accepted } else { Outcome::Done });
            }
            "listen" => {
                let on = call.argument("on")?;
                self.hearing.listen(on).map_err(Outcome::not_now)?;
                return Ok(if on { Outcome::Accepted } else { Outcome::Done });
            }
            "detect_faces" => self.faces.detect(call.argument("on")?),
            "recognize_faces" => self.faces.recognize(call.argument("on")?),
            "train_face" => return self.train_face(call.argument::<String>("label")?.trim()),
            "cancel_face_training" => {
                self.faces.cancel_training(&mut self.state.reports).map_err(Outcome::not_now)?;
            }
            "forget_face" => {
                let name: Option<String> = call.argument("label")?;
                if !self.faces.forget(name.as_deref()) {
                    let name: String = name.unwrap_or_default().chars().take(80).collect();
                    return Err(Outcome::bad_argument(format!("no face is known as {name:?}")));
                }
            }
            // The hardware at the port takes it and has nothing to answer.
            "serial" => sized(&call.argument::<String>("text")?)?,
            _ => return Err(check::cannot("Misty", &Command::Native(call))),
        }
        Ok(Outcome::Done)
    }

    fn go(&mut self, command: &Command) -> Result<Outcome, Outcome> {
        if let Some(reason) = self.disabled() {
            return Err(Outcome::not_now(format!("cannot drive: {reason}")));
        }
        let forward = match command {
            Command::Drive { linear_mps, .. } => *linear_mps,
            Command::DriveTracks(speeds) => speeds.left_mps + speeds.right_mps,
            Command::Native(call) => 0.5 - f64::from(call.argument::<bool>("reverse")?),
            _ => 0.0,
        };
        let (way, other) = if forward > 0.0 { ("forward", "back") } else { ("backward", "forward") };
        if let Some(what) = self.hazards.forbids(forward > 0.0).filter(|_| forward != 0.0) {
            return Err(Outcome::not_safe(format!(
                "{what} forbids driving {way}; drive {other} first, or switch that hazard off"
            )));
        }
        let at = self.motion.feeling(self.state.time_s);
        let (driving, reports) = (&mut self.driving, &mut self.state.reports);
        match command {
            Command::Drive { linear_mps, angular_radps, duration } => {
                driving.drive(*linear_mps, *angular_radps, *duration, at, reports)?;
            }
            Command::DriveTracks(speeds) => driving.drive_tracks(*speeds, at, reports)?,
            Command::Native(call) => {
                let (heading_rad, duration) = (call.argument("heading_rad")?, call.argument("duration_s")?);
                let reverse = call.argument("reverse")?;
                match call.argument("radius_m") {
                    Ok(radius_m) => {
                        driving.drive_arc(heading_rad, radius_m, duration, reverse, at, reports)?;
                    }
                    Err(_) => {
                        let distance_m = call.argument("distance_m")?;
                        driving.drive_line(heading_rad, distance_m, duration, reverse, at, reports)?;
                    }
                }
            }
            _ => {}
        }
        Ok(Outcome::Accepted)
    }

    fn halt(&mut self, motor_mask: Option<u32>) {
        let mask = motor_mask.unwrap_or(u32::MAX);
        if mask & DRIVE_MASK != 0 {
            self.driving.halt(&mut self.state.reports);
        }
        if mask & !DRIVE_MASK != 0 {
            self.joints.stop();
        }
    }

    fn move_joints(&mut self, targets: &[JointTarget]) -> Result<Outcome, Outcome> {
        self.joints.aim(targets)?;
        Ok(Outcome::Accepted)
    }

    fn train_face(&mut self, name: &str) -> Result<Outcome, Outcome> {
        if name.is_empty() || name.len() > MAX_NAME {
            return Err(Outcome::bad_argument(format!(
                "a face's name has 1 to {MAX_NAME} bytes, not {}",
                name.len()
            )));
        }
        self.faces.train(name, self.state.time_s, &mut self.state.reports).map_err(Outcome::not_now)?;
        Ok(Outcome::Accepted)
    }
}

fn sized(text: &str) -> Result<(), Outcome> {
    if text.len() <= MAX_TEXT {
        return Ok(());
    }
    Err(Outcome::bad_argument(format!("a text has {MAX_TEXT} bytes at most, not {}", text.len())))
}
