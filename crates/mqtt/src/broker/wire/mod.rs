//! Packets of MQTT 3.1, 3.1.1 and 5 as a server reads and writes them. No I/O.
//!
//! ```text
//! bytes of a client ──Decoder──▶ Packet        encode::* ──▶ bytes for a client
//! ```
//!
//! | packet | from a client | to a client |
//! |---|---|---|
//! | CONNECT, SUBSCRIBE, UNSUBSCRIBE, PINGREQ, AUTH | [`Packet`] | |
//! | PUBLISH, PUBACK, PUBREC, PUBREL, PUBCOMP, DISCONNECT | [`Packet`] | [`encode`] |
//! | CONNACK, SUBACK, UNSUBACK, PINGRESP | | [`encode`] |

mod connect;
mod decode;
pub(super) mod encode;
mod properties;
mod reader;

use std::sync::Arc;

use bytes::Bytes;

use crate::Qos;

pub(super) use connect::{Connect, Will};
pub(super) use decode::Decoder;

/// The version that a connection agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    /// 3.1, `MQIsdp`.
    V31,
    /// 3.1.1.
    V311,
    /// 5.
    V5,
}

/// A reason code of MQTT 5; 0x80 and above are failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason(pub(super) u8);

impl Reason {
    pub(super) const SUCCESS: Self = Self(0x00);
    pub(super) const DISCONNECT_WITH_WILL: Self = Self(0x04);
    pub(super) const NO_MATCHING_SUBSCRIBERS: Self = Self(0x10);
    pub(super) const NO_SUBSCRIPTION_EXISTED: Self = Self(0x11);
    pub(super) const MALFORMED_PACKET: Self = Self(0x81);
    pub(super) const PROTOCOL_ERROR: Self = Self(0x82);
    pub(super) const UNSUPPORTED_PROTOCOL_VERSION: Self = Self(0x84);
    pub(super) const CLIENT_IDENTIFIER_NOT_VALID: Self = Self(0x85);
    pub(super) const BAD_USER_NAME_OR_PASSWORD: Self = Self(0x86);
    pub(super) const NOT_AUTHORIZED: Self = Self(0x87);
    pub(super) const SERVER_UNAVAILABLE: Self = Self(0x88);
    pub(super) const SERVER_SHUTTING_DOWN: Self = Self(0x8b);
    pub(super) const BAD_AUTHENTICATION_METHOD: Self = Self(0x8c);
    pub(super) const KEEP_ALIVE_TIMEOUT: Self = Self(0x8d);
    pub(super) const SESSION_TAKEN_OVER: Self = Self(0x8e);
    pub(super) const TOPIC_FILTER_INVALID: Self = Self(0x8f);
    pub(super) const TOPIC_NAME_INVALID: Self = Self(0x90);
    pub(super) const PACKET_IDENTIFIER_NOT_FOUND: Self = Self(0x92);
    pub(super) const RECEIVE_MAXIMUM_EXCEEDED: Self = Self(0x93);
    pub(super) const TOPIC_ALIAS_INVALID: Self = Self(0x94);
    pub(super) const PACKET_TOO_LARGE: Self = Self(0x95);
    pub(super) const QUOTA_EXCEEDED: Self = Self(0x97);
    pub(super) const CONNECTION_RATE_EXCEEDED: Self = Self(0x9f);

    pub(super) const fn is_failure(self) -> bool {
        self.0 >= 0x80
    }
}

/// Bytes that are no packet, or one that a client must not send now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub(super) struct DecodeError {
    pub(super) reason: Reason,
    pub(super) what: &'static str,
}

impl DecodeError {
    pub(super) const fn malformed(what: &'static str) -> Self {
        Self { reason: Reason::MALFORMED_PACKET, what }
    }

    pub(super) const fn protocol(what: &'static str) -> Self {
        Self { reason: Reason::PROTOCOL_ERROR, what }
    }
}

/// What a client sends.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Packet {
    Connect(Box<Connect>),
    Publish(Publish),
    Ack(Ack),
    Subscribe(Subscribe),
    Unsubscribe { packet: u16, filters: Vec<Arc<str>> },
    PingRequest,
    Disconnect { reason: Reason, session_expiry_s: Option<u32> },
    Auth,
}

/// PUBLISH.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Publish {
    pub(super) dup: bool,
    pub(super) qos: Qos,
    pub(super) retain: bool,
    /// Empty if only `alias` names it.
    pub(super) topic: Arc<str>,
    /// 0 for QoS 0.
    pub(super) packet: u16,
    pub(super) payload: Bytes,
    pub(super) alias: Option<u16>,
    /// Publication expiry interval, seconds.
    pub(super) expiry_s: Option<u32>,
    /// Properties that subscribers get as they came, encoded.
    pub(super) passed_on: Bytes,
}

/// The four acknowledgements, by the type of their packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AckKind {
    Puback = 4,
    Pubrec = 5,
    Pubrel = 6,
    Pubcomp = 7,
}

/// PUBACK, PUBREC, PUBREL or PUBCOMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ack {
    pub(super) kind: AckKind,
    pub(super) packet: u16,
    pub(super) reason: Reason,
}

/// SUBSCRIBE.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Subscribe {
    pub(super) packet: u16,
    pub(super) filters: Vec<(Arc<str>, Options)>,
}

/// When a subscription gets retained messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RetainHandling {
    #[default]
    Send,
    SendIfNew,
    DoNotSend,
}

/// Options of a subscription.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) qos: Qos,
    pub(super) no_local: bool,
    pub(super) retain_as_published: bool,
    pub(super) retain_handling: RetainHandling,
    /// Subscription identifier, MQTT 5.
    pub(super) identifier: Option<u32>,
}

/// The quality of service of two bits.
const fn qos_of(bits: u8) -> Option<Qos> {
    match bits {
        0 => Some(Qos::AtMostOnce),
        1 => Some(Qos::AtLeastOnce),
        2 => Some(Qos::ExactlyOnce),
        _ => None,
    }
}
