//! What a MiRo's topics cost: pictures and sensors to 1, 10 and 50 subscribers, beside publishers of rospy and roscpp.
//!
//! ```text
//! gateway, a node of latimer-ros1, rospy, roscpp ──TCPROS──▶ readers (this process)
//!      each a process of its own, one after the other         as many sockets as subscribers
//! ```
//!
//! All are known to Debian's master. Readers ask for the messages as any node does, and only look at the stamp in the header.
//! Latency is from that stamp until the message was read, by the same host's clock. roscpp plays sensors from a bag, whose stamps
//! tell when a message was due: its latency counts from its own fastest. "1,000 a second" is more than any can deliver of pictures to
//! many, and shows how many it can. All share this machine's processors, so the figures compare within one run only.

mod node;
mod peer;
mod reader;
mod report;

use std::time::Duration;

use anyhow::Context;
use latimer_core::{Clock, Timestamp};
use latimer_e2e::{Ros, RosMaster};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::cpu;
use crate::load::{Figures, Heard};
use peer::{Peer, Running};
use report::Line;

pub(crate) use node::run as publisher;

/// How many follow at a time.
const SUBSCRIBERS: [usize; 3] = [1, 10, 50];
/// Publisher and readers settle for so long before anything is counted.
const WARM_UP: Duration = Duration::from_millis(1_500);

/// What is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// `sensor_msgs/Image`, 320×240 of three bytes.
    Image,
    /// `miro_msgs/platform_sensors`.
    Sensors,
}

impl What {
    /// Its word on a command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Sensors => "sensors",
        }
    }
}

/// What is published, and how often a second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    name: &'static str,
    what: What,
    rate_hz: u32,
}

const LOADS: [Load; 3] = [
    Load { name: "images, 5 Hz", what: What::Image, rate_hz: 5 },
    Load { name: "images, 1,000 Hz", what: What::Image, rate_hz: 1_000 },
    Load { name: "sensors, 50 Hz", what: What::Sensors, rate_hz: 50 },
];

impl Load {
    /// Whether the publisher cannot keep its rate anyway.
    fn is_too_much(&self) -> bool {
        self.rate_hz >= 1_000
    }
}

/// All of it, as tables.
pub(crate) async fn run(clock: Clock, measured: Duration) -> anyhow::Result<()> {
    if !RosMaster::is_installed() {
        println!("ROS 1 is not installed, so nothing is measured (make ros)");
        return Ok(());
    }
    println!("{} s each; load of this machine before: {}", measured.as_secs(), cpu::load_average());
    let master = RosMaster::start().await;
    let ros = Ros::at(&master.uri()).await;
    for load in LOADS {
        println!();
        report::head(load.name);
        let mut lines: Vec<Line> = Vec::new();
        for peer in Peer::all_for(load) {
            for subscribers in SUBSCRIBERS {
                let running = Running::start(&ros, &master, peer, load, measured + 4 * WARM_UP).await?;
                let line = measure(clock, &master, &running, load, subscribers, measured).await;
                let line = line.with_context(|| format!("{peer:?}, {}, {subscribers}", load.name))?;
                running.stop().await?;
                report::line(&line);
                lines.push(line);
            }
        }
        report::compare(&lines, load);
    }
    println!("\nload of this machine after: {}", cpu::load_average());
    Ok(())
}

/// One publisher and so many readers, for a while.
async fn measure(
    clock: Clock,
    master: &RosMaster,
    running: &Running,
    load: Load,
    subscribers: usize,
    measured: Duration,
) -> anyhow::Result<Line> {
    let uri = reader::find(&master.uri(), &running.topic).await?;
    let (stop, stopped) = watch::channel(false);
    let mut readers = JoinSet::new();
    for number in 0..subscribers {
        let reader = reader::Reader::connect(&uri, &running.topic, number).await?;
        readers.spawn(reader.read(clock, stopped.clone()));
    }
    clock.sleep(WARM_UP).await;
    let (start, cpu_before) = (clock.now(), cpu::of_process(running.pid())?);
    clock.sleep(measured).await;
    let (end, cpu_after) = (clock.now(), cpu::of_process(running.pid())?);
    // What was sent just before the end is still on its way.
    clock.sleep(Duration::from_millis(500)).await;
    let resident_bytes = latimer_e2e::gateway::resident_bytes(running.pid());
    stop.send(true)?;
    let mut raw = Vec::new();
    while let Some(received) = readers.join_next().await {
        raw.push(received.context("a reader broke down")??);
    }
    let shift_ns = if running.plays_a_bag { fastest_ns(&raw) } else { 0 };
    let received: Vec<Heard> = raw.iter().map(|one| shifted(one, shift_ns)).collect();
    let read = raw.iter().flatten().filter(|(_, read)| (start..end).contains(read)).count();
    Ok(Line {
        peer: running.peer,
        subscribers,
        delivered_per_s: read as f64 / measured.as_secs_f64(),
        figures: Figures::of(&received, &(start..end), resident_bytes),
        cpu_ratio: (cpu_after - cpu_before).as_secs_f64() / measured.as_secs_f64(),
        // A bag that is played again and again has the same stamps again and again.
        has_latency: !(running.plays_a_bag && load.is_too_much()),
    })
}

/// What stands between the stamps of a bag and when its fastest message was read.
fn fastest_ns(raw: &[Vec<(Timestamp, Timestamp)>]) -> i64 {
    let lags = raw.iter().flatten().map(|(stamp, read)| read.as_nanos() - stamp.as_nanos());
    lags.min().unwrap_or_default()
}

fn shifted(raw: &[(Timestamp, Timestamp)], shift_ns: i64) -> Heard {
    let mut received = Heard::default();
    for (stamp, read) in raw {
        received.note(Timestamp::from_nanos(stamp.as_nanos() + shift_ns), *read);
    }
    received
}
