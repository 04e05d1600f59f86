//! The gateway as a client of a rosbridge until a connection drops; it never retries. Services are called on a second one.
//!
//! ```text
//! connect ──▶ what rosapi lists, again every few seconds ──▶ up ─┬─ publish ──decode──▶ signals ──▶ hub
//!                                                             ├─ demand or topics changed ──▶ subscribe / unsubscribe
//!                                                             └─ command ──▶ publish, or a goal on a connection of its own; a speed that lasts is repeated
//! ```

mod action;
mod commands;
mod graph;
mod live;
mod localizer;
mod reading;
mod rosapi;

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use latimer_core::hub::Source;
use latimer_core::model::Native;
use latimer_core::model::signal::LinkState;
use latimer_core::supervisor::{Reach, Session, SessionEnd};
use latimer_core::{Clock, Outcome, Timestamp};
use latimer_listen::{Address, Trust};
use serde_json::{Value as Json, json};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use self::action::{Peer, next_told};
use self::graph::Graph;
use self::live::{Live, call, repeat_is_due};
use self::reading::read;
use self::rosapi::Answered;
use super::NAME;
use super::described::Described;
use super::protocol::Frame;
use super::topics::EMERGENCY_STOP;
use crate::lenient_json::{Bare, without_bare_numbers};
use crate::link::{Link, publish_received, publish_unknown, reach};
use crate::rosbridge::limits::TOPICS_POLL_INTERVAL;
use crate::throttled_warning::ThrottledWarning;

/// The type of what cancels the goals of an action of ROS 1; without a name it cancels all.
const GOAL_ID: &str = "actionlib_msgs/GoalID";
/// The names of our calls.
const SERVICES_CALL: &str = "latimer:services";
const TYPE_CALL: &str = "latimer:service_type";
const EMERGENCY_CALL: &str = "latimer:emergency_stop";

/// A connection to one robot behind a bridge.
#[derive(Debug)]
pub(super) struct RosbridgeSession {
    peer: Peer,
    /// What the robot's topics begin with.
    prefix: String,
    /// What the config says of them.
    described: Described,
    clock: Clock,
    odd: ThrottledWarning,
}

impl RosbridgeSession {
    pub(super) fn new(
        address: Address,
        (prefix, described): (String, Described),
        trust: Trust,
        clock: Clock,
    ) -> Self {
        let peer = Peer { address, trust };
        Self { peer, prefix, described, clock, odd: ThrottledWarning::default() }
    }

    async fn serve(&mut self, source: &mut Source) -> Result<Infallible, SessionEnd> {
        let (at, trust) = (self.peer.at(), &self.peer.trust);
        let mut link = Link::connect(at, trust, Peer::config(), "bridge", self.clock, source).await?;
        // A bridge may take nothing from a connection until the service that it called has answered.
        let mut calls = Link::connect(at, trust, Peer::config(), "bridge", self.clock, source).await?;
        let mut live = Live::new(&self.prefix, self.clock.now());
        let mut demand = source.demand();
        let mut asks = tokio::time::interval(TOPICS_POLL_INTERVAL);
        loop {
            tokio::select! {
                text = link.receive() => self.receive_some(source, &mut live, text?)?,
                text = calls.receive() => self.receive_some(source, &mut live, text?)?,
                Ok(()) = demand.changed(), if is_up(source) => live.follow(source, self.clock.now()),
                request = source.next_command() => self.command(source, &mut live, request),
                told = next_told(self.clock, live.goal.as_mut()) => {
                    live.take_told(source, told, self.clock.now());
                }
                () = repeat_is_due(self.clock, live.speed.as_ref()) => live.repeat(self.clock.now()),
                () = self.clock.sleep_until(live.rosapi.deadline), if !is_up(source) => {
                    self.give_up_waiting(source, &mut live)?;
                }
                _ = asks.tick() => {
                    link.tick(source)?;
                    calls.tick(source)?;
                    live.rosapi.ask(&mut live.calls_out, self.clock.now());
                    if !live.has_emergency_stop && live.rosapi.fault.is_none() {
                        live.calls_out.push(call(SERVICES_CALL, "/rosapi/services", &json!({})));
                    }
                    if is_up(source) {
                        self.is_up(source, &live);
                    }
                }
            }
            link.write(&mut live.out).await?;
            calls.write(&mut live.calls_out).await?;
        }
    }

    /// Says that the link is up, and what is wrong all the same.
    fn is_up(&self, source: &Source, live: &Live) {
        let problem = live.rosapi.problem(&live.graph, |name| live.follows(name), self.clock.now());
        if !is_up(source) || source.link_now().reason != problem {
            if let Some(problem) = &problem {
                tracing::warn!(robot = %source.robot(), %problem, "the bridge is there");
            }
            source.link(LinkState::Up, problem);
        }
    }

    /// Makes do with what is known, as the bridge tells no more in time.
    fn give_up_waiting(&self, source: &Source, live: &mut Live) -> Result<(), SessionEnd> {
        if live.rosapi.is_asked() {
            live.rosapi.is_silent();
            return self.without_rosapi(source, live);
        }
        self.is_up(source, live);
        live.follow(source, self.clock.now());
        Ok(())
    }

    /// Takes the topics of the config for all that there are; without any the robot cannot be understood.
    fn without_rosapi(&self, source: &Source, live: &mut Live) -> Result<(), SessionEnd> {
        if self.described.is_empty() {
            let fault = live.rosapi.fault.as_deref().unwrap_or_default();
            return Err(SessionEnd::retry(format!(
                "{fault}; start rosapi beside it, or name the robot's topics in rosbridge.connect.topics"
            )));
        }
        live.graph = Graph::new(&self.described, &self.prefix, None);
        self.is_up(source, live);
        live.follow(source, self.clock.now());
        Ok(())
    }

    fn receive_some(
        &mut self,
        source: &Source,
        live: &mut Live,
        text: Option<Utf8Bytes>,
    ) -> Result<(), SessionEnd> {
        text.map_or(Ok(()), |text| self.receive(source, live, &text, self.clock.now()))
    }

    /// Reads a text, which may have numbers for which JSON has no word; what others see of it has none of these.
    fn receive(
        &mut self,
        source: &Source,
        live: &mut Live,
        text: &str,
        now: Timestamp,
    ) -> Result<(), SessionEnd> {
        let error = match serde_json::from_str::<Frame<'_>>(text) {
            Ok(frame) => return self.receive_frame(source, live, text, (&frame, &frame), now),
            Err(error) => error,
        };
        let without = |bare| without_bare_numbers(text, bare).unwrap_or_default();
        let (read, strict) = (without(Bare::Text), without(Bare::Null));
        match (serde_json::from_str(&read), serde_json::from_str(&strict)) {
            (Ok(frame), Ok(plain)) => self.receive_frame(source, live, &read, (&frame, &plain), now),
            _ => {
                self.odd(source, now, &format!("no frame of rosbridge: {error}"));
                Ok(())
            }
        }
    }

    fn receive_frame(
        &mut self,
        source: &Source,
        live: &mut Live,
        text: &str,
        (frame, plain): (&Frame<'_>, &Frame<'_>),
        now: Timestamp,
    ) -> Result<(), SessionEnd> {
        match frame.op.as_str() {
            "publish" => match (&frame.topic, frame.msg, plain.msg) {
                (Some(name), Some(message), Some(plain)) => {
                    self.receive_message(source, live, name, (message.get(), plain.get()), now);
                }
                _ => self.odd(source, now, "a publish without topic or msg"),
            },
            "fragment" => match live.fragments.join(text) {
                Ok(None) => {}
                // Fragments inside of others end soon: each level at least doubles the backslashes of the one inside.
                Ok(Some(joined)) => return self.receive(source, live, &joined, now),
                Err(error) => self.odd(source, now, &error.to_string()),
            },
            "service_response" => return self.answered(source, live, frame, now),
            "status" => {
                let text = frame.msg.map(|msg| msg.get().to_owned()).unwrap_or_default();
                self.odd(source, now, &format!("the bridge says {text}"));
            }
            _ => {}
        }
        Ok(())
    }

    fn take_actions(&self, live: &mut Live) {
        if let Some(actions) = &live.rosapi.actions {
            live.graph.take_actions(&self.described, &self.prefix, actions);
        }
    }

    fn answered(
        &self,
        source: &Source,
        live: &mut Live,
        frame: &Frame<'_>,
        now: Timestamp,
    ) -> Result<(), SessionEnd> {
        let values = frame.values.as_ref();
        let Some(id) = frame.id.as_ref().and_then(Json::as_str) else { return Ok(()) };
        match live.rosapi.answered(id, values, frame.result) {
            Answered::Topics(Ok(listed)) => {
                live.graph = Graph::new(&self.described, &self.prefix, Some(&listed));
                self.take_actions(live);
                live.rosapi.ask_for_nodes(&live.graph, &mut live.calls_out);
            }
            // What was listed before still holds.
            Answered::Topics(Err(_)) if is_up(source) => {}
            // A bridge is often started without it.
            Answered::Topics(Err(_)) => return self.without_rosapi(source, live),
            Answered::Actions => self.take_actions(live),
            Answered::Taken => {}
            Answered::Other => {
                self.answered_service(live, id, values, frame.result);
                return Ok(());
            }
        }
        // By now it is a bridge that answers.
        if live.rosapi.is_complete() || is_up(source) {
            self.is_up(source, live);
            live.follow(source, now);
        }
        Ok(())
    }

    /// An answer of a service beside those by which rosapi lists topics.
    fn answered_service(&self, live: &mut Live, id: &str, values: Option<&Json>, result: Option<bool>) {
        let service = format!("{}{}", self.prefix, EMERGENCY_STOP.0);
        match id {
            SERVICES_CALL => {
                let mut services = values.and_then(|it| it["services"].as_array()).into_iter().flatten();
                if services.any(|it| it.as_str() == Some(&service)) {
                    live.calls_out.push(call(
                        TYPE_CALL,
                        "/rosapi/service_type",
                        &json!({"service": service}),
                    ));
                }
            }
            TYPE_CALL => {
                let ros_type = values.and_then(|it| it["type"].as_str()).unwrap_or_default();
                live.has_emergency_stop = ros_type.replacen("/srv/", "/", 1) == EMERGENCY_STOP.1;
            }
            id => {
                let number =
                    id.strip_prefix(EMERGENCY_CALL).and_then(|it| it.strip_prefix(':')?.parse().ok());
                let place = live.calls.iter().position(|(it, _)| Some(*it) == number);
                let Some((_, request)) = place.and_then(|place| live.calls.remove(place)) else { return };
                let is_done =
                    result != Some(false) && values.and_then(|it| it["success"].as_bool()) != Some(false);
                let said = values.and_then(|it| it["message"].as_str()).unwrap_or("the bridge refuses it");
                request.answer(if is_done { Outcome::Done } else { Outcome::not_now(said.to_owned()) });
            }
        }
    }

    fn receive_message(
        &mut self,
        source: &Source,
        live: &mut Live,
        name: &str,
        (message, plain): (&str, &str),
        now: Timestamp,
    ) {
        let Some(incoming) = live.graph.incoming.get(name) else { return };
        let payload = Bytes::copy_from_slice(plain.as_bytes());
        let definition = Some(incoming.plain_type.clone());
        let native = Native { dialect: NAME, topic: name.into(), payload, definition };
        live.rosapi.heard(name, now);
        match read(incoming, &mut live.known, message, now) {
            Ok((received, fault)) => {
                publish_received(source, received, now, &native);
                if let Some(fault) = fault {
                    self.odd(source, now, &format!("{name}: {fault}"));
                }
            }
            Err(error) => {
                self.odd(source, now, &format!("{name}: {error}"));
                publish_unknown(source, now, native);
            }
        }
        if live.seen.insert(name.to_owned()) {
            live.follow(source, now);
        }
    }

    fn odd(&mut self, source: &Source, now: Timestamp, reason: &str) {
        if let Some(count) = self.odd.due(now, 1) {
            tracing::warn!(robot = %source.robot(), %reason, count, "a frame is not understood");
        }
    }
}

fn is_up(source: &Source) -> bool {
    source.link_now().state == LinkState::Up
}

impl Session for RosbridgeSession {
    fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd> {
        Box::pin(async move {
            match self.serve(source).await {
                Err(end) => end,
            }
        })
    }

    fn probe(&mut self) -> BoxFuture<'_, Option<Reach>> {
        Box::pin(async move { reach(self.peer.address.accepts().await) })
    }
}
