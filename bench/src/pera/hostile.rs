//! Clients that flood, talk nonsense, never acknowledge and come in thousands: what the others notice.
//!
//! The echo's robots have the same hostile client at the same broker; what they notice is the broker's and the machine's,
//! and nobody who answers over it can do without.

use std::time::Duration;

use anyhow::Context;
use latimer_core::Clock;
use latimer_e2e::Gateway;

use super::intruder::{Hostile, Intruder};
use super::swarm::{Figures, Swarm};
use super::{CHANNEL, ECHO_CHANNEL, broker_port, config, echo};

/// Those who must not notice, and how often each asks.
const ROBOTS: u32 = 100;
const PACE: Duration = Duration::from_millis(100);
/// No longer, or the first moments of a flood would vanish among the rest.
const MEASURED: Duration = Duration::from_secs(5);

/// Each of them in turn, with a gateway of its own, as a table.
pub(crate) async fn run(clock: Clock) -> anyhow::Result<()> {
    println!("{ROBOTS} robots ask every {} ms while somebody is hostile\n", PACE.as_millis());
    println!(
        "{:<20} {:>10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6} {:>10} {:>8} {:>9}",
        "",
        "answered/s",
        "echo p50",
        "p50 ms",
        "echo p99",
        "p99 ms",
        "echo max",
        "max ms",
        "lost",
        "hostile/s",
        "RSS MiB",
        "log lines"
    );
    for hostile in Hostile::ALL {
        one(clock, hostile).await.with_context(|| format!("{hostile:?}"))?;
    }
    println!();
    Ok(())
}

/// What robots notice, and what it costs the gateway.
struct Noticed {
    figures: Figures,
    hostile_per_s: f64,
    resident_bytes: u64,
    log_lines: usize,
    was_thrown_out: bool,
}

async fn one(clock: Clock, hostile: Hostile) -> anyhow::Result<()> {
    let echo = notice(clock, hostile, ECHO_CHANNEL).await?.figures;
    let it = notice(clock, hostile, CHANNEL).await?;
    let Figures { answered_per_s, p50_ms, p99_ms, max_ms, unanswered } = it.figures;
    println!(
        "{:<20} {answered_per_s:>10.0} {:>8.2} {p50_ms:>8.2} {:>8.2} {p99_ms:>8.2} {:>8.2} {max_ms:>8.2} {unanswered:>6} {:>10.0} {:>8.1} {:>9}{}",
        hostile.name(),
        echo.p50_ms,
        echo.p99_ms,
        echo.max_ms,
        it.hostile_per_s,
        it.resident_bytes as f64 / f64::from(1 << 20),
        it.log_lines,
        if it.was_thrown_out { "; it was thrown out" } else { "" },
    );
    Ok(())
}

/// Robots on a channel, with a gateway of their own.
async fn notice(clock: Clock, hostile: Hostile, channel: &'static str) -> anyhow::Result<Noticed> {
    let more = if hostile == Hostile::Admitted { "max_robots = 20000" } else { "" };
    let gateway = Gateway::with_text(&config("exact", "listen = '127.0.0.1:1883'", more)).await;
    let port = broker_port(&gateway)?;
    let lines_before = gateway.said().lines().count();
    let _echo = if channel == ECHO_CHANNEL { Some(echo::start(port, channel).await?) } else { None };
    let mut intruder = Intruder::start(hostile, port, channel).await?;
    let asking = Swarm::gather(clock, port, channel, ROBOTS).await?.paced(PACE).begin();
    // All of them have asked ten times by then, so that nothing is measured of their beginning.
    clock.sleep(Duration::from_secs(1)).await;
    intruder.begin().await?;
    let from = clock.now();
    clock.sleep(MEASURED).await;
    let until = clock.now();
    let figures = asking.end(from, until).await?;
    let resident_bytes = gateway.resident_bytes();
    Ok(Noticed {
        figures,
        hostile_per_s: intruder.sent() as f64 / MEASURED.as_secs_f64(),
        resident_bytes,
        log_lines: gateway.said().lines().count().saturating_sub(lines_before),
        was_thrown_out: intruder.was_thrown_out()?,
    })
}
