//! Commands on their way to robots. The swarm has no answers, so a refusal becomes a note of the robot's.

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use latimer_core::hub::CommandClient;
use latimer_core::model::{Command, Outcome};
use latimer_core::{Author, Clock, Hub, RobotId};
use latimer_mqtt::Message as Published;

use super::Facade;
use super::query_queue::{QueryTarget, Request};
use crate::late::{self, Sent};
use crate::pace::Allowance;
use crate::pera::NAME;
use crate::pera::limits::{MAX_PENDING_COMMANDS, MAX_PENDING_COMMANDS_PER_ROBOT, OBEY_TIMEOUT};
use crate::pera::map::command_from_message;
use crate::pera::roster::SwarmId;
use crate::pera::wire::Message;
use crate::throttled_warning::ThrottledWarning;

/// A robot, and why it does not carry out a command.
type Refusal = (SwarmId, String);

/// Commands on their way to robots.
pub(super) struct Orders {
    clock: Clock,
    driver: CommandClient,
    running: FuturesUnordered<BoxFuture<'static, (SwarmId, Option<String>)>>,
    allowance: Allowance,
    dropped: ThrottledWarning,
}

impl Orders {
    pub(super) fn new(hub: &Hub) -> Self {
        Self {
            clock: hub.clock(),
            driver: hub.command_client(swarm()),
            running: FuturesUnordered::new(),
            allowance: Allowance::new(MAX_PENDING_COMMANDS, MAX_PENDING_COMMANDS_PER_ROBOT),
            dropped: ThrottledWarning::default(),
        }
    }

    /// Programs of the swarm are there as long as the broker is, which does not tell them apart.
    pub(super) fn set_connected(&mut self, hub: &Hub, connected: bool) {
        self.driver = if connected { hub.connected_client(swarm()) } else { hub.command_client(swarm()) };
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
        let answer = self.driver.command(&robot, command, OBEY_TIMEOUT);
        let (span, command) = (answer.span(), answer.id());
        self.running.push(Box::pin(async move {
            let outcome = answer.await;
            drop(taken);
            let reason = match outcome {
                Outcome::Refused(refusal) => refusal.reason,
                Outcome::TimedOut => "the robot did not answer".to_owned(),
                Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => return (id, None),
            };
            tracing::debug!(parent: &span, %robot, %word, %reason, "an order of the swarm was refused");
            (id, Some(format!("{word}: {}", command.beside(reason))))
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

impl Facade {
    /// Does what a message asks of one robot, or of all.
    pub(super) fn obey(&mut self, message: &Message, published: &Published) {
        let Some((to, command)) = command_from_message(message) else { return };
        let range = to.map_or(0..=SwarmId::MAX, |id| id..=id);
        let called = self.members.range(range).map(|(id, member)| (*id, member.robot.clone()));
        for (id, robot) in called.collect::<Vec<_>>() {
            match self.too_late(&robot, &command, published) {
                None => self.orders.give(id, &robot, command.clone()),
                Some(reason) => {
                    let note = format!("{}: {reason}", word_of(&command));
                    self.ask(QueryTarget::One(id), Request::Note(note));
                }
            }
        }
    }

    /// Drives a body where its program is.
    pub(super) fn drive(&mut self, id: SwarmId, robot: &RobotId, goal: Command, published: &Published) {
        match self.too_late(robot, &goal, published) {
            None => self.orders.give(id, robot, goal),
            // The program says it again. A note for each place that it was at meanwhile would say nothing more than the log.
            Some(_) => {
                if let Some(member) = self.members.get_mut(&id) {
                    member.forget_goal();
                }
            }
        }
    }

    /// Why a command is not obeyed, if it comes too late; the log tells it.
    fn too_late(&mut self, robot: &RobotId, command: &Command, published: &Published) -> Option<String> {
        let now = self.clock.now();
        let reason = late::refusal(command, Sent::of(published, now), now)?;
        if let Some(count) = self.late.due(now, 1) {
            tracing::warn!(%robot, %reason, count, "an order of the swarm comes too late");
        }
        Some(reason)
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
