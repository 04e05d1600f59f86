//! A world in real time behind a hub, with and without a subscriber.

use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, bail};
use latimer_core::hub::{Delivery, MailboxLimits, Selection, Sink, Subscription};
use latimer_core::model::{Class, Kind};
use latimer_core::{Clock, Hub, Timestamp};
use latimer_counts::Crowd;
use latimer_simulator_api::{RequestQueue, SimulatorHandle};
use latimer_world::{Runtime, RuntimeHandle, World};
use tokio::task::{self, JoinHandle};

use crate::cpu;

/// What the runtime calls its thread.
const THREAD: &str = "world";
const WARM_UP: Duration = Duration::from_secs(2);
const MEASURED: Duration = Duration::from_secs(8);

/// Who listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listener {
    Nobody,
    /// One sink, to every kind but pictures, scans, sounds and maps.
    Everything,
    /// The same sink, and one camera as video.
    EverythingAndVideo,
}

/// All of them.
pub(super) const LISTENERS: [Listener; 3] =
    [Listener::Nobody, Listener::Everything, Listener::EverythingAndVideo];

impl Listener {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Nobody => "nobody",
            Self::Everything => "all but bulk",
            Self::EverythingAndVideo => "and one camera",
        }
    }
}

/// What a world in real time cost.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    /// Of the world's thread, 0..1 of a core.
    pub(super) world_ratio: f64,
    /// Of all threads: with the camera's and the reader's.
    pub(super) process_ratio: f64,
    /// Updates that the world handed to the hub, each second.
    pub(super) updates_per_s: f64,
    /// Updates that the sink read, each second.
    pub(super) read_per_s: f64,
    /// Pictures among them, each second.
    pub(super) frames_per_s: f64,
    /// Updates that the sink lost or that newer ones replaced.
    pub(super) missed: u64,
}

/// What a reader has counted.
#[derive(Clone, Copy, Debug, Default)]
struct Read {
    updates: u64,
    frames: u64,
    missed: u64,
}

/// Runs a world at the clock's own speed.
pub(super) async fn measure(crowd: Crowd<'_>, listener: Listener, clock: Clock) -> anyhow::Result<Figures> {
    let hub = Hub::new(clock);
    let (_stage, requests) = SimulatorHandle::new(clock);
    let (handle, sink) = start(crowd, &hub, requests, listener)?;
    clock.sleep(WARM_UP).await;
    let began = clock.now();
    let reader: Option<JoinHandle<Read>> =
        sink.map(|sink| task::spawn(read(sink, clock, began.after(MEASURED))));
    let (updates_before, before) = (updates(&hub), cpu::of_threads(THREAD)?);
    clock.sleep(MEASURED).await;
    let (updates_after, after) = (updates(&hub), cpu::of_threads(THREAD)?);
    let seconds = clock.now().since(began).as_secs_f64();
    let read = match reader {
        Some(reader) => reader.await.context("the reader broke down")?,
        None => Read::default(),
    };
    latimer_panics::blocking("stopping the world", move || handle.stop()).await?;
    let ratio = |before: Duration, after: Duration| after.saturating_sub(before).as_secs_f64() / seconds;
    Ok(Figures {
        world_ratio: ratio(before.0, after.0),
        process_ratio: ratio(before.1, after.1),
        updates_per_s: (updates_after - updates_before) as f64 / seconds,
        read_per_s: read.updates as f64 / seconds,
        frames_per_s: read.frames as f64 / seconds,
        missed: read.missed,
    })
}

/// Starts the world with its listeners.
fn start(
    crowd: Crowd<'_>,
    hub: &Hub,
    requests: RequestQueue,
    listener: Listener,
) -> anyhow::Result<(RuntimeHandle, Option<Sink>)> {
    let world = crowd.world()?;
    let sink = subscribe(hub, &world, listener)?;
    Ok((Runtime::start(world, hub, hub.clock(), requests, 1.0)?, sink))
}

fn subscribe(hub: &Hub, world: &World, listener: Listener) -> anyhow::Result<Option<Sink>> {
    if listener == Listener::Nobody {
        return Ok(None);
    }
    let limits = MailboxLimits { events: 1 << 16, keys: 1 << 16, ..MailboxLimits::default() };
    let sink = hub.sink("bench", "bench", limits);
    let small = Kind::ALL.iter().filter(|kind| kind.class() != Class::Bulk);
    let small: Vec<String> = small.map(|kind| format!("*/{kind}")).collect();
    sink.subscribe(Subscription::to(small.join(",").parse()?));
    if listener == Listener::EverythingAndVideo {
        let mut robots = world.population().zip(world.streams());
        let filmed = robots.find(|(_, streams)| streams.iter().any(|(kind, _)| *kind == Kind::Video));
        let Some(((robot, _), _)) = filmed else { bail!("no robot has a camera") };
        sink.subscribe(Subscription::to(Selection::of_kinds(robot, &[Kind::Video])));
    }
    Ok(Some(sink))
}

/// Reads until a moment; what waited before the first reading is not counted.
async fn read(sink: Sink, clock: Clock, until: Timestamp) -> Read {
    let missed = || {
        let counters = sink.counters();
        counters.lost.load(Ordering::Relaxed) + counters.coalesced.load(Ordering::Relaxed)
    };
    let mut deliveries = Vec::new();
    sink.receive(&mut deliveries).await;
    deliveries.clear();
    let (mut read, missed_before) = (Read::default(), missed());
    loop {
        tokio::select! {
            () = clock.sleep_until(until) => break,
            () = sink.receive(&mut deliveries) => {}
        }
        for delivery in deliveries.drain(..) {
            if let Delivery::Update(_, update) = delivery {
                read.updates += 1;
                read.frames += u64::from(update.signal.kind() == Kind::Video);
            }
        }
    }
    Read { missed: missed() - missed_before, ..read }
}

/// Updates that the hub took so far.
fn updates(hub: &Hub) -> u64 {
    hub.robots().iter().map(|robot| robot.received).sum()
}
