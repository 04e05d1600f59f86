//! How the fan-out holds up: WebSocket subscribers of one 50 Hz event over loopback, a thousand, and so many that no server on this machine
//! keeps up.
//!
//! ```text
//! gateway (own process) ──IMU, DebounceMs 0──▶ 1,000 sockets (this process)
//! the same, and one socket more that subscribes and never reads
//! tungstenite alone (own process) ──equal payload──▶ 1,000 sockets (this process)
//! mosquitto (own process) ──QoS 0, equal payload──▶ 1,000 sockets (this process)
//! ```
//!
//! Latency is the time from the event's own `created` stamp until it was read here, by the same host's
//! clock; it includes the robot's way through the hub. Generator and server share the machine, so the
//! figures compare within one run only.

use std::time::Duration;

use anyhow::Context;
use latimer_core::Clock;
use latimer_e2e::gateway;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::load::{Figures, Heard};
use crate::{bare, cpu, misty, mosquitto, report};

/// What is asked of each server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) subscribers: usize,
    /// Subscribers come and settle for so long before anything is counted.
    pub(crate) warm_up: Duration,
    pub(crate) measured: Duration,
}

/// A subscriber; what it read, and the size of its longest message, once it is stopped.
pub(crate) type Reading = JoinHandle<anyhow::Result<(Heard, usize)>>;

/// What came of one run.
pub(crate) struct Run {
    pub(crate) figures: Figures,
    /// Size of one message, bytes.
    pub(crate) payload_bytes: usize,
    /// What the server's processor worked for each message that was read, microseconds.
    pub(crate) us_per_message: f64,
}

/// Every run of it, as two tables.
pub(crate) async fn run(clock: Clock) -> anyhow::Result<()> {
    let plan = Plan {
        subscribers: number("SUBSCRIBERS", 1_000)?,
        warm_up: Duration::from_secs(3),
        measured: Duration::from_secs(u64::try_from(number("SECONDS", 20)?)?),
    };
    beside_peers(plan, clock, true).await?;
    let saturating = Plan { subscribers: number("SATURATING", 4_000)?, ..plan };
    if saturating.subscribers > 0 {
        println!();
        beside_peers(saturating, clock, false).await?;
    }
    Ok(())
}

async fn beside_peers(plan: Plan, clock: Clock, with_frozen: bool) -> anyhow::Result<()> {
    let load = cpu::load_average();
    println!(
        "{} subscribers, {} s each; load of this machine before: {load}\n",
        plan.subscribers,
        plan.measured.as_secs()
    );
    report::head_with();
    let line = |name, run: &Run| report::line_with(name, &run.figures, run.us_per_message);
    let (ours, _) = misty::fan_out(plan, clock, false).await?;
    line("latimer", &ours);
    let mut fate = None;
    if with_frozen {
        let beside_frozen;
        (beside_frozen, fate) = misty::fan_out(plan, clock, true).await?;
        line("latimer, one frozen", &beside_frozen);
    }
    let bare = bare::fan_out(plan, clock, ours.payload_bytes).await?;
    line("tungstenite alone", &bare);
    let mosquitto = mosquitto::fan_out(plan, clock, ours.payload_bytes).await?;
    if let Some(mosquitto) = &mosquitto {
        line("mosquitto", mosquitto);
    }

    println!();
    if let Some(fate) = fate {
        println!("the frozen subscriber: {fate}");
    }
    report::ratio("latimer to tungstenite alone", &ours.figures, &bare.figures);
    match mosquitto {
        Some(mosquitto) => report::ratio("latimer to mosquitto", &ours.figures, &mosquitto.figures),
        None => println!("mosquitto is not installed, so nothing stands beside (apt-get install mosquitto)"),
    }
    Ok(())
}

/// Lets subscribers read of a server for a while, and stops them.
pub(crate) async fn measure(
    plan: Plan,
    clock: Clock,
    pid: u32,
    stop: watch::Sender<bool>,
    readers: Vec<Reading>,
) -> anyhow::Result<Run> {
    clock.sleep(plan.warm_up).await;
    let (start, before) = (clock.now(), cpu::of_process(pid)?);
    clock.sleep(plan.measured).await;
    let (end, after) = (clock.now(), cpu::of_process(pid)?);
    // What was made just before the end is still on its way.
    clock.sleep(Duration::from_secs(1)).await;
    let resident_bytes = gateway::resident_bytes(pid);
    stop.send(true)?;
    let (mut received, mut payload_bytes) = (Vec::new(), 0);
    for reader in readers {
        let (one, bytes) = reader.await.context("a subscriber broke down")??;
        received.push(one);
        payload_bytes = payload_bytes.max(bytes);
    }
    let figures = Figures::of(&received, &(start..end), resident_bytes);
    let messages = figures.delivered_per_s * end.since(start).as_secs_f64();
    let us_per_message = after.saturating_sub(before).as_secs_f64() * 1e6 / messages;
    Ok(Run { figures, payload_bytes, us_per_message })
}

/// A number from the environment.
fn number(name: &str, otherwise: usize) -> anyhow::Result<usize> {
    match std::env::var(name) {
        Ok(text) => text.parse().map_err(|_| anyhow::anyhow!("{name}={text} is no number")),
        Err(_) => Ok(otherwise),
    }
}
