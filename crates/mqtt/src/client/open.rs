//! Connecting: hello, login, and every subscription granted.

use std::time::Duration;

use latimer_core::BrokerAddress;
use latimer_listen::Trust;
use rumqttc::{
    AsyncClient, Event, EventLoop, LastWill, MqttOptions, Packet, QoS, SubscribeFilter, SubscribeReasonCode,
};

use super::error::{DropReason, LinkError, OpenError};
use super::{MAX_HANDED, MAX_PAYLOAD_BYTES, MAX_UNCONFIRMED, MAX_UNCONFIRMED_WITHIN};
use crate::broker::is_own;
use crate::{Login, Message, Qos};

/// How long a broker has for all of it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Requests that go to the network in one go.
const BATCH: usize = 256;

/// A topic and the header, beside the payload, in bytes.
const MAX_HEADER_BYTES: usize = 65_536 + 16;

/// A connection on which everything is subscribed, and what came while that was going on.
pub(crate) struct Opened {
    pub(super) client: AsyncClient,
    pub(super) events: EventLoop,
    pub(super) early: Vec<Message>,
    pub(super) trust: Trust,
}

/// Connects and subscribes.
pub(crate) async fn open(login: &Login) -> Result<Opened, LinkError> {
    let opened = tokio::time::timeout(PATIENCE, connect_and_subscribe(login)).await;
    let timed_out = |_| Err(OpenError::TimedOut { seconds: PATIENCE.as_secs() });
    opened.unwrap_or_else(timed_out).map_err(|cause| LinkError { address: login.address.clone(), cause })
}

async fn connect_and_subscribe(login: &Login) -> Result<Opened, OpenError> {
    let (client, mut events) = AsyncClient::builder(options(login)?).capacity(MAX_HANDED).build();
    let mut early = Vec::new();
    loop {
        match events.poll().await.map_err(|error| DropReason::of(&error, &login.trust))? {
            Event::Incoming(Packet::ConnAck(_)) if login.subscriptions.is_empty() => break,
            Event::Incoming(Packet::ConnAck(_)) => subscribe(&client, login).await?,
            Event::Incoming(Packet::SubAck(granted)) => {
                check_granted(login, &granted.return_codes)?;
                break;
            }
            Event::Incoming(Packet::Publish(publish)) => early.extend(message_from_publish(publish)),
            _ => {}
        }
    }
    Ok(Opened { client, events, early, trust: login.trust.clone() })
}

async fn subscribe(client: &AsyncClient, login: &Login) -> Result<(), OpenError> {
    let filters = login
        .subscriptions
        .iter()
        .map(|(filter, qos)| SubscribeFilter::new(filter.clone(), qos_to_wire(*qos)));
    let asked = client.subscribe_many(filters).await;
    asked.map_err(|_| OpenError::InvalidFilters { filters: filters_of(login) })
}

fn check_granted(login: &Login, granted: &[SubscribeReasonCode]) -> Result<(), OpenError> {
    let refused = granted.iter().position(|code| *code == SubscribeReasonCode::Failure);
    match refused {
        None => Ok(()),
        Some(index) => {
            let filter = login.subscriptions.get(index).map_or("?", |(filter, _)| filter.as_str());
            Err(OpenError::SubscriptionRefused { filter: filter.to_owned() })
        }
    }
}

fn filters_of(login: &Login) -> Vec<String> {
    login.subscriptions.iter().map(|(filter, _)| filter.clone()).collect()
}

fn options(login: &Login) -> Result<MqttOptions, OpenError> {
    let Login { address, client_id, subscriptions: _, will, keep_alive, trust } = login;
    let host = address.host.trim_start_matches('[').trim_end_matches(']');
    let mut options = MqttOptions::new(client_id.clone(), (host, address.port));
    options.set_keep_alive(u16::try_from(keep_alive.as_secs()).unwrap_or(u16::MAX));
    options.set_clean_session(true);
    options.set_inflight(if is_own(address) { MAX_UNCONFIRMED_WITHIN } else { MAX_UNCONFIRMED });
    options.set_max_request_batch(BATCH);
    options.set_max_packet_size(MAX_PAYLOAD_BYTES + MAX_HEADER_BYTES, MAX_PAYLOAD_BYTES + MAX_HEADER_BYTES);
    let BrokerAddress { host, port, is_tls, .. } = address.clone();
    let trust = trust.clone();
    options.set_socket_connector(move |_, _| {
        let (host, trust) = (host.clone(), trust.clone());
        async move { trust.connect(&host, port, is_tls).await }
    });
    if let Some((user, password)) = &address.login {
        options.set_credentials(user.clone(), password.clone());
    }
    if let Some(Message { topic, payload, qos, retain }) = will {
        if topic.is_empty() || topic.contains(['+', '#', '\0']) {
            return Err(OpenError::InvalidWill { topic: topic.clone() });
        }
        options.set_last_will(LastWill::new(topic.clone(), payload.to_vec(), qos_to_wire(*qos), *retain));
    }
    Ok(options)
}

/// `None` for a topic that is not text.
pub(super) fn message_from_publish(publish: rumqttc::Publish) -> Option<Message> {
    let rumqttc::Publish { dup: _, qos, retain, topic, pkid: _, payload } = publish;
    let topic = String::from_utf8(topic.into()).ok()?;
    Some(Message { topic, payload, qos: qos_from_wire(qos), retain })
}

pub(super) fn qos_to_wire(qos: Qos) -> QoS {
    match qos {
        Qos::AtMostOnce => QoS::AtMostOnce,
        Qos::AtLeastOnce => QoS::AtLeastOnce,
        Qos::ExactlyOnce => QoS::ExactlyOnce,
    }
}

fn qos_from_wire(qos: QoS) -> Qos {
    match qos {
        QoS::AtMostOnce => Qos::AtMostOnce,
        QoS::AtLeastOnce => Qos::AtLeastOnce,
        QoS::ExactlyOnce => Qos::ExactlyOnce,
    }
}
