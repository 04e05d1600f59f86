//! A link that is kept, while its broker comes and goes.

use latimer_core::BrokerAddress;
use latimer_e2e::Cable;
use latimer_mqtt::{LinkEvent, Message, Qos};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::support::{PATIENCE, Running, connect, link, login, next, next_event, next_message};

#[tokio::test]
async fn a_link_reconnects_and_subscribes_again() {
    let broker = Running::start().await;
    let (mut subscriber, _, stop, task) =
        link(login(&broker.address, "subscriber", &[("a/#", Qos::AtLeastOnce)]));
    assert_eq!(next_event(&mut subscriber).await, LinkEvent::Up);
    let again = broker.stop().await;
    let LinkEvent::Down(reason) = next_event(&mut subscriber).await else {
        panic!("the drop is not reported")
    };
    assert!(reason.to_string().contains("mqtt://127.0.0.1:"), "{reason}");

    let broker = Running::of(again).await;
    while next_event(&mut subscriber).await != LinkEvent::Up {}
    let mut sender = connect(&broker.stranger(), "sender", &[]).await;
    sender.publish(Message::new("a/b", "1", Qos::AtLeastOnce)).await.unwrap();
    assert_eq!(next_message(&mut subscriber).await, Message::new("a/b", "1", Qos::AtLeastOnce));
    stop.cancel();
    task.await.unwrap();
    assert_eq!(subscriber.next().await, None);
}

#[tokio::test]
async fn messages_published_while_the_broker_is_away_arrive_later() {
    let broker = Running::start().await;
    let stranger = broker.stranger();
    let again = broker.stop().await;
    let (mut sender, publisher, _stop, _) = link(login(&stranger, "sender", &[]));
    let LinkEvent::Down(_) = next_event(&mut sender).await else { panic!("there is no broker") };
    for number in 0..1_000 {
        publisher.publish(Message::new("later", format!("{number}"), Qos::ExactlyOnce)).unwrap();
    }
    // Retained messages and sessions end with the broker, so the subscriber has to connect before the link does:
    // it finds the broker at the same time as the link does, and the link needs several tries.
    let broker = Running::of(again).await;
    let mut subscriber = connect(&broker.stranger(), "subscriber", &[("later", Qos::ExactlyOnce)]).await;
    for number in 0..1_000 {
        assert_eq!(next(&mut subscriber).await.payload, format!("{number}"));
    }
    publisher.confirmed_beyond(999).await;
    assert_eq!(publisher.progress().unconfirmed(), 0);
}

/// A packet as it came: its first byte, and what stands after its length.
async fn packet(stream: &mut TcpStream) -> (u8, Vec<u8>) {
    let first = stream.read_u8().await.unwrap();
    let length = stream.read_u8().await.unwrap();
    assert!(length < 0x80, "what is sent here is short");
    let mut rest = vec![0; length.into()];
    stream.read_exact(&mut rest).await.unwrap();
    (first, rest)
}

/// Takes a connection, and says whether it has a session of the client.
async fn accept(listener: &TcpListener, has_session: bool) -> TcpStream {
    let mut stream = loop {
        let (stream, _) =
            tokio::time::timeout(PATIENCE, listener.accept()).await.expect("nobody came").unwrap();
        // A link that looks whether somebody is there says nothing.
        if stream.peek(&mut [0]).await.unwrap() > 0 {
            break stream;
        }
    };
    assert_eq!(packet(&mut stream).await.0, 0x10, "CONNECT");
    stream.write_all(&[0x20, 2, has_session.into(), 0]).await.unwrap();
    stream
}

const PUBREC_1: [u8; 4] = [0x50, 2, 0, 1];

#[tokio::test]
async fn a_broker_that_answers_twice_gets_a_message_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = BrokerAddress::new("127.0.0.1", listener.local_addr().unwrap().port());
    let (_link, publisher, _stop, _) = link(login(&address, "sender", &[]));
    publisher.publish(Message::new("a", "1", Qos::ExactlyOnce)).unwrap();

    let mut stream = accept(&listener, false).await;
    assert_eq!(packet(&mut stream).await, (0x34, b"\0\x01a\0\x011".to_vec()), "PUBLISH");
    stream.write_all(&[PUBREC_1, PUBREC_1].concat()).await.unwrap();
    // The library may end the connection. It goes on where it was, with PUBREL.
    let mut stream = accept(&listener, true).await;
    assert_eq!(packet(&mut stream).await, (0x62, vec![0, 1]), "PUBREL");
    stream.write_all(&[0x70, 2, 0, 1]).await.unwrap();
    publisher.confirmed_beyond(0).await;

    // A session that ends each time that it is resumed is given up, by a connection that begins a clean one.
    publisher.publish(Message::new("a", "2", Qos::ExactlyOnce)).unwrap();
    assert_eq!(packet(&mut stream).await.0, 0x34, "PUBLISH");
    let never_sent = [0x50, 2, 0, 9];
    stream.write_all(&never_sent).await.unwrap();
    let mut stream = accept(&listener, true).await;
    assert_eq!(packet(&mut stream).await.0, 0x3c, "PUBLISH again");
    stream.write_all(&never_sent).await.unwrap();
    let mut clean = accept(&listener, false).await;
    assert_eq!(packet(&mut clean).await.0, 0xe0, "DISCONNECT");
    let mut stream = accept(&listener, false).await;
    assert_eq!(packet(&mut stream).await.0, 0x34, "PUBLISH for the first time");
}

/// PUBLISH of QoS 1 to the topic `a`, for the first time or again.
fn publish(number: u8, payload: u8, is_sent_again: bool) -> [u8; 8] {
    [if is_sent_again { 0x3a } else { 0x32 }, 6, 0, 1, b'a', 0, number, payload]
}

#[tokio::test]
async fn a_message_of_qos_1_that_the_broker_sends_again_is_received_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = BrokerAddress::new("127.0.0.1", listener.local_addr().unwrap().port());
    let (mut subscriber, _, _stop, _) = link(login(&address, "subscriber", &[("a", Qos::AtLeastOnce)]));
    let mut stream = accept(&listener, false).await;
    let (kind, subscribe) = packet(&mut stream).await;
    assert_eq!(kind, 0x82, "SUBSCRIBE");
    stream.write_all(&[0x90, 3, subscribe[0], subscribe[1], 1]).await.unwrap();
    stream.write_all(&publish(1, b'1', false)).await.unwrap();
    assert_eq!(packet(&mut stream).await, (0x40, vec![0, 1]), "PUBACK");
    drop(stream);
    // It had not read that, and another message was lost with the connection.
    let mut stream = accept(&listener, true).await;
    for (number, payload, is_sent_again) in
        [(1, b'1', true), (2, b'2', true), (1, b'3', true), (2, b'2', false)]
    {
        stream.write_all(&publish(number, payload, is_sent_again)).await.unwrap();
        let answer = loop {
            match packet(&mut stream).await {
                // By UNSUBACK it is known when nothing waits any more.
                (0xa2, asked) => stream.write_all(&[0xb0, 2, asked[0], asked[1]]).await.unwrap(),
                other => break other,
            }
        };
        assert_eq!(answer, (0x40, vec![0, number]), "PUBACK");
    }
    for expected in ["1", "2", "3", "2"] {
        assert_eq!(next_message(&mut subscriber).await.payload, expected);
    }
}

#[tokio::test]
async fn messages_in_flight_when_the_connection_drops_arrive() {
    const MANY: usize = 5_000;
    let broker = Running::start().await;
    let mut subscriber = connect(&broker.address, "subscriber", &[("all", Qos::ExactlyOnce)]).await;
    let far = Cable::to(broker.listen.port()).await;
    let (mut sender, publisher, _stop, _) = link(login(&far.address(), "sender", &[]));
    assert_eq!(next_event(&mut sender).await, LinkEvent::Up);
    for number in 0..MANY {
        publisher.publish(Message::new("all", format!("{number}"), Qos::ExactlyOnce)).unwrap();
    }
    let mut received = std::collections::BTreeSet::new();
    let mut cuts = 0;
    while received.len() < MANY {
        let message = next(&mut subscriber).await;
        let number: usize = std::str::from_utf8(&message.payload).unwrap().parse().unwrap();
        received.insert(number);
        if number / 1_000 > cuts {
            cuts += 1;
            far.cut();
        }
    }
    assert!(cuts >= 3, "{cuts}");
    let LinkEvent::Down(reason) = next_event(&mut sender).await else { panic!("a drop is not reported") };
    assert!(!reason.to_string().is_empty());
}
