//! What a client sends, packet by packet.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::timeout;

use super::turns::in_turn;
use super::{ALIASES, Ended, Server};
use crate::Qos;
use crate::broker::authenticator::Identity;
use crate::broker::session::{Connection, SessionKey};
use crate::broker::subscriptions::{Filter, is_topic};
use crate::broker::wire::{
    Ack, AckKind, Connect, Decoder, Packet, Publish, Reason, Subscribe, Version, encode,
};
use crate::limits::{BACK_PRESSURE_TIMEOUT, RESPONSE_QUEUE_BYTES};

const CROWDED_LOOK: Duration = Duration::from_millis(5);

/// Bytes that are read at a time.
const CHUNK_BYTES: usize = 16 << 10;

/// What a client sends.
pub(super) struct Client<'a> {
    pub(super) server: &'a Server,
    pub(super) identity: &'a Identity,
    pub(super) session: SessionKey,
    pub(super) connection: &'a Connection,
    pub(super) connect: &'a Connect,
    pub(super) client_id: Arc<str>,
    /// Topics by their aliases.
    pub(super) aliases: Vec<Option<Arc<str>>>,
}

impl Client<'_> {
    /// Handles packets until the connection ends.
    pub(super) async fn reads(
        &mut self,
        reader: &mut (impl AsyncRead + Unpin),
        decoder: &mut Decoder,
        buffer: &mut BytesMut,
    ) -> Ended {
        // One and a half times what it promised (MQTT-3.1.2-24).
        let silence = Duration::from_millis(u64::from(self.connect.keep_alive_s) * 1_500);
        let silence = if silence.is_zero() { Duration::MAX } else { silence };
        loop {
            loop {
                match decoder.next(buffer) {
                    Ok(Some(packet)) => {
                        if let Err(ended) = self.handle(packet).await {
                            return ended;
                        }
                    }
                    Ok(None) => break,
                    Err(error) => {
                        tracing::debug!(%error, "a client of the broker sends what it must not");
                        return error.into();
                    }
                }
            }
            buffer.reserve(CHUNK_BYTES);
            match in_turn(timeout(silence, reader.read_buf(buffer))).await {
                Ok(Ok(count @ 1..)) => {
                    let received = &self.server.router.counters.bytes_received;
                    received.fetch_add(count as u64, Ordering::Relaxed);
                }
                Ok(_) => return Ended::lost(),
                Err(_) => return Ended::by(Reason::KEEP_ALIVE_TIMEOUT),
            }
        }
    }

    fn version(&self) -> Version {
        self.connect.version
    }

    async fn handle(&mut self, packet: Packet) -> Result<(), Ended> {
        let (version, connection) = (self.version(), self.connection);
        match packet {
            Packet::Publish(publish) => self.publish(publish).await?,
            Packet::Ack(Ack { kind: AckKind::Pubrel, packet, .. }) => {
                // It may have been released before the connection broke, which is no error of the client.
                self.server.router.released(self.session, connection.number, packet);
                self.acknowledge(AckKind::Pubcomp, packet, Reason::SUCCESS);
            }
            Packet::Ack(ack) => {
                if let Some(answer) = self.server.router.acknowledged(self.session, connection.number, ack) {
                    connection.respond(|out| encode::ack(out, version, answer));
                } else {
                    connection.wake();
                }
            }
            Packet::Subscribe(subscribe) => self.subscribe(subscribe)?,
            Packet::Unsubscribe { packet, filters } => {
                if filters.iter().any(|filter| Filter::parse(filter).is_none()) {
                    return Err(Ended::by(Reason::TOPIC_FILTER_INVALID));
                }
                let existed = self.server.router.unsubscribe(self.session, connection.number, &filters);
                connection.respond(|out| encode::unsuback(out, version, packet, &existed));
            }
            Packet::PingRequest => connection.ping(),
            Packet::Disconnect { reason, session_expiry_s } => {
                // A session that ends with its connection cannot begin to last (MQTT-3.1.2-23).
                if session_expiry_s.is_some_and(|it| it > 0) && self.connect.session_expiry_s == 0 {
                    return Err(Ended::by(Reason::PROTOCOL_ERROR));
                }
                let publishes_will = reason == Reason::DISCONNECT_WITH_WILL;
                return Err(Ended { tell: None, publishes_will, expiry_s: session_expiry_s });
            }
            Packet::Connect(_) | Packet::Auth => return Err(Ended::by(Reason::PROTOCOL_ERROR)),
        }
        while connection.response_bytes() > RESPONSE_QUEUE_BYTES {
            self.server.router.clock.sleep(CROWDED_LOOK).await;
        }
        Ok(())
    }

    fn acknowledge(&self, kind: AckKind, packet: u16, reason: Reason) {
        let version = self.version();
        self.connection.respond(|out| encode::ack(out, version, Ack { kind, packet, reason }));
    }

    async fn publish(&mut self, mut publish: Publish) -> Result<(), Ended> {
        let router = &self.server.router;
        self.resolve_alias(&mut publish)?;
        if !is_topic(&publish.topic) {
            return Err(Ended::by(Reason::TOPIC_NAME_INVALID));
        }
        if !self.identity.is_own
            && let Some(wait) = router.rate_limit.wait(&*self.client_id)
        {
            router.clock.sleep(wait).await;
        }
        let (qos, packet) = (publish.qos, publish.packet);
        let (reason, crowded) = if self.server.authenticator.may_publish(self.identity, &publish.topic) {
            let routed = router.publish(self.session, self.connection.number, publish);
            (routed.reason, routed.crowded)
        } else {
            (Reason::NOT_AUTHORIZED, Default::default())
        };
        if matches!(reason, Reason::RECEIVE_MAXIMUM_EXCEEDED | Reason::SESSION_TAKEN_OVER) {
            return Err(Ended::by(reason));
        }
        match qos {
            Qos::AtMostOnce => {}
            Qos::AtLeastOnce => self.acknowledge(AckKind::Puback, packet, reason),
            Qos::ExactlyOnce => {
                // Before MQTT 5 a message that is refused is acknowledged like others, and its PUBREL comes.
                if reason.is_failure() && self.version() == Version::V5 {
                    router.released(self.session, self.connection.number, packet);
                }
                let reason = if reason.is_failure() { reason } else { Reason::SUCCESS };
                self.acknowledge(AckKind::Pubrec, packet, reason);
            }
        }
        let mut waited = Duration::ZERO;
        for key in crowded {
            while waited < BACK_PRESSURE_TIMEOUT && router.is_crowded(key) {
                router.clock.sleep(CROWDED_LOOK).await;
                waited += CROWDED_LOOK;
            }
        }
        Ok(())
    }

    /// Replaces an alias by its topic, and learns new ones.
    fn resolve_alias(&mut self, publish: &mut Publish) -> Result<(), Ended> {
        let Some(alias) = publish.alias else { return Ok(()) };
        let invalid = || Ended::by(Reason::TOPIC_ALIAS_INVALID);
        if alias > ALIASES {
            return Err(invalid());
        }
        self.aliases.resize(usize::from(ALIASES) + 1, None);
        let known = self.aliases.get_mut(usize::from(alias)).ok_or_else(invalid)?;
        if publish.topic.is_empty() {
            publish.topic = known.clone().ok_or_else(invalid)?;
        } else {
            *known = Some(publish.topic.clone());
        }
        Ok(())
    }

    fn subscribe(&self, subscribe: Subscribe) -> Result<(), Ended> {
        let Subscribe { packet, filters } = subscribe;
        let mut asked = Vec::with_capacity(filters.len());
        for (text, mut options) in filters {
            let Some(filter) = Filter::parse(&text) else {
                return Err(Ended::by(Reason::TOPIC_FILTER_INVALID));
            };
            if filter.group.is_some() && options.no_local {
                return Err(Ended::by(Reason::PROTOCOL_ERROR));
            }
            if self.connect.is_bridge && self.version() < Version::V5 {
                (options.no_local, options.retain_as_published) = (true, true);
            }
            let may = self.server.authenticator.may_subscribe(self.identity, &text);
            asked.push((text, options, if may { Ok(()) } else { Err(Reason::NOT_AUTHORIZED) }));
        }
        let granted = self.server.router.subscribe(self.session, self.connection.number, &asked);
        let version = self.version();
        self.connection.respond(|out| encode::suback(out, version, packet, &granted));
        Ok(())
    }
}
