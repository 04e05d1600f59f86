//! Connections that break off at every point of QoS 1 and 2, of clients that nobody here wrote: nothing is lost, nothing of QoS 2
//! comes twice, and the order is kept. At a link of the gateway nothing of QoS 1 comes twice either.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use latimer_core::BrokerAddress;
use latimer_mqtt::{LinkEvent, Message, Qos};
use latimer_testing::{PATIENCE, rounds};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;

use super::support::{Running, connect, link, login, next_event, next_message};

/// Messages for each cut.
const MESSAGES: u32 = 4;

/// Bytes that a connection lives: CONNECT and CONNACK, and some packets. One that breaks off before CONNACK makes paho publish a message of
/// QoS 2 as a new one that it has released already, at any broker.
const BYTES: std::ops::Range<usize> = 80..460;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A way to a broker that breaks off so many times, each time after some bytes of both directions.
async fn breaking(to: u16, cuts: u32, seed: u64) -> (u16, Arc<AtomicU32>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let done = Arc::new(AtomicU32::new(0));
    let counted = done.clone();
    let mut random = StdRng::seed_from_u64(seed);
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            let left = (counted.load(Ordering::Relaxed) < cuts).then(|| random.random_range(BYTES));
            let counted = counted.clone();
            tokio::spawn(async move {
                let Ok(far) = TcpStream::connect(("127.0.0.1", to)).await else { return };
                if carry(near, far, left).await {
                    counted.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    (port, done)
}

/// Carries bytes both ways, so many if there is a bound; whether that was reached.
async fn carry(mut near: TcpStream, mut far: TcpStream, left: Option<usize>) -> bool {
    let mut left = left.unwrap_or(usize::MAX);
    let (mut up, mut down) = ([0; 64], [0; 64]);
    while left > 0 {
        let (count, is_up) = tokio::select! {
            count = near.read(&mut up) => (count.unwrap_or(0), true),
            count = far.read(&mut down) => (count.unwrap_or(0), false),
        };
        let count = count.min(left);
        let carried = match is_up {
            true => far.write_all(&up[..count]).await,
            false => near.write_all(&down[..count]).await,
        };
        if count == 0 || carried.is_err() {
            return false;
        }
        left -= count;
    }
    true
}

/// Runs a program that publishes and subscribes through breaking connections.
async fn survives(program: PathBuf, script: &str, version: &str, seed: u64) {
    let (broker, cuts) = (Running::start().await, rounds(20));
    let (port, done) = breaking(broker.listen.port(), cuts, seed).await;
    let count = cuts * MESSAGES;
    let running = Command::new(program)
        .arg(repository().join(script))
        .args([&port.to_string(), &count.to_string(), version])
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(PATIENCE * (1 + cuts / 20), running).await.expect("it hangs").unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let cut = done.load(Ordering::Relaxed);
    assert!(output.status.success(), "seed {seed}, {cut} cuts, MQTT {version}: {out}{err}");
    assert!(cut >= cuts / 2, "only {cut} connections broke off");
}

fn python(environment: &str) -> PathBuf {
    let environment = repository().join(environment);
    assert!(environment.join("ready").exists(), "{} is missing; run `make setup`", environment.display());
    environment.join("bin/python")
}

/// The same each day, something else in a long run.
fn seed() -> u64 {
    if std::env::var_os(latimer_testing::VARIABLE).is_some() { rand::random() } else { 45 }
}

const PAHO: &str = "tests/python/mqtt_cuts.py";

#[tokio::test(flavor = "multi_thread")]
async fn paho_2_survives_cuts_in_3_1_1() {
    survives(python(".venv-mqtt"), PAHO, "4", seed()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paho_2_survives_cuts_in_5() {
    survives(python(".venv-mqtt"), PAHO, "5", seed()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paho_1_6_survives_cuts_in_3_1_1() {
    survives(python(".venv-mqtt1"), PAHO, "4", seed()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paho_1_6_survives_cuts_in_5() {
    survives(python(".venv-mqtt1"), PAHO, "5", seed()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mqtt_js_survives_cuts_in_3_1_1() {
    survives("node".into(), "tests/node/mqtt_cuts.mjs", "4", seed()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mqtt_js_survives_cuts_in_5() {
    survives("node".into(), "tests/node/mqtt_cuts.mjs", "5", seed()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_receives_each_message_once_through_cuts() {
    let (broker, cuts) = (Running::start().await, rounds(10));
    let (port, done) = breaking(broker.listen.port(), cuts, seed()).await;
    let far = BrokerAddress::new("127.0.0.1", port);
    let (mut subscriber, _, _stop, _) = link(login(&far, "subscriber", &[("all", Qos::ExactlyOnce)]));
    while next_event(&mut subscriber).await != LinkEvent::Up {}
    let mut sender = connect(&broker.address, "sender", &[]).await;
    let count = cuts * 50;
    for number in 0..count {
        let qos = if number % 10 == 0 { Qos::ExactlyOnce } else { Qos::AtLeastOnce };
        sender.publish(Message::new("all", format!("{number}"), qos)).await.unwrap();
    }
    for number in 0..count {
        assert_eq!(next_message(&mut subscriber).await.payload, format!("{number}"));
    }
    let cut = done.load(Ordering::Relaxed);
    assert!(cut >= cuts / 2, "only {cut} connections broke off");
}
