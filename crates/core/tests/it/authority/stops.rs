//! Stops are repeated until the robot stands, and an emergency stop holds.

use std::sync::Arc;
use std::time::Duration;

use latimer_core::authority::Policy;
use latimer_core::hub::{MailboxLimits, Origin, RobotInfo, Source, Subscription};
use latimer_core::model::signal::{LinkState, Switch, Velocity};
use latimer_core::model::{RefusalCode, RobotProfile};
use latimer_core::{Author, Clock, Command, Hub, Outcome, Timestamp, Update};
use tokio_util::sync::CancellationToken;

use super::{Bench, code, drive, give, wait};
use crate::rig::{PATIENCE, STOP, robot};

#[tokio::test(start_paused = true)]
async fn an_emergency_stop_ends_what_a_robot_does_by_itself() {
    let hub = Hub::new(Clock::starting_at(Timestamp::default()));
    let still = vec![Switch { part: "action".into(), enabled: false }];
    let profile = RobotProfile { still: still.clone(), ..RobotProfile::default() };
    let info = RobotInfo::new(robot(), "test", Origin::Connected("host".into()));
    let mut source = hub.register(RobotInfo { profile: Arc::new(profile), ..info }).unwrap();
    source.link(LinkState::Up, None);
    let guard = tokio::spawn(hub.clone().guard(CancellationToken::new()));
    let driver = hub.connected_client(Author::new("misty", "a"));
    let takes = async |source: &mut Source| {
        let request = source.next_command().await;
        let command = request.command.clone();
        request.answer(Outcome::Accepted);
        command
    };
    let pressed = tokio::spawn(driver.command(&robot(), Command::EmergencyStop(true), PATIENCE));
    let halt = Command::Halt { motor_mask: None };
    assert_eq!(takes(&mut source).await, halt);
    assert_eq!(takes(&mut source).await, Command::BehaviourSwitches(still.clone()));
    assert_eq!(pressed.await.unwrap(), Outcome::Accepted);
    // It moves all the same: both are sent again.
    let moves =
        Update::now(&robot(), hub.clock().now().after(Duration::from_secs(2)), Velocity::of(0.2, 0.0).into());
    wait(2.0).await;
    source.publish(moves);
    assert_eq!(takes(&mut source).await, halt);
    assert_eq!(takes(&mut source).await, Command::BehaviourSwitches(still));
    guard.abort();
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_repeated_until_the_robot_reports_that_it_stands() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 3);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    wait(1.0).await;
    assert_eq!(give(&driver, STOP).await, Outcome::Accepted);
    wait(20.0).await;
    assert_eq!(it.names(), ["drive", "stop", "stop", "stop"]);
    assert_eq!(it.alerts().await, [""; 0]);
    assert_eq!(it.hub.robot(&robot()).unwrap().unstopped, None);
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_does_not_stop_is_an_alert_until_it_stands() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 14);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    wait(1.0).await;
    give(&driver, STOP).await;
    wait(2.0).await;
    assert_eq!(it.alerts().await, [""; 0], "it may be braking");
    wait(3.0).await;
    assert_eq!(it.alerts().await, ["it was stopped and moves still"]);
    assert!(it.hub.robot(&robot()).unwrap().unstopped.is_some());
    // Nothing gives up, and the alert ends with what it tells of.
    wait(20.0).await;
    assert_eq!(it.names().len(), 1 + 14);
    assert_eq!(it.alerts().await, [""; 0]);
    assert_eq!(it.hub.robot(&robot()).unwrap().unstopped, None);
}

#[tokio::test(start_paused = true)]
async fn a_stop_that_the_robot_does_not_take_is_sent_again_until_it_does() {
    let it = Bench::refusing(Policy::default(), Duration::from_millis(10), 1, 1);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    wait(1.0).await;
    assert_eq!(code(&give(&driver, STOP).await), Some(RefusalCode::Unreachable));
    wait(0.3).await;
    assert_eq!(it.names(), ["drive", "stop", "stop"], "at once");
    wait(20.0).await;
    assert_eq!(it.names(), ["drive", "stop", "stop"]);

    let it = Bench::refusing(Policy::default(), Duration::from_millis(10), 1, 12);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    wait(1.0).await;
    give(&driver, STOP).await;
    wait(4.0).await;
    assert_eq!(it.alerts().await, ["it was stopped and moves still"]);
    wait(20.0).await;
    assert_eq!(it.names().len(), 1 + 12 + 1);
    assert_eq!(it.alerts().await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_drive_that_the_robot_did_not_take_does_not_end_what_it_owes() {
    let it = Bench::refusing(Policy::default(), Duration::from_millis(10), 1, 3);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    wait(1.0).await;
    give(&driver, STOP).await;
    // It is refused before it reaches the robot.
    let forbidden = Author::new("misty", "a");
    let late = it.hub.command_client(forbidden).command(&robot(), drive(0.1, None), Duration::ZERO).await;
    assert!(!late.is_ok(), "{late:?}");
    wait(20.0).await;
    assert_eq!(it.names(), ["drive", "stop", "stop", "stop", "stop"]);
}

#[tokio::test(start_paused = true)]
async fn the_dead_mans_stop_is_an_obligation_and_so_is_the_one_at_the_end() {
    let it = Bench::refusing(Policy::default(), Duration::from_millis(10), 1, 2);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    drop(driver);
    wait(20.0).await;
    assert_eq!(it.names(), ["drive", "stop", "stop", "stop"]);

    let it = Bench::refusing(Policy::default(), Duration::from_millis(10), 1, 3);
    give(&it.connected("a"), drive(0.2, None)).await;
    let stopped = it.hub.stop_all(Duration::from_secs(1)).await;
    assert_eq!(stopped, [(robot(), Outcome::Accepted)]);
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_nobody_drove_is_stopped_until_it_stands() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 3);
    // The base's driver acts beside the gateway, which receives nothing of it.
    give(&it.hub.command_client(Author::gateway()), drive(0.2, Some(0.1))).await;
    wait(3.0).await;
    assert_eq!(give(&it.program("b"), STOP).await, Outcome::Accepted);
    wait(20.0).await;
    assert_eq!(it.names(), ["drive", "stop", "stop", "stop"]);
}

#[tokio::test(start_paused = true)]
async fn an_emergency_stop_holds_for_robots_that_have_none() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 1);
    let sink = it.hub.sink("test", "peer", MailboxLimits::default());
    sink.subscribe(Subscription::to("r/alerts/**".parse().unwrap()));
    let (first, second) = (it.connected("a"), it.connected("b"));
    give(&first, drive(0.2, None)).await;
    assert_eq!(give(&second, Command::EmergencyStop(true)).await, Outcome::Accepted);
    assert_eq!(it.names(), ["drive", "halt"]);
    let refused = give(&first, drive(0.2, None)).await;
    assert_eq!(code(&refused), Some(RefusalCode::Unsafe));
    assert_eq!(it.alerts().await, ["the emergency stop is pressed, by misty b"]);
    assert_eq!(it.hub.robot(&robot()).unwrap().emergency_stop.unwrap().author, *second.author());
    assert_eq!(code(&give(&first, Command::EmergencyStop(false)).await), Some(RefusalCode::Owned));
    assert_eq!(give(&second, Command::EmergencyStop(false)).await, Outcome::Done);
    assert_eq!(it.alerts().await, [""; 0]);
    assert_eq!(give(&first, drive(0.2, None)).await, Outcome::Accepted);
}
