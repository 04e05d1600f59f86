//! One connection, until it drops.

use latimer_core::BrokerAddress;
use latimer_mqtt::{Connection, Message, Qos};

use super::support::{PATIENCE, Running, config, connect, login, next};

#[tokio::test]
async fn every_quality_of_service_arrives_once_and_in_order() {
    let broker = Running::start().await;
    let mut hears = connect(&broker.address, "hears", &[("a/+", Qos::ExactlyOnce)]).await;
    let mut says = connect(&broker.address, "says", &[]).await;
    for qos in [Qos::AtMostOnce, Qos::AtLeastOnce, Qos::ExactlyOnce] {
        for number in 0..500 {
            says.publish(Message::new("a/b", format!("{number}"), qos)).await.unwrap();
        }
        for number in 0..500 {
            assert_eq!(next(&mut hears).await, Message::new("a/b", format!("{number}"), qos));
        }
    }
}

#[tokio::test]
async fn a_retained_message_waits_for_who_comes_later() {
    let broker = Running::start().await;
    let mut says = connect(&broker.address, "says", &[]).await;
    says.publish(Message::new("kept", "3", Qos::AtLeastOnce).retained()).await.unwrap();
    says.close().await;
    let mut hears = connect(&broker.address, "hears", &[("kept", Qos::AtLeastOnce)]).await;
    assert_eq!(next(&mut hears).await, Message::new("kept", "3", Qos::AtLeastOnce).retained());
}

#[tokio::test]
async fn the_will_is_said_for_who_is_gone_and_not_for_who_says_goodbye() {
    let broker = Running::start().await;
    let mut hears = connect(&broker.address, "hears", &[("will/#", Qos::AtLeastOnce)]).await;
    let mortal = |name: &str| {
        let will = Message::new(format!("will/{name}"), "gone", Qos::AtLeastOnce);
        latimer_mqtt::Login { will: Some(will), ..login(&broker.address, name, &[]) }
    };
    Connection::open(&mortal("polite")).await.unwrap().close().await;
    drop(Connection::open(&mortal("rude")).await.unwrap());
    assert_eq!(next(&mut hears).await.topic, "will/rude");
}

#[tokio::test]
async fn what_was_published_goes_before_the_goodbye() {
    let broker = Running::start().await;
    let mut hears = connect(&broker.address, "hears", &[("last", Qos::ExactlyOnce)]).await;
    let mut says = connect(&broker.address, "says", &[]).await;
    for number in 0..500 {
        says.publish(Message::new("last", format!("{number}"), Qos::ExactlyOnce)).await.unwrap();
    }
    says.close().await;
    for number in 0..500 {
        assert_eq!(next(&mut hears).await.payload, format!("{number}"));
    }
}

#[tokio::test]
async fn a_dropped_connection_says_why() {
    let broker = Running::start().await;
    let mut one = connect(&broker.address, "one", &[]).await;
    broker.stop().await;
    let end = tokio::time::timeout(PATIENCE, one.next()).await.unwrap().unwrap_err().to_string();
    assert!(!end.is_empty());
    let again = one.publish(Message::new("a", "", Qos::AtMostOnce)).await.unwrap_err().to_string();
    assert_eq!(again, end);
}

#[tokio::test]
async fn who_cannot_connect_is_told_what_to_do() {
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
        let said = refused(address).await;
        assert!(said.contains("user or password") || said.contains("let this login in"), "{said}");
    }
    Connection::open(&login(&with("right"), "x", &[])).await.unwrap();
    // The gateway has a login of its own.
    Connection::open(&login(&broker.address, "y", &[])).await.unwrap();

    let port = broker.stop().await.listen.unwrap().port();
    let said = refused(BrokerAddress::new("127.0.0.1", port)).await;
    assert!(said.contains("start a broker or check host and port"), "{said}");
}
