//! The same messages through a peer: mosquitto, fed with what the chassis says, as many subscribers.

use std::sync::Arc;
use std::time::Duration;

use latimer_core::Clock;
use latimer_e2e::{Mosquitto, gateway};
use serde_json::{Value, json};
use tokio::task::{JoinHandle, JoinSet};

use super::audience::Count;
use super::phase::Phase;
use super::{CONNECTIONS, TOPICS, VIDEO, VIEWERS, WARM_UP};
use crate::cpu;
use crate::mqtt::Mqtt;
use crate::websocket::WebSocket;

/// The figures; `None` if mosquitto is not installed.
pub(super) async fn run(clock: Clock, measured: Duration, chassis: &str) -> anyhow::Result<Option<Phase>> {
    if !Mosquitto::is_installed() {
        return Ok(None);
    }
    let broker = Mosquitto::start().await;
    let (pid, address) = (broker.pid(), broker.address());
    let count = Arc::new(Count::default());
    let mut readers = JoinSet::new();
    let each = (0..CONNECTIONS).map(|_| &TOPICS[..]).chain((0..VIEWERS).map(|_| &[VIDEO][..]));
    for (number, topics) in each.enumerate() {
        let mut client = Mqtt::connect(&address, &format!("subscriber-{number}")).await?;
        for topic in topics {
            client.subscribe(topic).await?;
        }
        let count = count.clone();
        readers.spawn(async move {
            while let Ok(payload) = client.message().await {
                count.note(payload.len());
            }
        });
    }
    let feeding = feed(chassis, &address).await?;
    clock.sleep(WARM_UP).await;
    let ((before, bytes_before), cpu_before) = (count.read(), cpu::of_process(pid)?);
    clock.sleep(measured).await;
    let ((after, bytes_after), cpu_after) = (count.read(), cpu::of_process(pid)?);
    feeding.abort();
    let seconds = measured.as_secs_f64();
    let phase = Phase {
        delivered_per_s: (after - before) as f64 / seconds,
        cpu_s: (cpu_after - cpu_before).as_secs_f64(),
        resident_bytes: gateway::resident_bytes(pid),
        ..Phase::default()
    };
    println!(
        "{:<20} {:>12.0} {:>9.2} {:>7.1} {:>9} {:>8.1}",
        "mosquitto",
        phase.delivered_per_s,
        (bytes_after - bytes_before) as f64 / seconds / 1e6,
        100.0 * phase.cpu_s / seconds,
        "",
        phase.resident_bytes as f64 / f64::from(1 << 20),
    );
    Ok(Some(phase))
}

/// Publishes each message of the chassis under its topic's name.
async fn feed(chassis: &str, broker: &str) -> anyhow::Result<JoinHandle<anyhow::Result<()>>> {
    let mut socket = WebSocket::connect(chassis, "/ws/v2/topics", None).await?;
    let topics: Vec<&str> = TOPICS.into_iter().chain([VIDEO]).collect();
    socket.send(&json!({"enable_topic": topics}).to_string()).await?;
    let mut publisher = Mqtt::connect(broker, "publisher").await?;
    Ok(tokio::spawn(async move {
        loop {
            let text = socket.text().await?;
            let message: Value = serde_json::from_str(text)?;
            if let Some(topic) = message["topic"].as_str() {
                publisher.publish(topic, text.as_bytes()).await?;
            }
        }
    }))
}
