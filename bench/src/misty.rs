//! The fan-out of Misty's facade.

use anyhow::{Context, bail};
use latimer_core::{Clock, Timestamp};
use latimer_e2e::Gateway;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::fan_out::{self, Plan, Reading, Run};
use crate::load::Heard;
use crate::websocket::WebSocket;

/// Where events are.
pub(crate) const PATH: &str = "/pubsub";

/// How many times the frozen subscriber subscribes, so that its buffers are full within seconds.
const FROZEN_SUBSCRIPTIONS: usize = 100;
/// Receive buffer of the frozen subscriber.
const FROZEN_BUFFER: u32 = 4096;

/// A gateway of its own for each run, so that none inherits another's memory.
pub(crate) async fn fan_out(
    plan: Plan,
    clock: Clock,
    with_frozen: bool,
) -> anyhow::Result<(Run, Option<String>)> {
    let gateway = Gateway::demo().await;
    let (stop, readers) = subscribers(&gateway.misty(), plan, clock).await?;
    let frozen = match with_frozen {
        true => Some(freeze(&gateway.misty()).await?),
        false => None,
    };
    let run = fan_out::measure(plan, clock, gateway.pid(), stop, readers).await?;
    let fate = match &frozen {
        Some(_) => Some(fate(&gateway).await?),
        None => None,
    };
    Ok((run, fate))
}

/// Sockets that subscribe to the event and read it, and what stops them.
pub(crate) async fn subscribers(
    address: &str,
    plan: Plan,
    clock: Clock,
) -> anyhow::Result<(watch::Sender<bool>, Vec<Reading>)> {
    let (stop, stopped) = watch::channel(false);
    let mut readers = Vec::new();
    for i in 0..plan.subscribers {
        let mut socket = WebSocket::connect(address, PATH, None).await?;
        subscribe(&mut socket, &format!("subscriber-{i}")).await?;
        readers.push(tokio::spawn(read(socket, clock, stopped.clone())));
    }
    Ok((stop, readers))
}

pub(crate) async fn subscribe(socket: &mut WebSocket, name: &str) -> anyhow::Result<()> {
    let request = json!({"Operation": "subscribe", "Type": "IMU", "DebounceMs": 0, "EventName": name});
    socket.send(&request.to_string()).await?;
    loop {
        let frame: Value = serde_json::from_str(socket.text().await?)?;
        match frame["message"].as_str() {
            Some(status) if status.contains("registered.") && frame["eventName"] == name => return Ok(()),
            Some(status) => bail!("{name} was refused: {status}"),
            None => {}
        }
    }
}

/// Reads until `stop`; what was received, and the size of the longest message.
pub(crate) async fn read(
    mut socket: WebSocket,
    clock: Clock,
    mut stopped: watch::Receiver<bool>,
) -> anyhow::Result<(Heard, usize)> {
    let (mut received, mut bytes) = (Heard::default(), 0);
    loop {
        let text = tokio::select! {
            _ = stopped.changed() => return Ok((received, bytes)),
            text = socket.text() => text.context("a subscriber that reads")?,
        };
        bytes = bytes.max(text.len());
        received.note(created(text).with_context(|| format!("no event: {text}"))?, clock.now());
    }
}

/// The `created` stamp of an event, without reading the rest.
fn created(event: &str) -> Option<Timestamp> {
    let (_, rest) = event.split_once(r#""created":""#)?;
    let (stamp, _) = rest.split_once('"')?;
    let stamp: jiff::Timestamp = stamp.parse().ok()?;
    i64::try_from(stamp.as_nanosecond()).ok().map(Timestamp::from_nanos)
}

/// A subscriber that reads the answers to its requests and then nothing more.
async fn freeze(address: &str) -> anyhow::Result<WebSocket> {
    let mut socket = WebSocket::connect(address, PATH, Some(FROZEN_BUFFER)).await?;
    for i in 0..FROZEN_SUBSCRIPTIONS {
        subscribe(&mut socket, &format!("frozen-{i}")).await?;
    }
    Ok(socket)
}

/// Whether the gateway still serves somebody with that many subscriptions, by its own list.
async fn fate(gateway: &Gateway) -> anyhow::Result<String> {
    let said = gateway.sinks().await;
    let held = said.iter().find(|sink| sink["subscriptions"].as_u64() == Some(FROZEN_SUBSCRIPTIONS as u64));
    Ok(match held {
        Some(sink) => format!("still held, with {} updates lost", sink["lost"]),
        None => "dropped by the gateway".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_read() {
        let ns = |stamp: &str| {
            created(&format!(r#"{{"message":{{"created":"{stamp}"}}}}"#)).map(Timestamp::as_nanos)
        };
        assert_eq!(ns("1970-01-01T00:00:00.1234567Z"), Some(123_456_700));
        assert_eq!(ns("2000-02-29T12:00:00Z"), Some(951_825_600_000_000_000));
        assert_eq!(ns("yesterday"), None);
    }
}
