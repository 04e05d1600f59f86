//! What was published while a link was away: all of it arrives, and it is marked as what may have waited, but nothing that comes later.

use std::time::Duration;

use latimer_core::{BrokerAddress, Clock};
use latimer_e2e::Cable;
use latimer_mqtt::{LinkEvent, Message, Qos};

use super::mosquitto::{ANYBODY, Mosquitto};
use super::support::{PATIENCE, Running, connect, link, login, next_event, next_message};

/// So many were published meanwhile.
const WAITED: usize = 2_250;

/// A link to a broker at a port is away while others publish, who do not stop when it comes back.
async fn comes_back(broker: &BrokerAddress, qos: Qos) {
    let cable = Cable::to(broker.port).await;
    let (mut follower, _, _stop, _) = link(login(&cable.address(), "follower", &[("a", qos)]));
    assert_eq!(next_event(&mut follower).await, LinkEvent::Up);
    let (_sender, publisher, _stop, _) = link(login(broker, "sender", &[]));
    publisher.publish(Message::new("a", "before", qos)).unwrap();
    assert_eq!(next_message(&mut follower).await, Message::new("a", "before", qos));

    cable.pull();
    let pulled = Clock::system().now();
    let LinkEvent::Down(_) = next_event(&mut follower).await else { panic!("the drop is not reported") };
    for number in 0..WAITED {
        publisher.publish(Message::new("a", format!("{number}"), qos)).unwrap();
    }
    publisher.confirmed_beyond(WAITED as u64).await;
    let mut busy = connect(broker, "busy", &[]).await;
    let publishing = tokio::spawn(async move {
        let mut tick = tokio::time::interval(Duration::from_millis(1));
        loop {
            tick.tick().await;
            busy.publish(Message::new("a", "busy", qos)).await.unwrap();
        }
    });
    cable.plug();
    let mut received = 0;
    let catching_up = async {
        loop {
            let message = next_message(&mut follower).await;
            let since = message.queued_since;
            assert!(since.is_none_or(|since| since <= pulled), "before the link was away: {since:?}");
            if message.payload != "busy" {
                assert_eq!(message.payload, format!("{received}"), "each once, in order");
                received += 1;
            }
            if since.is_none() {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, catching_up).await.expect("it catches up, though others go on");
    assert_eq!(received, WAITED, "what waited is marked");
    publishing.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waited_at_mosquitto_is_told_from_what_comes_later() {
    let mosquitto = Mosquitto::start(ANYBODY).await;
    comes_back(&mosquitto.address(), Qos::AtLeastOnce).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn so_is_what_waited_there_with_qos_2() {
    let mosquitto = Mosquitto::start(ANYBODY).await;
    comes_back(&mosquitto.address(), Qos::ExactlyOnce).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn so_it_is_if_all_of_it_is_under_way_at_once() {
    let mosquitto = Mosquitto::start(&format!("{ANYBODY}\nmax_inflight_messages 0")).await;
    comes_back(&mosquitto.address(), Qos::AtLeastOnce).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn so_it_is_if_one_is_under_way_at_a_time() {
    let mosquitto = Mosquitto::start(&format!("{ANYBODY}\nmax_inflight_messages 1")).await;
    comes_back(&mosquitto.address(), Qos::AtLeastOnce).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn so_it_is_at_the_broker_of_another_gateway() {
    let broker = Running::start().await;
    comes_back(&broker.stranger(), Qos::AtLeastOnce).await;
}
