//! Commands on their way to robots. The swarm has no answers, so a refusal becomes a note of the robot's.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use latimer_core::hub::Driver;
use latimer_core::model::{Command, Outcome};
use latimer_core::{Author, Clock, Hub, RobotId};

use crate::complaint::Complaint;
use crate::pace::Allowance;
use crate::pera::NAME;
use crate::pera::roster::SwarmId;

/// How long a robot may take to obey.
const PATIENCE: Duration = Duration::from_secs(5);

/// Most commands on their way, apart from stops; a broadcast to a large swarm has one for each robot.
const MOST: usize = 4_096;

/// Most of them on their way to one robot.
const MOST_OF_EACH: usize = 64;

/// A robot, and why it does not carry out a command.
type Refusal = (SwarmId, String);

/// Commands on their way to robots.
pub(super) struct Orders {
    clock: Clock,
    driver: Driver,
    running: FuturesUnordered<BoxFuture<'static, (SwarmId, Option<String>)>>,
    allowance: Allowance,
    dropped: Complaint,
}

impl Orders {
    pub(super) fn new(hub: &Hub) -> Self {
        Self {
            clock: hub.clock(),
            driver: hub.driver(swarm()),
            running: FuturesUnordered::new(),
            allowance: Allowance::new(MOST, MOST_OF_EACH),
            dropped: Complaint::default(),
        }
    }

    /// Programs of the swarm are there as long as the broker is, which does not tell them apart.
    pub(super) fn set_connected(&mut self, hub: &Hub, connected: bool) {
        self.driver = if connected { hub.connected_driver(swarm()) } else { hub.driver(swarm()) };
    }

    /// Gives a robot a command; a stop whatever else is on its way.
    pub(super) fn give(&mut self, id: SwarmId, robot: &RobotId, command: Command) {
        let Some(taken) = self.allowance.take(robot, &command) else {
            if let Some(count) = self.dropped.due(self.clock.now(), 1) {
                tracing::warn!(%robot, count, "robots of the swarm get orders faster than they obey; the newest are left out");
            }
            return;
        };
        let (word, robot) = (word_of(&command), robot.clone());
        let outcome = self.driver.command(&robot, command, PATIENCE);
        self.running.push(Box::pin(async move {
            let outcome = outcome.await;
            drop(taken);
            let reason = match outcome {
                Outcome::Refused(refusal) => refusal.reason,
                Outcome::TimedOut => "the robot did not answer".to_owned(),
                Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => return (id, None),
            };
            tracing::debug!(%robot, %word, %reason, "an order of the swarm was refused");
            (id, Some(format!("{word}: {reason}")))
        }));
    }

    /// The next refusal; pending until there is one. Cancel safe.
    pub(super) async fn refused(&mut self) -> Refusal {
        loop {
            let Some((id, refusal)) = self.running.next().await else { return std::future::pending().await };
            if let Some(reason) = refusal {
                return (id, reason);
            }
        }
    }
}

fn swarm() -> Author {
    Author::new(NAME, "")
}

/// What a command was called where it came from.
fn word_of(command: &Command) -> String {
    match command {
        Command::Stop { .. } => "STOP".to_owned(),
        Command::Lamp { .. } => "neopixel".to_owned(),
        Command::SkillMessage { text, .. } => text.chars().take(40).collect(),
        command => command.name().to_owned(),
    }
}
