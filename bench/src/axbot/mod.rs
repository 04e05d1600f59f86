//! What a fleet's dashboards cost: connections that follow fourteen topics of a chassis each, and viewers of
//! its camera.
//!
//! ```text
//! gateway (own process), a chassis on its round ──14 topics──▶ 50 sockets (this process)
//!                                               ──H.264──────▶ 10 viewers, then one more that never reads
//! mosquitto (own process), the same messages ───────────────▶ as many subscribers
//! ```
//!
//! The processor's time is that of the server's process; the world and its camera are part of the gateway's.

mod audience;
mod peer;
mod phase;
mod relay;

use std::time::Duration;

use anyhow::Context;
use latimer_core::Clock;
use latimer_e2e::Gateway;

use crate::cpu;
use audience::Audience;
use phase::{Phase, Server};
pub(crate) use relay::{run as relayed, serve as relay};

/// Connections, and what each follows.
const CONNECTIONS: usize = 50;
pub(crate) const TOPICS: [&str; 14] = [
    "/tracked_pose",
    "/planning_state",
    "/battery_state",
    "/alerts",
    "/wheel_state",
    "/slam/state",
    "/scan_matched_points2",
    "/path",
    "/trajectory",
    "/maps/5cm/1hz",
    "/maps/1cm/1hz",
    "/jack_state",
    "/robot_model",
    "/motion_metrics",
];

/// Those who watch the camera, and what they watch.
const VIEWERS: usize = 10;
pub(crate) const VIDEO: &str = "/rgb_cameras/front/video";

/// Everybody comes and settles for so long before anything is counted.
const WARM_UP: Duration = Duration::from_secs(3);

/// The gateway: one chassis on its round, nothing else.
const CONFIG: &str = "
[http]
listen = '127.0.0.1:8080'

[world]
file = 'demo'

[[simulate]]
robot = 'axbot-1'
body = 'axbot'
spawn = 'workshop'
behaviour = 'patrol'
route_m = [[9.4, 2.7], [11.4, 2.7]]

[[axbot.serve]]
robot = 'axbot-1'
listen = '127.0.0.1:8081'
";

/// All phases, as a table.
pub(crate) async fn run(clock: Clock, measured: Duration) -> anyhow::Result<()> {
    println!(
        "{CONNECTIONS} connections × {} topics, {VIEWERS} viewers, {} s each; load of this machine before: {}\n",
        TOPICS.len(),
        measured.as_secs(),
        cpu::load_average()
    );
    phase::head();
    let gateway = Gateway::with_text(CONFIG).await;
    let address = gateway.misty();
    let server = Server { pid: gateway.pid(), clock, measured };
    let mut audience = Audience::new(&address, clock);

    let nobody = server.measure(&mut audience, "nobody").await?;
    audience.follow(CONNECTIONS, &TOPICS).await?;
    let topics = server.measure(&mut audience, "50 × 14 topics").await?;
    audience.watch(1).await?;
    let one = server.measure(&mut audience, "and 1 viewer").await?;
    audience.watch(VIEWERS - 1).await?;
    let all = server.measure(&mut audience, "and 10 viewers").await?;
    audience.freeze().await?;
    let frozen = server.measure(&mut audience, "and one frozen").await?;
    let encodes = |phase: &Phase| phase.frames_made;
    println!(
        "\nframes made by the one camera: {} for 1 viewer, {} for 10, {} with one frozen; viewers missed {}, {} and {}",
        encodes(&one),
        encodes(&all),
        encodes(&frozen),
        one.frames_missed,
        all.frames_missed,
        frozen.frames_missed,
    );
    match peer::run(clock, measured, &address).await.context("mosquitto")? {
        None => println!("mosquitto is not installed, so nothing stands beside (apt-get install mosquitto)"),
        Some(peer) => {
            // Maps, scans and their pictures are made for the audience, too; the camera's video is not counted.
            let ours = topics.cpu_s - nobody.cpu_s + all.cpu_s - one.cpu_s;
            println!(
                "latimer to mosquitto: delivered {:.2}, processor's time {:.1} with the chassis and its camera, {:.1} for the \
                 audience, RSS {:.1}",
                all.delivered_per_s / peer.delivered_per_s,
                all.cpu_s / peer.cpu_s,
                ours / peer.cpu_s,
                all.resident_bytes as f64 / peer.resident_bytes as f64,
            );
        }
    }
    println!(
        "bar: a tenth viewer costs no encode: {}; a frozen one costs the others no frame: {}",
        yes(encodes(&all) <= encodes(&one) + encodes(&one) / 10 + 2),
        yes(frozen.frames_missed == 0)
    );
    println!(
        "for the topics alone: {:.1} % of a core",
        100.0 * (topics.cpu_s - nobody.cpu_s) / measured.as_secs_f64()
    );
    println!("load of this machine after: {}", cpu::load_average());
    Ok(())
}

fn yes(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}
