//! Clients that flood, talk nonsense, never acknowledge and come in thousands: what the others notice.
//!
//! Beside it the same with the client on a channel that nobody hears: what robots notice then is the broker's and the
//! machine's, and nobody who answers over it can do without.

use std::time::Duration;

use anyhow::Context;
use latimer_core::Clock;
use latimer_e2e::{Gateway, Mosquitto};

use super::intruder::{Hostile, Intruder};
use super::swarm::{Figures, Swarm};
use super::{CHANNEL, broker_port, config};

/// Where nobody hears what a hostile client says.
const ELSEWHERE: &str = "elsewhere";

/// Those who must not notice, and how often each asks.
const ROBOTS: u32 = 100;
const PACE: Duration = Duration::from_millis(100);
/// No longer, or the first moments of a flood would vanish among the rest.
const MEASURED: Duration = Duration::from_secs(5);

/// All of them in turn, so that each has a "nobody" in the same minutes, with a gateway of its own.
const ROUNDS: usize = 3;

/// The broker that all of them are at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// The gateway's own, which slows down a client that floods.
    OwnBroker,
    /// One that passes on all it can.
    Mosquitto,
}

/// What robots notice of each of them, at each broker.
pub(crate) async fn run(clock: Clock) -> anyhow::Result<()> {
    table(clock, At::OwnBroker).await?;
    if Mosquitto::is_installed() {
        table(clock, At::Mosquitto).await?;
    }
    Ok(())
}

/// Of each figure the middle of the rounds, of `max`, `lost`, `RSS` and `log lines` the worst.
async fn table(clock: Clock, at: At) -> anyhow::Result<()> {
    let broker = match at {
        At::OwnBroker => "own broker",
        At::Mosquitto => "mosquitto",
    };
    println!(
        "{broker}: {ROBOTS} robots ask every {} ms while somebody is hostile to them, or else on a channel that nobody hears, from its \
         first moment on, {} s each, {ROUNDS} rounds\n",
        PACE.as_millis(),
        MEASURED.as_secs()
    );
    let mut rounds = vec![];
    for _ in 0..ROUNDS {
        for hostile in Hostile::ALL {
            let run = one(clock, hostile, at);
            rounds.push((hostile, run.await.with_context(|| format!("{hostile:?}"))?));
        }
    }
    println!(
        "{:<18} {:>10} {:>8} {:>8} {:>8} {:>8} {:>20} {:>8} {:>8} {:>6} {:>10} {:>8} {:>9}",
        "",
        "answered/s",
        "else p50",
        "p50 ms",
        "else p99",
        "p99 ms",
        "of each round",
        "else max",
        "max ms",
        "lost",
        "hostile/s",
        "RSS MiB",
        "log lines"
    );
    for hostile in Hostile::ALL {
        let of_it = rounds.iter().filter(|(it, _)| *it == hostile);
        line(hostile, &of_it.map(|(_, noticed)| noticed).collect::<Vec<_>>());
    }
    println!();
    Ok(())
}

/// With a hostile client elsewhere, and here.
type Pair = (Figures, Noticed);

/// What robots notice, and what it costs the gateway.
struct Noticed {
    figures: Figures,
    hostile_per_s: f64,
    resident_bytes: u64,
    log_lines: usize,
    was_thrown_out: bool,
}

fn line(hostile: Hostile, rounds: &[&Pair]) {
    let each = |of: &dyn Fn(&Pair) -> f64| {
        let mut each: Vec<f64> = rounds.iter().map(|pair| of(pair)).collect();
        each.sort_by(f64::total_cmp);
        each
    };
    let middle = |of: &dyn Fn(&Pair) -> f64| each(of).get(rounds.len() / 2).copied().unwrap_or(f64::NAN);
    let most = |of: &dyn Fn(&Pair) -> f64| each(of).last().copied().unwrap_or(f64::NAN);
    let p99s: Vec<_> =
        each(&|(_, it)| it.figures.p99_ms).iter().map(|p99_ms| format!("{p99_ms:.2}")).collect();
    println!(
        "{:<18} {:>10.0} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>20} {:>8.2} {:>8.2} {:>6} {:>10.0} {:>8.1} {:>9}{}",
        hostile.name(),
        middle(&|(_, it)| it.figures.answered_per_s),
        middle(&|(elsewhere, _)| elsewhere.p50_ms),
        middle(&|(_, it)| it.figures.p50_ms),
        middle(&|(elsewhere, _)| elsewhere.p99_ms),
        middle(&|(_, it)| it.figures.p99_ms),
        p99s.join(" "),
        most(&|(elsewhere, _)| elsewhere.max_ms),
        most(&|(_, it)| it.figures.max_ms),
        most(&|(_, it)| it.figures.unanswered as f64),
        middle(&|(_, it)| it.hostile_per_s),
        most(&|(_, it)| it.resident_bytes as f64 / f64::from(1 << 20)),
        most(&|(_, it)| it.log_lines as f64),
        if rounds.iter().any(|(_, it)| it.was_thrown_out) { "; it was thrown out" } else { "" },
    );
}

async fn one(clock: Clock, hostile: Hostile, at: At) -> anyhow::Result<Pair> {
    let elsewhere = notice(clock, hostile, at, ELSEWHERE).await?.figures;
    Ok((elsewhere, notice(clock, hostile, at, CHANNEL).await?))
}

/// What robots notice of somebody who is hostile on a channel, with a gateway of their own.
async fn notice(clock: Clock, hostile: Hostile, at: At, channel: &str) -> anyhow::Result<Noticed> {
    let more =
        if hostile == Hostile::Admitted { "max_robots = 20000\nmax_robots_per_client = 20000" } else { "" };
    let another = match at {
        At::OwnBroker => None,
        At::Mosquitto => Some(Mosquitto::start().await),
    };
    let broker = match &another {
        None => "listen = '127.0.0.1:1883'".to_owned(),
        Some(another) => format!("url = 'mqtt://127.0.0.1:{}'", another.port()),
    };
    let gateway = Gateway::with_text(&config("exact", &broker, more)).await;
    let port = match &another {
        None => broker_port(&gateway)?,
        Some(another) => another.port(),
    };
    let lines_before = gateway.said().lines().count();
    let mut intruder = Intruder::start(hostile, port, channel).await?;
    let asking = Swarm::gather(clock, port, CHANNEL, ROBOTS).await?.paced(PACE).begin();
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
