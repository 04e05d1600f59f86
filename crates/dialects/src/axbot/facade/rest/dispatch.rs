//! Asking the robot for something, and why it is not done.

use latimer_core::limits::COMMAND_TIMEOUT;
use latimer_core::model::{Refusal, RefusalCode};
use latimer_core::{Author, Command, Outcome};

use super::strict::objection;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::limits::PARTS_COMMAND_TIMEOUT;
use crate::axbot::rest::problem::Problem;

/// Asks as a client, and waits until the robot took it.
pub(super) async fn dispatch(robot: &FacadeRobot, author: &Author, command: Command) -> Result<(), Problem> {
    let patience = match command {
        Command::UseMap(_) => PARTS_COMMAND_TIMEOUT,
        Command::Native(ref call) if matches!(call.about().name, "carry" | "maintain") => {
            PARTS_COMMAND_TIMEOUT
        }
        _ => COMMAND_TIMEOUT,
    };
    if robot.settings.strict
        && let Some(reason) = objection(robot, &command)
    {
        return Err(Problem::Bad(reason.to_owned()));
    }
    let answer = robot.hub.command_client(author.clone()).command(&robot.robot, command, patience);
    let id = answer.id();
    match answer.await {
        Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => Ok(()),
        Outcome::Refused(Refusal { code: RefusalCode::Unreachable, reason }) => {
            Err(Problem::Unavailable(id.beside(format_args!("the robot is not heard: {reason}"))))
        }
        Outcome::Refused(refusal) => Err(Problem::Bad(id.beside(refusal))),
        Outcome::TimedOut => Err(Problem::NoAnswer(patience)),
    }
}
