//! A link that is kept, while its broker comes and goes.

use latimer_mqtt::{Heard, Message, Qos};

use super::support::{Running, connect, hear, hear_message, link, login, next};

#[tokio::test]
async fn comes_back_with_its_subscriptions_when_the_broker_does() {
    let broker = Running::start().await;
    let (mut hears, _, stop, task) = link(login(&broker.address, "hears", &[("a/#", Qos::AtLeastOnce)]));
    assert_eq!(hear(&mut hears).await, Heard::Up);
    let again = broker.stop().await;
    let Heard::Down(reason) = hear(&mut hears).await else { panic!("the drop is not told") };
    assert!(reason.contains("mqtt://127.0.0.1:"), "{reason}");

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
    assert_eq!(publisher.waiting(), 0);
}
