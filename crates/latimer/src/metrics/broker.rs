//! The MQTT broker within, if there is one: who is there, and what goes through it.

use std::fmt;

use latimer_mqtt::broker::{Figures, Meter};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;

use super::page::Figure;

const CLIENTS: Figure =
    Figure::new("latimer_mqtt_clients", "Clients at the broker, the gateway's own links among them");
const CONNECTIONS: Figure = Figure::new("latimer_mqtt_connections", "Connections that the broker took");
const RECEIVED: Figure = Figure::new("latimer_mqtt_messages_received", "Messages that clients published");
const SENT: Figure = Figure::new("latimer_mqtt_messages_sent", "Messages that went out to subscribers");
const DROPPED: Figure = Figure::new(
    "latimer_mqtt_messages_dropped",
    "Messages dropped because a client is too slow or too long away",
);
const SLOWED: Figure = Figure::new(
    "latimer_mqtt_messages_slowed",
    "Messages read later because a client publishes faster than broker.limits.max_rate",
);
const SUBSCRIPTIONS: Figure = Figure::new(
    "latimer_mqtt_subscriptions",
    "Filters to which clients are subscribed, the gateway's own links among them",
);
const DEPTH: Figure =
    Figure::new("latimer_mqtt_queue_depth", "Messages of QoS 1 and 2 that wait for clients");
const AWAY: Figure = Figure::new("latimer_mqtt_sessions_away", "Sessions of clients that are away");
const FORGOTTEN: Figure =
    Figure::new("latimer_mqtt_sessions_forgotten", "Sessions of clients that were away, ended to make room");

#[derive(Debug)]
pub(super) struct Broker {
    figures: Option<Figures>,
}

impl Broker {
    pub(super) fn of(meter: Option<&Meter>) -> Self {
        Self { figures: meter.map(Meter::read) }
    }
}

impl Collector for Broker {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(Figures {
            clients,
            connections,
            received,
            sent,
            dropped,
            waiting,
            subscriptions,
            slowed,
            away,
            forgotten,
        }) = self.figures
        else {
            return Ok(());
        };
        CLIENTS.gauge(&mut encoder, clients)?;
        CONNECTIONS.counter(&mut encoder, connections)?;
        RECEIVED.counter(&mut encoder, received)?;
        SENT.counter(&mut encoder, sent)?;
        DROPPED.counter(&mut encoder, dropped)?;
        SLOWED.counter(&mut encoder, slowed)?;
        DEPTH.gauge(&mut encoder, waiting)?;
        SUBSCRIPTIONS.gauge(&mut encoder, subscriptions)?;
        AWAY.gauge(&mut encoder, away)?;
        FORGOTTEN.counter(&mut encoder, forgotten)
    }
}
