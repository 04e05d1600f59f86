//! What can be asked of it, and what it answers.

use latimer_core::Outcome;
use latimer_core::model::signal::ControlMode;
use latimer_core::model::{Command, Destination, LocalizationCommand, NavigationGoal, TaskRequest};

use super::RobotKoop;
use super::acting::standing_at;
use super::parts::ROVER;
use super::tasks::{Act, TaskOrigin};
use crate::bodies::check;
use crate::geometry::Pose2;
use crate::nav::Goal;

/// Coordinates beyond this are no places but mistakes, metres.
const FAR_M: f64 = 10_000.0;

impl RobotKoop {
    /// Carries out a command.
    pub(super) fn obey(&mut self, command: Command) -> Result<Outcome, Outcome> {
        match command {
            Command::Drive { linear_mps, angular_radps, duration } => {
                self.may_be_driven()?;
                let (wheels, reports) = (&mut self.rover.drive, &mut self.state.reports);
                wheels.drive(linear_mps, angular_radps, duration, self.state.time_s, reports)?;
                Ok(Outcome::Accepted)
            }
            Command::DriveTracks(speeds) => {
                let linear_mps = (speeds.left_mps + speeds.right_mps) / 2.0;
                let angular_radps = (speeds.right_mps - speeds.left_mps) / ROVER.wheels.gap_m;
                self.obey(Command::Drive { linear_mps, angular_radps, duration: None })
            }
            Command::Stop { hold: _ } => {
                self.rover.drive.halt(self.state.time_s, &mut self.state.reports);
                self.with_agenda(|agenda, _, context| agenda.stop(context));
                self.begin(Act::Rest);
                Ok(Outcome::Done)
            }
            Command::Halt { motor_mask: _ } => {
                if !self.arm.is_grasping() {
                    self.arm.stop();
                }
                self.obey(Command::Stop { hold: true })
            }
            Command::Joints(targets) => self.arm.obey(&targets).map(|()| Outcome::Accepted),
            Command::Navigate(request) => self.navigate(&request),
            Command::CancelNavigation => {
                self.has_no_task()?;
                if self.rover.way.cancel() {
                    return Ok(Outcome::Done);
                }
                Err(Outcome::not_now("it is not on its way anywhere"))
            }
            Command::Task(request) => self.take_task(request),
            Command::CancelTask(id) => {
                let ran = self.agenda.running().is_some_and(|it| it.id == id);
                let cancelled = self.with_agenda(|agenda, _, context| agenda.cancel(&id, context));
                cancelled.map_err(|error| Outcome::bad_argument(error.to_string()))?;
                if ran {
                    self.begin(Act::Rest);
                }
                Ok(Outcome::Done)
            }
            Command::ControlMode(mode) => {
                self.identity.set_mode(mode);
                self.rover.drive.drop_orders(&mut self.state.reports);
                Ok(Outcome::Done)
            }
            Command::EmergencyStop(pressed) => {
                self.identity.stop(pressed);
                self.rover.drive.drop_orders(&mut self.state.reports);
                Ok(Outcome::Done)
            }
            Command::SetPose { x_m, y_m, yaw_rad } => {
                let [x_m, y_m] = point([x_m, y_m])?;
                let yaw_rad = check::within("yaw in radians", yaw_rad, -100.0, 100.0)?;
                self.rover.bearings.believe(Pose2::new(x_m, y_m, yaw_rad).out_of(self.frame));
                Ok(Outcome::Done)
            }
            Command::Localization(LocalizationCommand::Relocate(_)) => {
                self.rover.bearings.believe(self.rover.bearings.pose());
                Ok(Outcome::Accepted)
            }
            Command::Camera(settings) => match self.camera_driver.set(&settings)? {
                true => Ok(Outcome::Done),
                false => Err(Outcome::bad_argument("there is no such camera; there is: camera")),
            },
            other => Err(check::cannot("household robot", &other)),
        }
    }

    fn may_be_driven(&self) -> Result<(), Outcome> {
        if let Some(reason) = self.disabled() {
            return Err(Outcome::not_now(format!("cannot drive: {reason}")));
        }
        if self.identity.mode() == ControlMode::Manual {
            return Err(Outcome::not_now("its wheels are released; set the control mode to auto or remote"));
        }
        Ok(())
    }

    fn has_no_task(&self) -> Result<(), Outcome> {
        match self.agenda.running() {
            Some(task) => {
                let why = format!("it does the task {:?}; cancel that first", task.id);
                Err(Outcome::busy(why))
            }
            None => Ok(()),
        }
    }

    fn navigate(&mut self, request: &NavigationGoal) -> Result<Outcome, Outcome> {
        self.may_be_driven()?;
        self.has_no_task()?;
        if self.identity.mode() != ControlMode::Auto {
            return Err(Outcome::not_now("somebody else drives; set the control mode to auto"));
        }
        let (goal, place) = match &request.destination {
            Destination::Point { x_m, y_m, yaw_rad } => {
                let [x_m, y_m] = point([*x_m, *y_m])?;
                let yaw = yaw_rad.map(|it| check::within("yaw in radians", it, -100.0, 100.0)).transpose()?;
                let on_map = Pose2::new(x_m, y_m, yaw.unwrap_or_default()).out_of(self.frame);
                let goal = Goal::point([on_map.x_m, on_map.y_m]);
                (Goal { yaw_rad: yaw.map(|_| on_map.yaw_rad), ..goal }, None)
            }
            Destination::Place(name) => {
                let place = self.memory.place(name).ok_or_else(|| {
                    let known: Vec<&str> = self.memory.places().iter().map(|it| it.name.as_str()).collect();
                    Outcome::bad_argument(format!("there is no such place; there are: {}", known.join(", ")))
                })?;
                (standing_at(place), Some(place.name.clone()))
            }
            Destination::Charger { pose, retries: _ } => (self.charger(*pose)?, None),
            _ => return Err(Outcome::unsupported("a household robot drives to points, places and chargers")),
        };
        let accuracy = request.accuracy_m.map(|it| check::within("accuracy in metres", it, 0.0, 10.0));
        let goal = accuracy.transpose()?.map_or(goal, |it| goal.within(it));
        let goal = Goal { zone: request.zone, ..goal };
        self.rover.drive.let_go();
        self.rover.way.go(goal, request.id, place);
        Ok(Outcome::Accepted)
    }

    fn charger(&self, pose: Option<[f64; 3]>) -> Result<Goal, Outcome> {
        if let Some([x_m, y_m, yaw_rad]) = pose {
            let [x_m, y_m] = point([x_m, y_m])?;
            let yaw_rad = check::within("yaw in radians", yaw_rad, -100.0, 100.0)?;
            return Ok(self.rover.bearings.dock(Pose2::new(x_m, y_m, yaw_rad).out_of(self.frame)));
        }
        let here = self.rover.bearings.pose();
        let off_m = |it: &Pose2| here.distance_to(it.x_m, it.y_m);
        let chargers = self.file.chargers.iter().map(crate::config::Charger::pose);
        let nearest = chargers.min_by(|a, b| off_m(a).total_cmp(&off_m(b)));
        nearest.map(|it| self.rover.bearings.dock(it)).ok_or_else(|| Outcome::not_now("there is no charger"))
    }

    fn take_task(&mut self, request: TaskRequest) -> Result<Outcome, Outcome> {
        let asked = TaskOrigin { pose: self.rover.bearings.pose(), person: self.recognition.asker() };
        let people = self.recognition.names();
        let submitted =
            self.with_agenda(|agenda, _, context| agenda.submit(request, asked, &people, context));
        submitted.map(|()| Outcome::Accepted).map_err(|error| Outcome::not_now(error.to_string()))
    }
}

fn point([x_m, y_m]: [f64; 2]) -> Result<[f64; 2], Outcome> {
    Ok([check::within("x in metres", x_m, -FAR_M, FAR_M)?, check::within("y in metres", y_m, -FAR_M, FAR_M)?])
}
