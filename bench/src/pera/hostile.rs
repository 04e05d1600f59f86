//! Clients that flood, talk nonsense, never acknowledge and come in thousands: what the others notice.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context;
use latimer_core::Clock;
use latimer_e2e::Gateway;
use rumqttc::{PublishOptions, QoS};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::swarm::{Figures, Swarm, announcement};
use super::{CHANNEL, broker_port, client, config};

/// Those who must not notice, and how often each asks.
const ROBOTS: u32 = 100;
const PACE: Duration = Duration::from_millis(100);
const MEASURED: Duration = Duration::from_secs(5);
/// Robots that announce themselves in one go.
const CROWD: u32 = 10_000;
/// Topics that garbage goes to.
const TOPICS: [&str; 14] = [
    "robot/create",
    "robot/live",
    "robot/log",
    "localization",
    "localization/update",
    "localization/data/?",
    "sensor/distance",
    "sensor/color",
    "sensor/proximity",
    "comm/out/simple",
    "comm/out/direct",
    "output/neopixel",
    "obstacles/?",
    "mgt/robots/snapshot",
];
/// What the topics carry that is none of theirs.
const GARBAGE: [&[u8]; 7] = [
    b"",
    b"\xff\xfe\x00\x01",
    b"{\"id\":",
    b"{\"id\":{\"id\":{\"id\":[]}}}",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    b"{\"id\":-1e999,\"reality\":Q}",
    b"null",
];

/// What somebody does.
#[derive(Clone, Copy, Debug)]
enum Hostile {
    Nobody,
    Flood,
    Garbage,
    NeverAcknowledges,
    Crowd,
}

/// Each of them in turn, with a gateway of its own, as a table.
pub(super) async fn run(clock: Clock) -> anyhow::Result<()> {
    println!("{ROBOTS} robots ask every {} ms while somebody is hostile\n", PACE.as_millis());
    println!(
        "{:<20} {:>10} {:>8} {:>8} {:>8} {:>6} {:>10} {:>8} {:>9}",
        "", "answered/s", "p50 ms", "p99 ms", "max ms", "lost", "hostile/s", "RSS MiB", "log lines"
    );
    for hostile in
        [Hostile::Nobody, Hostile::Flood, Hostile::Garbage, Hostile::NeverAcknowledges, Hostile::Crowd]
    {
        one(clock, hostile).await.with_context(|| format!("{hostile:?}"))?;
    }
    println!();
    Ok(())
}

async fn one(clock: Clock, hostile: Hostile) -> anyhow::Result<()> {
    let gateway = Gateway::with_text(&config("exact", "listen = '127.0.0.1:1883'", "")).await;
    let port = broker_port(&gateway)?;
    let lines_before = gateway.said().lines().count();
    let asking = Swarm::gather(clock, port, CHANNEL, ROBOTS).await?.paced(PACE).begin();
    // All of them have asked ten times by then, so that nothing is measured of their beginning.
    clock.sleep(Duration::from_secs(1)).await;
    let sent = Arc::new(AtomicU64::new(0));
    let task = begin(hostile, port, sent.clone());
    let from = clock.now();
    clock.sleep(MEASURED).await;
    let until = clock.now();
    let figures = asking.end(from, until).await?;
    let resident_bytes = gateway.resident_bytes();
    let failed = if task.is_finished() { "; it was thrown out" } else { "" };
    task.abort();
    let sent = sent.load(Ordering::Relaxed);
    let lines = gateway.said().lines().count().saturating_sub(lines_before);
    let Figures { answered_per_s, p50_ms, p99_ms, max_ms, unanswered } = figures;
    println!(
        "{:<20} {answered_per_s:>10.0} {p50_ms:>8.2} {p99_ms:>8.2} {max_ms:>8.2} {unanswered:>6} {:>10.0} {:>8.1} {lines:>9}{failed}",
        hostile.name(),
        sent as f64 / MEASURED.as_secs_f64(),
        resident_bytes as f64 / f64::from(1 << 20),
    );
    Ok(())
}

impl Hostile {
    fn name(self) -> &'static str {
        match self {
            Self::Nobody => "nobody is",
            Self::Flood => "one floods",
            Self::Garbage => "garbage",
            Self::NeverAcknowledges => "never acknowledges",
            Self::Crowd => "10,000 announced",
        }
    }
}

/// Goes on until it is aborted, or has done all that it wants to; counts what it sends.
fn begin(hostile: Hostile, port: u16, sent: Arc<AtomicU64>) -> JoinHandle<anyhow::Result<()>> {
    tokio::spawn(async move {
        let payload = |i: u64| match hostile {
            Hostile::Crowd => {
                let id = 1_000 + u32::try_from(i).unwrap_or_default();
                ("robot/create", announcement(id, 1_000 + CROWD).into_bytes())
            }
            Hostile::Garbage => {
                let topic = TOPICS[i as usize % TOPICS.len()];
                (topic, GARBAGE[i as usize / TOPICS.len() % GARBAGE.len()].to_vec())
            }
            _ => ("sensor/distance", br#"{"id":0,"reality":"M"}"#.to_vec()),
        };
        match hostile {
            Hostile::Nobody => std::future::pending().await,
            Hostile::NeverAcknowledges => never_acknowledges(port).await,
            Hostile::Flood | Hostile::Garbage | Hostile::Crowd => {
                let (client, mut events) = client::connect(port, "hostile".to_owned(), 100, &[]).await?;
                let publishing = async {
                    for i in 0.. {
                        if matches!(hostile, Hostile::Crowd) && i == u64::from(CROWD) {
                            std::future::pending::<()>().await;
                        }
                        let (topic, payload) = payload(i);
                        let options = PublishOptions::new(QoS::AtMostOnce);
                        client.publish(format!("{CHANNEL}/{topic}"), payload, options).await?;
                        sent.fetch_add(1, Ordering::Relaxed);
                    }
                    anyhow::Ok(())
                };
                let polling = async {
                    loop {
                        events.poll().await?;
                    }
                };
                tokio::select! {
                    ended = publishing => ended,
                    ended = polling => ended,
                }
            }
        }
    })
}

/// Subscribes to everything with QoS 2, reads and answers nothing of it.
async fn never_acknowledges(port: u16) -> anyhow::Result<()> {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).await?;
    // CONNECT 3.1.1, clean session, no keep-alive, as `mute`; SUBSCRIBE to `#` with QoS 2.
    socket.write_all(b"\x10\x10\x00\x04MQTT\x04\x02\x00\x00\x00\x04mute").await?;
    let mut acknowledged = [0; 4];
    socket.read_exact(&mut acknowledged).await?;
    socket.write_all(b"\x82\x06\x00\x01\x00\x01#\x02").await?;
    std::future::pending().await
}
