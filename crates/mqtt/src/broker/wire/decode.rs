//! Bytes of a client to packets.

use std::sync::Arc;

use bytes::{Buf, Bytes, BytesMut};

use super::properties::{self, Properties};
use super::reader::{Reader, varint};
use super::{
    Ack, AckKind, Connect, DecodeError, Options, Packet, Publish, Reason, RetainHandling, Subscribe, Version,
    qos_of,
};
use crate::Qos;

/// Reads the packets of one connection.
#[derive(Debug)]
pub(in super::super) struct Decoder {
    /// Of CONNECT, when that has come.
    version: Option<Version>,
    max_packet_bytes: usize,
}

impl Decoder {
    pub(in super::super) const fn new(max_packet_bytes: usize) -> Self {
        Self { version: None, max_packet_bytes }
    }

    /// Takes the next packet out of a buffer; `None` if it is not whole.
    pub(in super::super) fn next(&mut self, buffer: &mut BytesMut) -> Result<Option<Packet>, DecodeError> {
        let Some((first, rest)) = buffer.split_first() else { return Ok(None) };
        let first = *first;
        // Nothing is kept for a client that does not speak MQTT.
        if self.version.is_none() && first != 0x10 {
            return Err(DecodeError::protocol("the first packet is not CONNECT"));
        }
        let Some((length, digits)) = varint(rest)? else { return Ok(None) };
        let (length, header) = (length as usize, 1 + digits);
        if header + length > self.max_packet_bytes {
            return Err(DecodeError {
                reason: Reason::PACKET_TOO_LARGE,
                what: "a packet exceeds broker.limits.max_packet_bytes",
            });
        }
        if buffer.len() < header + length {
            return Ok(None);
        }
        let mut packet = buffer.split_to(header + length);
        packet.advance(header);
        self.packet(first, &packet).map(Some)
    }

    fn packet(&mut self, first: u8, body: &[u8]) -> Result<Packet, DecodeError> {
        let mut reader = Reader(body);
        let (kind, flags) = (first >> 4, first & 0x0f);
        let Some(version) = self.version else {
            let connect = Connect::read(&mut reader)?;
            self.version = Some(connect.version);
            return Ok(Packet::Connect(Box::new(connect)));
        };
        let is_5 = version == Version::V5;
        let right_flags = match kind {
            3 => flags,
            6 | 8 | 10 => 2,
            _ => 0,
        };
        if flags != right_flags {
            return Err(DecodeError::malformed("flags of a packet that has none"));
        }
        let packet = match kind {
            3 => return publish(flags, reader, is_5).map(Packet::Publish),
            4 => Packet::Ack(ack(AckKind::Puback, &mut reader, is_5)?),
            5 => Packet::Ack(ack(AckKind::Pubrec, &mut reader, is_5)?),
            6 => Packet::Ack(ack(AckKind::Pubrel, &mut reader, is_5)?),
            7 => Packet::Ack(ack(AckKind::Pubcomp, &mut reader, is_5)?),
            8 => Packet::Subscribe(subscribe(&mut reader, is_5)?),
            10 => unsubscribe(&mut reader, is_5)?,
            12 => Packet::PingRequest,
            14 => disconnect(&mut reader, is_5)?,
            15 if is_5 => {
                reader.take(reader.0.len())?;
                Packet::Auth
            }
            _ => return Err(DecodeError::protocol("a packet that clients do not send")),
        };
        reader.end()?;
        Ok(packet)
    }
}

fn publish(flags: u8, mut reader: Reader<'_>, is_5: bool) -> Result<Publish, DecodeError> {
    let qos = qos_of(flags >> 1 & 3).ok_or(DecodeError::malformed("QoS 3"))?;
    let dup = flags & 8 != 0;
    if dup && qos == Qos::AtMostOnce {
        return Err(DecodeError::malformed("a duplicate of QoS 0"));
    }
    let topic: Arc<str> = reader.text()?.into();
    let packet = if qos == Qos::AtMostOnce { 0 } else { reader.packet()? };
    let about = match is_5 {
        true => Properties::read(&mut reader, properties::PUBLISH)?,
        false => Properties::default(),
    };
    if topic.is_empty() && about.topic_alias.is_none() {
        return Err(DecodeError::protocol("a message without a topic"));
    }
    // A copy, so that a small message does not hold what was read with it.
    let payload = Bytes::copy_from_slice(reader.0);
    Ok(Publish {
        dup,
        qos,
        retain: flags & 1 != 0,
        topic,
        packet,
        payload,
        alias: about.topic_alias,
        expiry_s: about.message_expiry_s,
        passed_on: about.passed_on.into(),
    })
}

fn ack(kind: AckKind, reader: &mut Reader<'_>, is_5: bool) -> Result<Ack, DecodeError> {
    let packet = reader.packet()?;
    let reason = if is_5 && !reader.is_empty() { Reason(reader.byte()?) } else { Reason::SUCCESS };
    if is_5 && !reader.is_empty() {
        Properties::read(reader, properties::ACK)?;
    }
    Ok(Ack { kind, packet, reason })
}

fn subscribe(reader: &mut Reader<'_>, is_5: bool) -> Result<Subscribe, DecodeError> {
    let packet = reader.packet()?;
    let about = match is_5 {
        true => Properties::read(reader, properties::SUBSCRIBE)?,
        false => Properties::default(),
    };
    let mut filters = Vec::new();
    while !reader.is_empty() {
        let filter: Arc<str> = reader.text()?.into();
        let bits = reader.byte()?;
        let reserved = if is_5 { 0xc0 } else { 0xfc };
        let qos = qos_of(bits & 3).filter(|_| bits & reserved == 0);
        let retain_handling = match bits >> 4 & 3 {
            0 => RetainHandling::Send,
            1 => RetainHandling::SendIfNew,
            2 => RetainHandling::DoNotSend,
            _ => return Err(DecodeError::protocol("retain handling 3")),
        };
        let options = Options {
            qos: qos.ok_or(DecodeError::malformed("options of a subscription"))?,
            no_local: bits & 4 != 0,
            retain_as_published: bits & 8 != 0,
            retain_handling,
            identifier: about.subscription_identifier,
        };
        filters.push((filter, options));
    }
    if filters.is_empty() {
        return Err(DecodeError::malformed("a subscription without a filter"));
    }
    Ok(Subscribe { packet, filters })
}

fn unsubscribe(reader: &mut Reader<'_>, is_5: bool) -> Result<Packet, DecodeError> {
    let packet = reader.packet()?;
    if is_5 {
        Properties::read(reader, properties::UNSUBSCRIBE)?;
    }
    let mut filters = Vec::new();
    while !reader.is_empty() {
        filters.push(reader.text()?.into());
    }
    if filters.is_empty() {
        return Err(DecodeError::malformed("an unsubscription without a filter"));
    }
    Ok(Packet::Unsubscribe { packet, filters })
}

fn disconnect(reader: &mut Reader<'_>, is_5: bool) -> Result<Packet, DecodeError> {
    let reason = if is_5 && !reader.is_empty() { Reason(reader.byte()?) } else { Reason::SUCCESS };
    let about = match is_5 && !reader.is_empty() {
        true => Properties::read(reader, properties::DISCONNECT)?,
        false => Properties::default(),
    };
    Ok(Packet::Disconnect { reason, session_expiry_s: about.session_expiry_s })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All packets of a connection that comes in pieces of a size.
    fn decoded(bytes: &[u8], piece: usize) -> (Vec<Packet>, Option<Reason>) {
        let (mut decoder, mut buffer) = (Decoder::new(1 << 20), BytesMut::new());
        let mut packets = Vec::new();
        for piece in bytes.chunks(piece) {
            buffer.extend_from_slice(piece);
            loop {
                match decoder.next(&mut buffer) {
                    Ok(Some(packet)) => packets.push(packet),
                    Ok(None) => break,
                    Err(error) => return (packets, Some(error.reason)),
                }
            }
        }
        (packets, None)
    }

    const CONNECT_5: &[u8] = b"\x10\x15\x00\x04MQTT\x05\x02\x00\x3c\x08\x11\0\0\0\x0a\x21\0\x05\0\0";

    #[test]
    fn packets_are_the_same_in_every_piece_size() {
        let publish = b"\x32\x18\x00\x03a/b\x00\x07\x0e\x26\x00\x01k\x00\x01v\x02\0\0\0\x09\x01\x01hi";
        let rest = b"\x62\x02\x00\x09\x82\x09\x00\x01\x02\x0b\x05\x00\x01#\x2d\xc0\x00\xe0\x01\x04";
        let all = [CONNECT_5, publish, rest].concat();
        let (packets, error) = decoded(&all, all.len());
        assert_eq!((packets.len(), error), (6, None), "{packets:?}");
        for piece in 1..all.len() {
            assert_eq!(decoded(&all, piece).0, packets, "{piece}");
        }
        let Packet::Connect(connect) = &packets[0] else { panic!("{packets:?}") };
        assert_eq!(
            (connect.version, connect.session_expiry_s, connect.receive_maximum),
            (Version::V5, 10, 5)
        );
        let Packet::Publish(message) = &packets[1] else { panic!("{packets:?}") };
        assert_eq!((&*message.topic, message.packet, message.expiry_s), ("a/b", 7, Some(9)));
        assert_eq!(&message.passed_on[..], b"\x26\x00\x01k\x00\x01v\x01\x01", "in order, without the expiry");
        assert_eq!(&message.payload[..], b"hi");
        let Packet::Subscribe(Subscribe { filters, .. }) = &packets[3] else { panic!("{packets:?}") };
        let (_, options) = &filters[0];
        assert_eq!(
            (options.qos, options.no_local, options.retain_as_published),
            (Qos::AtLeastOnce, true, true)
        );
        assert_eq!((options.retain_handling, options.identifier), (RetainHandling::DoNotSend, Some(5)));
        assert_eq!(packets[5], Packet::Disconnect { reason: Reason(4), session_expiry_s: None });
    }

    #[test]
    fn what_is_no_packet_is_refused_with_its_reason() {
        let after = |bytes: &[u8]| decoded(&[CONNECT_5, bytes].concat(), 1).1;
        for (bytes, reason) in [
            (&b"\x36\x03\x00\x01a"[..], Reason::MALFORMED_PACKET),
            (b"\x38\x04\x00\x01a\x00", Reason::MALFORMED_PACKET),
            (b"\x32\x06\x00\x01a\x00\x00\x00", Reason::PROTOCOL_ERROR),
            (b"\x30\x04\x00\x01\xff\x00", Reason::MALFORMED_PACKET),
            (b"\x30\x04\x00\x01\x00\x00", Reason::MALFORMED_PACKET),
            (b"\x30\x03\x00\x00\x00", Reason::PROTOCOL_ERROR),
            (b"\x30\x07\x00\x01a\x03\x23\x00\x00", Reason::TOPIC_ALIAS_INVALID),
            (b"\x30\x09\x00\x01a\x05\x11\0\0\0\x01", Reason::PROTOCOL_ERROR),
            (b"\x30\x08\x00\x01a\x04\x01\x01\x01\x01", Reason::PROTOCOL_ERROR),
            (b"\x80\x06\x00\x01\x00\x00\x01#\x00", Reason::MALFORMED_PACKET),
            (b"\x82\x07\x00\x01\x00\x00\x01#\xc0", Reason::MALFORMED_PACKET),
            (b"\x82\x03\x00\x01\x00", Reason::MALFORMED_PACKET),
            (b"\x10\x02\x00\x04", Reason::PROTOCOL_ERROR),
            (b"\x20\x02\x00\x00", Reason::PROTOCOL_ERROR),
            (b"\xc0\x01\x00", Reason::MALFORMED_PACKET),
            (b"\x30\xff\xff\xff\xff\x01", Reason::MALFORMED_PACKET),
            (b"\x30\xff\xff\xff\x7f", Reason::PACKET_TOO_LARGE),
        ] {
            assert_eq!(after(bytes), Some(reason), "{bytes:?}");
        }
    }

    #[test]
    fn versions_and_bridges_are_told_from_each_other() {
        let first = |bytes: &[u8]| {
            let (mut packets, error) = decoded(bytes, 1);
            match packets.pop() {
                Some(Packet::Connect(connect)) => Ok((connect.version, connect.is_bridge)),
                _ => Err(error),
            }
        };
        assert_eq!(first(b"\x10\x0d\x00\x04MQTT\x04\x02\x00\x3c\x00\x01x"), Ok((Version::V311, false)));
        assert_eq!(first(b"\x10\x0d\x00\x04MQTT\x84\x02\x00\x3c\x00\x01x"), Ok((Version::V311, true)));
        assert_eq!(first(b"\x10\x0f\x00\x06MQIsdp\x03\x02\x00\x3c\x00\x01x"), Ok((Version::V31, false)));
        let unsupported = Err(Some(Reason::UNSUPPORTED_PROTOCOL_VERSION));
        assert_eq!(first(b"\x10\x0d\x00\x04MQTT\x06\x02\x00\x3c\x00\x01x"), unsupported);
        assert_eq!(
            first(b"\x10\x0d\x00\x04HTTP\x04\x02\x00\x3c\x00\x01x"),
            Err(Some(Reason::PROTOCOL_ERROR))
        );
        assert_eq!(first(b"GET / HTTP/1.1\r\n"), Err(Some(Reason::PROTOCOL_ERROR)));
        // The reserved flag; a will of QoS 3; a retained will without one; a password without a user.
        for flags in [0x03, 0x1e, 0x22, 0x42] {
            let bytes = [&b"\x10\x0d\x00\x04MQTT\x04"[..], &[flags], b"\x00\x3c\x00\x01x"].concat();
            assert_eq!(first(&bytes), Err(Some(Reason::MALFORMED_PACKET)), "{flags:x}");
        }
    }
}
