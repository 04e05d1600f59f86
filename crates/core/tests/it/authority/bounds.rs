//! Speeds on the way to a robot: newer ones, steps of acceleration, and the border of its area.

use std::time::Duration;

use latimer_core::authority::{Area, Envelope, Policy};
use latimer_core::hub::{Origin, Policies, RobotInfo};
use latimer_core::model::RefusalCode;
use latimer_core::model::signal::LinkState;
use latimer_core::{Author, Clock, Command, Hub, Outcome, Timestamp};
use tokio_util::sync::CancellationToken;

use super::{Bench, code, drive, give, numbered, wait};
use crate::rig::{PATIENCE, STOP, robot};

#[tokio::test(start_paused = true)]
async fn a_newer_drive_takes_the_place_of_one_that_waits() {
    let it = Bench::new(Policy::default(), Duration::from_millis(400), 1);
    let driver = it.connected("a");
    let answers: Vec<_> = (0..100)
        .map(|i| tokio::spawn(driver.command(&robot(), numbered(drive(0.2, None), i), PATIENCE)))
        .collect();
    for answer in answers {
        assert_eq!(answer.await.unwrap(), Outcome::Accepted);
    }
    let calls = it.calls.lock().unwrap().clone();
    let last = numbered(drive(0.2, None), 99);
    assert!(calls.len() <= 2 && calls.last().unwrap().0 == last, "{calls:?}");
    let replaced = it.hub.commands_given_lately(10, |record| record.note.is_some());
    assert_eq!(replaced[0].note.as_deref(), Some("a newer drive came before it was sent"));
    assert!(replaced[0].count >= 98, "{replaced:?}");
}

#[tokio::test(start_paused = true)]
async fn a_robot_speeds_up_in_steps_until_a_stop() {
    let envelope = Envelope { linear_mps2: Some(0.5), ..Envelope::default() };
    let it = Bench::new(Policy { envelope, ..Policy::default() }, Duration::from_millis(10), 1);
    let driver = it.connected("a");
    give(&driver, drive(1.0, None)).await;
    wait(1.0).await;
    let speeds: Vec<f64> = it
        .calls
        .lock()
        .unwrap()
        .iter()
        .filter_map(|(call, _)| match call {
            Command::Drive { linear_mps, .. } => Some(*linear_mps),
            _ => None,
        })
        .collect();
    assert!(speeds.is_sorted() && speeds.len() >= 9 && speeds.last().unwrap() <= &0.56, "{speeds:?}");
    assert_eq!(give(&driver, STOP).await, Outcome::Accepted);
    wait(5.0).await;
    assert_eq!(it.names().last(), Some(&"stop"));
    let records = it.hub.commands_given_lately(10, |_| true);
    assert_eq!(records.len(), 2, "steps are no commands of a client: {records:?}");
}

#[tokio::test(start_paused = true)]
async fn a_drive_that_the_robot_did_not_take_is_not_gone_on_with() {
    let hub = Hub::new(Clock::starting_at(Timestamp::default()));
    let envelope = Envelope { linear_mps2: Some(0.5), ..Envelope::default() };
    hub.set_policies(Policies { others: Policy { envelope, ..Policy::default() }, ..Policies::default() });
    let origin = Origin::Connected("host".into());
    let mut source = hub.register(RobotInfo::new(robot(), "test", origin)).unwrap();
    let guard = tokio::spawn(hub.clone().guard(CancellationToken::new()));
    let driver = hub.connected_client(Author::new("misty", "a"));
    for is_lost in [false, true] {
        source.link(LinkState::Up, None);
        let asked = tokio::spawn(driver.command(&robot(), drive(1.0, None), PATIENCE));
        let request = source.next_command().await;
        match is_lost {
            true => source.link(LinkState::Down, None),
            false => request.answer(Outcome::not_safe("it stands at a cliff")),
        }
        wait(0.5).await;
        assert!(source.try_next_command().is_none());
        asked.abort();
    }
    guard.abort();
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_leaves_its_area_is_stopped_and_may_only_come_back() {
    let area = Area::new(vec![[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]], 0.2, 0.05).unwrap();
    let it = Bench::new(Policy { area: Some(area), ..Policy::default() }, Duration::from_millis(10), 1);
    let driver = it.connected("a");
    wait(0.2).await;
    assert_eq!(give(&driver, drive(0.5, None)).await, Outcome::Accepted);
    wait(30.0).await;
    assert_eq!(it.names(), ["drive", "drive", "stop"], "slower in the border, then a stop");
    assert_eq!(it.alerts().await, ["it is outside its area"]);
    assert_eq!(code(&give(&driver, drive(0.1, None)).await), Some(RefusalCode::Unsafe));
    assert_eq!(give(&driver, drive(-0.05, Some(5.0))).await, Outcome::Accepted);
    wait(5.0).await;
    assert_eq!(it.alerts().await, [""; 0]);
    assert_eq!(it.names(), ["drive", "drive", "stop", "drive"]);
}
