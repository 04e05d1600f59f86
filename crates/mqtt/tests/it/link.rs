//! A link that is kept, while its broker comes and goes.

use latimer_core::BrokerAddress;
use latimer_mqtt::{LinkEvent, Message, Qos};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast;

use super::support::{Running, connect, link, login, next, next_event, next_message};

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

/// A way to a broker that is cut on demand; the next connection goes through again.
pub(crate) async fn cable(to: u16) -> (BrokerAddress, broadcast::Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (cut, _) = broadcast::channel(1);
    let cuts = cut.clone();
    tokio::spawn(async move {
        while let Ok((mut near, _)) = listener.accept().await {
            let mut cut = cuts.subscribe();
            tokio::spawn(async move {
                let Ok(mut far) = TcpStream::connect(("127.0.0.1", to)).await else { return };
                tokio::select! {
                    _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
                    _ = cut.recv() => {}
                }
            });
        }
    });
    (BrokerAddress::new("127.0.0.1", port), cut)
}

#[tokio::test]
async fn messages_in_flight_when_the_connection_drops_arrive() {
    const MANY: usize = 5_000;
    let broker = Running::start().await;
    let mut subscriber = connect(&broker.address, "subscriber", &[("all", Qos::ExactlyOnce)]).await;
    let (far, cut) = cable(broker.listen.port()).await;
    let (mut sender, publisher, _stop, _) = link(login(&far, "sender", &[]));
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
            cut.send(()).unwrap();
        }
    }
    assert!(cuts >= 3, "{cuts}");
    let LinkEvent::Down(reason) = next_event(&mut sender).await else { panic!("a drop is not reported") };
    assert!(!reason.to_string().is_empty());
}
