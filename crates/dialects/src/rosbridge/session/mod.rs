//! The gateway as a client of a rosbridge: one connection until it drops; it never retries.
//!
//! ```text
//! connect ──▶ /rosapi/topics, again every few seconds ──▶ up ─┬─ publish ──decode──▶ signals ──▶ hub
//!                                                             ├─ demand or topics changed ──▶ subscribe / unsubscribe
//!                                                             └─ command ──▶ publish; a speed that lasts is repeated
//! ```

mod live;

use std::convert::Infallible;

use async_trait::async_trait;
use bytes::Bytes;
use latimer_core::hub::{CommandRequest, Source};
use latimer_core::model::signal::LinkState;
use latimer_core::model::{Native, PartName};
use latimer_core::supervisor::{Reach, Session, SessionEnd};
use latimer_core::{Clock, Command, Outcome, Timestamp};
use latimer_listen::{Address, Trust};
use latimer_ros1::msgs::{Message, std_msgs};
use live::{Cancel, Live, Repeated, Topics, call, repeat_is_due};
use serde_json::{Value as Json, json};

use super::NAME;
use super::protocol::{Frame, publish};
use super::topics::{CMD_VEL, EMERGENCY_STOP, TOPICS, command_message, find};
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
/// What the topic on which an action of ROS 2 tells its goals ends with, and the service that cancels them.
const ACTION_STATUS: &str = "/_action/status";
const CANCEL_GOAL: &str = "/_action/cancel_goal";
/// The names of our calls.
const TOPICS_CALL: &str = "latimer:topics";
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
    clock: Clock,
    odd: ThrottledWarning,
}

impl RosbridgeSession {
    pub(super) fn new(address: Address, prefix: String, trust: Trust, clock: Clock) -> Self {
        Self { address, trust, prefix, clock, odd: ThrottledWarning::default() }
    }

    async fn serve(&mut self, source: &mut Source) -> Result<Infallible, SessionEnd> {
        // A bridge below the root of a server is at that path, without a slash behind it.
        let path = if self.address.has_path() { "" } else { "/" };
        let (at, config) = ((&self.address, path), connected(SENT_FRAME_MAX_BYTES, RECEIVED_FRAME_MAX_BYTES));
        let mut link = Link::connect(at, &self.trust, config, "bridge", self.clock, source).await?;
        let mut live = Live::default();
        let mut demand = source.demand();
        let mut asks = tokio::time::interval(TOPICS_POLL_INTERVAL);
        loop {
            tokio::select! {
                text = link.receive() => {
                    if let Some(text) = text? {
                        self.receive(source, &mut live, &text, self.clock.now())?;
                    }
                }
                Ok(()) = demand.changed() => live.follow(source),
                request = source.next_command() => self.command(&mut live, request),
                () = repeat_is_due(self.clock, live.speed.as_ref()) => self.repeat(&mut live),
                _ = asks.tick() => {
                    link.tick(source)?;
                    live.out.push(call(TOPICS_CALL, "/rosapi/topics", &json!({})));
                    if !live.has_emergency_stop {
                        live.out.push(call(SERVICES_CALL, "/rosapi/services", &json!({})));
                    }
                }
            }
            link.write(&mut live.out).await?;
        }
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
        let is_up = || source.link_now().state == LinkState::Up;
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
            "service_response" if frame.id == Some(TOPICS_CALL.into()) => match frame.result {
                // A bridge is often started without it.
                Some(false) if !is_up() => {
                    let said = frame.values.as_ref().map(Json::to_string).unwrap_or_default();
                    return Err(SessionEnd::retry(format!(
                        "the bridge cannot list its topics, as rosapi does: {said}; start rosapi beside it"
                    )));
                }
                // What was listed before still holds.
                Some(false) => {}
                Some(true) | None => {
                    live.topics = self.topics(frame.values.as_ref());
                    live.cancels = self.cancels(frame.values.as_ref());
                    live.follow(source);
                    // By now it is a bridge that answers.
                    if !is_up() {
                        source.link(LinkState::Up, None);
                    }
                }
            },
            "service_response" => self.answered(live, frame),
            "status" => {
                let text = frame.msg.map(|msg| msg.get().to_owned()).unwrap_or_default();
                self.odd(source, now, &format!("the bridge says {text}"));
            }
            _ => {}
        }
        Ok(())
    }

    /// An answer beside the list of topics.
    fn answered(&self, live: &mut Live, frame: &Frame<'_>) {
        let service = format!("{}{}", self.prefix, EMERGENCY_STOP.0);
        let values = frame.values.as_ref();
        match frame.id.as_ref().and_then(Json::as_str) {
            Some(SERVICES_CALL) => {
                let mut services = values.and_then(|it| it["services"].as_array()).into_iter().flatten();
                if services.any(|it| it.as_str() == Some(&service)) {
                    live.out.push(call(TYPE_CALL, "/rosapi/service_type", &json!({"service": service})));
                }
            }
            Some(TYPE_CALL) => {
                let ros_type = values.and_then(|it| it["type"].as_str()).unwrap_or_default();
                live.has_emergency_stop = ros_type.replacen("/srv/", "/", 1) == EMERGENCY_STOP.1;
            }
            Some(id) => {
                let number =
                    id.strip_prefix(EMERGENCY_CALL).and_then(|it| it.strip_prefix(':')?.parse().ok());
                let place = live.calls.iter().position(|(it, _)| Some(*it) == number);
                let Some((_, request)) = place.and_then(|place| live.calls.remove(place)) else { return };
                let is_done = frame.result != Some(false)
                    && values.and_then(|it| it["success"].as_bool()) != Some(false);
                let said = values.and_then(|it| it["message"].as_str()).unwrap_or("the bridge refuses it");
                request.answer(if is_done { Outcome::Done } else { Outcome::not_now(said.to_owned()) });
            }
            None => {}
        }
    }

    fn receive_message(
        &mut self,
        source: &Source,
        live: &Live,
        name: &str,
        (message, plain): (&str, &str),
        now: Timestamp,
    ) {
        let Some((topic, part)) = live.topics.get(name) else { return };
        let payload = Bytes::copy_from_slice(plain.as_bytes());
        let native = Native { dialect: NAME, topic: name.into(), payload, definition: None };
        match topic.decode(message, part.as_ref(), now) {
            Ok(received) => publish_received(source, received, now, &native),
            Err(error) => {
                self.odd(source, now, &format!("{name}: {error}"));
                publish_unknown(source, now, native);
            }
        }
    }

    /// The robot's topics among those of the bridge: by their paths, or else by their types.
    fn topics(&self, values: Option<&Json>) -> Topics {
        let list = |name: &str| values.and_then(|it| it[name].as_array()).cloned().unwrap_or_default();
        let mut found = Topics::new();
        for (name, ros_type) in list("topics").iter().zip(list("types")) {
            let (Some(name), Some(ros_type)) = (name.as_str(), ros_type.as_str()) else { continue };
            let ros_type = ros_type.replacen("/msg/", "/", 1);
            let Some(path) = name.strip_prefix(&self.prefix) else { continue };
            let own = find(path).filter(|(topic, _)| topic.ros_type == ros_type);
            let meant = own.or_else(|| {
                // A truth value or a text may be anything.
                let is_clear = ![std_msgs::Bool::TYPE, std_msgs::String::TYPE].contains(&ros_type.as_str());
                let topic = TOPICS.iter().find(|topic| topic.ros_type == ros_type && is_clear)?;
                if topic.is_by_part() {
                    return Some((topic, Some(PartName::of(&path.replace('/', "_")))));
                }
                // Of two topics of a type the first is meant.
                let is_first = !found.values().any(|(known, _)| known.path == topic.path);
                is_first.then_some((topic, None))
            });
            found.extend(meant.map(|it| (name.to_owned(), it)));
        }
        found
    }

    /// How the goals of the robot's actions are cancelled, by the bridge's topics.
    fn cancels(&self, values: Option<&Json>) -> Vec<Cancel> {
        let list = |name: &str| values.and_then(|it| it[name].as_array()).into_iter().flatten();
        let named = list("topics").zip(list("types"));
        let own = named.filter_map(|(name, ros_type)| Some((name.as_str()?, ros_type.as_str()?)));
        let own = own.filter(|(name, _)| name.starts_with(&self.prefix));
        let cancel = |(name, ros_type): (&str, &str)| match name.strip_suffix(ACTION_STATUS) {
            Some(action) => Some(Cancel::Service(format!("{action}{CANCEL_GOAL}"))),
            None if name.ends_with("/cancel") && ros_type.replacen("/msg/", "/", 1) == GOAL_ID => {
                Some(Cancel::Topic(name.to_owned()))
            }
            None => None,
        };
        own.filter_map(cancel).collect()
    }

    fn command(&mut self, live: &mut Live, request: CommandRequest) {
        let span = request.span();
        let _entered = span.enter();
        let now = self.clock.now();
        let cancels = request.command.is_stop() || request.command == Command::CancelNavigation;
        if cancels {
            live.cancel();
        }
        if request.command == Command::CancelNavigation && !live.cancels.is_empty() {
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
        let name = format!("{}{}", self.prefix, topic.path);
        request.sent();
        live.publish(&name, topic.ros_type, &message);
        if topic.path == CMD_VEL.path {
            let (until, every) = match &*request.command {
                Command::Drive { duration, .. } => (duration.map(|it| now.after(it)), SPEED_REPEAT_INTERVAL),
                _ => (Some(now.after(STOP_REPEAT_TIME)), STOP_REPEAT_INTERVAL),
            };
            live.speed = Some(Repeated { message, until, every, next: now.after(every) });
        }
        if request.command == Command::EmergencyStop(true) && live.has_emergency_stop {
            return live.call_emergency_stop(&self.prefix, true, request);
        }
        let outcome = if request.command.is_stop() { Outcome::Done } else { Outcome::Accepted };
        request.answer(outcome);
    }

    /// Publishes the present speed once more, or a stop when its time is over.
    fn repeat(&self, live: &mut Live) {
        let Some(Repeated { message, until, every, next }) = &mut live.speed else { return };
        let name = format!("{}{}", self.prefix, CMD_VEL.path);
        let now = self.clock.now();
        if until.is_none_or(|until| now < until) {
            live.out.push(publish(&name, message));
            *next = now.after(*every);
        } else if let Some((_, still)) = command_message(&Command::Stop { hold: false }, now) {
            live.out.push(publish(&name, &still));
            live.speed = None;
        }
    }

    fn odd(&mut self, source: &Source, now: Timestamp, reason: &str) {
        if let Some(count) = self.odd.due(now, 1) {
            tracing::warn!(robot = %source.robot(), %reason, count, "a frame is not understood");
        }
    }
}

#[async_trait]
impl Session for RosbridgeSession {
    async fn run(&mut self, source: &mut Source) -> SessionEnd {
        match self.serve(source).await {
            Err(end) => end,
        }
    }

    async fn probe(&mut self) -> Option<Reach> {
        reach(self.address.accepts().await)
    }
}
