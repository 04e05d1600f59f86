//! The gateway as a client of a rosbridge: one connection until it drops; it never retries.
//!
//! ```text
//! connect ──▶ what rosapi lists, again every few seconds ──▶ up ─┬─ publish ──decode──▶ signals ──▶ hub
//!                                                             ├─ demand or topics changed ──▶ subscribe / unsubscribe
//!                                                             └─ command ──▶ publish; a speed that lasts is repeated
//! ```

mod graph;
mod live;
mod localizer;
mod reading;
mod rosapi;

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use latimer_core::hub::{CommandRequest, Source};
use latimer_core::model::Native;
use latimer_core::model::signal::LinkState;
use latimer_core::supervisor::{Reach, Session, SessionEnd};
use latimer_core::{Clock, Command, Outcome, Timestamp};
use latimer_listen::{Address, Trust};
use serde_json::{Value as Json, json};

use self::graph::{Graph, Outgoing, TWIST_STAMPED, plain_type};
use self::live::{Live, Repeated, call, repeat_is_due};
use self::reading::read;
use self::rosapi::Answered;
use super::NAME;
use super::described::Described;
use super::protocol::Frame;
use super::topics::{CMD_VEL, CommandTopic, EMERGENCY_STOP, command_message};
use crate::lenient_json::{Bare, without_bare_numbers};
use crate::link::{Link, publish_received, publish_unknown, reach};
use crate::rosbridge::limits::{
    RECEIVED_FRAME_MAX_BYTES, SENT_FRAME_MAX_BYTES, SPEED_REPEAT_INTERVAL, STOP_REPEAT_INTERVAL,
    STOP_REPEAT_TIME, TOPICS_POLL_INTERVAL,
};
use crate::socket::connected;
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
    address: Address,
    trust: Trust,
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
        Self { address, trust, prefix, described, clock, odd: ThrottledWarning::default() }
    }

    async fn serve(&mut self, source: &mut Source) -> Result<Infallible, SessionEnd> {
        // A bridge below the root of a server is at that path, without a slash behind it.
        let path = if self.address.has_path() { "" } else { "/" };
        let (at, config) = ((&self.address, path), connected(SENT_FRAME_MAX_BYTES, RECEIVED_FRAME_MAX_BYTES));
        let mut link = Link::connect(at, &self.trust, config, "bridge", self.clock, source).await?;
        let mut live = Live::new(self.clock.now());
        let mut demand = source.demand();
        let mut asks = tokio::time::interval(TOPICS_POLL_INTERVAL);
        loop {
            tokio::select! {
                text = link.receive() => {
                    if let Some(text) = text? {
                        self.receive(source, &mut live, &text, self.clock.now())?;
                    }
                }
                Ok(()) = demand.changed() => live.follow(source, self.clock.now()),
                request = source.next_command() => self.command(&mut live, request),
                () = repeat_is_due(self.clock, live.speed.as_ref()) => live.repeat(self.clock.now()),
                () = self.clock.sleep_until(live.rosapi.deadline), if !is_up(source) => {
                    self.give_up_waiting(source, &mut live)?;
                }
                _ = asks.tick() => {
                    link.tick(source)?;
                    live.rosapi.ask(&mut live.out, self.clock.now());
                    if !live.has_emergency_stop && live.rosapi.fault.is_none() {
                        live.out.push(call(SERVICES_CALL, "/rosapi/services", &json!({})));
                    }
                    if is_up(source) {
                        self.is_up(source, &live);
                    }
                }
            }
            link.write(&mut live.out).await?;
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
        live.follow(source, self.clock.now());
        self.is_up(source, live);
        Ok(())
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
                live.rosapi.ask_for_nodes(&live.graph, &mut live.out);
                live.follow(source, now);
            }
            // What was listed before still holds.
            Answered::Topics(Err(_)) if is_up(source) => {}
            // A bridge is often started without it.
            Answered::Topics(Err(_)) => return self.without_rosapi(source, live),
            Answered::Taken => {}
            Answered::Other => {
                self.answered_service(live, id, values, frame.result);
                return Ok(());
            }
        }
        // By now it is a bridge that answers.
        if live.rosapi.is_complete() || is_up(source) {
            self.is_up(source, live);
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
                    live.out.push(call(TYPE_CALL, "/rosapi/service_type", &json!({"service": service})));
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
        let native = Native { dialect: NAME, topic: name.into(), payload, definition: None };
        live.rosapi.heard(name, now);
        match read(incoming, &mut live.localizer, message, now) {
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

    fn command(&mut self, live: &mut Live, request: CommandRequest) {
        let span = request.span();
        let _entered = span.enter();
        let now = self.clock.now();
        let is_stop = request.command.is_stop();
        let cancels = is_stop || request.command == Command::CancelNavigation;
        if cancels {
            live.cancel();
        }
        if request.command == Command::CancelNavigation && !live.graph.cancels.is_empty() {
            return request.answer(Outcome::Accepted);
        }
        if request.command == Command::EmergencyStop(false) {
            return match live.has_emergency_stop {
                true => live.call_emergency_stop(&self.prefix, false, request),
                // The gateway alone held the robot.
                false => request.answer(Outcome::Done),
            };
        }
        let Some((topic, message)) = command_message(&request.command, now) else {
            let reason = format!("ROS has no common message for {}", request.command.name());
            return request.answer(Outcome::unsupported(reason));
        };
        let Some((outgoing, message)) = self.addressed(live, topic, &message) else {
            let offered = live.graph.outgoing.get(topic.path);
            let reason = match offered {
                Some(it) => {
                    format!("{} takes {}, and {} is what can be sent", it.name, it.ros_type, topic.ros_type)
                }
                None => {
                    format!("no topic of the robot takes {}; see rosbridge.connect.topics", topic.ros_type)
                }
            };
            return match live.has_emergency_stop && request.command == Command::EmergencyStop(true) {
                true => live.call_emergency_stop(&self.prefix, true, request),
                false => request.answer(Outcome::not_now(reason)),
            };
        };
        // A subscriber that connects later receives the stop; no other command is sent late.
        let is_unheard = live.rosapi.nobody_subscribes(&outgoing.name);
        if !is_unheard || is_stop {
            request.sent();
            live.publish(&outgoing, &message);
        }
        if topic.path == CMD_VEL.path && (!is_unheard || is_stop) {
            let (until, every) = match &*request.command {
                Command::Drive { duration, .. } => (duration.map(|it| now.after(it)), SPEED_REPEAT_INTERVAL),
                _ => (Some(now.after(STOP_REPEAT_TIME)), STOP_REPEAT_INTERVAL),
            };
            let still = command_message(&Command::Stop { hold: false }, now);
            let still = still.and_then(|(topic, still)| self.addressed(live, topic, &still));
            let still = still.map_or_else(String::new, |(_, still)| still);
            let next = now.after(every);
            live.speed = Some(Repeated { outgoing: outgoing.clone(), message, still, until, every, next });
        }
        if request.command == Command::EmergencyStop(true) && live.has_emergency_stop {
            return live.call_emergency_stop(&self.prefix, true, request);
        }
        request.answer(match (is_unheard, is_stop) {
            (true, _) => Outcome::not_now(format!("nobody subscribes to {}", outgoing.name)),
            (false, true) => Outcome::Done,
            (false, false) => Outcome::Accepted,
        });
    }

    /// Where a command's message goes, and the message in the type that is taken there; `None` if nothing takes it.
    fn addressed(&self, live: &Live, topic: CommandTopic, message: &str) -> Option<(Outgoing, String)> {
        let outgoing = live.graph.outgoing.get(topic.path)?;
        let mut message: Json = serde_json::from_str(message).ok()?;
        let ros_type = plain_type(&outgoing.ros_type);
        if topic.path == CMD_VEL.path && ros_type == TWIST_STAMPED {
            message = json!({"header": {"frame_id": "base_link"}, "twist": message});
        } else if ros_type != topic.ros_type {
            return None;
        }
        // ROS 1 and ROS 2 spell it in two ways, and the robot's clock may be another: bridges fill in what is missing.
        if let Some(header) = message.get_mut("header").and_then(Json::as_object_mut) {
            header.remove("stamp");
        }
        Some((outgoing.clone(), message.to_string()))
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
        Box::pin(async move { reach(self.address.accepts().await) })
    }
}
