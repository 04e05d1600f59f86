//! How many sensor requests of a swarm are answered over MQTT, beside a client that answers at once.
//!
//! ```text
//! robots (this process) ──v1/sensor/distance──▶ broker ──▶ simulator (gateway's process)
//!                        ◀─v1/sensor/distance/ID, QoS 2─┘
//! robots (this process) ──echo/sensor/distance──▶ broker ──▶ echo (a process of its own)
//!                        ◀─echo/sensor/distance/ID, QoS 2─┘
//! ```
//!
//! The broker is the same in both, first the one within the gateway, then mosquitto. Each robot asks again as soon as it is
//! answered. All share this machine's processors, so the figures compare within one run only; echo and simulator take turns.

mod client;
mod echo;
mod hostile;
mod intruder;
mod report;
mod swarm;

use std::time::Duration;

use anyhow::Context;
use latimer_core::Clock;
use latimer_e2e::{Gateway, Mosquitto};

use crate::cpu;
use report::Pair;
use swarm::Swarm;

pub(crate) use echo::run as echo;
pub(crate) use hostile::run as hostile;
pub(crate) use intruder::run as intruder;

/// How many robots ask at a time.
const SIZES: [u32; 3] = [1, 100, 1_000];
/// Echo and simulator take turns so many times.
const TURNS: u32 = 2;
/// What the simulator shall reach of the echo's rate.
const BAR: f64 = 0.8;

/// The simulator's channel, and the echo's.
const CHANNEL: &str = "v1";
const ECHO_CHANNEL: &str = "echo";

/// All of it, as tables.
pub(crate) async fn run(clock: Clock, turn: Duration) -> anyhow::Result<()> {
    println!(
        "{TURNS} turns of {} s each, replies QoS 2, subscriptions QoS 1; load of this machine before: {}\n",
        turn.as_secs(),
        cpu::load_average()
    );
    let mut pairs = Vec::new();
    report::head();
    for geometry in ["exact", "reference"] {
        // The echo is a client like any other, which the broker would keep from answering so fast.
        let broker = "listen = '127.0.0.1:1883'\nlimits = { max_rate = 0 }";
        let gateway = Gateway::with_text(&config(geometry, broker, "")).await;
        let port = broker_port(&gateway)?;
        pairs.extend(sizes(clock, turn, geometry, "own broker", port, &gateway).await?);
    }
    if Mosquitto::is_installed() {
        let broker = Mosquitto::start().await;
        let port = broker.port();
        let url = format!("url = 'mqtt://127.0.0.1:{port}'");
        let gateway = Gateway::with_text(&config("exact", &url, "")).await;
        pairs.extend(sizes(clock, turn, "exact", "mosquitto", port, &gateway).await?);
    }
    let own = pairs.iter().filter(|pair| pair.broker == "own broker");
    let least = own.map(Pair::share).fold(f64::INFINITY, f64::min);
    println!("\nbar: at least {BAR} of the echo's rate: {} (least {least:.2})\n", yes(least >= BAR));
    hostile::run(clock).await?;
    println!("load of this machine after: {}", cpu::load_average());
    Ok(())
}

/// Each size of swarm with the echo and the simulator at one broker.
async fn sizes(
    clock: Clock,
    turn: Duration,
    geometry: &'static str,
    broker: &'static str,
    port: u16,
    gateway: &Gateway,
) -> anyhow::Result<Vec<Pair>> {
    let _echo = echo::start(port, ECHO_CHANNEL).await?;
    let mut pairs = Vec::new();
    for robots in SIZES {
        let mut pair = Pair::new(geometry, broker, robots);
        for _ in 0..TURNS {
            for channel in [ECHO_CHANNEL, CHANNEL] {
                let swarm = Swarm::gather(clock, port, channel, robots).await?;
                let figures = swarm.ask(turn).await?;
                match channel {
                    CHANNEL => pair.simulator.push(figures),
                    _ => pair.echo.push(figures),
                }
            }
        }
        report::line(&pair, gateway.resident_bytes());
        pairs.push(pair);
    }
    Ok(pairs)
}

/// A gateway that is a swarm's simulator, and its broker.
fn config(geometry: &str, broker: &str, more: &str) -> String {
    format!(
        "[http]\nlisten = '127.0.0.1:8080'\n\
         [broker]\n{broker}\n\
         [world]\nfile = 'arena'\n\
         [pera]\nsimulator = true\nchannel = '{CHANNEL}'\ngeometry = '{geometry}'\n{more}"
    )
}

/// Where the broker within a gateway is, whose port was moved.
fn broker_port(gateway: &Gateway) -> anyhow::Result<u16> {
    let address = gateway.http();
    let base: u16 = address.rsplit_once(':').context("an address with a port")?.1.parse()?;
    Ok(base + 20)
}

fn yes(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}
