//! One connection, until it drops.

use latimer_core::BrokerAddress;
use latimer_mqtt::{Connection, Message, Qos};

use super::support::{PATIENCE, Running, config, connect, login, next};

#[tokio::test]
async fn every_quality_of_service_arrives_once_and_in_order() {
    let broker = Running::start().await;
    let mut subscriber = connect(&broker.address, "subscriber", &[("a/+", Qos::ExactlyOnce)]).await;
    let mut sender = connect(&broker.address, "sender", &[]).await;
    for qos in [Qos::AtMostOnce, Qos::AtLeastOnce, Qos::ExactlyOnce] {
        for number in 0..500 {
            sender.publish(Message::new("a/b", format!("{number}"), qos)).await.unwrap();
        }
        for number in 0..500 {
            assert_eq!(next(&mut subscriber).await, Message::new("a/b", format!("{number}"), qos));
        }
    }
}

#[tokio::test]
async fn a_retained_message_is_sent_to_a_later_subscriber() {
    let broker = Running::start().await;
    let mut sender = connect(&broker.address, "sender", &[]).await;
    sender.publish(Message::new("kept", "3", Qos::AtLeastOnce).retained()).await.unwrap();
    sender.close().await;
    let mut subscriber = connect(&broker.address, "subscriber", &[("kept", Qos::AtLeastOnce)]).await;
    assert_eq!(next(&mut subscriber).await, Message::new("kept", "3", Qos::AtLeastOnce).retained());
}

#[tokio::test]
async fn the_will_is_published_after_a_drop_and_not_after_disconnect() {
    let broker = Running::start().await;
    let mut subscriber = connect(&broker.address, "subscriber", &[("will/#", Qos::AtLeastOnce)]).await;
    let mortal = |name: &str| {
        let will = Message::new(format!("will/{name}"), "gone", Qos::AtLeastOnce);
        latimer_mqtt::Login { will: Some(will), ..login(&broker.address, name, &[]) }
    };
    Connection::open(&mortal("polite")).await.unwrap().close().await;
    drop(Connection::open(&mortal("rude")).await.unwrap());
    assert_eq!(next(&mut subscriber).await.topic, "will/rude");
}

#[tokio::test]
async fn queued_messages_are_sent_before_disconnect() {
    let broker = Running::start().await;
    let mut subscriber = connect(&broker.address, "subscriber", &[("last", Qos::ExactlyOnce)]).await;
    let mut sender = connect(&broker.address, "sender", &[]).await;
    // So many as fit into the time that a connection has to close, on a busy machine, too.
    for number in 0..50 {
        sender.publish(Message::new("last", format!("{number}"), Qos::ExactlyOnce)).await.unwrap();
    }
    sender.close().await;
    for number in 0..50 {
        assert_eq!(next(&mut subscriber).await.payload, format!("{number}"));
    }
}

#[tokio::test]
async fn a_dropped_connection_has_a_reason() {
    let broker = Running::start().await;
    let mut one = connect(&broker.address, "one", &[]).await;
    broker.stop().await;
    let end = tokio::time::timeout(PATIENCE, one.next()).await.unwrap().unwrap_err().to_string();
    assert!(!end.is_empty());
    let again = one.publish(Message::new("a", "", Qos::AtMostOnce)).await.unwrap_err().to_string();
    assert_eq!(again, end);
}

#[tokio::test]
async fn a_refused_connection_has_a_reason_and_advice() {
    let text = "listen = \"127.0.0.1:0\"\nusers = [{ name = \"swarm\", password = \"right\" }]";
    let broker = Running::of(config(text)).await;
    let stranger = broker.stranger();
    let with = |password: &str| BrokerAddress {
        login: Some(("swarm".to_owned(), password.to_owned())),
        ..stranger.clone()
    };
    let refused = |address: BrokerAddress| async move {
        Connection::open(&login(&address, "x", &[])).await.unwrap_err().to_string()
    };
    for address in [with("wrong"), with(""), stranger.clone()] {
        let error = refused(address).await;
        assert!(error.contains("user or password") || error.contains("let this login in"), "{error}");
    }
    Connection::open(&login(&with("right"), "x", &[])).await.unwrap();
    // The gateway has a login of its own.
    Connection::open(&login(&broker.address, "y", &[])).await.unwrap();

    let port = broker.stop().await.listen.unwrap().port();
    let error = refused(BrokerAddress::new("127.0.0.1", port)).await;
    assert!(error.contains("start a broker or check host and port"), "{error}");
}
