//! A robot served as a chassis, and a client that sends text and reads frames.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::model::signal::{Battery, Frame, LinkState, Pose};
use latimer_core::model::{Native, Stamp};
use latimer_core::{Command, Hub, Outcome, PartName, RobotId, Signal, Update};
use latimer_dialects::axbot::AxbotConfig;
use latimer_dialects::config::Serve;
use latimer_dialects::listen::Ports;
use latimer_dialects::{BuildContext, Configured};
pub(crate) use latimer_e2e::PATIENCE;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::time::Time;

pub(crate) fn robot() -> RobotId {
    RobotId::new("axbot-1").unwrap()
}

/// A gateway with one robot, served on a port of its own.
pub(crate) struct Chassis {
    pub(crate) hub: Hub,
    pub(crate) source: Source,
    pub(crate) address: String,
    pub(crate) stop: DropGuard,
    pub(crate) time: Time,
}

impl Chassis {
    pub(crate) async fn start() -> Self {
        Self::with("test", AxbotConfig::default()).await
    }

    pub(crate) async fn with(family: &'static str, config: AxbotConfig) -> Self {
        Self::serving(robot_info(robot(), family), config, Ports::default()).await
    }

    /// The same behind ports that authenticate clients.
    pub(crate) async fn behind(ports: Ports) -> Self {
        Self::serving(robot_info(robot(), "test"), AxbotConfig::default(), ports).await
    }

    /// A chassis of its own, to which the gateway is connected.
    pub(crate) async fn connected() -> Self {
        let origin = Origin::Connected("192.168.25.25:8090".into());
        let info = RobotInfo { origin, ..robot_info(robot(), "axbot") };
        Self::serving(info, AxbotConfig::default(), Ports::default()).await
    }

    async fn serving(info: RobotInfo, config: AxbotConfig, ports: Ports) -> Self {
        let hub = crate::deriving_hub();
        let source = hub.register(info).unwrap();
        source.link(LinkState::Up, None);
        let serve =
            vec![Serve { robot: robot(), listen: "127.0.0.1:0".parse().unwrap(), allow_origins: Vec::new() }];
        let context = BuildContext { ports, ..BuildContext::new(&hub) };
        let built = Box::new(AxbotConfig { serve, ..config }).build(context).await.unwrap().whole();
        let url = &built.endpoints[0].url;
        let address = url.trim_start_matches("ws://").trim_end_matches("/ws/v2/topics").to_owned();
        let stop = CancellationToken::new();
        tokio::spawn(built.service.run(stop.clone()));
        Self { hub, source, address, stop: stop.drop_guard(), time: Time::standing() }
    }

    /// Says something in the model's words and in a chassis's own.
    pub(crate) fn publish(
        &self,
        part: Option<&str>,
        signal: impl Into<Signal>,
        topic: &str,
        payload: impl AsRef<[u8]>,
    ) {
        let now = self.hub.clock().now();
        let payload = payload.as_ref().to_vec().into();
        self.source.publish(Update {
            robot: robot(),
            part: part.map(PartName::of),
            stamp: Stamp::robot(now),
            received: now,
            signal: signal.into(),
            native: Some(Native { dialect: "axbot", topic: Arc::from(topic), payload, definition: None }),
            provenance: None,
        });
    }

    pub(crate) fn say_battery(&self, percentage: f64) {
        let battery = Battery { charge_ratio: Some(percentage), ..Battery::UNKNOWN };
        let frame = json!({"topic": "/battery_state", "percentage": percentage});
        self.publish(None, battery, "/battery_state", frame.to_string());
    }

    pub(crate) fn say_pose(&self, part: Option<&str>, frame: Frame, x_m: f64) {
        let pose = Pose { frame, x_m, y_m: 0.0, z_m: 0.0, roll_rad: 0.0, pitch_rad: 0.0, yaw_rad: 0.0 };
        let text = json!({"topic": "/tracked_pose", "pos": [x_m, 0.0], "ori": 0.0});
        self.publish(part, pose, "/tracked_pose", text.to_string());
    }

    pub(crate) async fn client(&self) -> Client {
        self.client_at("/ws/v2/topics").await
    }

    pub(crate) async fn client_at(&self, path: &str) -> Client {
        let url = format!("ws://{}{path}", self.address);
        Client { socket: tokio_tungstenite::connect_async(url).await.unwrap().0, time: self.time.clone() }
    }

    /// Takes the next command of a client and answers it.
    pub(crate) async fn answer(&mut self, outcome: Outcome) -> Command {
        let request = tokio::time::timeout(PATIENCE, self.source.next_command()).await.expect("a command");
        let command = request.command.clone();
        request.answer(outcome);
        command
    }
}

/// One socket.
pub(crate) struct Client {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    time: Time,
}

impl Client {
    pub(crate) async fn send(&mut self, text: impl ToString) {
        self.socket.send(Message::text(text.to_string())).await.unwrap();
    }

    /// The next frame that is no ping.
    pub(crate) async fn message(&mut self) -> Message {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("a frame comes");
            match frame.expect("the socket stays").unwrap() {
                Message::Ping(_) | Message::Pong(_) => {}
                other => return other,
            }
        }
    }

    pub(crate) async fn text(&mut self) -> String {
        match self.message().await {
            Message::Text(text) => text.to_string(),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn json(&mut self) -> Value {
        serde_json::from_str(&self.text().await).unwrap()
    }

    /// All frames that were sent so far: what is answered next comes after them.
    pub(crate) async fn so_far(&mut self) -> Vec<Value> {
        self.send("{").await;
        let mut frames = Vec::new();
        loop {
            let frame = self.json().await;
            if frame["error"].as_str().is_some_and(|error| error.contains("not JSON")) {
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

    /// Enables topics and takes the answer, which is checked to name all that were enabled.
    pub(crate) async fn enable(&mut self, topics: &[&str]) {
        self.send(json!({ "enable_topic": topics })).await;
        let answer = self.json().await;
        let names = answer["enabled_topics"].as_array().unwrap();
        assert!(topics.iter().all(|topic| names.contains(&json!(topic))), "{answer}");
        assert!(answer.get("error").is_none(), "{answer}");
    }
}

/// A robot of a family, with what every one of it has; of a family that is none nothing is declared.
fn robot_info(robot: RobotId, family: &'static str) -> RobotInfo {
    match latimer_dialects::find(family) {
        Some(entry) => entry.robot(robot, Origin::Simulated),
        None => RobotInfo::new(robot, family, Origin::Simulated),
    }
}
