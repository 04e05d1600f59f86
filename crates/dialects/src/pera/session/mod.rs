//! The gateway as a subscriber of a robot of the swarm, until the broker or the robot is gone. Its link to the broker stays, so
//! that nothing is lost that is sent meanwhile.
//!
//! ```text
//! connect ──▶ ask ID? ──▶ reply ──▶ up ─┬─ message ──read, map──▶ signals ──▶ hub
//!                │                      ├─ command ──map──▶ message ──▶ accepted, or sense ──reading──▶ sensed
//!                └── silence ──▶ end    └─ silence ──▶ ask ID? ──▶ end
//! ```
//!
//! Being at the broker says nothing of the robot: its link is up when its own messages arrive.

mod senses;

use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use latimer_core::hub::{CommandRequest, Source};
use latimer_core::model::signal::LinkState;
use latimer_core::model::{Command, Outcome};
use latimer_core::supervisor::{Reach, Session, SessionEnd};
use latimer_core::{BrokerAddress, Clock, Timestamp};
use latimer_listen::Trust;
use latimer_mqtt::{Login, Message as Published, Qos};
use tokio_util::task::TaskTracker;

use super::channels;
use super::map::{self, is_sent_by_robot, message_from_command, signals_from_message, updates_from_message};
use super::messages::robot::Order;
use super::roster::SwarmId;
use super::topic::{Channel, Topic};
use super::wire::id::id_of_sender;
use super::wire::{Message, Number};
use crate::kept_link::KeptLink;
use crate::pera::limits::{
    FIRST_MESSAGE_TIMEOUT, ROBOT_SILENCE_TIMEOUT, SESSION_KEEP_ALIVE_INTERVAL, SILENCE_QUERY_DELAY,
};
use crate::throttled_warning::ThrottledWarning;
pub(super) use senses::Senses;

/// A connection to one robot.
#[derive(Debug)]
pub(super) struct PeraSession {
    id: SwarmId,
    address: BrokerAddress,
    link: KeptLink,
    channel: Channel,
    clock: Clock,
    /// Messages that were not understood, and when that was logged last.
    odd: ThrottledWarning,
}

impl PeraSession {
    pub(super) fn new(
        id: SwarmId,
        address: BrokerAddress,
        trust: Trust,
        channel: Channel,
        clock: Clock,
        leaving: TaskTracker,
    ) -> Self {
        let login = login(id, address.clone(), trust, &channel);
        let link = KeptLink::new(login, clock, leaving);
        Self { id, address, link, channel, clock, odd: ThrottledWarning::default() }
    }
    fn published(&self, message: &Message) -> Published {
        let (topic, payload) = message.write();
        Published::new(self.channel.join(&topic), payload, Qos::AtLeastOnce)
    }

    async fn serve(&mut self, source: &mut Source) -> SessionEnd {
        let mut live =
            Live { angles: Vec::new(), incoming: None, began: self.clock.now(), senses: Senses::default() };
        let mut asked = self.clock.now();
        let mut out = vec![self.call(), self.published(&Message::LocalizationUpdateAsked)];
        let mut tick = tokio::time::interval(Duration::from_secs(1));
        loop {
            for message in out.drain(..) {
                if let Err(error) = self.link.publish(message) {
                    return SessionEnd::retry(error);
                }
            }
            tokio::select! {
                message = self.link.next() => match message {
                    Ok(message) => self.receive(source, &mut live, message),
                    Err(end) => return end,
                },
                request = source.next_command() => out.extend(self.command(&mut live, request)),
                _ = tick.tick() => {
                    source.refresh_link();
                    let now = self.clock.now();
                    live.senses.expire(now);
                    if let Some(end) = self.silence(&live, now) {
                        return end;
                    }
                    let quiet = live.incoming.unwrap_or(live.began).max(asked);
                    if now.since(quiet) >= SILENCE_QUERY_DELAY {
                        asked = now;
                        out.push(self.call());
                    }
                }
            }
        }
    }

    /// Asks whether it is there.
    fn call(&self) -> Published {
        self.published(&Message::Order(Some(self.id), Order::Id))
    }

    fn silence(&self, live: &Live, now: Timestamp) -> Option<SessionEnd> {
        let Self { id, address, .. } = self;
        let (since, patience) = match live.incoming {
            Some(incoming) => (incoming, ROBOT_SILENCE_TIMEOUT),
            None => (live.began, FIRST_MESSAGE_TIMEOUT),
        };
        (now.since(since) >= patience).then(|| {
            let patience = patience.as_secs();
            let advice = "is it switched on, and is its number right?";
            SessionEnd::away(format!(
                "{address} is there, but robot {id} said nothing for {patience} s; {advice}"
            ))
        })
    }

    fn receive(&mut self, source: &Source, live: &mut Live, published: Published) {
        let now = self.clock.now();
        // What waited at the broker shows what was then, not what is now.
        let received = published.published_after(now);
        let Some(topic) = self.channel.topic(&published.topic) else { return };
        let message = match Message::read(&topic, &published.payload) {
            Ok(message) => message,
            Err(error) => return self.odd(source, &topic, &published.payload, &error.to_string(), received),
        };
        let is_own = map::robot_of(&message) == Some(self.id)
            || signals_from_message(&message, &[]).iter().any(|incoming| incoming.id == self.id);
        if !is_own {
            return;
        }
        // What the broker kept may be of a robot that is gone.
        if is_sent_by_robot(&message) && !published.retain && published.queued_since.is_none() {
            if live.incoming.is_none() {
                source.link(LinkState::Up, None);
            }
            live.incoming = Some(now);
        }
        if let Message::Proximity(request) = &message {
            live.angles = request.angles.clone().unwrap_or_else(|| vec![Number(0.0)]);
        }
        live.senses.receive(&message, received);
        let whose = (self.id, source.robot());
        let updates = updates_from_message(&message, &published.payload, whose, &live.angles, received);
        if updates.is_empty() && is_sent_by_robot(&message) {
            // Of a robot that asks there is nothing to tell, unless it tells something that is not understood.
            let odd = map::update_from_odd(source.robot(), &topic, &published.payload, received);
            let inspection = odd.native.as_ref().and_then(channels::inspect);
            if inspection.is_some_and(|it| !it.deviations.is_empty()) {
                source.publish(odd);
            }
        }
        updates.into_iter().for_each(|update| source.publish(update));
    }

    fn command(&self, live: &mut Live, request: CommandRequest) -> Option<Published> {
        if live.incoming.is_none() {
            request.answer(Outcome::unreachable(format!("robot {} was not heard yet", self.id)));
            return None;
        }
        match message_from_command(self.id, &request.command) {
            Ok(message) => {
                request.sent();
                match &*request.command {
                    Command::Sense(_) => live.senses.wait(request, self.clock.now()),
                    // Robots of the swarm answer to nothing.
                    _ => request.answer(Outcome::Accepted),
                }
                Some(self.published(&message))
            }
            Err(refusal) => {
                request.answer(refusal.into());
                None
            }
        }
    }

    /// Counts what is not understood; what is surely this robot's is passed on.
    fn odd(&mut self, source: &Source, topic: &Topic, payload: &Bytes, reason: &str, now: Timestamp) {
        if let Some(count) = self.odd.due(now, 1) {
            tracing::warn!(robot = %source.robot(), %reason, count, "a message of the swarm is not understood");
        }
        if topic.robot().or_else(|| id_of_sender(payload)) == Some(self.id) {
            source.publish(map::update_from_odd(source.robot(), topic, payload, now));
        }
    }
}

/// What the robot publishes, and the commands that it gets.
fn login(id: SwarmId, address: BrokerAddress, trust: Trust, channel: &Channel) -> Login {
    let shared = [
        "robot/create",
        "robot/live",
        "robot/log",
        "localization/update",
        "sensor/+",
        // The slash makes it another topic.
        "sensor/compass/",
        "comm/out/+",
        "output/neopixel",
    ];
    let own = ["localization", "sensor/+", "comm/in/+"].map(|topic| format!("{topic}/{id}"));
    let filters = shared.map(str::to_owned).into_iter().chain(own);
    Login {
        address,
        client_id: format!("latimer-pera-{id}-{:08x}", rand::random::<u32>()),
        subscriptions: filters.map(|filter| (channel.join(&filter), Qos::AtLeastOnce)).collect(),
        will: None,
        keep_alive: SESSION_KEEP_ALIVE_INTERVAL,
        trust,
    }
}

impl Session for PeraSession {
    fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd> {
        Box::pin(async move {
            match self.link.up().await {
                Ok(()) => Box::pin(self.serve(source)).await,
                Err(end) => end,
            }
        })
    }

    fn probe(&mut self) -> BoxFuture<'_, Option<Reach>> {
        Box::pin(async move { self.link.probe().await })
    }
}

/// What is known while the connection lasts.
struct Live {
    /// What the robot asked for last, which the answer does not repeat.
    angles: Vec<Number>,
    /// When its last message was received.
    incoming: Option<Timestamp>,
    began: Timestamp,
    senses: Senses,
}
