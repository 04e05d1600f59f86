//! A publisher of `latimer-ros1`, in a process of its own as the others are.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use latimer_core::Clock;
use latimer_ros1::message::Catalog;
use latimer_ros1::msgs::Time;
use latimer_ros1::node::{Node, Settings};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

/// Messages that wait for a subscriber that is slow.
const QUEUE: usize = 2;
/// A picture's bytes.
const PIXELS: usize = 320 * 240 * 3;

#[derive(Serialize, Default)]
struct Header {
    seq: u32,
    stamp: Time,
    frame_id: &'static str,
}

#[derive(Serialize)]
struct Image<'a> {
    header: Header,
    height: u32,
    width: u32,
    encoding: &'static str,
    step: u32,
    #[serde(with = "serde_bytes")]
    data: &'a [u8],
}

/// What it does not have is zero in the message, as it is with its peers.
#[derive(Serialize)]
struct Sensors {
    header: Header,
}

/// Publishes until it is killed: MASTER TOPIC image|sensors RATE MESSAGES, the last a folder.
pub(crate) async fn run(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let mut next = || arguments.next().context("an argument is missing");
    let (master, topic, what, rate) = (next()?, next()?, next()?, next()?);
    let messages = PathBuf::from(next()?);
    let clock = Clock::system();
    let settings = Settings {
        name: "/latimer_publisher".to_owned(),
        master,
        bind: [127, 0, 0, 1].into(),
        host: None,
        policy: Default::default(),
        remap: std::collections::BTreeMap::new(),
        now: Arc::new(move || stamp(clock)),
    };
    let (node, running) = Node::bind(settings).await?;
    let running = tokio::spawn(running.run(CancellationToken::new()));
    let mut types = Catalog::common();
    types.add_folder("miro_msgs", &messages)?;
    let name = if what == "image" { "sensor_msgs/Image" } else { "miro_msgs/platform_sensors" };
    let publisher = node.advertise(&topic, types.layout(name)?, QUEUE, false)?;
    let pixels: Vec<u8> = (0..PIXELS).map(|i| i.to_le_bytes()[0]).collect();
    let mut ticks = tokio::time::interval(Duration::from_secs(1) / rate.parse::<u32>()?);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
    while !running.is_finished() {
        ticks.tick().await;
        let header = Header { stamp: stamp(clock), ..Header::default() };
        match what.as_str() {
            "image" => publisher.publish(&Image {
                header,
                height: 240,
                width: 320,
                encoding: "rgb8",
                step: 960,
                data: &pixels,
            })?,
            _ => publisher.publish(&Sensors { header })?,
        }
    }
    Ok(())
}

fn stamp(clock: Clock) -> Time {
    let ns = clock.now().as_nanos();
    let seconds = u32::try_from(ns / 1_000_000_000).unwrap_or(u32::MAX);
    Time { secs: seconds, nsecs: u32::try_from(ns % 1_000_000_000).unwrap_or_default() }
}
