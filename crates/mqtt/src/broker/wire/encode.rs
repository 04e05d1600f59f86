//! Packets for a client.

use bytes::{BufMut, BytesMut};

use super::{Ack, AckKind, Reason, Version};
use crate::Qos;

/// What CONNACK tells a client of MQTT 5.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in super::super) struct Granted {
    /// Seconds, if they are not what it asked for.
    pub(in super::super) session_expiry_s: Option<u32>,
    pub(in super::super) receive_maximum: u16,
    pub(in super::super) max_packet_bytes: u32,
    pub(in super::super) topic_alias_maximum: u16,
    /// The identifier of a client that has none.
    pub(in super::super) client_id: Option<String>,
}

/// CONNACK of a client that is let in.
pub(in super::super) fn accepted(out: &mut BytesMut, version: Version, present: bool, granted: &Granted) {
    let present = u8::from(present && version > Version::V31);
    if version < Version::V5 {
        out.put_slice(&[0x20, 2, present, 0]);
        return;
    }
    let mut properties = BytesMut::new();
    if let Some(seconds) = granted.session_expiry_s {
        properties.put_u8(0x11);
        properties.put_u32(seconds);
    }
    properties.put_u8(0x21);
    properties.put_u16(granted.receive_maximum);
    properties.put_u8(0x27);
    properties.put_u32(granted.max_packet_bytes);
    properties.put_u8(0x22);
    properties.put_u16(granted.topic_alias_maximum);
    if let Some(id) = &granted.client_id {
        properties.put_u8(0x12);
        text(&mut properties, id);
    }
    header(out, 0x20, 2 + prefixed(properties.len()));
    out.put_slice(&[present, 0]);
    varint(out, properties.len());
    out.put_slice(&properties);
}

/// CONNACK of a client that is refused.
pub(in super::super) fn refused(out: &mut BytesMut, version: Version, reason: Reason) {
    match version {
        Version::V5 => out.put_slice(&[0x20, 3, 0, reason.0, 0]),
        Version::V31 | Version::V311 => {
            let code = match reason {
                Reason::UNSUPPORTED_PROTOCOL_VERSION => 1,
                Reason::CLIENT_IDENTIFIER_NOT_VALID => 2,
                Reason::BAD_USER_NAME_OR_PASSWORD => 4,
                Reason::NOT_AUTHORIZED => 5,
                _ => 3,
            };
            out.put_slice(&[0x20, 2, 0, code]);
        }
    }
}

/// PUBACK, PUBREC, PUBREL or PUBCOMP. Before MQTT 5 it tells no reason.
pub(in super::super) fn ack(out: &mut BytesMut, version: Version, ack: Ack) {
    let Ack { kind, packet, reason } = ack;
    let first = (kind as u8) << 4 | if kind == AckKind::Pubrel { 2 } else { 0 };
    let tells = version == Version::V5 && reason != Reason::SUCCESS;
    out.put_slice(&[first, if tells { 3 } else { 2 }]);
    out.put_u16(packet);
    if tells {
        out.put_u8(reason.0);
    }
}

/// SUBACK, with what was granted for each filter.
pub(in super::super) fn suback(
    out: &mut BytesMut,
    version: Version,
    packet: u16,
    granted: &[Result<Qos, Reason>],
) {
    acks_of_filters(out, 0x90, version, packet, granted.len());
    out.extend(granted.iter().map(|granted| match (granted, version) {
        (Ok(qos), _) => *qos as u8,
        (Err(reason), Version::V5) => reason.0,
        (Err(_), _) => 0x80,
    }));
}

/// UNSUBACK.
pub(in super::super) fn unsuback(out: &mut BytesMut, version: Version, packet: u16, existed: &[bool]) {
    let reasons = if version == Version::V5 { existed } else { &[] };
    acks_of_filters(out, 0xb0, version, packet, reasons.len());
    let reason = |existed: &bool| if *existed { Reason::SUCCESS } else { Reason::NO_SUBSCRIPTION_EXISTED };
    out.extend(reasons.iter().map(|existed| reason(existed).0));
}

fn acks_of_filters(out: &mut BytesMut, first: u8, version: Version, packet: u16, count: usize) {
    let is_5 = version == Version::V5;
    header(out, first, 2 + usize::from(is_5) + count);
    out.put_u16(packet);
    if is_5 {
        out.put_u8(0);
    }
}

/// PINGRESP.
pub(in super::super) fn pong(out: &mut BytesMut) {
    out.put_slice(&[0xd0, 0]);
}

/// DISCONNECT, which a server sends since MQTT 5.
pub(in super::super) fn disconnect(out: &mut BytesMut, version: Version, reason: Reason) {
    if version == Version::V5 {
        out.put_slice(&[0xe0, 1, reason.0]);
    }
}

/// PUBLISH to a subscriber.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Delivery<'a> {
    pub(in super::super) dup: bool,
    pub(in super::super) qos: Qos,
    pub(in super::super) retain: bool,
    /// Empty if `alias` has been told before.
    pub(in super::super) topic: &'a str,
    /// For QoS 1 and 2.
    pub(in super::super) packet: u16,
    pub(in super::super) payload: &'a [u8],
    pub(in super::super) alias: Option<u16>,
    pub(in super::super) expiry_s: Option<u32>,
    pub(in super::super) identifiers: &'a [u32],
    pub(in super::super) passed_on: &'a [u8],
}

impl Delivery<'_> {
    fn properties(&self) -> usize {
        let identifiers: usize = self.identifiers.iter().map(|it| 1 + digits(*it as usize)).sum();
        let (alias, expiry) = (self.alias.map_or(0, |_| 3), self.expiry_s.map_or(0, |_| 5));
        alias + expiry + identifiers + self.passed_on.len()
    }

    fn body(&self, version: Version) -> usize {
        let packet = if self.qos == Qos::AtMostOnce { 0 } else { 2 };
        let properties = if version == Version::V5 { prefixed(self.properties()) } else { 0 };
        2 + self.topic.len() + packet + properties + self.payload.len()
    }

    /// Bytes of the packet.
    pub(in super::super) fn size(&self, version: Version) -> usize {
        1 + prefixed(self.body(version))
    }

    /// Writes it.
    pub(in super::super) fn write(&self, out: &mut BytesMut, version: Version) {
        let flags = u8::from(self.dup) << 3 | (self.qos as u8) << 1 | u8::from(self.retain);
        let body = self.body(version);
        out.reserve(5 + body);
        header(out, 0x30 | flags, body);
        text(out, self.topic);
        if self.qos != Qos::AtMostOnce {
            out.put_u16(self.packet);
        }
        if version == Version::V5 {
            varint(out, self.properties());
            if let Some(seconds) = self.expiry_s {
                out.put_u8(0x02);
                out.put_u32(seconds);
            }
            if let Some(alias) = self.alias {
                out.put_u8(0x23);
                out.put_u16(alias);
            }
            out.put_slice(self.passed_on);
            for identifier in self.identifiers {
                out.put_u8(0x0b);
                varint(out, *identifier as usize);
            }
        }
        out.put_slice(self.payload);
    }
}

fn header(out: &mut BytesMut, first: u8, length: usize) {
    out.put_u8(first);
    varint(out, length);
}

fn text(out: &mut BytesMut, text: &str) {
    // What is longer came in no packet.
    out.put_u16(text.len() as u16);
    out.put_slice(text.as_bytes());
}

/// How many bytes a length takes.
const fn digits(value: usize) -> usize {
    match value {
        0..0x80 => 1,
        0x80..0x4000 => 2,
        0x4000..0x20_0000 => 3,
        _ => 4,
    }
}

/// Bytes of something that follows its length.
const fn prefixed(length: usize) -> usize {
    digits(length) + length
}

fn varint(out: &mut BytesMut, mut value: usize) {
    loop {
        let byte = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            return out.put_u8(byte);
        }
        out.put_u8(byte | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl Fn(&mut BytesMut)) -> Vec<u8> {
        let mut out = BytesMut::new();
        write(&mut out);
        out.to_vec()
    }

    #[test]
    fn acknowledgements_tell_reasons_in_mqtt_5_only() {
        let unknown = Ack { kind: AckKind::Pubcomp, packet: 9, reason: Reason::PACKET_IDENTIFIER_NOT_FOUND };
        assert_eq!(written(|out| ack(out, Version::V311, unknown)), b"\x70\x02\x00\x09");
        assert_eq!(written(|out| ack(out, Version::V5, unknown)), b"\x70\x03\x00\x09\x92");
        let released = Ack { kind: AckKind::Pubrel, packet: 9, reason: Reason::SUCCESS };
        assert_eq!(written(|out| ack(out, Version::V5, released)), b"\x62\x02\x00\x09");
        let granted = [Ok(Qos::ExactlyOnce), Err(Reason::NOT_AUTHORIZED)];
        assert_eq!(written(|out| suback(out, Version::V311, 1, &granted)), b"\x90\x04\x00\x01\x02\x80");
        assert_eq!(written(|out| suback(out, Version::V5, 1, &granted)), b"\x90\x05\x00\x01\x00\x02\x87");
        assert_eq!(written(|out| unsuback(out, Version::V311, 1, &[false])), b"\xb0\x02\x00\x01");
        assert_eq!(written(|out| unsuback(out, Version::V5, 1, &[false])), b"\xb0\x04\x00\x01\x00\x11");
        assert_eq!(written(|out| refused(out, Version::V311, Reason::NOT_AUTHORIZED)), b"\x20\x02\x00\x05");
        assert_eq!(written(|out| refused(out, Version::V5, Reason::NOT_AUTHORIZED)), b"\x20\x03\x00\x87\x00");
        assert!(written(|out| disconnect(out, Version::V311, Reason::SESSION_TAKEN_OVER)).is_empty());
    }

    #[test]
    fn a_delivery_is_as_long_as_it_says() {
        let payload = vec![7; 200];
        let delivery = Delivery {
            dup: true,
            qos: Qos::AtLeastOnce,
            retain: true,
            topic: "a/b",
            packet: 3,
            payload: &payload,
            alias: Some(2),
            expiry_s: Some(1),
            identifiers: &[1, 300],
            passed_on: b"\x26\x00\x01k\x00\x01v",
        };
        for version in [Version::V311, Version::V5] {
            let bytes = written(|out| delivery.write(out, version));
            assert_eq!(bytes.len(), delivery.size(version), "{version:?}");
            assert_eq!(bytes[0], 0x3b);
        }
        let bare = Delivery { qos: Qos::AtMostOnce, dup: false, retain: false, payload: b"", ..delivery };
        assert_eq!(written(|out| bare.write(out, Version::V311)), b"\x30\x05\x00\x03a/b");
    }
}
