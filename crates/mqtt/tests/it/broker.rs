//! What the broker within refuses, and what it keeps.

use std::time::Duration;

use latimer_core::BrokerAddress;
use latimer_core::service::{BuildError, Rules};
use latimer_mqtt::{BrokerConfig, Connection, Message, Qos};

use super::support::{PATIENCE, Running, config, connect, login, next};

fn problem(text: &str) -> String {
    config(text).validate(&Rules::default()).unwrap_err().to_string()
}

#[test]
fn an_invalid_config_is_refused_with_key_and_advice() {
    let both = problem("listen = \"127.0.0.1:1\"\nurl = \"mqtt://host\"");
    assert_eq!(both, "broker.url: there is a broker within (listen) and another one (url); keep one of them");
    assert!(problem("listen = \"0.0.0.0:1883\"").starts_with("broker.listen: 0.0.0.0:1883 can be reached"));
    assert!(problem("url = \"http://host\"").starts_with("broker.url: \"http://host\" is no address"));
    assert!(
        problem("[websocket]\nlisten = \"127.0.0.1:1\"").starts_with("broker.websocket: there is no broker")
    );
    assert!(
        problem("[[users]]\nname = \"a\"\npassword = \"b\"").starts_with("broker.users: there is no broker")
    );
    let twice = "listen = \"127.0.0.1:1\"\nusers = [{ name = \"a\", password = \"b\" }, { name = \"a\", password = \"c\" }]";
    assert_eq!(problem(twice), "broker.users[1].name: \"a\" is there twice; keep one of them");
    let limits = "listen = \"127.0.0.1:1\"\n[limits]\nmax_clients = 0";
    assert!(problem(limits).starts_with("broker.limits.max_clients: 0 lets nothing through"));
}

#[tokio::test]
async fn nothing_asked_for_is_no_broker() {
    assert!(BrokerConfig::default().build(Default::default()).await.unwrap().is_none());
}

#[tokio::test]
async fn another_broker_is_one_line() {
    let broker = config("url = \"mqtt://swarm:secret@192.168.1.10\"")
        .build(Default::default())
        .await
        .unwrap()
        .unwrap();
    assert_eq!((broker.address().authority().as_str(), broker.listens()), ("192.168.1.10:1883", None));
}

#[tokio::test]
async fn the_error_for_a_taken_port_names_its_key() {
    let one = Running::start().await;
    let text = format!("listen = \"{}\"", one.listen);
    let Err(BuildError::Bind { key, .. }) = config(&text).build(Default::default()).await else {
        panic!("it was free")
    };
    assert_eq!(key, "broker.listen");
    let text = format!("listen = \"127.0.0.1:0\"\n[websocket]\nlisten = \"{}\"", one.listen);
    let Err(BuildError::Bind { key, .. }) = config(&text).build(Default::default()).await else {
        panic!("it was free")
    };
    assert_eq!(key, "broker.websocket.listen");
}

#[tokio::test]
async fn all_of_tens_of_thousands_of_retained_messages_come() {
    const COUNT: usize = 20_000;
    let broker = Running::of(config("listen = \"127.0.0.1:0\"\n[limits]\nmax_rate = 0")).await;
    let mut sender = connect(&broker.stranger(), "sender", &[]).await;
    for number in 0..COUNT {
        let topic = format!("kept/{}/{number}", number % 7);
        sender.publish(Message::new(topic, "x", Qos::AtLeastOnce).retained()).await.unwrap();
    }
    // To close it leaves behind what is not sent soon.
    let sent = async {
        while broker.meter.read().received < COUNT as u64 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, sent).await.expect("all of them are sent");
    for qos in [Qos::AtMostOnce, Qos::AtLeastOnce] {
        let mut subscriber = connect(&broker.stranger(), "subscriber", &[("kept/#", qos)]).await;
        let mut topics = std::collections::HashSet::new();
        while topics.len() < COUNT {
            topics.insert(next(&mut subscriber).await.topic);
        }
        subscriber.close().await;
    }
}

#[tokio::test]
async fn a_client_identifier_that_is_in_use_is_taken_over_by_its_own_user_alone() {
    let users = "users = [{ name = \"a\", password = \"x\" }, { name = \"b\", password = \"y\" }]";
    let broker = Running::of(config(&format!("listen = \"127.0.0.1:0\"\n{users}"))).await;
    let of = |user: &str, password: &str| BrokerAddress {
        login: Some((user.to_owned(), password.to_owned())),
        ..broker.stranger()
    };
    let filters = [("x", Qos::AtLeastOnce)];
    let mut own = connect(&of("a", "x"), "same", &filters).await;
    assert!(Connection::open(&login(&of("b", "y"), "same", &[])).await.is_err());
    let mut sender = connect(&of("b", "y"), "other", &[]).await;
    sender.publish(Message::new("x", "1", Qos::AtLeastOnce)).await.unwrap();
    assert_eq!(next(&mut own).await.payload, "1", "it is still there");
    let mut again = connect(&of("a", "x"), "same", &filters).await;
    sender.publish(Message::new("x", "2", Qos::AtLeastOnce)).await.unwrap();
    assert_eq!(next(&mut again).await.payload, "2");
    own.next().await.unwrap_err();
}
