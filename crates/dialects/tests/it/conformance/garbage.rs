//! What no client means, published on every topic of a dialect over MQTT.

use std::collections::BTreeSet;

use bytes::Bytes;
use latimer_core::BrokerAddress;
use latimer_core::hub::Source;
use latimer_dialects::Entry;
use latimer_mqtt::{Connection, Login, Message, Qos};

use super::house::{House, PATIENCE};
use super::samples;

/// Payloads that are none of the dialect's, some of them near.
fn payloads() -> Vec<Bytes> {
    let deep = "[".repeat(100_000);
    let long = "9".repeat(100_000);
    let texts =
        ["", "{", "null", "[]", "{}", "{\"id\":1}", "{\"id\":-1e999}", "7 7 7 7", "\u{0}", &deep, &long];
    let mut payloads: Vec<Bytes> = texts.iter().map(|text| Bytes::from((*text).to_owned())).collect();
    payloads.push(Bytes::from(vec![0xff; 1_000]));
    payloads.push(Bytes::from(vec![b'"'; 900_000]));
    payloads
}

/// Publishes all of it, and more on topics that are near; returns when the broker has it.
pub(crate) async fn publish(entry: &Entry, here: &House, source: &Source) {
    let mut hears = connect(&here.authority(), "hears-everything", &["#", "+/#"]).await;
    let mut topics: BTreeSet<String> =
        entry.messages.iter().flat_map(|message| topics_of(message.topic)).collect();
    samples::all(&here.hub).into_iter().for_each(|sample| source.publish(sample));
    // What is really said is heard for as long as it comes without a pause.
    while let Ok(incoming) = tokio::time::timeout(PATIENCE / 30, hears.next()).await {
        topics.insert(incoming.unwrap().topic);
    }
    hears.close().await;
    assert!(!topics.is_empty(), "{}: nothing is said over MQTT", entry.name);

    let mut says = connect(&here.authority(), "says-garbage", &[]).await;
    for topic in &topics {
        for payload in payloads() {
            says.publish(Message::new(topic.clone(), payload, Qos::AtLeastOnce)).await.unwrap();
        }
    }
    says.close().await;
}

/// A topic as it is reported, and with numbers and nonsense where it has room for a name.
fn topics_of(reported: &str) -> Vec<String> {
    let filled = |with: &str| {
        let levels =
            reported.split('/').map(|level| if level.contains(['{', '+', '#', '?']) { with } else { level });
        levels.collect::<Vec<_>>().join("/")
    };
    let mut topics = vec![filled("1"), filled("-7"), filled("x y")];
    for topic in topics.clone() {
        topics.push(format!("v1/{topic}"));
    }
    topics
}

pub(crate) async fn connect(address: &str, client_id: &str, filters: &[&str]) -> Connection {
    let address: BrokerAddress = address.parse().unwrap();
    let subscriptions = filters.iter().map(|filter| ((*filter).to_owned(), Qos::AtLeastOnce)).collect();
    let login = Login {
        address,
        client_id: client_id.to_owned(),
        subscriptions,
        will: None,
        keep_alive: PATIENCE,
        trust: Default::default(),
    };
    Connection::open(&login).await.unwrap()
}
