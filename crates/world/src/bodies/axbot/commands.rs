//! What can be asked of it, and what it answers.

use std::time::Duration;

use latimer_core::Outcome;
use latimer_core::model::signal::ControlMode;
use latimer_core::model::{Carry, Command, LocalizationCommand, NativeCall};

use super::Axbot;
use super::parts::ROVER;
use crate::bodies::check;
use crate::geometry::Pose2;

/// How long a drive command holds that is not renewed.
const HOLD: Duration = Duration::from_secs(1);

/// Why it goes nowhere by itself without a map.
const NO_MAP: &str = "the robot has no map to drive by; give it one first";

impl Axbot {
    /// Carries out a command.
    pub(super) fn obey(&mut self, command: Command) -> Result<Outcome, Outcome> {
        match command {
            Command::Drive { linear_mps, angular_radps, duration } => {
                self.may_be_driven()?;
                self.disturb("it was driven");
                let duration = Some(duration.unwrap_or(HOLD));
                self.rover.drive.drive(
                    linear_mps,
                    angular_radps,
                    duration,
                    self.state.time_s,
                    &mut self.state.reports,
                )?;
                Ok(Outcome::Accepted)
            }
            Command::DriveTracks(speeds) => {
                let linear_mps = (speeds.left_mps + speeds.right_mps) / 2.0;
                let angular_radps = (speeds.right_mps - speeds.left_mps) / ROVER.wheels.gap_m;
                self.obey(Command::Drive { linear_mps, angular_radps, duration: None })
            }
            Command::Stop { hold: _ } => {
                self.rover.drive.halt(self.state.time_s, &mut self.state.reports);
                self.cancel();
                self.disturb("it was stopped");
                Ok(Outcome::Done)
            }
            Command::Halt { motor_mask: _ } => {
                self.jack.stop();
                self.obey(Command::Stop { hold: true })
            }
            Command::Navigate(request) => self.navigate(&request),
            Command::CancelNavigation if self.cancel() => Ok(Outcome::Done),
            Command::CancelNavigation => Err(Outcome::not_now("it is not on its way anywhere")),
            Command::Native(call) => self.obey_own(call),
            Command::ControlMode(mode) => {
                self.switches.set_mode(mode);
                self.rover.drive.drop_orders(&mut self.state.reports);
                Ok(Outcome::Done)
            }
            Command::EmergencyStop(pressed) => {
                self.switches.stop(pressed);
                self.rover.drive.drop_orders(&mut self.state.reports);
                Ok(Outcome::Done)
            }
            Command::SetPose { .. } if self.rover.bearings.is_mapless() => Err(Outcome::not_now(NO_MAP)),
            Command::SetPose { x_m, y_m, yaw_rad } => {
                self.rover.bearings.believe(self.on_map([x_m, y_m, yaw_rad])?);
                Ok(Outcome::Done)
            }
            Command::Localization(LocalizationCommand::Relocate(by)) => {
                self.relocate(by);
                Ok(Outcome::Accepted)
            }
            Command::Localization(LocalizationCommand::Mapping(true)) => Ok(self.begin_map(true)),
            Command::Localization(LocalizationCommand::MappingInFrame) => Ok(self.begin_map(false)),
            Command::Localization(LocalizationCommand::Mapping(false)) => Ok(self.end_map()),
            Command::UseMap(map) => self.use_map(map.map(|it| *it)),
            Command::Camera(settings) => {
                let set = [self.front.set(&settings)?, self.back.set(&settings)?];
                if set.contains(&true) {
                    return Ok(Outcome::Done);
                }
                Err(Outcome::bad_argument("there is no such camera; there are: camera_front, camera_back"))
            }
            Command::Picture { part, image } => self.take_picture(&part, &image),
            other => Err(check::cannot("AutoXing chassis", &other)),
        }
    }

    /// What a chassis alone can do.
    fn obey_own(&mut self, call: NativeCall) -> Result<Outcome, Outcome> {
        match call.about().name {
            "drive_limits" => self.set_limits(&call)?,
            "follow" => return self.follow(&call),
            "carry" => return self.carry(call.argument("action")?),
            "maintain" => return self.maintain(call.argument("action")?),
            "pins" => {
                let of = |name| call.argument::<Option<Vec<u32>>>(name).map(Option::unwrap_or_default);
                self.switches.set_pins(&of("enable")?, &of("disable")?)?;
            }
            "wake_up" => {
                self.switches.wake(self.state.time_s);
                return Ok(Outcome::Accepted);
            }
            _ => return Err(check::cannot("AutoXing chassis", &Command::Native(call))),
        }
        Ok(Outcome::Done)
    }

    fn may_be_driven(&self) -> Result<(), Outcome> {
        if let Some(reason) = self.disabled() {
            return Err(Outcome::not_now(format!("cannot drive: {reason}")));
        }
        if self.switches.mode() != ControlMode::Remote {
            let mode = self.switches.mode();
            let why = format!("it is in control mode {mode}; set the control mode to remote to drive it");
            return Err(Outcome::not_now(why));
        }
        Ok(())
    }

    fn carry(&mut self, carry: Carry) -> Result<Outcome, Outcome> {
        if let Some(reason) = self.disabled() {
            return Err(Outcome::not_now(format!("cannot do that: {reason}")));
        }
        self.disturb("it was put to work");
        self.jack.begin(carry, self.state.time_s).map(|()| Outcome::Accepted).map_err(Outcome::not_now)
    }

    /// A given pose, x, y and yaw in the robot's frame, on the map.
    pub(super) fn on_map(&self, [x_m, y_m, yaw_rad]: [f64; 3]) -> Result<Pose2, Outcome> {
        let x_m = check::within("x in metres", x_m, -1e4, 1e4)?;
        let y_m = check::within("y in metres", y_m, -1e4, 1e4)?;
        let yaw_rad = check::within("yaw in radians", yaw_rad, -100.0, 100.0)?;
        Ok(Pose2::new(x_m, y_m, yaw_rad).out_of(self.frame))
    }
}
