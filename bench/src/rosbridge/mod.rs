//! What clients of a rosbridge cost: twenty that follow an IMU at 50 Hz, and twenty that follow pictures at 10 Hz.
//!
//! ```text
//! gateway with a simulated robot (own process) ──────────────────JSON──▶ 20 sockets (this process)
//! rospy (own process) ──TCPROS──▶ rosbridge_suite (own process) ──JSON──▶ 20 sockets (this process)
//! ```
//!
//! Pictures of rospy are as long as those of the gateway, whose world and cameras are counted to it; rospy's work is not counted to
//! rosbridge_suite. Latency is from the stamp in the header until the message was read.

mod suite;

use std::time::Duration;

use anyhow::Context;
use latimer_core::{Clock, Timestamp};
use latimer_e2e::Gateway;
use serde_json::json;
use tokio::sync::watch;

use crate::fan_out::{self, Plan, Reading, Run};
use crate::load::Heard;
use crate::websocket::WebSocket;
use crate::{cpu, report};

/// Each of these servers has so many clients at a time.
const CLIENTS: usize = 20;
/// A robot with an IMU at 50 Hz and a camera at 10 Hz.
const ROBOT: &str = "
[http]
listen = '127.0.0.1:8080'
[world]
file = 'empty'
[[simulate]]
robot = 'misty-1'
body = 'misty'
position_m = [2.0, 2.0]
";
/// In base64 four letters are three bytes.
const BASE64: (usize, usize) = (3, 4);

/// What is followed.
#[derive(Clone, Copy, Debug)]
enum What {
    Imu,
    Picture,
}

impl What {
    fn word(self) -> &'static str {
        match self {
            Self::Imu => "imu",
            Self::Picture => "picture",
        }
    }

    fn topic_of_gateway(self) -> &'static str {
        match self {
            Self::Imu => "/misty_1/imu",
            Self::Picture => "/misty_1/camera/compressed",
        }
    }

    fn topic_of_suite(self) -> &'static str {
        match self {
            Self::Imu => "/imu",
            Self::Picture => "/picture/compressed",
        }
    }
}

/// All of it, as a table.
pub(crate) async fn run(clock: Clock, measured: Duration) -> anyhow::Result<()> {
    let plan = Plan { subscribers: CLIENTS, warm_up: Duration::from_secs(3), measured };
    let load = cpu::load_average();
    println!("{CLIENTS} clients, {} s each; load of this machine before: {load}\n", measured.as_secs());
    report::head_with();
    let suite = suite::Suite::found();
    for what in [What::Imu, What::Picture] {
        let gateway = Gateway::with_text(ROBOT).await;
        let (address, pid) = (gateway.http(), gateway.pid());
        let topic = what.topic_of_gateway();
        let ours = one_and_all(plan, clock, &address, "/rosbridge", topic, pid).await.context("latimer")?;
        line("latimer", what, &ours);
        let Some(suite) = &suite else { continue };
        let running = suite.start(what.word(), ours.all.payload_bytes * BASE64.0 / BASE64.1).await?;
        let (address, topic, pid) = (&running.address, what.topic_of_suite(), running.pid());
        let theirs = one_and_all(plan, clock, address, "/", topic, pid).await.context("rosbridge_suite")?;
        line("rosbridge_suite", what, &theirs);
        let share = ours.us_per_further_message() / theirs.us_per_further_message();
        println!("latimer to rosbridge_suite: CPU of a message to a further client {share:.2}");
        report::ratio("latimer to rosbridge_suite", &ours.all.figures, &theirs.all.figures);
    }
    if suite.is_none() {
        println!("\n{}", suite::ADVICE);
    }
    Ok(())
}

/// What one client costs, and what all do.
struct OneAndAll {
    one: Run,
    all: Run,
}

impl OneAndAll {
    /// What is not for the robot, nor for what is done once for all.
    fn us_per_further_message(&self) -> f64 {
        let [one, all] = [&self.one, &self.all].map(|it| {
            let per_s = it.figures.delivered_per_s;
            (per_s, per_s * it.us_per_message)
        });
        (all.1 - one.1) / (all.0 - one.0)
    }
}

fn line(name: &str, what: What, measured: &OneAndAll) {
    let OneAndAll { one, all } = measured;
    report::line_with(&format!("{name}, {}", what.word()), &all.figures, all.us_per_message);
    let (first, further) = (one.us_per_message, measured.us_per_further_message());
    println!("  CPU us of a message: {first:.1} to one client alone, {further:.1} to each further one");
}

async fn one_and_all(
    plan: Plan,
    clock: Clock,
    address: &str,
    path: &str,
    topic: &str,
    pid: u32,
) -> anyhow::Result<OneAndAll> {
    let one = follow(Plan { subscribers: 1, ..plan }, clock, address, path, topic, pid).await?;
    Ok(OneAndAll { one, all: follow(plan, clock, address, path, topic, pid).await? })
}

/// Clients that read a topic of a server.
async fn follow(
    plan: Plan,
    clock: Clock,
    address: &str,
    path: &str,
    topic: &str,
    pid: u32,
) -> anyhow::Result<Run> {
    let (stop, stopped) = watch::channel(false);
    let mut readers: Vec<Reading> = Vec::new();
    for _ in 0..plan.subscribers {
        let mut socket = WebSocket::connect(address, path, None).await?;
        socket.send(&json!({"op": "subscribe", "topic": topic}).to_string()).await?;
        readers.push(tokio::spawn(read(socket, clock, stopped.clone())));
    }
    fan_out::measure(plan, clock, pid, stop, readers).await
}

async fn read(
    mut socket: WebSocket,
    clock: Clock,
    mut stopped: watch::Receiver<bool>,
) -> anyhow::Result<(Heard, usize)> {
    let (mut received, mut bytes) = (Heard::default(), 0);
    loop {
        let text = tokio::select! {
            _ = stopped.changed() => return Ok((received, bytes)),
            text = socket.text() => text.context("a client that reads")?,
        };
        bytes = bytes.max(text.len());
        let head: String = text.chars().take(200).collect();
        received.note(stamp(text).with_context(|| format!("no stamp: {head}"))?, clock.now());
    }
}

/// The stamp of a message's header, without reading the rest.
fn stamp(message: &str) -> Option<Timestamp> {
    let number = |name: &str| {
        let (_, rest) = message.split_once(name)?;
        let rest = rest.trim_start_matches([':', ' ']);
        let end = rest.find(|it: char| !it.is_ascii_digit())?;
        rest[..end].parse::<i64>().ok()
    };
    let (secs, nsecs) = (number("\"secs\"")?, number("\"nsecs\"")?);
    Some(Timestamp::from_nanos(secs.checked_mul(1_000_000_000)?.checked_add(nsecs)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_read_as_both_servers_write_them() {
        for text in [
            r#"{"op":"publish","msg":{"header":{"seq":0,"stamp":{"secs":2,"nsecs":5},"frame_id":""}}}"#,
            r#"{"op": "publish", "msg": {"header": {"seq": 0, "stamp": {"secs": 2, "nsecs": 5}}}}"#,
        ] {
            assert_eq!(stamp(text), Some(Timestamp::from_nanos(2_000_000_005)));
        }
        assert_eq!(stamp("{}"), None);
    }
}
