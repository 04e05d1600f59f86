//! What one client asks of the robot: one thing after the other, in the order in which it was asked.
//!
//! ```text
//! Request ──push──▶ queue ──▶ one command at a time ──▶ next ──▶ Answer
//! ```
//!
//! A speed drives the wheels until the chassis' watchdog misses the next one. A newer speed takes the place of one that still waits behind it, and a newer picture of one of the same camera:
//! a client that sends faster than the robot answers never drives it with outdated speeds.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;

use latimer_core::hub::{CommandClient, CommandId};
use latimer_core::limits::COMMAND_TIMEOUT;
use latimer_core::model::Refusal;
use latimer_core::model::call::ArgumentError;
use latimer_core::model::signal::{CompressedImage, Pins};
use latimer_core::{Command, Outcome, PartName};

use super::request::Camera;
use super::robot::FacadeRobot;
use crate::axbot::calls::{self, Follow};
use crate::axbot::limits::MAX_PENDING_ORDERS;
use crate::describe::Call;

/// Something asked of the robot.
#[derive(Debug)]
pub(super) enum Order {
    /// Drive at a speed.
    Twist {
        /// Forward.
        linear_mps: f64,
        /// Counter-clockwise.
        angular_radps: f64,
    },
    /// Where the one to follow is.
    Follow(Follow),
    /// A picture of somebody else's camera.
    Picture(Camera, CompressedImage),
    /// How all outputs shall be, board by board.
    SetPins(Vec<Vec<bool>>),
    /// Outputs to switch on, and off.
    ModifyPins(Vec<u32>, Vec<u32>),
}

impl Order {
    /// The topic that it came on.
    const fn topic(&self) -> &'static str {
        match self {
            Self::Twist { .. } => "/twist",
            Self::Follow(_) => "/follow_target_state",
            Self::Picture(camera, _) => camera.data_topic(),
            Self::SetPins(_) => "/set_output_pins",
            Self::ModifyPins(..) => "/modify_output_pins",
        }
    }
}

/// What became of an order.
#[derive(Debug, PartialEq)]
pub(super) struct Answer {
    /// Whether it was a speed, each of which is answered.
    pub(super) twist: bool,
    /// Why it was not done.
    pub(super) problem: Option<String>,
    /// Which command it was, if it came to one.
    pub(super) command: Option<CommandId>,
}

/// What became of an order at once.
#[derive(Debug, PartialEq)]
pub(super) enum Pushed {
    /// It waits for its turn.
    Waits,
    /// It took the place of an older one, which will not be done.
    Instead,
    /// Too many wait.
    Full,
}

type Work = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// What one client asks of the robot.
pub(super) struct Orders {
    robot: Arc<FacadeRobot>,
    driver: CommandClient,
    /// Each with the stops that the robot had been given when it came.
    waiting: VecDeque<(Order, u64)>,
    at_work: Option<Work>,
}

impl Orders {
    pub(super) fn new(robot: Arc<FacadeRobot>, driver: CommandClient) -> Self {
        Self { robot, driver, waiting: VecDeque::new(), at_work: None }
    }

    /// The client gave a sign of life.
    pub(super) fn received(&self) {
        self.driver.received();
    }

    /// Takes an order.
    pub(super) fn push(&mut self, order: Order) -> Pushed {
        let given = (order, self.robot.hub.stops(&self.robot.robot));
        let older = match &given.0 {
            // What was asked between two speeds stays between them.
            Order::Twist { .. } => {
                self.waiting.back_mut().filter(|(last, _)| matches!(last, Order::Twist { .. }))
            }
            Order::Picture(camera, _) => {
                let is_it =
                    |it: &&mut (Order, u64)| matches!(&it.0, Order::Picture(other, _) if other == camera);
                self.waiting.iter_mut().find(is_it)
            }
            _ => None,
        };
        if let Some(older) = older {
            *older = given;
            return Pushed::Instead;
        }
        // The last speed has its place in any case: a client that asked for too much else can have the robot stand.
        let stands = matches!(given.0, Order::Twist { linear_mps: 0.0, angular_radps: 0.0 });
        if self.waiting.len() >= MAX_PENDING_ORDERS && !stands {
            return Pushed::Full;
        }
        self.waiting.push_back(given);
        Pushed::Waits
    }

    /// The answer to the next order; pending while there is none. Cancel safe: work goes on at the next call.
    pub(super) async fn next(&mut self) -> Answer {
        let work = match (&mut self.at_work, self.waiting.front()) {
            (Some(work), _) => work,
            (None, None) => return std::future::pending().await,
            (at_work @ None, Some(_)) => match self.waiting.pop_front() {
                Some((order, stops)) => {
                    at_work.insert(Box::pin(carry_out(self.robot.clone(), self.driver.clone(), order, stops)))
                }
                None => return std::future::pending().await,
            },
        };
        let answer = work.await;
        self.at_work = None;
        answer
    }
}

async fn carry_out(robot: Arc<FacadeRobot>, driver: CommandClient, order: Order, stops: u64) -> Answer {
    let topic = order.topic();
    let twist = matches!(order, Order::Twist { .. });
    let mut command = None;
    let done = match command_from_order(&robot, order) {
        Ok((asked, note)) => {
            let answer = driver.command_since(stops, &robot.robot, asked, COMMAND_TIMEOUT);
            command = Some(answer.id());
            match answer.await {
                Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => note.map_or(Ok(()), Err),
                Outcome::Refused(refusal) => Err(refusal),
                Outcome::TimedOut => {
                    Err(Refusal::unreachable(format!("{} did not answer in time", robot.robot)))
                }
            }
        }
        Err(refusal) => Err(refusal),
    };
    let problem = done.err().map(|Refusal { code: _, reason }| format!("{topic}: {reason}"));
    Answer { twist, problem, command }
}

/// A command, and what of the order is left out of it.
fn command_from_order(robot: &FacadeRobot, order: Order) -> Result<(Command, Option<Refusal>), Refusal> {
    if !robot.is_reachable() {
        let reason = format!("{} is not heard; try again when it is", robot.robot);
        return Err(Refusal::unreachable(reason));
    }
    Ok(match order {
        Order::Twist { linear_mps, angular_radps } => {
            let duration = Some(robot.settings.twist_timeout);
            (Command::Drive { linear_mps, angular_radps, duration }, None)
        }
        Order::Follow(follow) => (follow.command()?, None),
        Order::Picture(camera, image) => {
            robot.fed.note(camera, robot.hub.clock().now());
            (Command::Picture { part: PartName::of(camera.part()), image }, None)
        }
        Order::SetPins(outputs) => {
            let (enable, disable, note) = switches(&outputs, &known_outputs(robot)?)?;
            (pins(enable, disable)?, note)
        }
        Order::ModifyPins(enable, disable) => {
            check(&enable, &disable, &known_outputs(robot)?)?;
            (pins(enable, disable)?, None)
        }
    })
}

fn pins(enable: Vec<u32>, disable: Vec<u32>) -> Result<Command, ArgumentError> {
    calls::Pins { enable: Some(enable), disable: Some(disable) }.command()
}

/// How many outputs each board has.
fn known_outputs(robot: &FacadeRobot) -> Result<Vec<usize>, Refusal> {
    match robot.record() {
        Some(Pins { outputs, inputs: _ }) => Ok(outputs.iter().map(Vec::len).collect()),
        _ => Err(Refusal::unsupported(format!("{} tells of no outputs", robot.robot))),
    }
}

/// Outputs to switch on, to switch off, and why others cannot be switched.
type Switches = (Vec<u32>, Vec<u32>, Option<Refusal>);

/// Every output that is named, whatever is known of how it stands: what was known may be older than the last order.
fn switches(wanted: &[Vec<bool>], boards: &[usize]) -> Result<Switches, Refusal> {
    let (mut enable, mut disable, mut beyond) = (Vec::new(), Vec::new(), None::<String>);
    let mut first = 0;
    for (board, row) in wanted.iter().enumerate() {
        let count = boards.get(board).copied().unwrap_or(0);
        for (column, on) in row.iter().enumerate() {
            if column < count {
                if *on { &mut enable } else { &mut disable }.push(first + column as u32);
            } else if *on {
                beyond.get_or_insert_with(|| {
                    format!("there is no output {column} on board {board}, which has {count}")
                });
            }
        }
        first += count as u32;
    }
    if enable.is_empty() && disable.is_empty() {
        let reason = beyond.unwrap_or_else(|| "outputs names none of the robot's outputs".into());
        return Err(Refusal::bad_argument(reason));
    }
    let note = |problem| Refusal::bad_argument(format!("{problem}; the others were switched"));
    Ok((enable, disable, beyond.map(note)))
}

fn check(enable: &[u32], disable: &[u32], boards: &[usize]) -> Result<(), Refusal> {
    let count: usize = boards.iter().sum();
    match enable.iter().chain(disable).find(|pin| **pin as usize >= count) {
        Some(pin) => {
            let reason = format!("there is no output {pin}; the robot has {count}, numbered from 0");
            Err(Refusal::bad_argument(reason))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_numbers_over_all_boards() {
        let rows = [vec![true, false], vec![false, true]];
        assert_eq!(switches(&rows, &[2, 2]), Ok((vec![0, 3], vec![1, 2], None)));
        // Nine columns for a board of eight, as the specification's sample has.
        let mut nine = vec![false; 9];
        assert_eq!(switches(&[nine.clone()], &[8]), Ok((vec![], (0..8).collect(), None)));
        nine[8] = true;
        let (_, _, problem) = switches(&[nine], &[8]).unwrap();
        assert!(problem.unwrap().reason.contains("no output 8 on board 0"));
        assert!(switches(&[vec![], vec![], vec![true]], &[8, 8]).unwrap_err().reason.contains("board 2"));
        assert!(check(&[15], &[], &[8, 8]).is_ok());
        assert!(check(&[], &[16], &[8, 8]).unwrap_err().reason.contains("no output 16"));
    }
}
