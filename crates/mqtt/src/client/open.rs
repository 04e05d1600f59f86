//! Connecting: hello, login, and every subscription granted.

use latimer_core::{BrokerAddress, Clock, Timestamp};
use latimer_listen::Trust;
use latimer_listen::limits::CONNECT_TIMEOUT;
use rumqttc::{
    AsyncClient, Event, EventLoop, LastWill, MqttOptions, Packet, QoS, SubscribeFilter, SubscribeReasonCode,
};

use super::backlog::Backlog;
use super::error::{DropReason, LinkError, OpenError};
use super::flow::Flow;
use super::{MAX_HANDED, MAX_PAYLOAD_BYTES, MAX_UNCONFIRMED, MAX_UNCONFIRMED_WITHIN, Outbox};
use crate::broker::is_own;
use crate::limits::SESSION_END_TIMEOUT;
use crate::{Login, Message, Qos};

/// Requests that go to the network in one go.
const BATCH: usize = 256;

/// A topic and the header, beside the payload, in bytes.
const MAX_HEADER_BYTES: usize = 65_536 + 16;

/// Whether the broker keeps the session while the client is not connected.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SessionKind {
    /// It ends with the connection.
    Clean,
    /// It lasts until [`Client::end`]: the broker keeps subscriptions, and messages of QoS 1 and 2. By the clock is told
    /// how long these waited.
    Kept(Clock),
}

/// A client of a broker over all its connections.
pub(crate) struct Client {
    login: Login,
    kind: SessionKind,
    pub(super) handle: AsyncClient,
    pub(super) events: EventLoop,
    pub(super) flow: Flow,
    /// What may have waited, if the broker keeps messages.
    pub(super) backlog: Option<Backlog>,
    /// What came while subscribing.
    pub(super) early: Vec<Message>,
    /// The broker has a session of this client.
    has_session: bool,
    /// The session has all subscriptions.
    is_subscribed: bool,
}

impl Client {
    /// A client that is not connected.
    pub(crate) fn new(login: &Login, kind: SessionKind) -> Result<Self, LinkError> {
        let options =
            options(login, kind).map_err(|cause| LinkError { address: login.address.clone(), cause })?;
        let (handle, events) = AsyncClient::builder(options).capacity(MAX_HANDED).build();
        let (flow, login) = (Flow::new(most_unconfirmed(&login.address)), login.clone());
        let backlog = match kind {
            SessionKind::Kept(clock) if !login.subscriptions.is_empty() => {
                Some(Backlog::new(&login.client_id, clock))
            }
            SessionKind::Kept(_) | SessionKind::Clean => None,
        };
        Ok(Self {
            login,
            kind,
            handle,
            events,
            flow,
            backlog,
            early: Vec::new(),
            has_session: false,
            is_subscribed: false,
        })
    }

    /// Connects, and subscribes unless the broker kept the session. If it did not, messages in flight go back into the outbox.
    pub(crate) async fn connect(&mut self, outbox: &Outbox) -> Result<(), LinkError> {
        if let Some(backlog) = &mut self.backlog {
            backlog.dropped();
        }
        if self.events.diagnostics().connected {
            self.events.clean();
        }
        let opened = tokio::time::timeout(CONNECT_TIMEOUT, self.connect_and_subscribe(outbox)).await;
        let timed_out = |_| Err(OpenError::TimedOut { seconds: CONNECT_TIMEOUT.as_secs() });
        opened
            .unwrap_or_else(timed_out)
            .map_err(|cause| LinkError { address: self.login.address.clone(), cause })
    }

    async fn connect_and_subscribe(&mut self, outbox: &Outbox) -> Result<(), OpenError> {
        loop {
            let event = self.events.poll().await.map_err(|error| DropReason::of(&error, self.trust()))?;
            let since = queued_since(&mut self.backlog, &event, &self.handle);
            match event {
                Event::Incoming(Packet::ConnAck(answer)) => {
                    self.has_session = true;
                    if !answer.session_present {
                        self.is_subscribed = self.login.subscriptions.is_empty();
                        self.flow.begin_anew(outbox);
                    }
                    if self.is_subscribed {
                        return Ok(());
                    }
                    self.subscribe().await?;
                }
                Event::Incoming(Packet::SubAck(granted)) => {
                    check_granted(&self.login, &granted.return_codes)?;
                    self.is_subscribed = true;
                    return Ok(());
                }
                event => self.early.extend(self.flow.observe(event, since, outbox)),
            }
        }
    }

    async fn subscribe(&self) -> Result<(), OpenError> {
        let filters = self
            .login
            .subscriptions
            .iter()
            .map(|(filter, qos)| SubscribeFilter::new(filter.clone(), qos_to_wire(*qos)));
        let asked = self.handle.subscribe_many(filters).await;
        asked.map_err(|_| OpenError::InvalidFilters { filters: filters_of(&self.login) })
    }

    /// Which brokers are trusted.
    pub(super) fn trust(&self) -> &Trust {
        &self.login.trust
    }

    /// Leaves a session in which the broker breaks the protocol, as it would each time it is resumed; what is in flight goes back
    /// into the outbox.
    pub(crate) async fn renew(&mut self, outbox: &Outbox) {
        let Ok(fresh) = Self::new(&self.login, self.kind) else { return };
        self.flow.begin_anew(outbox);
        std::mem::replace(self, fresh).end().await;
    }

    /// Ends a session that the broker keeps: it would queue messages for it without end. The protocol does so by a connection
    /// that begins a clean one.
    pub(crate) async fn end(self) {
        if matches!(self.kind, SessionKind::Clean) || !self.has_session {
            return;
        }
        let login = Login { will: None, subscriptions: Vec::new(), ..self.login.clone() };
        drop(self);
        let ending = async {
            let mut clean = Self::new(&login, SessionKind::Clean).ok()?;
            clean.connect(&Outbox::default()).await.ok()?;
            clean.handle.disconnect().await.ok()?;
            while clean.events.poll().await.is_ok() {}
            Some(())
        };
        if tokio::time::timeout(SESSION_END_TIMEOUT, ending).await.ok().flatten().is_none() {
            let Login { address, client_id, .. } = &login;
            tracing::info!(broker = %address, client = %client_id, "the broker keeps the session of a link that ended");
        }
    }
}

/// Since when a message that an event brings may have waited at the broker.
pub(super) fn queued_since(
    backlog: &mut Option<Backlog>,
    event: &Event,
    handle: &AsyncClient,
) -> Option<Timestamp> {
    backlog.as_mut()?.observe(event, handle)
}

fn most_unconfirmed(address: &BrokerAddress) -> u16 {
    if is_own(address) { MAX_UNCONFIRMED_WITHIN } else { MAX_UNCONFIRMED }
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

fn options(login: &Login, kind: SessionKind) -> Result<MqttOptions, OpenError> {
    let Login { address, client_id, subscriptions: _, will, keep_alive, trust } = login;
    let host = address.host.trim_start_matches('[').trim_end_matches(']');
    let mut options = MqttOptions::new(client_id.clone(), (host, address.port));
    options.set_keep_alive(u16::try_from(keep_alive.as_secs()).unwrap_or(u16::MAX));
    options.set_clean_session(matches!(kind, SessionKind::Clean));
    options.set_inflight(most_unconfirmed(address));
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
    if let Some(Message { topic, payload, qos, retain, queued_since: _ }) = will {
        if topic.is_empty() || topic.contains(['+', '#', '\0']) {
            return Err(OpenError::InvalidWill { topic: topic.clone() });
        }
        options.set_last_will(LastWill::new(topic.clone(), payload.to_vec(), qos_to_wire(*qos), *retain));
    }
    Ok(options)
}

/// `None` for a topic that is not text.
pub(super) fn message_from_publish(
    publish: rumqttc::Publish,
    queued_since: Option<Timestamp>,
) -> Option<Message> {
    let rumqttc::Publish { dup: _, qos, retain, topic, pkid: _, payload } = publish;
    let topic = String::from_utf8(topic.into()).ok()?;
    Some(Message { topic, payload, qos: qos_from_wire(qos), retain, queued_since })
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
