//! A robot of a Pera swarm: orders as texts at a broker; a localisation camera may tell where it is.

use std::sync::Arc;
use std::time::Duration;

use latimer_e2e::mqtt::MqttClient;
use serde_json::json;

use super::{Base, Running};

/// Its number.
pub(crate) const ID: u32 = 7;
/// Between two places that the camera tells.
const PERIOD: Duration = Duration::from_millis(100);

/// Connects a robot to a broker, until it is dropped.
pub(crate) async fn start(base: Arc<Base>, broker: &str) -> Running {
    let mut client = MqttClient::connect(broker, "robot_7", true).await;
    client.subscribe("v1/robot/msg/+", 0).await;
    Running::spawn(async move {
        let mut ticks = tokio::time::interval(PERIOD);
        loop {
            let (topic, message) = tokio::select! {
                (_, order) = client.message() => match String::from_utf8_lossy(&order).split(' ').next() {
                    Some("ID?") => ("v1/robot/live", json!({"id": ID, "reality": "R"})),
                    Some("START") => {
                        base.told_to_go();
                        continue;
                    }
                    Some("STOP") => {
                        base.told_to_stop();
                        continue;
                    }
                    _ => continue,
                },
                _ = ticks.tick() => {
                    if base.report().is_none() {
                        continue;
                    }
                    let place = json!([{"id": ID, "x": base.x_m() * 100.0, "y": 0.0, "heading": 0.0, "reality": "R"}]);
                    ("v1/localization/update", place)
                }
            };
            if !client.publish(topic, message.to_string().as_bytes(), 0, false).await {
                return;
            }
        }
    })
}
