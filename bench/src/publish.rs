//! What publishing costs the publisher, by what others subscribe to: nothing of their conditions is looked at on its
//! thread, which for simulated robots is the world's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use latimer_core::hub::{MailboxLimits, Origin, RobotInfo, Sink, Source, Subscription, WakeUps};
use latimer_core::model::signal::{AngularRate, Imu};
use latimer_core::{Clock, Hub, RobotId, Update};
use rustix::time::{ClockId, clock_gettime};

/// Clients, each with a socket of its own.
const SINKS: usize = 4;
/// Subscriptions with conditions, of all clients together.
const SUBSCRIPTIONS: [usize; 3] = [0, 2_000, 10_000];
/// Updates that are published, and the time between two, as an IMU has it.
const UPDATES: usize = 500;
const EVERY: Duration = Duration::from_millis(20);
/// Between two changes of a client that churns.
const CHURN: Duration = Duration::from_millis(20);
/// None of these holds, so that nothing is delivered.
const CONDITIONS: &str = "angular_velocity.z_radps > 9 && angular_velocity.x_radps < 9 && angular_velocity.y_radps < 9 \
     && robot exists && kind exists && angular_velocity.z_radps > 8 && angular_velocity.z_radps > 7 \
     && angular_velocity.z_radps > 6";

/// Prints a row for each number of subscriptions, and one beside a client that subscribes and unsubscribes.
pub(crate) async fn run(clock: Clock) -> anyhow::Result<()> {
    println!(
        "publish: ns for one update, {SINKS} clients, every {EVERY:?}; what its thread works, and how long it takes"
    );
    let columns = ["work p50", "work p90", "takes p50", "takes p90"].map(|it| format!("{it:>10}")).join(" ");
    println!("{:<34} {columns}", "subscriptions with 8 conditions");
    for count in SUBSCRIPTIONS {
        measure(clock, count, false).await?;
    }
    measure(clock, 2_000, true).await
}

async fn measure(clock: Clock, count: usize, churns: bool) -> anyhow::Result<()> {
    let hub = Hub::new(clock);
    let robot = RobotId::new("misty-1")?;
    let info = RobotInfo::new(robot.clone(), "misty", Origin::Simulated);
    let source = hub.register(info)?;
    let plain = Subscription::to("misty-1/imu".parse()?);
    let wish = Subscription { filter: CONDITIONS.parse()?, ..plain.clone() };
    let stop = Arc::new(AtomicBool::new(false));
    let mut readers = Vec::new();
    for _ in 0..SINKS {
        let sink = hub.sink("bench", "reader", MailboxLimits::default());
        sink.subscribe(plain.clone());
        for _ in 0..count / SINKS {
            sink.subscribe(wish.clone());
        }
        readers.push(tokio::spawn(read(sink, stop.clone())));
    }
    if churns {
        let sink = hub.sink("bench", "churns", MailboxLimits::default());
        let (clock, stop) = (hub.clock(), stop.clone());
        readers.push(tokio::spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                let id = sink.subscribe(wish.clone());
                clock.sleep(CHURN / 2).await;
                sink.unsubscribe(id);
                clock.sleep(CHURN / 2).await;
            }
        }));
    }
    // A thread of its own, as the world has.
    let publisher = std::thread::spawn(move || publish(&source, &robot, clock));
    let published = latimer_panics::blocking("waiting for the publisher", move || publisher.join()).await?;
    let published = published.map_err(|_| anyhow::anyhow!("the publisher broke"))?;
    stop.store(true, Ordering::Relaxed);
    readers.iter().for_each(tokio::task::JoinHandle::abort);
    let what = if churns { format!("{count}, beside one that churns") } else { count.to_string() };
    let figures = published.map(|mut figures| {
        figures.sort_unstable();
        let at = |share: usize| figures.get(figures.len() * share / 100).copied().unwrap_or_default();
        format!("{:>10} {:>10}", at(50), at(90))
    });
    println!("{what:<34} {}", figures.join(" "));
    Ok(())
}

async fn read(sink: Sink, stop: Arc<AtomicBool>) {
    let mut deliveries = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        sink.receive(&mut deliveries).await;
        deliveries.clear();
    }
}

/// What the thread worked for each update, and how long each took: beside readers on few cores it has to wait for a
/// processor at times.
fn publish(source: &Source, robot: &RobotId, clock: Clock) -> [Vec<u128>; 2] {
    let (mut worked, mut took) = (Vec::with_capacity(UPDATES), Vec::with_capacity(UPDATES));
    for number in 0..UPDATES {
        let rate = AngularRate { x_radps: 0.0, y_radps: 0.0, z_radps: number as f64 / 1e3 };
        let imu = Imu { orientation: None, angular_velocity: Some(rate), linear_acceleration: None };
        let update = Update::now(robot, clock.now(), imu.into());
        let (began, work) = (clock.now(), thread_time());
        let mut wakes = WakeUps::default();
        source.publish_with(update, &mut wakes);
        worked.push((thread_time() - work).as_nanos());
        took.push(clock.now().since(began).as_nanos());
        // The world wakes readers at the end of its step.
        drop(wakes);
        std::thread::sleep(EVERY);
    }
    [worked, took]
}

/// What this thread has worked so far.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
