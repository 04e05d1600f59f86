//! The world in real time, behind the hub.

use std::time::Duration;

use latimer_core::hub::{Delivery, Hub, MailboxLimits, Subscription};
use latimer_core::model::signal::LinkState;
use latimer_core::model::{Command, Kind};
use latimer_core::{Clock, Outcome};
use latimer_simulator_api::{Pace, SimulatorHandle, WorldRequest, WorldResponse};
use latimer_testing::PATIENCE;
use latimer_world::{Behaviour, Runtime, RuntimeError, RuntimeHandle, Start, World};

use crate::lab::id;

fn world() -> World {
    let mut world = World::builtin("empty", 1).unwrap();
    world.add_robot(id("m"), "misty", Start::Anywhere, Behaviour::Stand).unwrap();
    world
}

fn start(world: World, hub: &Hub, clock: Clock) -> Result<RuntimeHandle, RuntimeError> {
    Runtime::start(world, hub, clock, SimulatorHandle::new(clock).1, 1.0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn robots_come_to_the_hub_answer_and_leave() {
    let clock = Clock::system();
    let hub = Hub::new(clock);
    let sink = hub.sink("test", "test", MailboxLimits::default());
    sink.subscribe(Subscription::to("m".parse().unwrap()));
    let handle = start(world(), &hub, clock).unwrap();
    let drive = Command::Drive { linear_mps: 0.3, angular_radps: 0.0, duration: None };
    let answer = hub.command(&id("m"), drive, Duration::from_secs(1)).await;
    assert_eq!(answer, Outcome::Accepted);
    clock.sleep(Duration::from_millis(1_500)).await;
    let report = hub.robot(&id("m")).unwrap();
    assert_eq!(report.link.state, LinkState::Up);
    assert!(report.received > 150, "{report:?}");
    let pose = hub.last(&id("m"), Kind::Pose, None).unwrap();
    let way = pose.signal.field("x_m").unwrap().as_f64().unwrap();
    assert!((0.2..0.5).contains(&way), "about 1.5 s at 0.3 m/s in real time, not {way} m");
    let refused = hub.command(&id("m"), Command::Volume(9.0), Duration::from_secs(1)).await;
    assert!(matches!(refused, Outcome::Refused(_)));

    let stopping = clock.now();
    latimer_panics::blocking("stopping the world", move || handle.stop()).await.unwrap();
    assert!(clock.now().since(stopping) < Duration::from_secs(1));
    assert!(hub.robot(&id("m")).is_none(), "gone from the hub");
}

#[test]
fn a_duplicate_name_is_refused() {
    let clock = Clock::system();
    let hub = Hub::new(clock);
    let first = start(world(), &hub, clock).unwrap();
    let error = start(world(), &hub, clock).unwrap_err().to_string();
    assert!(error.contains('m'), "{error}");
    assert_eq!(hub.robots().len(), 1, "the first one is not harmed");
    drop(first);
    assert!(hub.robots().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn states_without_subscribers_are_published_rarely() {
    let clock = Clock::system();
    let hub = Hub::new(clock);
    let handle = start(world(), &hub, clock).unwrap();
    let published_in_a_second = async || {
        let before = hub.robot(&id("m")).unwrap().received;
        clock.sleep(Duration::from_secs(1)).await;
        hub.robot(&id("m")).unwrap().received - before
    };
    let alone = published_in_a_second().await;
    let sink = hub.sink("test", "test", MailboxLimits::default());
    let follows = sink.subscribe(Subscription::to("m/imu".parse().unwrap()));
    let with_imu = published_in_a_second().await;
    sink.unsubscribe(follows);
    sink.subscribe(Subscription::to("other/**".parse().unwrap()));
    clock.sleep(Duration::from_millis(100)).await;
    let alone_again = published_in_a_second().await;
    assert!((10..40).contains(&alone), "each state once a second, not {alone}");
    assert!(with_imu > alone + 20, "{with_imu} beside {alone}");
    assert!(alone_again < 40, "{alone_again}");
    latimer_panics::blocking("stopping the world", move || handle.stop()).await.unwrap();
}

/// What a world says in its first steps at a speed: which step it was and what was said.
async fn said(speed: f64, steps: u32) -> Vec<(i64, String)> {
    let clock = Clock::system();
    let hub = Hub::new(clock);
    let mut world = World::builtin("demo", 7).unwrap();
    world.add_robot(id("m"), "misty", Start::Anywhere, Behaviour::Wander).unwrap();
    let sink = hub.sink("test", "test", MailboxLimits { events: 100_000, ..MailboxLimits::default() });
    let select =
        "m/pose,m/velocity,m/range,m/cliff,m/imu,m/encoders,m/joint,m/battery,m/hazard,m/contact,m/motion";
    sink.subscribe(Subscription { every_change: true, ..Subscription::to(select.parse().unwrap()) });
    let (simulator, desk) = SimulatorHandle::new(clock);
    // The world stands until its pace is set, so that nothing is published before somebody listens.
    let handle = Runtime::start(world, &hub, clock, desk, 0.0).unwrap();
    let pace = async |pace| simulator.ask(WorldRequest::Pace(pace), PATIENCE).await.unwrap();
    let first = clock.now();
    if speed == 0.0 {
        pace(Pace::Step(steps)).await;
    } else {
        pace(Pace::Speed(speed)).await;
    }
    let (mut epoch, mut received, mut deliveries) = (None, Vec::new(), Vec::new());
    let last = i64::from(steps) - 50;
    while received.last().is_none_or(|(step, _)| *step < last) && clock.now().since(first) < PATIENCE {
        sink.receive(&mut deliveries).await;
        for delivery in deliveries.drain(..) {
            let Delivery::Update(_, update) = delivery else { panic!("{delivery:?}") };
            let at = update.stamp.at.as_nanos();
            let step = (at - *epoch.get_or_insert(at)) / 10_000_000;
            received.push((step, format!("{:?} {:?}", update.part, update.signal)));
        }
    }
    latimer_panics::blocking("stopping the world", move || handle.stop()).await.unwrap();
    // What is said at one step comes in no order that anybody promised.
    received.retain(|(step, _)| *step < last);
    received.sort();
    received
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_is_said_at_any_speed() {
    let stepped = said(0.0, 500).await;
    assert!(stepped.len() > 1_000, "{}", stepped.len());
    let fast = said(10.0, 500).await;
    let usual = said(1.0, 500).await;
    assert!(stepped == fast, "single steps and ten times as fast");
    assert!(stepped == usual, "single steps and as fast as the clock");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn speed_and_load_of_the_world_are_reported() {
    let clock = Clock::system();
    let hub = Hub::new(clock);
    let (simulator, desk) = SimulatorHandle::new(clock);
    let handle = Runtime::start(world(), &hub, clock, desk, 2.0).unwrap();
    let glance = async || match simulator.ask(WorldRequest::Glance, PATIENCE).await.unwrap() {
        WorldResponse::Glimpsed(now) => *now,
        other => panic!("{other:?}"),
    };
    clock.sleep(Duration::from_millis(600)).await;
    let now = glance().await;
    assert_eq!((now.speed, now.paused), (2.0, false));
    assert!(now.load_ratio > 0.0 && now.load_ratio <= 1.0, "{}", now.load_ratio);
    let load = simulator.load();
    assert!(
        load.steps > 50 && load.speed == 2.0 && !load.busy.is_zero() && load.load_ratio > 0.0,
        "{load:?}"
    );
    simulator.ask(WorldRequest::Pace(Pace::Pause), PATIENCE).await.unwrap();
    let (first, stands) = (glance().await, simulator.load());
    clock.sleep(Duration::from_millis(100)).await;
    let second = glance().await;
    assert_eq!((second.speed, second.paused, second.time_s), (2.0, true, first.time_s));
    assert_eq!((stands.speed, simulator.load().steps), (0.0, stands.steps));
    latimer_panics::blocking("stopping the world", move || handle.stop()).await.unwrap();
}
