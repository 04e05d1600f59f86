//! Connecting: hello, login, and every subscription granted.

use std::time::Duration;

use rumqttc::{
    AsyncClient, ConnectionError, Event, EventLoop, LastWill, MqttOptions, NetworkOptions, Packet, QoS,
    SubscribeFilter, SubscribeReasonCode,
};

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
}

/// Connects and subscribes, or says why not.
pub(crate) async fn open(login: &Login) -> Result<Opened, String> {
    let within = tokio::time::timeout(PATIENCE, connect_and_subscribe(login)).await;
    let address = &login.address;
    match within {
        Ok(Ok(opened)) => Ok(opened),
        Ok(Err(reason)) => Err(format!("{address}: {reason}")),
        Err(_) => Err(format!("{address}: no answer within {} s; check host and port", PATIENCE.as_secs())),
    }
}

async fn connect_and_subscribe(login: &Login) -> Result<Opened, String> {
    let (client, mut events) = AsyncClient::builder(options(login)?).capacity(MAX_HANDED).build();
    let mut network = NetworkOptions::new();
    // Without it a reply of QoS 2 waits for the peer's delayed acknowledgement, some 40 ms.
    network.set_tcp_nodelay(true);
    events.set_network_options(network);
    let mut early = Vec::new();
    loop {
        match events.poll().await.map_err(|error| reason_of(&error))? {
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
    Ok(Opened { client, events, early })
}

async fn subscribe(client: &AsyncClient, login: &Login) -> Result<(), String> {
    let filters = login
        .subscriptions
        .iter()
        .map(|(filter, qos)| SubscribeFilter::new(filter.clone(), qos_to_wire(*qos)));
    let asked = client.subscribe_many(filters).await;
    asked.map_err(|_| format!("the topic filters {:?} are not well-formed", names(login)))
}

fn check_granted(login: &Login, granted: &[SubscribeReasonCode]) -> Result<(), String> {
    let refused = granted.iter().position(|code| *code == SubscribeReasonCode::Failure);
    match refused {
        None => Ok(()),
        Some(index) => {
            let filter = login.subscriptions.get(index).map_or("?", |(filter, _)| filter.as_str());
            Err(format!("the broker refuses the subscription of {filter}; allow it for this login"))
        }
    }
}

fn names(login: &Login) -> Vec<&str> {
    login.subscriptions.iter().map(|(filter, _)| filter.as_str()).collect()
}

fn options(login: &Login) -> Result<MqttOptions, String> {
    let Login { address, client_id, subscriptions: _, will, keep_alive } = login;
    let host = address.host.trim_start_matches('[').trim_end_matches(']');
    let mut options = MqttOptions::new(client_id.clone(), (host, address.port));
    options.set_keep_alive(u16::try_from(keep_alive.as_secs()).unwrap_or(u16::MAX));
    options.set_clean_session(true);
    options.set_inflight(if is_own(address) { MAX_UNCONFIRMED_WITHIN } else { MAX_UNCONFIRMED });
    options.set_max_request_batch(BATCH);
    options.set_max_packet_size(MAX_PAYLOAD_BYTES + MAX_HEADER_BYTES, MAX_PAYLOAD_BYTES + MAX_HEADER_BYTES);
    if let Some((user, password)) = &address.login {
        options.set_credentials(user.clone(), password.clone());
    }
    if let Some(Message { topic, payload, qos, retain }) = will {
        if topic.is_empty() || topic.contains(['+', '#', '\0']) {
            return Err(format!("the will's topic {topic:?} is no topic to publish to"));
        }
        options.set_last_will(LastWill::new(topic.clone(), payload.to_vec(), qos_to_wire(*qos), *retain));
    }
    Ok(options)
}

/// In words, with what to do.
pub(super) fn reason_of(error: &ConnectionError) -> String {
    use rumqttc::ConnectReturnCode as Code;
    match error {
        ConnectionError::Io(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
            "nothing listens there; start a broker or check host and port".to_owned()
        }
        ConnectionError::Io(error) => error.to_string(),
        ConnectionError::ConnectionRefused(Code::BadUserNamePassword) => {
            "the broker does not know this user or password; check the login in the address".to_owned()
        }
        ConnectionError::ConnectionRefused(Code::NotAuthorized) => {
            "the broker does not let this login in; write mqtt://user:password@host".to_owned()
        }
        ConnectionError::ConnectionRefused(code) => format!("the broker refuses: {code:?}"),
        ConnectionError::NetworkTimeout => "no answer; check host and port".to_owned(),
        ConnectionError::MqttState(error) => format!("the connection dropped: {error}"),
        other => other.to_string(),
    }
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
