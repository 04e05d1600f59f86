use bytes::Bytes;

use super::*;

const PEER: Peer =
    Peer { version: Version::V5, receive_maximum: 3, max_packet_bytes: 100, topic_alias_maximum: 0 };
const BOUNDS: Bounds = Bounds { messages: 4, bytes: 1 << 20, qos0_messages: 2 };
const MOST: usize = 1 << 16;

fn delivery(payload: &str, qos: Qos) -> Delivery {
    let message = Publication {
        topic: "a".into(),
        payload: Bytes::copy_from_slice(payload.as_bytes()),
        qos,
        passed_on: Bytes::new(),
        expires: None,
        number: 1,
        _held: None,
    };
    Delivery { message: Arc::new(message), qos, retain: false, identifiers: SmallVec::new() }
}

/// What is sent, a packet a text: its first byte, identifier and payload.
fn sent(outbound: &mut Outbound) -> Vec<String> {
    let mut out = BytesMut::new();
    outbound.write(&mut out, MOST, Timestamp::default());
    let (mut packets, mut left) = (Vec::new(), &out[..]);
    while let [first, length, rest @ ..] = left {
        let (packet, rest) = rest.split_at(usize::from(*length));
        left = rest;
        packets.push(match (first >> 4, first >> 1 & 3) {
            (3, 0) => format!("{first:x} {}", String::from_utf8_lossy(&packet[4..])),
            (3, _) => format!("{first:x} {} {}", packet[4], String::from_utf8_lossy(&packet[6..])),
            _ => format!("{first:x} {}", packet[1]),
        });
    }
    packets
}

fn ack(kind: AckKind, packet: u16) -> Ack {
    Ack { kind, packet, reason: Reason::SUCCESS }
}

#[test]
fn what_is_in_flight_is_sent_again_in_its_order_before_what_waits() {
    let mut outbound = Outbound::new(PEER);
    for number in 0..5 {
        let qos = if number % 2 == 0 { Qos::ExactlyOnce } else { Qos::AtLeastOnce };
        outbound.push(delivery(&number.to_string(), qos), BOUNDS);
    }
    // The oldest was dropped.
    assert_eq!(sent(&mut outbound), ["32 1 1", "34 2 2", "32 3 3"], "three may be under way");
    let release = outbound.acknowledged(ack(AckKind::Pubrec, 2));
    assert_eq!(release, Some(ack(AckKind::Pubrel, 2)));
    assert_eq!(outbound.acknowledged(ack(AckKind::Pubrec, 2)), release, "again");
    assert_eq!(outbound.acknowledged(ack(AckKind::Pubcomp, 3)), None, "a wrong one changes nothing");
    outbound.disconnected();
    outbound.connected(Peer { receive_maximum: 2, ..PEER });
    assert_eq!(sent(&mut outbound), ["3a 1 1", "62 2"], "no more than it takes now");
    outbound.acknowledged(ack(AckKind::Puback, 1));
    assert_eq!(sent(&mut outbound), ["3a 3 3"]);
    outbound.acknowledged(ack(AckKind::Pubcomp, 2));
    assert_eq!(sent(&mut outbound), ["34 4 4"]);
    outbound.acknowledged(ack(AckKind::Puback, 3));
    outbound.acknowledged(ack(AckKind::Pubrec, 4));
    outbound.acknowledged(ack(AckKind::Pubcomp, 4));
    assert_eq!((outbound.bytes(), outbound.queue_bytes, outbound.in_flight.len()), (0, 0, 0));
}

#[test]
fn an_unknown_identifier_is_answered_and_a_refused_message_is_done() {
    let mut outbound = Outbound::new(PEER);
    let unknown = outbound.acknowledged(ack(AckKind::Pubrec, 9)).unwrap();
    assert_eq!((unknown.kind, unknown.reason), (AckKind::Pubrel, Reason::PACKET_IDENTIFIER_NOT_FOUND));
    outbound.push(delivery("x", Qos::ExactlyOnce), BOUNDS);
    assert_eq!(sent(&mut outbound), ["34 1 x"]);
    let refused = Ack { reason: Reason::QUOTA_EXCEEDED, ..ack(AckKind::Pubrec, 1) };
    assert_eq!(outbound.acknowledged(refused), None);
    assert_eq!((outbound.bytes(), outbound.in_flight.len()), (0, 0));
}

#[test]
fn qos_0_keeps_the_newest_and_does_not_wait_for_who_is_away() {
    let mut outbound = Outbound::new(PEER);
    let dropped = (0..4).map(|it| outbound.push(delivery(&it.to_string(), Qos::AtMostOnce), BOUNDS));
    assert_eq!(dropped.sum::<u64>(), 2);
    outbound.push(delivery(&"y".repeat(200), Qos::AtMostOnce), BOUNDS);
    assert_eq!(sent(&mut outbound), ["30 3"], "one is bigger than the client takes");
    outbound.push(delivery("z", Qos::AtMostOnce), BOUNDS);
    outbound.disconnected();
    assert_eq!((sent(&mut outbound).len(), outbound.bytes()), (0, 0));
}

#[test]
fn a_topic_is_told_once_to_a_client_that_takes_aliases() {
    let mut outbound = Outbound::new(Peer { topic_alias_maximum: 1, ..PEER });
    outbound.push(delivery("x", Qos::AtMostOnce), BOUNDS);
    outbound.push(delivery("y", Qos::AtMostOnce), BOUNDS);
    let mut out = BytesMut::new();
    outbound.write(&mut out, MOST, Timestamp::default());
    assert_eq!(&out[..], b"\x30\x08\x00\x01a\x03\x23\x00\x01x\x30\x07\x00\x00\x03\x23\x00\x01y");
}
