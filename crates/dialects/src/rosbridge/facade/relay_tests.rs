//! What clients may have of a relay, and what is lost beyond it.

use std::sync::Arc;

use serde_json::json;

use super::relay::{Event, Inbox, Relay, RelayError};
use crate::rosbridge::limits::{
    MAX_COMMANDS_PER_CLIENT, MAX_RELAYED_NAMES, MAX_TOPICS_PER_CLIENT, RELAY_INBOX_BYTES,
    RELAY_INBOX_MESSAGES, RELAYED_NAME_MAX_BYTES,
};

const TYPE: &str = "std_msgs/String";

/// A relay with a topic that one client publishes and another one follows.
fn followed() -> (Arc<Relay>, Inbox, Inbox) {
    let relay = Arc::<Relay>::default();
    let (writer, reader) = (relay.join(), relay.join());
    relay.advertise(writer.client, "/a", TYPE, false).unwrap();
    relay.subscribe(reader.client, "/a", None).unwrap();
    (relay, writer, reader)
}

/// The messages that wait.
async fn waiting(inbox: &mut Inbox) -> Vec<Arc<str>> {
    let mut messages = Vec::new();
    let all = async {
        while let Some(Event::Message { message, .. }) = inbox.receive().await {
            messages.push(message);
        }
    };
    // What waits is there at once, and nothing comes later.
    tokio::select! {
        biased;
        () = tokio::task::unconstrained(all) => {}
        () = std::future::ready(()) => {}
    }
    messages
}

#[tokio::test]
async fn a_client_that_does_not_read_loses_the_messages_that_do_not_fit() {
    let (relay, _writer, mut reader) = followed();
    for (size, most) in [(1 << 20, RELAY_INBOX_BYTES >> 20), (8, RELAY_INBOX_MESSAGES)] {
        for round in 0..2 {
            for number in 0..most + 10 {
                let message = format!("{number}{}", " ".repeat(size - number.to_string().len()));
                relay.publish("/a", message.into()).unwrap();
            }
            let kept = waiting(&mut reader).await;
            assert_eq!(kept.len(), most, "of {size} bytes, round {round}");
            assert_eq!(kept.last().unwrap().trim(), (most - 1).to_string(), "the first ones are kept");
        }
    }
    // One alone comes, however large it is.
    relay.publish("/a", " ".repeat(RELAY_INBOX_BYTES + 1).into()).unwrap();
    relay.publish("/a", "lost".into()).unwrap();
    assert_eq!(waiting(&mut reader).await.len(), 1);
}

#[test]
fn names_are_bounded_for_a_client_and_for_all() {
    let relay = Arc::<Relay>::default();
    let clients: Vec<_> = (0..=MAX_RELAYED_NAMES / MAX_TOPICS_PER_CLIENT).map(|_| relay.join()).collect();
    for (of, client) in clients[1..].iter().enumerate() {
        for number in 0..MAX_TOPICS_PER_CLIENT {
            let name = format!("/client_{of}/{number}");
            relay.advertise(client.client, &name, TYPE, false).unwrap();
            relay.advertise_service(client.client, &name, "std_srvs/Empty").unwrap();
        }
        assert_eq!(relay.advertise(client.client, "/more", TYPE, false), Err(RelayError::TooMany));
        assert_eq!(
            relay.advertise_service(client.client, "/more", "std_srvs/Empty"),
            Err(RelayError::TooMany)
        );
    }
    let late = clients[0].client;
    assert_eq!(relay.advertise(late, "/more", TYPE, false), Err(RelayError::Full));
    assert_eq!(relay.subscribe(late, "/more", None), Err(RelayError::Full));
    assert_eq!(relay.advertise_service(late, "/more", "std_srvs/Empty"), Err(RelayError::Full));
    // What is known can be followed, and goes with those who have it.
    relay.subscribe(late, "/client_0/0", None).unwrap();
    drop(clients.into_iter().skip(1).collect::<Vec<_>>());
    assert!(relay.topics().is_empty() && relay.services().is_empty());
}

#[test]
fn what_is_no_name_is_refused() {
    let relay = Arc::<Relay>::default();
    let client = relay.join();
    let longest = format!("/{}", "a".repeat(RELAYED_NAME_MAX_BYTES - 1));
    relay.subscribe(client.client, &longest, None).unwrap();
    for name in
        [format!("{longest}a"), "/a b".to_owned(), "/".to_owned(), "/a//b".to_owned(), "/ä".to_owned()]
    {
        let refused = relay.subscribe(client.client, &name, None).unwrap_err();
        assert!(matches!(refused, RelayError::Name(_)), "{name}: {refused:?}");
    }
}

#[tokio::test]
async fn calls_that_wait_are_bounded_and_end_with_who_serves_them() {
    let relay = Arc::<Relay>::default();
    let (mut server, other) = (relay.join(), relay.join());
    relay.advertise_service(server.client, "/s", "std_srvs/Empty").unwrap();
    let call = || relay.call("/s", json!({})).unwrap();
    let mut calls: Vec<_> = (0..MAX_COMMANDS_PER_CLIENT).map(|_| call().unwrap()).collect();
    assert_eq!(call().unwrap_err(), RelayError::Busy("/s".to_owned()));
    let Some(Event::Call { id, .. }) = server.receive().await else { panic!("a call") };
    relay.answer(other.client, id, Ok(json!({"of": "another"})));
    relay.answer(server.client, id, Ok(json!({})));
    assert_eq!(calls.remove(0).await.unwrap(), Ok(json!({})));
    // Who waits no longer leaves room, too.
    drop(calls.pop());
    let last = [call().unwrap(), call().unwrap()];
    // A page that is loaded anew takes its service over.
    relay.advertise_service(other.client, "/s", "std_srvs/Empty").unwrap();
    drop(server);
    for call in calls.into_iter().chain(last) {
        assert!(call.await.is_err(), "the server is gone");
    }
    assert_eq!(relay.service_type("/s").as_deref(), Some("std_srvs/Empty"));
}
