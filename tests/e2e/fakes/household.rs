//! A household robot: tasks at a broker, and how they go. It knows no word for a stop.

use std::sync::Arc;
use std::time::Duration;

use latimer_e2e::mqtt::MqttClient;
use serde_json::{Value, json};

use super::{Base, Running, now};

/// What it calls itself.
pub(crate) const ID: &str = "R_9";
/// So long it waits for a task before it waits anew: it may get none for as long as it likes.
const WAITS: Duration = Duration::from_secs(10);

/// Connects a robot to a broker, until it is dropped.
pub(crate) async fn start(base: Arc<Base>, broker: &str) -> Running {
    let mut client = MqttClient::connect(broker, ID, true).await;
    client.subscribe("/dialogue/task", 0).await;
    Running::spawn(async move {
        loop {
            let Ok((_, text)) = tokio::time::timeout(WAITS, client.message()).await else { continue };
            let task: Value = serde_json::from_slice(&text).unwrap_or_default();
            if task["target_id"] != ID {
                continue;
            }
            base.told_to_go();
            tokio::time::sleep(base.takes()).await;
            let begins =
                json!({"performed_actions": [{"action": "goto", "target": task["parameter"]["to"]}]});
            for (kind, parameter) in [("confirm", json!({})), ("progress", begins)] {
                let status = json!({"source_id": ID, "timestamp": now().as_nanos() / 1_000_000_000,
                    "task_id": task["task_id"], "type": kind, "parameter": parameter});
                if !client.publish("/robots/status", status.to_string().as_bytes(), 0, false).await {
                    return;
                }
            }
        }
    })
}
