//! The gateway as a client of a Misty: one connection until it drops; it never retries.
//!
//! ```text
//! connect ──▶ GET device ──▶ up ─┬─ frame ──decode──▶ signals ──▶ hub
//!                                ├─ demand changed ──plan──▶ subscribe / unsubscribe
//!                                ├─ command ──dispatcher──▶ REST, in order; a stop overtakes
//!                                └─ silence ──▶ ping ──▶ end
//! ```

pub mod decode;
mod plan;
mod rest;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use latimer_core::dispatcher::Dispatcher;
use latimer_core::hub::Source;
use latimer_core::model::Native;
use latimer_core::model::signal::{Device, LinkState};
use latimer_core::supervisor::{Reach, Session, SessionEnd};
use latimer_core::{Clock, Timestamp, Update};
use latimer_listen::{Address, Trust};
use serde_json::Value as Json;

use super::map::{self, signals_from_message};
use super::rest::call::Call;
use super::rest::row::Method;
use super::wire::EventType;
use crate::link::{Link, publish_received, publish_unknown, reach};
use crate::misty::limits::{RECEIVED_FRAME_MAX_BYTES, SENT_FRAME_MAX_BYTES};
use crate::socket::connected;
use crate::throttled_warning::ThrottledWarning;
use decode::{Decoded, decode};
use plan::{Wish, is_taken_from, wishes};
use rest::Rest;

/// A connection to one robot.
#[derive(Debug)]
pub(super) struct MistySession {
    address: Address,
    trust: Trust,
    clock: Clock,
    odd: ThrottledWarning,
}

impl MistySession {
    /// For a robot at an address.
    pub(super) fn new(address: Address, trust: Trust, clock: Clock) -> Self {
        Self { address, trust, clock, odd: ThrottledWarning::default() }
    }

    async fn serve(&mut self, source: &mut Source, rest: Rest) -> Result<Infallible, SessionEnd> {
        let (at, config) =
            ((&self.address, "/pubsub"), connected(SENT_FRAME_MAX_BYTES, RECEIVED_FRAME_MAX_BYTES));
        let mut link = Link::connect(at, &self.trust, config, "robot", self.clock, source).await?;
        source.link(LinkState::Up, None);
        self.introduce(source, &rest).await;
        let dispatcher = Dispatcher::start(source.robot().clone(), self.clock, rest);
        // Names are the robot's, for all of its clients: ours must not be another's.
        let prefix = format!("latimer-{:08x}", rand::random::<u32>());
        let mut live = Live { prefix, current: BTreeMap::new(), types: BTreeMap::new() };
        let mut demand = source.demand();
        demand.mark_changed();
        let mut tick = tokio::time::interval(Duration::from_secs(1));
        loop {
            let mut out = Vec::new();
            tokio::select! {
                text = link.receive() => {
                    if let Some(text) = text? {
                        self.receive(source, &live, &text, self.clock.now());
                    }
                }
                Ok(()) = demand.changed() => out = live.follow(source),
                request = source.next_command() => dispatcher.take(request.command.clone(), request),
                _ = tick.tick() => link.tick(source)?,
            }
            link.write(&mut out).await?;
        }
    }

    /// Asks the robot who it is; a robot that does not say is served all the same.
    async fn introduce(&self, source: &Source, rest: &Rest) {
        let call = Call { method: Method::Get, endpoint: "device", body: Json::Null };
        match rest.call(&call).await {
            Ok(result) => {
                let payload = Bytes::from(result.to_string());
                let device = device_from_json(&result);
                let mut update = Update::now(source.robot(), self.clock.now(), device.into());
                update.native =
                    Some(Native { dialect: super::NAME, topic: "device".into(), payload, definition: None });
                source.publish(update);
            }
            Err(error) => tracing::warn!(robot = %source.robot(), %error, "does not say what it is"),
        }
    }

    fn receive(&mut self, source: &Source, live: &Live, text: &str, received: Timestamp) {
        match decode(text, |name| live.type_of(name)) {
            Decoded::Registered { .. } => {}
            Decoded::Status { event_name, text } => {
                self.odd(source, received, &format!("{event_name}: {text}"))
            }
            Decoded::Garbage { reason } => self.odd(source, received, &reason),
            Decoded::Unknown { topic, payload, reason } => {
                self.not_understood(source, received, &topic, payload, &reason);
            }
            Decoded::Event { message, payload } => {
                let event_type = message.event_type();
                let topic: Arc<str> = event_type.as_str().into();
                let taken = |incoming: &map::Received| is_taken_from(incoming.signal.kind(), event_type);
                let signals = match signals_from_message(&message, received) {
                    Ok(signals) => signals,
                    Err(incomplete) => {
                        let reason = format!("{event_type}: {incomplete}");
                        return self.not_understood(source, received, &topic, payload, &reason);
                    }
                };
                let native = Native { dialect: super::NAME, topic, payload, definition: None };
                publish_received(source, signals.into_iter().filter(taken), received, &native);
            }
        }
    }

    /// Passes through what has no meaning here.
    fn not_understood(
        &mut self,
        source: &Source,
        received: Timestamp,
        topic: &str,
        payload: Bytes,
        reason: &str,
    ) {
        self.odd(source, received, reason);
        publish_unknown(
            source,
            received,
            Native { dialect: super::NAME, topic: topic.into(), payload, definition: None },
        );
    }

    fn odd(&mut self, source: &Source, now: Timestamp, reason: &str) {
        if let Some(count) = self.odd.due(now, 1) {
            let robot = source.robot();
            tracing::warn!(%robot, %reason, count, "a frame is not understood and passed through");
        }
    }
}

impl Session for MistySession {
    fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd> {
        Box::pin(async move {
            let rest = Rest::new(self.address.clone(), &self.trust);
            match self.serve(source, rest).await {
                Err(end) => end,
            }
        })
    }

    fn probe(&mut self) -> BoxFuture<'_, Option<Reach>> {
        Box::pin(async move { reach(self.address.accepts().await) })
    }
}

/// The subscriptions that the robot has of us.
struct Live {
    prefix: String,
    current: BTreeMap<String, Wish>,
    /// Also of subscriptions that ended, because some of their frames are still on the way.
    types: BTreeMap<String, EventType>,
}

impl Live {
    fn type_of(&self, event_name: &str) -> Option<EventType> {
        self.types.get(event_name).copied()
    }

    /// The messages that bring the robot's subscriptions to what is wanted now.
    fn follow(&mut self, source: &Source) -> Vec<String> {
        let wanted: BTreeMap<String, Wish> = wishes(|kind, part| source.wants(kind, part))
            .into_keys()
            .map(|wish| (wish.name(&self.prefix), wish))
            .collect();
        let gone = self.current.iter().filter(|(name, _)| !wanted.contains_key(*name));
        let new = wanted.iter().filter(|(name, _)| !self.current.contains_key(*name));
        let mut messages: Vec<String> = gone.map(|(_, wish)| wish.unsubscribe(&self.prefix)).collect();
        messages.extend(new.map(|(_, wish)| wish.subscribe(&self.prefix)));
        self.types.extend(wanted.iter().map(|(name, wish)| (name.clone(), wish.event_type)));
        self.current = wanted;
        messages
    }
}

/// `GET device`: what it is, in the model's words.
fn device_from_json(result: &Json) -> Device {
    let text = |name: &str| result.get(name).and_then(Json::as_str).map(str::to_owned);
    let hardware =
        result.get("hardwareInfo").and_then(|info| info.get("hardwareVersion")).and_then(Json::as_str);
    Device {
        maker: Some("Misty Robotics".into()),
        model: text("sku").or_else(|| Some("Misty II".into())),
        serial: text("serialNumber"),
        name: text("robotName"),
        firmware: text("robotVersion"),
        hardware: hardware.map(str::to_owned),
        ip_address: text("ipAddress"),
        mac_address: text("macAddress"),
        ..Device::UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::hub::{Hub, Origin, RobotInfo};
    use latimer_core::model::Kind;
    use latimer_core::{PartName, RobotId};

    use super::*;

    #[test]
    fn an_event_that_lacks_what_it_is_about_is_passed_through() {
        let hub = Hub::new(Clock::system());
        let robot = RobotId::new("misty-1").unwrap();
        let info = RobotInfo::new(robot.clone(), "misty", Origin::Simulated);
        let source = hub.register(info).unwrap();
        let mut session =
            MistySession::new(Address::parse("127.0.0.1", Some(80)).unwrap(), Trust::default(), hub.clock());
        let types = BTreeMap::from([("a".to_owned(), EventType::BumpSensor)]);
        let live = Live { prefix: String::new(), current: BTreeMap::new(), types };
        let now = hub.clock().now();
        session.receive(&source, &live, r#"{"eventName":"a","message":{"sensorId":"bfr"}}"#, now);
        let other = hub.last(&robot, Kind::Other, None).unwrap();
        let native = other.native.as_ref().unwrap();
        assert_eq!((&*native.topic, &*native.payload), ("BumpSensor", &br#"{"sensorId":"bfr"}"#[..]));
        let bumper = PartName::of("bump_front_right");
        assert!(hub.last(&robot, Kind::Contact, Some(&bumper)).is_none());
        session.receive(
            &source,
            &live,
            r#"{"eventName":"a","message":{"sensorId":"bfr","isContacted":true}}"#,
            now,
        );
        assert!(hub.last(&robot, Kind::Contact, Some(&bumper)).is_some());
    }
}
