//! Packets by bytes, as clients of either version send them.

use super::Level;

pub(super) fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u16).to_be_bytes()[..], text.as_bytes()].concat()
}

pub(super) fn packet(first: u8, body: &[&[u8]]) -> Vec<u8> {
    let (body, mut bytes) = (body.concat(), vec![first]);
    let mut left = body.len();
    loop {
        let digit = (left % 128) as u8;
        left /= 128;
        bytes.push(if left > 0 { digit | 0x80 } else { digit });
        if left == 0 {
            return [bytes, body].concat();
        }
    }
}

/// Properties of MQTT 5, nothing before.
pub(super) fn properties(level: Level, bytes: &[u8]) -> Vec<u8> {
    if level < 5 { Vec::new() } else { [&[bytes.len() as u8], bytes].concat() }
}

pub(super) const CLEAN: u8 = 2;

/// CONNECT with flags, properties, and what comes after the identifier.
pub(super) fn connect_with(level: Level, id: &str, flags: u8, about: &[u8], rest: &[u8]) -> Vec<u8> {
    let name = text(if level & 0x7f == 3 { "MQIsdp" } else { "MQTT" });
    packet(0x10, &[&name, &[level, flags, 0, 60], &properties(level, about), &text(id), rest])
}

pub(super) fn connect(level: Level, id: &str) -> Vec<u8> {
    connect_with(level, id, CLEAN, b"", b"")
}

/// CONNECT of a session that stays.
pub(super) fn stays(level: Level, id: &str) -> Vec<u8> {
    connect_with(level, id, 0, b"\x11\0\0\0\x3c", b"")
}

/// A message; of QoS 1 and 2 with a packet identifier.
pub(super) fn publish_with(
    level: Level,
    flags: u8,
    topic: &str,
    id: u16,
    about: &[u8],
    payload: &str,
) -> Vec<u8> {
    let id = if flags & 6 == 0 { Vec::new() } else { id.to_be_bytes().to_vec() };
    packet(0x30 | flags, &[&text(topic), &id, &properties(level, about), payload.as_bytes()])
}

pub(super) fn publish(level: Level, flags: u8, topic: &str, id: u16, payload: &str) -> Vec<u8> {
    publish_with(level, flags, topic, id, b"", payload)
}

pub(super) fn subscribe_with(level: Level, about: &[u8], filters: &[(&str, u8)]) -> Vec<u8> {
    let filters: Vec<u8> =
        filters.iter().flat_map(|(filter, options)| [text(filter), vec![*options]].concat()).collect();
    packet(0x82, &[&[0, 1], &properties(level, about), &filters])
}

pub(super) fn subscribe(level: Level, filters: &[(&str, u8)]) -> Vec<u8> {
    subscribe_with(level, b"", filters)
}

pub(super) fn unsubscribe(level: Level, filters: &[&str]) -> Vec<u8> {
    let filters: Vec<u8> = filters.iter().flat_map(|filter| text(filter)).collect();
    packet(0xa2, &[&[0, 2], &properties(level, b""), &filters])
}

pub(super) fn ack(first: u8, id: u16) -> Vec<u8> {
    packet(first, &[&id.to_be_bytes()])
}

pub(super) const PUBACK: u8 = 0x40;

pub(super) const PUBREC: u8 = 0x50;

pub(super) const PUBREL: u8 = 0x62;

pub(super) const PUBCOMP: u8 = 0x70;

pub(super) const DISCONNECT: &[u8] = b"\xe0\x00";
