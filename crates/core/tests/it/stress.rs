//! Where threads meet: publishers, joiners and leavers at once on real threads.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use latimer_core::hub::{Delivery, MailboxLimits, Origin, RobotInfo, Sink, Subscription};
use latimer_core::model::signal::{Contact, ContactSensor, Frame, Range};
use latimer_core::{Clock, Hub, PartName, RobotId, Timestamp, Update};
use latimer_testing::PATIENCE;

const ROBOTS: usize = 3;
const UPDATES: u64 = 4_000;

fn robot(i: usize) -> RobotId {
    RobotId::new(&format!("r{i}")).unwrap()
}

fn subscribe(hub: &Hub, select: &str, events: usize) -> Sink {
    let sink = hub.sink("test", select, MailboxLimits { events, ..Default::default() });
    sink.subscribe(Subscription::to(select.parse().unwrap()));
    sink
}

/// Publishes one state and one event per step, the state's value being the step.
fn publish(hub: &Hub, i: usize) {
    let info = RobotInfo::new(robot(i), "test", Origin::Simulated);
    let source = hub.register(info).unwrap();
    for step in 1..=UPDATES {
        let now = Timestamp::from_nanos(step as i64);
        let contact =
            Contact { contacted: true, sensor: ContactSensor::Touch, position: None, frame: Frame::Head };
        source.publish(
            Update::now(&robot(i), now, Range::valid(step as f64).into()).of_part(PartName::of("front")),
        );
        source.publish(Update::now(&robot(i), now, contact.into()).of_part(PartName::of("chin")));
    }
    // The robot stays until everyone has read, or its last values would go with it.
    std::mem::forget(source);
}

/// Reads until the last state of each robot was seen; returns events seen plus lost, per robot.
async fn read(sink: Sink, robots: usize) -> HashMap<RobotId, u64> {
    let mut counted: HashMap<RobotId, u64> = HashMap::new();
    let mut newest: HashMap<String, u64> = HashMap::new();
    let mut last: HashMap<RobotId, f64> = HashMap::new();
    let mut deliveries = Vec::new();
    while last.values().filter(|value| **value == UPDATES as f64).count() < robots
        || counted.values().sum::<u64>() < robots as u64 * UPDATES
    {
        let waiting = tokio::time::timeout(PATIENCE, sink.receive(&mut deliveries)).await;
        waiting.expect("everything arrives");
        for delivery in deliveries.drain(..) {
            match delivery {
                Delivery::Update(_, update) => {
                    let before = newest.insert(update.key(), update.sequence());
                    assert!(
                        before.is_none_or(|before| before < update.sequence()),
                        "{} goes back",
                        update.key()
                    );
                    match update.signal.field("distance_m") {
                        Some(value) => drop(last.insert(update.robot.clone(), value.as_f64().unwrap())),
                        None if update.kind().as_str() == "contact" => {
                            *counted.entry(update.robot.clone()).or_default() += 1;
                        }
                        None => {}
                    }
                }
                Delivery::Gap(gap) => *counted.entry(gap.robot.clone()).or_default() += gap.lost.unwrap(),
                Delivery::End(reason) => panic!("{reason}"),
            }
        }
    }
    counted
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_lost_uncounted_and_nothing_goes_back() {
    let hub = Hub::new(Clock::system());
    // One who keeps up, one whose queue is far too small; both must account for every event.
    let readers: Vec<_> =
        [1 << 20, 16].map(|events| tokio::spawn(read(subscribe(&hub, "**", events), ROBOTS))).into();
    let done = Arc::new(AtomicBool::new(false));
    let churners: Vec<_> = (0..2)
        .map(|_| {
            let (hub, done) = (hub.clone(), done.clone());
            std::thread::spawn(move || {
                let mut joined = 0;
                while !done.load(Ordering::Relaxed) {
                    let sink = subscribe(&hub, "*/range/front", 16);
                    let extra = sink.subscribe(Subscription::to("r1/**".parse().unwrap()));
                    sink.unsubscribe(extra);
                    joined += 1;
                }
                joined
            })
        })
        .collect();
    let publishers: Vec<_> = (0..ROBOTS)
        .map(|i| {
            let hub = hub.clone();
            std::thread::spawn(move || publish(&hub, i))
        })
        .collect();
    for reader in readers {
        let counted = tokio::time::timeout(PATIENCE, reader).await.unwrap().unwrap();
        // A full queue names one robot per gap, so only the sum is exact.
        assert_eq!(counted.values().sum::<u64>(), ROBOTS as u64 * UPDATES);
    }
    done.store(true, Ordering::Relaxed);
    let joined: u32 = churners.into_iter().map(|churner| churner.join().unwrap()).sum();
    assert!(joined > 0);
    publishers.into_iter().for_each(|publisher| publisher.join().unwrap());
    // Whoever comes late finds the last values.
    let late = subscribe(&hub, "*/range/*", 16);
    let mut deliveries = Vec::new();
    late.receive(&mut deliveries).await;
    assert_eq!(deliveries.len(), ROBOTS);
    assert_eq!(hub.sinks().len(), 1);
}
