//! How the fan-out holds up: a thousand WebSocket subscribers of one 50 Hz event over loopback.
//!
//! ```text
//! gateway (own process) ──IMU, DebounceMs 0──▶ 1,000 sockets (this process)
//! the same, and one socket more that subscribes and never reads
//! mosquitto (own process) ──QoS 0, equal payload──▶ 1,000 sockets (this process)
//! ```
//!
//! Latency is the time from the event's own `created` stamp until it was read here, by the same host's
//! clock; it includes the robot's way through the hub. Generator and server share the machine, so the
//! figures compare within one run only.

use std::time::Duration;

use latimer_core::Clock;

use crate::{cpu, misty, mosquitto, report};

/// What is asked of each server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) subscribers: usize,
    /// Subscribers come and settle for so long before anything is counted.
    pub(crate) warm_up: Duration,
    pub(crate) measured: Duration,
}

/// Every run of it, as a table.
pub(crate) async fn run(clock: Clock) -> anyhow::Result<()> {
    let plan = Plan {
        subscribers: number("SUBSCRIBERS", 1_000)?,
        warm_up: Duration::from_secs(3),
        measured: Duration::from_secs(u64::try_from(number("SECONDS", 20)?)?),
    };
    let load = cpu::load_average();
    println!(
        "{} subscribers, {} s each; load of this machine before: {load}\n",
        plan.subscribers,
        plan.measured.as_secs()
    );
    report::head();

    let alone = misty::fan_out(plan, clock, false).await?;
    report::line("latimer", &alone.figures);
    let beside_frozen = misty::fan_out(plan, clock, true).await?;
    report::line("latimer, one frozen", &beside_frozen.figures);
    let peer = mosquitto::fan_out(plan, clock, alone.payload_bytes).await?;
    if let Some(peer) = &peer {
        report::line("mosquitto", peer);
    }

    println!();
    if let Some(fate) = beside_frozen.frozen {
        println!("the frozen subscriber: {fate}");
    }
    match peer {
        Some(peer) => report::ratio("latimer to mosquitto", &alone.figures, &peer),
        None => println!("mosquitto is not installed, so nothing stands beside (apt-get install mosquitto)"),
    }
    Ok(())
}

/// A number from the environment.
fn number(name: &str, otherwise: usize) -> anyhow::Result<usize> {
    match std::env::var(name) {
        Ok(text) => text.parse().map_err(|_| anyhow::anyhow!("{name}={text} is no number")),
        Err(_) => Ok(otherwise),
    }
}
