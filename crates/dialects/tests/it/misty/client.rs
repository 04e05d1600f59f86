//! A robot served as a Misty, and a client that sends text and reads JSON.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::model::signal::LinkState;
use latimer_core::{Hub, RobotId, Update};
use latimer_dialects::config::Serve;
use latimer_dialects::listen::Ports;
use latimer_dialects::misty::MistyConfig;
use latimer_dialects::{BuildContext, Configured};
pub(crate) use latimer_e2e::PATIENCE;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tokio_util::sync::CancellationToken;

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
    _stop: tokio_util::sync::DropGuard,
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
        let info = robot_info(robot(), family);
        let source = hub.register(info).unwrap();
        source.link(LinkState::Up, None);
        let serve =
            vec![Serve { robot: robot(), listen: "127.0.0.1:0".parse().unwrap(), allow_origins: Vec::new() }];
        let context = BuildContext { ports, ..BuildContext::new(&hub) };
        let built = Box::new(MistyConfig { serve, ..config }).build(context).await.unwrap().whole();
        let url = &built.endpoints[0].url;
        let address = url.trim_start_matches("ws://").trim_end_matches("/pubsub").to_owned();
        let stop = CancellationToken::new();
        tokio::spawn(built.service.run(stop.clone()));
        Self { hub, source, address, time: Time::standing(), _stop: stop.drop_guard() }
    }

    pub(crate) fn publish(&self, update: Update) {
        self.source.publish(update);
    }

    pub(crate) async fn client(&self) -> Client {
        let (socket, _) =
            tokio_tungstenite::connect_async(format!("ws://{}/pubsub", self.address)).await.unwrap();
        Client { socket, time: self.time.clone() }
    }

    pub(crate) fn url(&self, endpoint: &str) -> String {
        format!("http://{}/api/{endpoint}", self.address)
    }
}

/// One socket.
pub(crate) struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    time: Time,
}

impl Client {
    pub(crate) async fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text.to_owned())).await.unwrap();
    }

    /// The next frame; its text, so that the order of keys can be seen.
    pub(crate) async fn text(&mut self) -> String {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("a frame comes");
            match frame.expect("the socket stays").unwrap() {
                Message::Text(text) => return text.to_string(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    pub(crate) async fn json(&mut self) -> Value {
        serde_json::from_str(&self.text().await).unwrap()
    }

    /// All frames that were sent so far: what is answered next comes after them.
    pub(crate) async fn so_far(&mut self) -> Vec<Value> {
        self.send("[]").await;
        let mut frames = Vec::new();
        loop {
            let frame = self.json().await;
            if frame["message"].as_str().is_some_and(|answer| answer.contains("no JSON object")) {
                return frames;
            }
            frames.push(frame);
        }
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

/// A robot of a family, with what every one of it has; of a family that is none nothing is declared.
fn robot_info(robot: RobotId, family: &'static str) -> RobotInfo {
    match latimer_dialects::find(family) {
        Some(entry) => entry.robot(robot, Origin::Simulated),
        None => RobotInfo::new(robot, family, Origin::Simulated),
    }
}
