//! Commands of one robot that are under way, and what became of them.

use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::{FuturesUnordered, StreamExt};
use latimer_core::RobotId;
use latimer_core::hub::{CommandClient, CommandId};
use latimer_core::model::{Command, Outcome};

use crate::miro::limits::{ANSWER_TIMEOUT, MAX_PENDING_COMMANDS};
use crate::pace::Allowance;

/// A command, and what became of it.
#[derive(Debug)]
pub(super) struct Done {
    /// Which one.
    pub(super) id: CommandId,
    /// Its word.
    pub(super) name: &'static str,
    /// Which sound, if it plays one.
    pub(super) sound: Option<String>,
    pub(super) outcome: Outcome,
}

/// Commands that wait for their outcome.
pub(super) struct InFlight {
    driver: CommandClient,
    robot: RobotId,
    allowance: Allowance,
    asked: FuturesUnordered<BoxFuture<'static, Done>>,
}

impl InFlight {
    pub(super) fn new(driver: CommandClient, robot: RobotId) -> Self {
        Self {
            driver,
            robot,
            allowance: Allowance::new(MAX_PENDING_COMMANDS, MAX_PENDING_COMMANDS),
            asked: FuturesUnordered::new(),
        }
    }

    /// Sends what comes next for another author.
    pub(super) fn drive_for(&mut self, driver: CommandClient) {
        self.driver = driver;
    }

    /// Sends a command after those that were sent before; false if too many are under way.
    pub(super) fn send(&self, command: Command) -> bool {
        let Some(taken) = self.allowance.take(&self.robot, &command) else { return false };
        let sound = match &command {
            Command::Play { name, .. } => Some(name.clone()),
            _ => None,
        };
        let name = command.name();
        let answer = self.driver.command(&self.robot, command, ANSWER_TIMEOUT);
        let id = answer.id();
        let done = async move {
            let outcome = answer.await;
            drop(taken);
            Done { id, name, sound, outcome }
        };
        self.asked.push(done.boxed());
        true
    }

    /// The next that is answered; pending if none is under way.
    pub(super) async fn next(&mut self) -> Done {
        match self.asked.next().await {
            Some(done) => done,
            None => std::future::pending().await,
        }
    }

    /// Sends the last command, and waits for the answer for a moment.
    pub(super) async fn close(self, command: Command) {
        let _ = self.driver.command(&self.robot, command, Duration::from_millis(500)).await;
    }
}
