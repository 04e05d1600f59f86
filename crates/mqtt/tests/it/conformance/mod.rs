//! Dialogues by bytes with the broker within and with Debian's mosquitto: what one answers, the other answers.

mod packets;

use std::collections::HashMap;

use latimer_e2e::mosquitto::Mosquitto;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use packets::{
    CLEAN, DISCONNECT, PUBACK, PUBCOMP, PUBREC, PUBREL, ack, connect, connect_with, packet, properties,
    publish, publish_with, stays, subscribe, subscribe_with, text, unsubscribe,
};

use super::support::{PATIENCE, Running, config};

/// What a dialogue does; clients are named by letters.
enum Step {
    /// A client connects, if it is not connected yet, and sends something.
    Send(char, Vec<u8>),
    /// A client reads until its ping is answered, or until the broker ends the connection.
    Read(char),
    /// A client reads until a packet of a type has come.
    Until(char, u8),
    /// A connection breaks off.
    Break(char),
}

use Step::{Break, Read, Send, Until};

/// Level of the protocol.
type Level = u8;

/// 3.1.1 and 5.
const BOTH: [Level; 2] = [4, 5];

/// Every dialogue with its name; topics begin with the name, so that none sees another's.
#[rustfmt::skip]
fn dialogues(level: Level) -> Vec<(&'static str, Vec<Step>)> {
    let a = || Send('a', connect(level, "a"));
    let b = || Send('b', connect(level, "b"));
    let mut all = vec![
        ("acknowledges", vec![
            a(), Send('a', publish(level, 0, "acknowledges", 0, "0")), Send('a', publish(level, 2, "acknowledges", 7, "1")),
            Send('a', publish(level, 4, "acknowledges", 8, "2")), Read('a'), Send('a', ack(PUBREL, 8)), Read('a'),
        ]),
        ("releases what it does not know", vec![a(), Send('a', ack(PUBREL, 99)), Read('a')]),
        ("is acknowledged what it did not send", vec![
            a(), Send('a', ack(PUBACK, 99)), Read('a'), Send('a', ack(PUBCOMP, 99)), Read('a'),
        ]),
        ("delivers a duplicate of QoS 2 once", vec![
            a(), b(), Send('b', subscribe(level, &[("twice", 0)])), Read('b'),
            Send('a', publish(level, 4, "twice", 5, "x")), Read('a'), Send('a', publish(level, 12, "twice", 5, "x")), Read('a'),
            Send('a', ack(PUBREL, 5)), Read('a'), Until('b', 3), Read('b'),
            // The identifier is free again.
            Send('a', publish(level, 4, "twice", 5, "y")), Read('a'), Send('a', ack(PUBREL, 5)), Read('a'), Until('b', 3), Read('b'),
        ]),
        ("delivers with the lesser QoS", vec![
            a(), b(), Send('b', subscribe(level, &[("lesser/0", 0), ("lesser/1", 1), ("lesser/2", 2)])), Read('b'),
            Send('a', publish(level, 4, "lesser/0", 1, "x")), Read('a'), Send('a', ack(PUBREL, 1)), Read('a'), Until('b', 3),
            Send('a', publish(level, 2, "lesser/2", 2, "y")), Read('a'), Until('b', 3), Send('b', ack(PUBACK, 1)), Read('b'),
            Send('a', publish(level, 0, "lesser/1", 0, "z")), Read('a'), Until('b', 3), Read('b'),
        ]),
        ("goes through QoS 2 with a subscriber", vec![
            a(), Send('a', subscribe(level, &[("flow", 2)])), Read('a'), Send('a', publish(level, 4, "flow", 1, "x")),
            Send('a', ack(PUBREL, 1)), Read('a'), Send('a', ack(PUBREC, 1)), Read('a'), Send('a', ack(PUBCOMP, 1)), Read('a'),
        ]),
        ("sends unacknowledged messages again", vec![
            Send('s', stays(level, "again")), Send('s', subscribe(level, &[("again/#", 2)])), Read('s'), a(),
            Send('a', publish(level, 2, "again/1", 1, "one")), Until('s', 3), Send('a', publish(level, 4, "again/2", 2, "two")), Read('a'),
            Send('a', ack(PUBREL, 2)), Read('a'), Until('s', 3), Send('s', ack(PUBREC, 2)), Until('s', 6), Break('s'),
            Send('s', stays(level, "again")), Read('s'), Send('s', ack(PUBACK, 1)), Send('s', ack(PUBCOMP, 2)), Read('s'),
            Break('s'), Send('s', connect(level, "again")), Read('s'),
        ]),
        ("keeps messages for a session that is away", vec![
            Send('s', stays(level, "away")), Send('s', subscribe(level, &[("away/#", 1)])), Read('s'), Send('s', DISCONNECT.to_vec()),
            Read('s'), a(), Send('a', publish(level, 0, "away/0", 0, "lost")), Send('a', publish(level, 2, "away/1", 1, "kept")), Read('a'),
            Send('s', stays(level, "away")), Read('s'), Send('s', ack(PUBACK, 1)), Read('s'), Break('s'),
            Send('s', connect(level, "away")), Read('s'),
        ]),
        ("retains", vec![
            a(), Send('a', publish(level, 3, "retains/1", 1, "x")), Send('a', publish(level, 1, "retains/2", 0, "y")), Read('a'),
            Send('a', subscribe(level, &[("retains/1", 1)])), Read('a'), Send('a', ack(PUBACK, 1)),
            Send('a', publish(level, 1, "retains/1", 0, "")), Read('a'), Send('a', subscribe(level, &[("retains/#", 0)])), Read('a'),
            Send('a', publish(level, 1, "retains/2", 0, "")), Read('a'),
        ]),
        ("unsubscribes", vec![
            a(), Send('a', subscribe(level, &[("unsubscribes", 1)])), Send('a', unsubscribe(level, &["unsubscribes", "unknown"])),
            Send('a', publish(level, 2, "unsubscribes", 1, "x")), Read('a'),
        ]),
        ("refuses a topic with wildcards", vec![a(), Send('a', publish(level, 2, "x/+", 1, "x")), Read('a')]),
        ("refuses a filter that is none", vec![a(), Send('a', subscribe(level, &[("x/#/y", 1)])), Read('a')]),
        ("refuses a subscription without a filter", vec![a(), Send('a', subscribe(level, &[])), Read('a')]),
        ("refuses QoS 3", vec![a(), Send('a', publish(level, 6, "x", 1, "x")), Read('a')]),
        ("refuses a second CONNECT", vec![a(), a(), Read('a')]),
        ("takes a client over", vec![a(), Read('a'), Send('c', connect(level, "a")), Read('c'), Read('a')]),
        ("publishes a will", vec![
            b(), Send('b', subscribe(level, &[("will", 1)])), Read('b'),
            Send('a', connect_with(level, "a", 0x0e, b"", &[properties(level, b""), text("will"), text("gone")].concat())),
            Read('a'), Break('a'), Until('b', 3), Read('b'),
        ]),
        ("publishes no will after DISCONNECT", vec![
            b(), Send('b', subscribe(level, &[("goodbye", 1)])), Read('b'),
            Send('a', connect_with(level, "a", 0x0e, b"", &[properties(level, b""), text("goodbye"), text("gone")].concat())),
            Read('a'), Send('a', DISCONNECT.to_vec()), Read('a'), Read('b'),
        ]),
        ("shares a subscription", vec![
            a(), Send('a', subscribe(level, &[("$share/g/shares", 0)])), Read('a'), b(),
            Send('b', subscribe(level, &[("$share/g/shares", 0)])), Read('b'),
            Send('c', connect(level, "c")), Read('c'),
            Send('c', publish(level, 2, "shares", 1, "x")), Send('c', publish(level, 2, "shares", 2, "y")), Read('c'), Until('a', 3), Until('b', 3),
        ]),
        ("keeps $-topics from wildcards", vec![
            a(), Send('a', subscribe(level, &[("#", 0), ("+/dollar", 0)])), Send('a', publish(level, 2, "$dollar/dollar", 1, "x")),
            Send('a', subscribe(level, &[("$dollar/#", 0)])), Send('a', publish(level, 2, "$dollar/dollar", 2, "y")), Read('a'),
        ]),
        ("closes for flags that there are not", vec![a(), Send('a', vec![0xc1, 0]), Read('a')]),
        ("refuses to unsubscribe from no filter", vec![a(), Send('a', unsubscribe(level, &[])), Read('a')]),
        ("takes a long odd identifier", vec![Send('a', connect(level, &"ü/+# ".repeat(40))), Read('a')]),
        ("wants an identifier for a session that stays", vec![Send('a', connect_with(level, "", 0, b"", b"")), Read('a')]),
    ];
    if level == 4 {
        let versions = [
            ("speaks 3.1", connect(3, "old")),
            ("speaks no version 6", connect(6, "new")),
            ("speaks no version 2", connect(2, "older")),
            ("lets a bridge in", connect(0x84, "bridge")),
            ("refuses a first packet that is not CONNECT", publish(4, 0, "x", 0, "x")),
            ("refuses the reserved flag", connect_with(4, "x", 3, b"", b"")),
            ("refuses a will of QoS 3", connect_with(4, "x", 0x1e, b"", &[text("w"), text("w")].concat())),
            ("refuses a password without a user", connect_with(4, "x", 0x42, b"", &text("p"))),
            ("lets a client without an identifier in", connect(4, "")),
            ("wants an identifier in 3.1", connect(3, "")),
            ("closes for another protocol", packet(0x10, &[&text("HTTP"), &[4, 2, 0, 60], &text("x")])),
        ];
        all.extend(versions.map(|(name, bytes)| (name, vec![Send('a', bytes), Read('a')])));
        all.push(("does not send a bridge what it published", vec![
            Send('a', connect(0x84, "bridge")), Send('a', subscribe(4, &[("bridged/#", 0)])), Read('a'),
            Send('a', publish(4, 0, "bridged/own", 0, "x")), Read('a'), b(), Send('b', publish(4, 1, "bridged/other", 0, "y")),
            Read('b'), Until('a', 3), Read('a'), Send('b', publish(4, 1, "bridged/other", 0, "")), Read('b'),
        ]));
    } else {
        all.extend(dialogues_of_5());
    }
    all
}

/// What only MQTT 5 has.
#[rustfmt::skip]
fn dialogues_of_5() -> Vec<(&'static str, Vec<Step>)> {
    let a = || Send('a', connect(5, "a"));
    let b = || Send('b', connect(5, "b"));
    let user = b"\x26\0\x01k\0\x01v\x26\0\x01k\0\x01w\x08\0\x01r\x09\0\x02\x01\x02\x03\0\x01c\x01\x01\x26\0\x01a\0\x01b";
    vec![
        ("passes properties on", vec![
            a(), Send('a', subscribe(5, &[("passes", 0)])), Send('a', publish_with(5, 2, "passes", 1, user, "x")), Read('a'),
        ]),
        ("numbers subscriptions", vec![
            a(), Send('a', subscribe_with(5, b"\x0b\x07", &[("numbers", 0)])), Send('a', publish(5, 2, "numbers", 1, "x")), Read('a'),
        ]),
        ("keeps its own from a client", vec![
            a(), Send('a', subscribe(5, &[("local", 4)])), Send('a', publish(5, 2, "local", 1, "x")), Read('a'), b(),
            Send('b', publish(5, 2, "local", 1, "y")), Read('b'), Until('a', 3),
        ]),
        ("retains as published", vec![
            a(), Send('a', subscribe(5, &[("published", 8)])), Send('a', publish(5, 3, "published", 1, "x")), Read('a'),
            Send('a', subscribe(5, &[("published", 0x18)])), Read('a'), Send('a', unsubscribe(5, &["published"])), Read('a'),
            Send('a', subscribe(5, &[("published", 0x10)])), Read('a'), Send('a', subscribe(5, &[("published", 0x20)])), Read('a'),
            Send('a', publish(5, 1, "published", 0, "")), Read('a'),
        ]),
        ("knows aliases", vec![
            a(), Send('a', subscribe(5, &[("aliases", 0)])), Send('a', publish_with(5, 0, "aliases", 0, b"\x23\0\x01", "x")),
            Send('a', publish_with(5, 0, "", 0, b"\x23\0\x01", "y")), Read('a'),
        ]),
        ("refuses alias 0", vec![a(), Send('a', publish_with(5, 0, "x", 0, b"\x23\0\0", "x")), Read('a')]),
        ("refuses an alias above its maximum", vec![a(), Send('a', publish_with(5, 0, "x", 0, b"\x23\x03\xe8", "x")), Read('a')]),
        ("refuses an unknown alias", vec![a(), Send('a', publish_with(5, 0, "", 0, b"\x23\0\x02", "x")), Read('a')]),
        ("sends no more than is received", vec![
            Send('a', connect_with(5, "a", CLEAN, b"\x21\0\x01", b"")), Send('a', subscribe(5, &[("receives", 1)])), Read('a'), b(),
            Send('b', publish(5, 2, "receives", 1, "x")), Send('b', publish(5, 2, "receives", 2, "y")), Read('b'), Until('a', 3), Read('a'),
            Send('a', ack(PUBACK, 1)), Until('a', 3), Read('a'),
        ]),
        ("sends no packet that is too large", vec![
            Send('a', connect_with(5, "a", CLEAN, b"\x27\0\0\0\x20", b"")), Send('a', subscribe(5, &[("large", 1)])), Read('a'), b(),
            Send('b', publish(5, 2, "large", 1, &"x".repeat(40))), Send('b', publish(5, 2, "large", 2, "y")), Read('b'), Until('a', 3), Read('a'),
        ]),
        ("refuses receive maximum 0", vec![Send('a', connect_with(5, "a", CLEAN, b"\x21\0\0", b"")), Read('a')]),
        ("refuses a property twice", vec![Send('a', connect_with(5, "a", CLEAN, b"\x21\0\x01\x21\0\x01", b"")), Read('a')]),
        ("refuses a method of authentication", vec![Send('a', connect_with(5, "a", CLEAN, b"\x15\0\x01m", b"")), Read('a')]),
        ("refuses to share without its own", vec![a(), Send('a', subscribe(5, &[("$share/g/x", 4)])), Read('a')]),
        ("publishes the will of a DISCONNECT that says so", vec![
            b(), Send('b', subscribe(5, &[("says", 1)])), Read('b'),
            Send('a', connect_with(5, "a", 0x0e, b"", &[properties(5, b""), text("says"), text("gone")].concat())), Read('a'),
            Send('a', vec![0xe0, 1, 4]), Read('a'), Until('b', 3), Read('b'),
        ]),
        ("does not let a session begin to stay", vec![a(), Send('a', vec![0xe0, 7, 0, 5, 0x11, 0, 0, 0, 9]), Read('a')]),
        ("tells a user without a password in", vec![Send('a', connect_with(5, "a", 0x82, b"", &text("u"))), Read('a')]),
        ("lets a password without a user in", vec![Send('a', connect_with(5, "a", 0x42, b"", &text("p"))), Read('a')]),
    ]
}

/// Where the broker within answers otherwise on purpose, by level and dialogue: what it says last, and why. docs/mqtt.md lists them.
const OTHERWISE: [(Level, &str, &str, &str); 9] = [
    (4, "closes for flags that there are not", "closed", "MQTT-2.1.3-1"),
    (5, "closes for flags that there are not", "e00181 closed", "MQTT-2.1.3-1"),
    (5, "refuses a topic with wildcards", "e00190 closed", "topic name invalid, not protocol error"),
    (5, "refuses a filter that is none", "e0018f closed", "topic filter invalid, not malformed packet"),
    (5, "refuses a second CONNECT", "e00182 closed", "MQTT-3.1.0-2: DISCONNECT has the reason"),
    (5, "takes a client over", "e0018e closed", "MQTT-3.1.4-3: DISCONNECT has the reason"),
    (5, "refuses alias 0", "e00194 closed", "topic alias invalid, not malformed packet"),
    (5, "refuses an unknown alias", "e00194 closed", "topic alias invalid, not protocol error"),
    (5, "refuses to share without its own", "e00182 closed", "MQTT-3.8.3-4"),
];

/// A packet as it is compared: of CONNACK the reason, since brokers may have other limits.
fn shown(packet: &[u8]) -> String {
    let shown = match packet {
        [0x20, _, flags, reason, _, ..] => vec![0x20, *flags, *reason],
        packet => packet.to_vec(),
    };
    shown.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A client's connection, and what has come and was not looked at.
struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// For errors.
    dialogue: String,
}

impl Client {
    /// The next packet; `None` at the end.
    async fn packet(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(end) = whole(&self.buffer) {
                return Some(self.buffer.drain(..end).collect());
            }
            let mut chunk = [0; 4_096];
            let read = tokio::time::timeout(PATIENCE, self.stream.read(&mut chunk)).await;
            let read = read.unwrap_or_else(|_| panic!("{}: nothing comes", self.dialogue));
            match read {
                Ok(count @ 1..) => self.buffer.extend_from_slice(&chunk[..count]),
                Ok(0) | Err(_) => return None,
            }
        }
    }
}

/// Where the first packet ends.
fn whole(bytes: &[u8]) -> Option<usize> {
    let mut length = 0;
    for (index, byte) in bytes.iter().skip(1).take(4).enumerate() {
        length |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            let end = 2 + index + length;
            return (bytes.len() >= end).then_some(end);
        }
    }
    None
}

/// What a broker answers in each step.
async fn spoken(dialogue: &str, port: u16, steps: &[Step]) -> Vec<String> {
    let (mut clients, mut answers) = (HashMap::new(), Vec::new());
    for step in steps {
        match step {
            Send(name, bytes) => {
                if !clients.contains_key(name) {
                    let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                    stream.set_nodelay(true).unwrap();
                    let dialogue = format!("{dialogue}, {name} at {port}");
                    clients.insert(*name, Client { stream, buffer: Vec::new(), dialogue });
                }
                // It may have been closed for what came before.
                let _ = clients.get_mut(name).unwrap().stream.write_all(bytes).await;
            }
            Read(name) => {
                let Some(client) = clients.get_mut(name) else {
                    answers.push(format!("{name}: is gone"));
                    continue;
                };
                let _ = client.stream.write_all(b"\xc0\x00").await;
                let mut packets = Vec::new();
                let ends = loop {
                    match client.packet().await {
                        Some(packet) if packet == b"\xd0\x00" => break "",
                        Some(packet) => packets.push(packet),
                        None => break "closed",
                    }
                };
                // Brokers may answer SUBSCRIBE before or after its retained messages.
                packets.sort_by_key(|packet| packet.first().map(|first| first >> 4));
                let packets: Vec<String> = packets.iter().map(|packet| shown(packet)).collect();
                answers.push(format!("{name}: {} {ends}", packets.join(" ")));
                if !ends.is_empty() {
                    clients.remove(name);
                }
            }
            Until(name, kind) => {
                while let Some(client) = clients.get_mut(name) {
                    let Some(packet) = client.packet().await else {
                        answers.push(format!("{name}: closed"));
                        clients.remove(name);
                        break;
                    };
                    answers.push(format!("{name}: {}", shown(&packet)));
                    if packet[0] >> 4 == *kind {
                        break;
                    }
                }
            }
            Break(name) => drop(clients.remove(name)),
        }
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn the_broker_answers_as_mosquitto_does() {
    let mosquitto = Mosquitto::start().await;
    let mut different = Vec::new();
    for level in BOTH {
        // Of each a broker of its own, so that the packet identifiers are the same, too.
        for (name, steps) in dialogues(level) {
            let ours = Running::of(config("listen = \"127.0.0.1:0\"")).await;
            let (within, outside) = (
                spoken(name, ours.listen.port(), &steps).await,
                spoken(name, mosquitto.port(), &steps).await,
            );
            let otherwise = OTHERWISE.iter().find(|(at, it, ..)| (*at, *it) == (level, name));
            if let Some((.., last, why)) = otherwise {
                let is_said = within.last().is_some_and(|it| it.ends_with(last));
                assert!(is_said && within != outside, "{level} {name} ({why}): {within:?}, {outside:?}");
            } else if within != outside {
                different.push(format!("{level} {name}:\n  within    {within:?}\n  mosquitto {outside:?}"));
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
