//! The same fan-out through a peer: Debian's mosquitto, one topic, messages of equal size.

use std::time::Duration;

use anyhow::Context;
use latimer_core::{Clock, Timestamp};
use latimer_e2e::Mosquitto;
use tokio::sync::watch;

use crate::fan_out::{self, Plan, Run};
use crate::load::Heard;
use crate::mqtt::Mqtt;

const TOPIC: &str = "misty/imu";
/// 50 Hz.
const PERIOD: Duration = Duration::from_millis(20);

/// The same fan-out; `None` if mosquitto is not installed.
pub(crate) async fn fan_out(plan: Plan, clock: Clock, payload_bytes: usize) -> anyhow::Result<Option<Run>> {
    if !Mosquitto::is_installed() {
        return Ok(None);
    }
    let broker = Mosquitto::start().await;
    let address = broker.address();
    let (stop, stopped) = watch::channel(false);
    let mut readers = Vec::new();
    for i in 0..plan.subscribers {
        let mut client = Mqtt::connect(&address, &format!("subscriber-{i}")).await?;
        client.subscribe(TOPIC).await?;
        readers.push(tokio::spawn(read(client, clock, stopped.clone())));
    }
    let publisher = Mqtt::connect(&address, "publisher").await?;
    tokio::spawn(publish(publisher, clock, payload_bytes, stopped));
    fan_out::measure(plan, clock, broker.pid(), stop, readers).await.map(Some)
}

async fn publish(
    mut publisher: Mqtt,
    clock: Clock,
    payload_bytes: usize,
    mut stopped: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let mut ticks = tokio::time::interval(PERIOD);
    loop {
        tokio::select! {
            _ = stopped.changed() => return Ok(()),
            _ = ticks.tick() => {}
        }
        let created = clock.now().as_nanos();
        let mut payload = format!("{created} ").into_bytes();
        payload.resize(payload_bytes, b'x');
        publisher.publish(TOPIC, &payload).await?;
    }
}

async fn read(
    mut client: Mqtt,
    clock: Clock,
    mut stopped: watch::Receiver<bool>,
) -> anyhow::Result<(Heard, usize)> {
    let (mut received, mut bytes) = (Heard::default(), 0);
    loop {
        let payload = tokio::select! {
            _ = stopped.changed() => return Ok((received, bytes)),
            payload = client.message() => payload?,
        };
        bytes = bytes.max(payload.len());
        received.note(created(payload).context("a message without a stamp")?, clock.now());
    }
}

/// The stamp that a message begins with.
fn created(payload: &[u8]) -> Option<Timestamp> {
    let stamp = payload.split(|byte| *byte == b' ').next()?;
    std::str::from_utf8(stamp).ok()?.parse().ok().map(Timestamp::from_nanos)
}
