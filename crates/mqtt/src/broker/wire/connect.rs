//! CONNECT of every version, that of mosquitto's bridges included.

use std::sync::Arc;

use bytes::Bytes;

use super::properties::{self, Properties};
use super::reader::Reader;
use super::{DecodeError, Reason, Version, qos_of};
use crate::Qos;

/// Beside the level in what a bridge of mosquitto sends.
const BRIDGE: u8 = 0x80;

/// CONNECT.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Connect {
    pub(in super::super) version: Version,
    /// Another broker, whose subscriptions are not sent what it published, and all others with its retain flag as published.
    pub(in super::super) is_bridge: bool,
    pub(in super::super) clean_start: bool,
    pub(in super::super) keep_alive_s: u16,
    pub(in super::super) client_id: String,
    pub(in super::super) will: Option<Will>,
    pub(in super::super) user: Option<String>,
    pub(in super::super) password: Option<Vec<u8>>,
    pub(in super::super) session_expiry_s: u32,
    pub(in super::super) receive_maximum: u16,
    pub(in super::super) max_packet_bytes: u32,
    pub(in super::super) topic_alias_maximum: u16,
    pub(in super::super) has_authentication_method: bool,
}

/// The message that the broker publishes when the connection ends without DISCONNECT.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Will {
    pub(in super::super) topic: Arc<str>,
    pub(in super::super) payload: Bytes,
    pub(in super::super) qos: Qos,
    pub(in super::super) retain: bool,
    pub(in super::super) delay_s: u32,
    pub(in super::super) expiry_s: Option<u32>,
    pub(in super::super) passed_on: Bytes,
}

impl Connect {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (version, is_bridge) = version(reader)?;
        let flags = reader.byte()?;
        let has = |bit: u8| flags & bit != 0;
        let will_qos = qos_of(flags >> 3 & 3).ok_or(DecodeError::malformed("a will of QoS 3"))?;
        if has(0x01) {
            return Err(DecodeError::malformed("the reserved flag of CONNECT"));
        }
        if !has(0x04) && (has(0x20) || will_qos != Qos::AtMostOnce) {
            return Err(DecodeError::malformed("flags of a will without one"));
        }
        if version < Version::V5 && has(0x40) && !has(0x80) {
            return Err(DecodeError::malformed("a password without a user"));
        }
        let keep_alive_s = reader.two()?;
        let of = |reader: &mut Reader<'_>, place| match version {
            Version::V5 => Properties::read(reader, place),
            Version::V31 | Version::V311 => Ok(Properties::default()),
        };
        let own = of(reader, properties::CONNECT)?;
        let client_id = reader.text()?.to_owned();
        let will = match has(0x04) {
            true => {
                let about = of(reader, properties::WILL)?;
                let topic: Arc<str> = reader.text()?.into();
                let payload = Bytes::copy_from_slice(reader.binary()?);
                Some(Will {
                    topic,
                    payload,
                    qos: will_qos,
                    retain: has(0x20),
                    delay_s: about.will_delay_s.unwrap_or(0),
                    expiry_s: about.message_expiry_s,
                    passed_on: about.passed_on.into(),
                })
            }
            false => None,
        };
        let user = has(0x80).then(|| reader.text().map(str::to_owned)).transpose()?;
        let password = has(0x40).then(|| reader.binary().map(<[u8]>::to_vec)).transpose()?;
        reader.end()?;
        let clean_start = has(0x02);
        // Before MQTT 5 one flag said both: whether there is a session, and whether it stays.
        let stays = if clean_start { 0 } else { u32::MAX };
        let is_5 = version == Version::V5;
        Ok(Self {
            version,
            is_bridge,
            clean_start,
            keep_alive_s,
            client_id,
            will,
            user,
            password,
            session_expiry_s: if is_5 { own.session_expiry_s.unwrap_or(0) } else { stays },
            receive_maximum: own.receive_maximum.unwrap_or(u16::MAX),
            max_packet_bytes: own.max_packet_bytes.unwrap_or(u32::MAX),
            topic_alias_maximum: own.topic_alias_maximum.unwrap_or(0),
            has_authentication_method: own.has_authentication_method,
        })
    }
}

/// The version that a client asks for, and whether it is a bridge.
fn version(reader: &mut Reader<'_>) -> Result<(Version, bool), DecodeError> {
    let name = reader.binary()?;
    let level = reader.byte()?;
    let version = match (name, level & !BRIDGE) {
        (b"MQTT", 5) => Version::V5,
        (b"MQTT", 4) => Version::V311,
        (b"MQIsdp", 3) => Version::V31,
        (b"MQTT" | b"MQIsdp", _) => {
            let reason = Reason::UNSUPPORTED_PROTOCOL_VERSION;
            return Err(DecodeError { reason, what: "a version that is not spoken here" });
        }
        _ => return Err(DecodeError::protocol("another protocol")),
    };
    Ok((version, level & BRIDGE != 0))
}
