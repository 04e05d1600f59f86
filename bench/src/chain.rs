//! What a second gateway adds: the events of one robot from the first, and from a second one that is connected to it.
//!
//! ```text
//! gateway (own process), a Misty at 50 Hz ─┬──────────────────────────▶ a client (this process)
//!                                          └─▶ gateway (own process) ─▶ another client (this process)
//! ```
//!
//! An event is known by its own `created` stamp. What the second gateway adds is the time from when the first client has read it
//! until the other one has. Both follow at the same time, so that they have the same events and the same processor; the turns that
//! the two clients take at it are a part of what is measured.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, ensure};
use latimer_core::{Clock, Timestamp};
use latimer_e2e::Gateway;
use tokio::sync::watch;

use crate::cpu;
use crate::load::Heard;
use crate::misty::{PATH, read, subscribe};
use crate::websocket::WebSocket;

/// Clients settle for so long before anything is counted.
const WARM_UP: Duration = Duration::from_secs(2);

/// Events at the ends of the measured time that may still be on their way.
const MARGIN: Duration = Duration::from_millis(500);

/// What came of it.
struct Outcome {
    events: usize,
    lost: usize,
    /// What the second gateway added to each event, milliseconds, in order.
    added_ms: Vec<f64>,
}

/// The run, as a table.
pub(crate) async fn run(clock: Clock, measured: Duration) -> anyhow::Result<()> {
    println!(
        "a second gateway, {} s of IMU events; load of this machine before: {}\n",
        measured.as_secs(),
        cpu::load_average()
    );
    let first = Gateway::demo().await;
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[misty.connect]]\nrobot = 'far-1'\naddress = '{}'\n\
         [[misty.serve]]\nrobot = 'far-1'\nlisten = '127.0.0.1:8081'\n",
        first.misty()
    );
    let second = Gateway::with_text(&config).await;
    second.until_up("far-1").await;
    let (stop, stopped) = watch::channel(false);
    let mut clients = Vec::new();
    for (name, address) in [("near", first.misty()), ("far", second.misty())] {
        let mut socket = WebSocket::connect(&address, PATH, None).await?;
        subscribe(&mut socket, name).await?;
        clients.push(tokio::spawn(read(socket, clock, stopped.clone())));
    }
    clock.sleep(WARM_UP).await;
    let start = clock.now();
    clock.sleep(measured).await;
    let within = start.after(MARGIN)..clock.now();
    clock.sleep(MARGIN).await;
    stop.send(true)?;
    let mut received = Vec::new();
    for client in clients {
        received.push(client.await.context("a client broke down")??.0);
    }
    let [near, far] = received.try_into().map_err(|_| anyhow::anyhow!("there are two clients"))?;
    let Outcome { events, lost, added_ms } = Outcome::of(near, far, |made| within.contains(&made))?;
    let at = |share: f64| {
        let index = (added_ms.len() as f64 * share) as usize;
        added_ms.get(index.min(added_ms.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    };
    println!(
        "{:>7} {:>6} {:>14} {:>14} {:>14}",
        "events", "lost", "added p50 ms", "added p99 ms", "added max ms"
    );
    println!("{events:>7} {lost:>6} {:>14.2} {:>14.2} {:>14.2}", at(0.5), at(0.99), at(1.0));
    Ok(())
}

impl Outcome {
    /// Compares what both read of the events that count.
    fn of(near: Heard, far: Heard, counts: impl Fn(Timestamp) -> bool) -> anyhow::Result<Self> {
        let far: BTreeMap<_, _> = far.into_events().collect();
        let near: BTreeMap<_, _> = near.into_events().filter(|(made, _)| counts(*made)).collect();
        ensure!(!near.is_empty(), "the robot made no event");
        let added = near.iter().filter_map(|(made, read)| Some((read, far.get(made)?)));
        let ms = |(near, far): (&Timestamp, &Timestamp)| (far.as_nanos() - near.as_nanos()) as f64 / 1e6;
        let mut added_ms: Vec<f64> = added.map(ms).collect();
        added_ms.sort_unstable_by(f64::total_cmp);
        Ok(Self { events: near.len(), lost: near.len() - added_ms.len(), added_ms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_the_first_client_read_is_lost() {
        let at = |ms: i64| Timestamp::from_nanos(ms * 1_000_000);
        let (mut near, mut far) = (Heard::default(), Heard::default());
        for i in 0..10 {
            near.note(at(i * 20), at(i * 20 + 1));
            if i != 4 {
                far.note(at(i * 20), at(i * 20 + 2 + i));
            }
        }
        let outcome = Outcome::of(near, far, |made| made >= at(20)).unwrap();
        assert_eq!((outcome.events, outcome.lost), (9, 1));
        assert_eq!(outcome.added_ms, [2.0, 3.0, 4.0, 6.0, 7.0, 8.0, 9.0, 10.0]);
    }
}
