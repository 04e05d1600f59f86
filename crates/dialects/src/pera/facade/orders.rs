//! Commands on their way to robots. The swarm has no answers, so a refusal becomes a note of the robot's.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use latimer_core::model::{Command, Outcome};
use latimer_core::{Hub, RobotId};

use crate::pera::roster::SwarmId;

/// How long a robot may take to obey.
const PATIENCE: Duration = Duration::from_secs(5);

/// Most commands on their way; a broadcast to a large swarm has one for each robot.
const MOST: usize = 4_096;

/// A robot, and why it does not do what it was told.
type Refusal = (SwarmId, String);

/// See the module.
pub(super) struct Orders {
    hub: Hub,
    running: FuturesUnordered<BoxFuture<'static, Option<Refusal>>>,
    dropped: u64,
}

impl Orders {
    pub(super) fn new(hub: Hub) -> Self {
        Self { hub, running: FuturesUnordered::new(), dropped: 0 }
    }

    /// Gives a robot a command.
    pub(super) fn give(&mut self, id: SwarmId, robot: &RobotId, command: Command) {
        if self.running.len() >= MOST {
            self.dropped += 1;
            // Powers of ten are told: a flood fills no log.
            if 10_u64.checked_pow(self.dropped.ilog10()) == Some(self.dropped) {
                tracing::warn!(%robot, dropped = self.dropped, "robots of the swarm get orders faster than they obey");
            }
            return;
        }
        let (hub, robot) = (self.hub.clone(), robot.clone());
        self.running.push(Box::pin(async move {
            let word = word_of(&command);
            let reason = match hub.command(&robot, command, PATIENCE).await {
                Outcome::Refused(reason) => reason,
                Outcome::TimedOut => "the robot did not answer".to_owned(),
                Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => return None,
            };
            tracing::debug!(%robot, %word, %reason, "an order of the swarm was refused");
            Some((id, format!("{word}: {reason}")))
        }));
    }

    /// The next refusal; pending until there is one. Cancel safe.
    pub(super) async fn refused(&mut self) -> Refusal {
        loop {
            match self.running.next().await {
                Some(Some(refusal)) => return refusal,
                Some(None) => {}
                None => std::future::pending().await,
            }
        }
    }
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
