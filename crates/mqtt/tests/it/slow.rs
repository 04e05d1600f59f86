//! A client that never acknowledges, written by hand: it does not delay other clients.

use std::time::Duration;

use latimer_core::Clock;
use latimer_mqtt::{Message, Qos};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::support::{Running, config, connect, next};

/// MQTT 3.1.1, clean session, a minute of silence allowed, client "mute".
const CONNECT: &[u8] = b"\x10\x10\x00\x04MQTT\x04\x02\x00\x3c\x00\x04mute";
/// To "#", at QoS 2.
const SUBSCRIBE: &[u8] = b"\x82\x06\x00\x01\x00\x01#\x02";
/// The answers to both.
const ANSWERS: usize = 4 + 5;

/// Queues so short that they run full many times over.
const LIMITS: &str = "listen = \"127.0.0.1:0\"\n[limits]\nmax_queued = 64\nmax_rate = 0";

/// How long a publisher would wait for a link of the gateway that does not read.
const WAIT: Duration = Duration::from_secs(2);

#[tokio::test]
async fn a_client_that_never_acknowledges_does_not_delay_publishers() {
    let broker = Running::of(config(LIMITS)).await;
    let mut mute = TcpStream::connect(broker.listen).await.unwrap();
    mute.write_all(CONNECT).await.unwrap();
    mute.write_all(SUBSCRIBE).await.unwrap();
    mute.read_exact(&mut [0; ANSWERS]).await.unwrap();
    let (clock, mut waited) = (Clock::system(), 0);
    for (name, address) in [("stranger", broker.stranger()), ("own", broker.address.clone())] {
        let mut sender = connect(&address, name, &[]).await;
        let mut subscriber = connect(&broker.stranger(), "subscriber", &[("a", Qos::ExactlyOnce)]).await;
        for number in 0..2_000 {
            let asked = clock.now();
            sender.publish(Message::new("a", format!("{number}"), Qos::ExactlyOnce)).await.unwrap();
            assert_eq!(next(&mut subscriber).await.payload, format!("{number}"));
            // A busy machine may delay a few.
            waited += usize::from(clock.now().since(asked) >= WAIT);
            assert!(waited < 10, "messages of the {name} wait for another client, at number {number}");
        }
        subscriber.close().await;
        sender.close().await;
    }
    let figures = broker.meter.read();
    assert_eq!((figures.connections, figures.received, figures.waiting), (5, 4_000, 64), "{figures:?}");
    assert!(figures.sent >= 4_000, "{figures:?}");
    while broker.meter.read().clients > 1 {
        tokio::task::yield_now().await;
    }
}
