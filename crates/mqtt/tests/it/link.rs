//! A link that is kept, while its broker comes and goes.

use latimer_core::BrokerAddress;
use latimer_mqtt::{Heard, Message, Qos};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast;

use super::support::{Running, connect, hear, hear_message, link, login, next};

#[tokio::test]
async fn comes_back_with_its_subscriptions_when_the_broker_does() {
    let broker = Running::start().await;
    let (mut hears, _, stop, task) = link(login(&broker.address, "hears", &[("a/#", Qos::AtLeastOnce)]));
    assert_eq!(hear(&mut hears).await, Heard::Up);
    let again = broker.stop().await;
    let Heard::Down(reason) = hear(&mut hears).await else { panic!("the drop is not told") };
    assert!(reason.to_string().contains("mqtt://127.0.0.1:"), "{reason}");

    let broker = Running::of(again).await;
    while hear(&mut hears).await != Heard::Up {}
    let mut says = connect(&broker.stranger(), "says", &[]).await;
    says.publish(Message::new("a/b", "1", Qos::AtLeastOnce)).await.unwrap();
    assert_eq!(hear_message(&mut hears).await, Message::new("a/b", "1", Qos::AtLeastOnce));
    stop.cancel();
    task.await.unwrap();
    assert_eq!(hears.next().await, None);
}

#[tokio::test]
async fn what_is_published_while_the_broker_is_away_arrives_when_it_is_back() {
    let broker = Running::start().await;
    let stranger = broker.stranger();
    let again = broker.stop().await;
    let (mut says, publisher, _stop, _) = link(login(&stranger, "says", &[]));
    let Heard::Down(_) = hear(&mut says).await else { panic!("there is no broker") };
    for number in 0..1_000 {
        publisher.publish(Message::new("later", format!("{number}"), Qos::ExactlyOnce)).unwrap();
    }
    // Retained messages and sessions end with the broker, so whoever listens has to be there before the link is:
    // it finds the broker at the same time as the link does, and the link needs several tries.
    let broker = Running::of(again).await;
    let mut hears = connect(&broker.stranger(), "hears", &[("later", Qos::ExactlyOnce)]).await;
    for number in 0..1_000 {
        assert_eq!(next(&mut hears).await.payload, format!("{number}"));
    }
    publisher.confirmed_beyond(999).await;
    assert_eq!(publisher.progress().unconfirmed(), 0);
}

/// A way to a broker that is cut on demand; the next connection goes through again.
async fn cable(to: u16) -> (BrokerAddress, broadcast::Sender<()>) {
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
async fn what_was_under_way_when_the_connection_dropped_arrives() {
    const MANY: usize = 5_000;
    let broker = Running::start().await;
    let mut hears = connect(&broker.address, "hears", &[("all", Qos::ExactlyOnce)]).await;
    let (far, cut) = cable(broker.listen.port()).await;
    let (mut says, publisher, _stop, _) = link(login(&far, "says", &[]));
    assert_eq!(hear(&mut says).await, Heard::Up);
    for number in 0..MANY {
        publisher.publish(Message::new("all", format!("{number}"), Qos::ExactlyOnce)).unwrap();
    }
    let mut heard = std::collections::BTreeSet::new();
    let mut cuts = 0;
    while heard.len() < MANY {
        let message = next(&mut hears).await;
        let number: usize = std::str::from_utf8(&message.payload).unwrap().parse().unwrap();
        heard.insert(number);
        if number / 1_000 > cuts {
            cuts += 1;
            cut.send(()).unwrap();
        }
    }
    assert!(cuts >= 3, "{cuts}");
    let Heard::Down(reason) = hear(&mut says).await else { panic!("a drop is not told") };
    assert!(!reason.to_string().is_empty());
}
