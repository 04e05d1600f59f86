//! The world in real time, behind the hub.

use std::time::Duration;

use latimer_core::hub::Hub;
use latimer_core::model::signal::LinkState;
use latimer_core::model::{Command, Kind};
use latimer_core::{Clock, Outcome, Stage};
use latimer_world::{Behaviour, Runtime, RuntimeError, RuntimeHandle, Start, World};

use crate::lab::id;

fn world() -> World {
    let mut world = World::builtin("empty", 1).unwrap();
    world.add_robot(id("m"), "misty", Start::Anywhere, Behaviour::Stand).unwrap();
    world
}

fn start(world: World, hub: &Hub, clock: Clock) -> Result<RuntimeHandle, RuntimeError> {
    Runtime::start(world, hub, clock, Stage::new(clock).1, 1.0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn robots_come_to_the_hub_answer_and_leave() {
    let clock = Clock::system();
    let hub = Hub::new(clock);
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
    tokio::task::spawn_blocking(move || handle.stop()).await.unwrap();
    assert!(clock.now().since(stopping) < Duration::from_secs(1));
    assert!(hub.robot(&id("m")).is_none(), "gone from the hub");
}

#[test]
fn a_name_that_is_taken_is_told() {
    let clock = Clock::system();
    let hub = Hub::new(clock);
    let first = start(world(), &hub, clock).unwrap();
    let error = start(world(), &hub, clock).unwrap_err().to_string();
    assert!(error.contains('m'), "{error}");
    assert_eq!(hub.robots().len(), 1, "the first one is not harmed");
    drop(first);
    assert!(hub.robots().is_empty());
}
