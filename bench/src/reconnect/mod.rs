//! How long a link to a broker takes until it receives again, beside clients that others wrote and that reconnect by themselves.
//!
//! ```text
//! publisher (this process), a message each millisecond ──▶ mosquitto ──▶ cable (this process) ─┬─▶ a link (this process)
//!                                                                                              ├─▶ mosquitto_sub
//!                                                                                              └─▶ paho
//! ```
//!
//! Once the cable breaks off while the broker stays, and once the broker itself goes away and returns. All clients have the same drops and
//! the same messages, and each is as it comes: its delays before it tries again are its own.

mod client;
mod publisher;

use std::time::Duration;

use anyhow::Context;
use latimer_core::Clock;
use latimer_e2e::{Cable, Mosquitto};

use crate::cpu;
use crate::stop::{Figures, head, line};
use client::Client;
use publisher::Publisher;

/// Drops of the connection, and returns of the broker.
const DROPS: usize = 60;
const RETURNS: usize = 20;

/// How long the broker is away; who backs off waits longer after longer.
const AWAY: Duration = Duration::from_secs(2);

/// All receive for so long before the next drop.
const SETTLED: Duration = Duration::from_secs(2);

/// A message that is younger than its drop may still have come over the old connection; so long after it none does.
const SLIPS: Duration = Duration::from_millis(3);

/// A client that does not receive again for so long has given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// The run, as two tables.
pub(crate) async fn run(clock: Clock) -> anyhow::Result<()> {
    if !Mosquitto::is_installed() {
        println!("reconnecting is not measured without mosquitto; run `make mosquitto`");
        return Ok(());
    }
    println!(
        "{DROPS} drops, {RETURNS} returns of a broker that was away for {} s; load of this machine before: {}\n",
        AWAY.as_secs(),
        cpu::load_average()
    );
    let mut broker = Mosquitto::start().await;
    let cable = Cable::to(broker.port()).await;
    let mut publisher = Publisher::start(clock, broker.address());
    let mut clients = Client::all(clock, &cable).await?;
    settle(clock, &mut clients).await?;

    let mut took_ms = vec![Vec::new(); clients.len()];
    for _ in 0..DROPS {
        let dropped = clock.now();
        cable.cut();
        for (client, took_ms) in clients.iter_mut().zip(&mut took_ms) {
            let received = client.received_after(dropped.after(SLIPS), PATIENCE).await?;
            took_ms.push(received.since(dropped).as_secs_f64() * 1e3);
        }
        settle(clock, &mut clients).await?;
    }
    print("from a drop", &clients, took_ms);

    let mut took_ms = vec![Vec::new(); clients.len()];
    for _ in 0..RETURNS {
        broker.go_down().await;
        clock.sleep(AWAY).await;
        publisher.forget();
        broker.go_up().await;
        let returned = tokio::time::timeout(PATIENCE, publisher.connected()).await;
        let returned = returned.context("the publisher is not back")??;
        for (client, took_ms) in clients.iter_mut().zip(&mut took_ms) {
            let received = client.received_after(returned, PATIENCE).await?;
            took_ms.push(received.since(returned).as_secs_f64() * 1e3);
        }
        settle(clock, &mut clients).await?;
    }
    println!();
    print("from the broker's return", &clients, took_ms);
    println!("\nload of this machine after: {}", cpu::load_average());
    Ok(())
}

/// Waits until all receive, and a while longer.
async fn settle(clock: Clock, clients: &mut [Client]) -> anyhow::Result<()> {
    for client in &mut *clients {
        client.received_after(clock.now(), PATIENCE).await?;
    }
    clock.sleep(SETTLED).await;
    Ok(())
}

fn print(what: &str, clients: &[Client], took_ms: Vec<Vec<f64>>) {
    head(what);
    for (client, took_ms) in clients.iter().zip(took_ms) {
        line(client.name, &Figures::of(took_ms));
    }
}
