//! Commands to a robot of the world.

use latimer_core::model::{Command, Motion, Refusal};
use latimer_core::{Outcome, RobotId};
use latimer_simulator_api::Stimulus;

use super::World;
use super::sense::sense;
use super::spawn::obstacle;
use crate::geometry::Pose2;

impl World {
    /// Asks something of a robot.
    pub fn command(&mut self, robot: &RobotId, command: Command) -> Outcome {
        let time_s = self.time_s();
        let Some(robot) = self.robots.iter_mut().find(|it| it.id == *robot) else {
            return self.no_robot(robot);
        };
        if let Command::Sense(request) = &command {
            let readings = sense(&self.physics, &self.lights, &robot.chassis, robot.footprint(), request);
            return readings.map_or_else(Outcome::Refused, Outcome::Sensed);
        }
        let takes_over = takes_over(&command);
        let outcome = robot.body.command(command).unwrap_or_else(|refusal| refusal);
        if takes_over && outcome.is_ok() {
            robot.take(time_s);
        }
        outcome
    }

    /// Makes something happen to a robot.
    pub fn poke(&mut self, robot: &RobotId, stimulus: Stimulus) -> Outcome {
        let Some(robot) = self.robots.iter_mut().find(|it| it.id == *robot) else {
            return self.no_robot(robot);
        };
        let Stimulus::Place { x_m, y_m, yaw_rad } = stimulus else {
            let outcome = robot.body.poke(stimulus, self.physics.pose(&robot.chassis));
            return outcome.unwrap_or_else(|refusal| refusal);
        };
        let at = Pose2::new(x_m, y_m, yaw_rad);
        let outline = robot.footprint();
        if let Some(Refusal { code, reason }) =
            obstacle(&self.physics, &self.file, outline, at, Some(&robot.chassis))
        {
            return Refusal::new(code, format!("cannot put {} there: {reason}", robot.id)).into();
        }
        robot.place(&mut self.physics, at);
        Outcome::Done
    }

    fn no_robot(&self, robot: &RobotId) -> Outcome {
        Outcome::bad_argument(format!("no robot {robot} in world {:?}", self.file.name))
    }
}

fn takes_over(command: &Command) -> bool {
    match command {
        Command::Drive { .. }
        | Command::DriveTracks(_)
        | Command::Stop { .. }
        | Command::Halt { .. }
        | Command::Joints(_)
        | Command::Navigate(_)
        | Command::CancelNavigation
        | Command::Task(_) => true,
        Command::Native(call) => {
            matches!(call.motion(), Motion::Stop | Motion::EndsGoal) || command.moves_base()
        }
        _ => false,
    }
}
