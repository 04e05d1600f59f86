//! A client of a broker, as `rumqttc` has it.

use std::time::Duration;

use anyhow::{Context, bail};
use rumqttc::{AsyncClient, Event, EventLoop, MqttOptions, NetworkOptions, Packet, QoS};

/// How long the broker may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Connects and subscribes; `waiting` messages may wait to be sent.
pub(super) async fn connect(
    port: u16,
    name: String,
    waiting: usize,
    subscriptions: &[(String, QoS)],
) -> anyhow::Result<(AsyncClient, EventLoop)> {
    let mut options = MqttOptions::new(name, ("127.0.0.1", port));
    options.set_inflight(1_000);
    let (client, mut events) = AsyncClient::builder(options).capacity(waiting).build();
    let mut network = NetworkOptions::new();
    // Otherwise each QoS 2 message waits for the other side's delayed acknowledgement.
    network.set_tcp_nodelay(true);
    // A flood is read slowly, which the library would take for a dead connection.
    network.set_connection_timeout(PATIENCE.as_secs() * 10);
    events.set_network_options(network);
    for (topic, qos) in subscriptions {
        client.subscribe(topic.clone(), *qos).await?;
    }
    let mut missing = subscriptions.len();
    let ready = async {
        loop {
            match events.poll().await? {
                Event::Incoming(Packet::ConnAck(_)) if missing == 0 => return Ok(()),
                Event::Incoming(Packet::SubAck(_)) => {
                    missing -= 1;
                    if missing == 0 {
                        return Ok(());
                    }
                }
                Event::Incoming(Packet::Disconnect) => bail!("the broker refused"),
                _ => {}
            }
        }
    };
    tokio::time::timeout(PATIENCE, ready).await.context("the broker does not answer")??;
    Ok((client, events))
}
