//! The gateway as a program of an example robot: one connection until it drops; it never retries.
//!
//! ```text
//! connect ──▶ up ─┬─ message ──decode──▶ signal ──▶ hub
//!                 ├─ demand changed ──▶ follow
//!                 ├─ command ──▶ request, kept until its answer
//!                 └─ silence ──▶ ping ──▶ end
//! ```

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use latimer_core::hub::{CommandRequest, Source};
use latimer_core::model::Native;
use latimer_core::model::signal::LinkState;
use latimer_core::supervisor::{Reach, Session, SessionEnd};
use latimer_core::{Clock, Outcome, Timestamp};
use latimer_listen::{Address, Trust};

use super::limits::{FRAME_MAX_BYTES, MAX_PENDING_COMMANDS};
use super::messages::{MESSAGES, decode};
use super::protocol::{Answer, Head, Request};
use super::{NAME, SOCKET};
use crate::link::{Link, publish_received, publish_unknown, reach};
use crate::socket::connected;
use crate::throttled_warning::ThrottledWarning;

/// A connection to one robot.
#[derive(Debug)]
pub(super) struct ExampleSession {
    address: Address,
    trust: Trust,
    clock: Clock,
    odd: ThrottledWarning,
}

/// What holds while one connection lasts.
#[derive(Default)]
struct Live {
    given: u64,
    /// Commands by their numbers, until they are answered.
    commands: BTreeMap<u64, CommandRequest>,
    /// Frames to write.
    out: Vec<String>,
}

impl ExampleSession {
    pub(super) fn new(address: Address, trust: Trust, clock: Clock) -> Self {
        Self { address, trust, clock, odd: ThrottledWarning::default() }
    }

    async fn serve(&mut self, source: &mut Source) -> Result<Infallible, SessionEnd> {
        let (at, config) = ((&self.address, SOCKET), connected(FRAME_MAX_BYTES, FRAME_MAX_BYTES));
        let mut link = Link::connect(at, &self.trust, config, "robot", self.clock, source).await?;
        source.link(LinkState::Up, None);
        let mut live = Live::default();
        let mut demand = source.demand();
        demand.mark_changed();
        let mut tick = tokio::time::interval(Duration::from_secs(1));
        loop {
            tokio::select! {
                text = link.receive() => {
                    if let Some(text) = text? {
                        self.receive(source, &mut live, &text, self.clock.now());
                    }
                }
                Ok(()) = demand.changed() => live.follow(source),
                request = source.next_command() => live.command(request),
                _ = tick.tick() => link.tick(source)?,
            }
            link.write(&mut live.out).await?;
        }
    }

    fn receive(&mut self, source: &Source, live: &mut Live, text: &str, now: Timestamp) {
        let head = serde_json::from_str::<Head>(text);
        let Ok(Head { topic: Some(topic) }) = head else {
            return match serde_json::from_str(text) {
                Ok(answer) => live.answered(answer),
                Err(error) => self.odd(source, now, &error.to_string()),
            };
        };
        let payload = Bytes::copy_from_slice(text.as_bytes());
        let native = Native { dialect: NAME, topic: topic.as_str().into(), payload, definition: None };
        match decode(&topic, text, now) {
            Ok(received) => publish_received(source, [received], now, &native),
            Err(error) => {
                self.odd(source, now, &error.to_string());
                publish_unknown(source, now, native);
            }
        }
    }

    fn odd(&mut self, source: &Source, now: Timestamp, reason: &str) {
        if let Some(count) = self.odd.due(now, 1) {
            tracing::warn!(robot = %source.robot(), %reason, count, "a frame is not understood");
        }
    }
}

impl Live {
    /// Asks for what somebody follows, and for nothing else.
    fn follow(&mut self, source: &Source) {
        let wanted = MESSAGES.iter().filter(|it| it.kinds.iter().any(|kind| source.wants(*kind, None)));
        let follow = wanted.map(|it| it.topic.to_owned()).collect();
        self.send(&Request { follow: Some(follow), ..Request::default() });
    }

    fn command(&mut self, request: CommandRequest) {
        if self.commands.len() >= MAX_PENDING_COMMANDS && !request.command.is_stop() {
            return request.answer(Outcome::not_now("the robot has not answered those before"));
        }
        let Some(frame) = Request::of(self.given, &request.command) else {
            let reason = format!("example robots have no word for {}", request.command.name());
            return request.answer(Outcome::unsupported(reason));
        };
        self.send(&frame);
        self.commands.insert(self.given, request);
        self.given += 1;
    }

    fn answered(&mut self, answer: Answer) {
        if let Some(request) = answer.id.and_then(|id| self.commands.remove(&id)) {
            request.answer(answer.outcome());
        }
    }

    fn send(&mut self, request: &Request) {
        self.out.extend(serde_json::to_string(request));
    }
}

impl Session for ExampleSession {
    fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd> {
        Box::pin(async move {
            match self.serve(source).await {
                Err(end) => end,
            }
        })
    }

    fn probe(&mut self) -> BoxFuture<'_, Option<Reach>> {
        Box::pin(async move { reach(self.address.accepts().await) })
    }
}
