//! A robot served as a Misty, and a client that sends text and reads JSON.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use latimer_core::hub::Source;
use latimer_core::{Hub, RobotId, Update};
use latimer_dialects::BuildContext;
use latimer_dialects::listen::Ports;
use latimer_dialects::misty::MistyConfig;
use serde_json::Value;

pub(crate) use crate::rig::PATIENCE;
use crate::rig::{Running, Socket, play, served};
use crate::time::Time;

pub(crate) const REGISTERED: &str = "Registration Status: API event registered.";

pub(crate) fn robot() -> RobotId {
    RobotId::new("misty-1").unwrap()
}

/// A gateway with one robot, served on a port of its own.
pub(crate) struct Misty {
    pub(crate) hub: Hub,
    pub(crate) source: Source,
    pub(crate) address: String,
    pub(crate) time: Time,
    _running: Running,
}

impl Misty {
    pub(crate) async fn start(config: MistyConfig) -> Self {
        Self::of("test", config).await
    }

    /// The same of a family.
    pub(crate) async fn of(family: &'static str, config: MistyConfig) -> Self {
        Self::serving(family, config, Ports::default()).await
    }

    /// The same behind ports that authenticate clients.
    pub(crate) async fn behind(ports: Ports) -> Self {
        Self::serving("test", MistyConfig::default(), ports).await
    }

    async fn serving(family: &'static str, config: MistyConfig, ports: Ports) -> Self {
        let hub = crate::deriving_hub();
        let source = play(&hub, "misty-1", family);
        let context = BuildContext { ports, ..BuildContext::new(&hub) };
        let running =
            Running::start(Box::new(MistyConfig { serve: served(&robot()), ..config }), context).await;
        Self { hub, source, address: running.authority(), time: Time::standing(), _running: running }
    }

    pub(crate) fn publish(&self, update: Update) {
        self.source.publish(update);
    }

    pub(crate) async fn client(&self) -> Client {
        let socket = Socket::open(format!("ws://{}/pubsub", self.address)).await;
        Client { socket, time: self.time.clone() }
    }

    pub(crate) fn url(&self, endpoint: &str) -> String {
        format!("http://{}/api/{endpoint}", self.address)
    }
}

/// One socket.
pub(crate) struct Client {
    socket: Socket,
    time: Time,
}

impl Deref for Client {
    type Target = Socket;

    fn deref(&self) -> &Socket {
        &self.socket
    }
}

impl DerefMut for Client {
    fn deref_mut(&mut self) -> &mut Socket {
        &mut self.socket
    }
}

impl Client {
    /// All frames that were sent so far.
    pub(crate) async fn so_far(&mut self) -> Vec<Value> {
        let refuses =
            |frame: &Value| frame["message"].as_str().is_some_and(|it| it.contains("no JSON object"));
        self.socket.so_far("[]", refuses).await
    }

    /// All frames that are sent within a time.
    pub(crate) async fn all_within(&mut self, time: Duration) -> Vec<Value> {
        self.time.pass(time).await;
        self.so_far().await
    }

    /// Subscribes with more fields of the message, e.g. `"DebounceMs":0`, and takes the answer.
    pub(crate) async fn subscribe(&mut self, event_type: &str, name: &str, more: &str) {
        let comma = if more.is_empty() { "" } else { "," };
        let message =
            format!(r#"{{"Operation":"subscribe","Type":"{event_type}","EventName":"{name}"{comma}{more}}}"#);
        self.send(&message).await;
        let answer = self.text().await;
        assert_eq!(answer, format!(r#"{{"eventName":"{name}","message":"{REGISTERED}"}}"#));
    }
}
