//! What the broker within refuses.

use latimer_core::service::{BuildError, Rules};
use latimer_mqtt::BrokerConfig;

use super::support::{Running, config};

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
    assert_eq!((broker.address().authority().as_str(), broker.reached_at()), ("192.168.1.10:1883", None));
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
