//! A robot served as a chassis, and a client that sends text and reads frames.

use std::sync::Arc;

use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::model::signal::{Battery, Frame, LinkState, Pose};
use latimer_core::model::{Native, Stamp};
use latimer_core::{Command, Hub, Outcome, PartName, RobotId, Signal, Update};
use latimer_dialects::BuildContext;
use latimer_dialects::axbot::AxbotConfig;
use latimer_dialects::listen::Ports;
use serde_json::json;

use crate::rig::{self, Refusal, Running, robot_info, served};
pub(crate) use crate::rig::{Client, PATIENCE};
use crate::time::Time;

pub(crate) fn robot() -> RobotId {
    RobotId::new("axbot-1").unwrap()
}

/// A gateway with one robot, served on a port of its own.
pub(crate) struct Chassis {
    pub(crate) hub: Hub,
    pub(crate) source: Source,
    pub(crate) address: String,
    pub(crate) running: Running,
    pub(crate) time: Time,
}

impl Chassis {
    pub(crate) async fn start() -> Self {
        Self::with("test", AxbotConfig::default()).await
    }

    pub(crate) async fn with(family: &'static str, config: AxbotConfig) -> Self {
        Self::serving(robot_info(&robot(), family), config, Ports::default()).await
    }

    /// The same behind ports that authenticate clients.
    pub(crate) async fn behind(ports: Ports) -> Self {
        Self::serving(robot_info(&robot(), "test"), AxbotConfig::default(), ports).await
    }

    /// A chassis of its own, to which the gateway is connected.
    pub(crate) async fn connected() -> Self {
        let origin = Origin::Connected("192.168.25.25:8090".into());
        let info = RobotInfo { origin, ..robot_info(&robot(), "axbot") };
        Self::serving(info, AxbotConfig::default(), Ports::default()).await
    }

    async fn serving(info: RobotInfo, config: AxbotConfig, ports: Ports) -> Self {
        let hub = crate::deriving_hub();
        let source = hub.register(info).unwrap();
        source.link(LinkState::Up, None);
        let context = BuildContext { ports, ..BuildContext::new(&hub) };
        let running =
            Running::start(Box::new(AxbotConfig { serve: served(&robot()), ..config }), context).await;
        Self { hub, source, address: running.authority(), running, time: Time::standing() }
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
        Client::open(format!("ws://{}{path}", self.address), self.time.clone(), REFUSAL).await
    }

    /// Takes the next command of a client and answers it.
    pub(crate) async fn answer(&mut self, outcome: Outcome) -> Command {
        rig::answer(&mut self.source, outcome).await
    }
}

/// What a server answers to nonsense.
const REFUSAL: Refusal = Refusal { sent: "{", key: "error", contains: "not JSON" };

impl Client {
    /// Enables topics and takes the answer, which is checked to name all that were enabled.
    pub(crate) async fn enable(&mut self, topics: &[&str]) {
        self.send(json!({ "enable_topic": topics })).await;
        let answer = self.json().await;
        let names = answer["enabled_topics"].as_array().unwrap();
        assert!(topics.iter().all(|topic| names.contains(&json!(topic))), "{answer}");
        assert!(answer.get("error").is_none(), "{answer}");
    }
}
