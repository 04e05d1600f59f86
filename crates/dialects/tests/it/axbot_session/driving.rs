use std::time::Duration;

use latimer_core::model::signal::ControlMode;
use latimer_core::model::{Carry, Command, Kind, Outcome, TrackSpeeds};
use latimer_dialects::axbot::calls;
use serde_json::json;

use super::chassis::{Answer, Chassis, answer};
use super::gateway::{Gateway, refusal};
use crate::own;

fn drive(linear_mps: f64, ms: u64) -> Command {
    Command::Drive { linear_mps, angular_radps: 0.0, duration: Some(Duration::from_millis(ms)) }
}

#[tokio::test]
async fn no_twist_is_sent_before_the_feedback_and_the_last_one_is_zero() {
    let mut chassis = Chassis::start().await;
    chassis.feeds_back(false);
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    gateway.is_up().await;
    let first = gateway.ask(drive(0.1, 60_000));
    assert_eq!(chassis.twist().await, [0.1, 0.0]);
    let second = gateway.ask(drive(0.2, 60_000));
    tokio::time::sleep(Duration::from_millis(100)).await;
    let third = gateway.ask(drive(0.3, 400));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(chassis.texts_so_far(), Vec::<serde_json::Value>::new(), "the robot has not answered yet");
    assert!(!first.is_finished());
    assert!(refusal(second.await.unwrap()).contains("newer"));
    chassis.feeds_back(true);
    chassis.publish(json!({"topic": "/twist_feedback"}));
    assert_eq!(first.await.unwrap(), Outcome::Accepted);
    assert_eq!(third.await.unwrap(), Outcome::Accepted);
    let mut speeds = Vec::new();
    while speeds.last() != Some(&[0.0; 2]) {
        speeds.push(chassis.twist().await);
    }
    assert!(speeds[..speeds.len() - 1].iter().all(|speed| *speed == [0.3, 0.0]), "{speeds:?}");
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(chassis.texts_so_far(), Vec::<serde_json::Value>::new(), "it stands");
}

#[tokio::test]
async fn a_drive_is_renewed_while_it_lasts() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    gateway.is_up().await;
    assert_eq!(gateway.command(drive(0.5, 700)).await, Outcome::Accepted);
    let mut speeds = Vec::new();
    while speeds.last() != Some(&0.0) {
        speeds.push(chassis.twist().await[0]);
    }
    // Twenty a second; fewer beside other work, but more than a base's watchdog misses.
    assert!((4..=15).contains(&speeds.len()), "{speeds:?}");
}

#[tokio::test]
async fn a_drive_without_feedback_times_out() {
    let chassis = Chassis::start().await;
    chassis.feeds_back(false);
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    gateway.is_up().await;
    assert_eq!(gateway.command(drive(0.5, 100)).await, Outcome::TimedOut);
}

#[tokio::test]
async fn a_gateway_that_says_why_it_does_not_drive_is_understood() {
    let mut chassis = Chassis::start().await;
    chassis.feeds_back(false);
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    gateway.is_up().await;
    let asked = gateway.ask(drive(0.5, 60_000));
    chassis.twist().await;
    chassis.publish(json!({"error": "/twist: the stairs are ahead"}));
    chassis.publish(json!({"topic": "/twist_feedback"}));
    assert_eq!(refusal(asked.await.unwrap()), "the stairs are ahead");
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(chassis.texts_so_far(), Vec::<serde_json::Value>::new(), "it is not tried again");
}

#[tokio::test]
async fn wheels_are_driven_by_how_far_apart_they_are() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    gateway.is_up().await;
    gateway.command(Command::DriveTracks(TrackSpeeds { left_mps: 0.1, right_mps: 0.3 })).await;
    let [linear_mps, angular_radps] = chassis.twist().await;
    assert!((linear_mps - 0.2).abs() < 1e-9 && (angular_radps - 0.5).abs() < 1e-9, "{angular_radps}");
}

#[tokio::test]
async fn who_drives_must_be_settled_first() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/control").await;
    chassis.enabled("/wheel_state").await;
    chassis
        .publish(json!({"topic": "/wheel_state", "control_mode": "auto", "emergency_stop_pressed": false}));
    gateway.of_kind(Kind::Control).await;
    let refused = refusal(gateway.command(drive(0.5, 100)).await);
    assert!(refused.contains("control mode auto") && refused.contains("remote"), "{refused}");
    // Both at once: the drive waits until the robot has agreed.
    let slow = Answer(200, "{}".into(), Duration::from_millis(200));
    chassis.answers("POST services/wheel_control/set_control_mode", slow);
    let mode = gateway.ask(Command::ControlMode(ControlMode::Remote));
    let (body, _) = chassis.request("POST services/wheel_control/set_control_mode").await;
    assert_eq!(body, json!({"control_mode": "remote"}));
    assert_eq!(gateway.command(drive(0.5, 100)).await, Outcome::Accepted);
    assert_eq!(mode.await.unwrap(), Outcome::Accepted);
    chassis
        .publish(json!({"topic": "/wheel_state", "control_mode": "remote", "emergency_stop_pressed": true}));
    gateway.of_kind(Kind::Control).await;
    assert!(refusal(gateway.command(drive(0.5, 100)).await).contains("emergency stop"));
}

#[tokio::test]
async fn a_stop_overtakes_what_waits() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    gateway.is_up().await;
    chassis.answers("POST services/jack_up", Answer(200, "{}".into(), Duration::from_secs(30)));
    chassis.answers("PATCH chassis/moves/current", answer(404, &json!({"detail": "Not found."})));
    let jack = gateway.ask(own(calls::Carry { action: Carry::JackUp }));
    chassis.request("POST services/jack_up").await;
    let stop = Command::Stop { hold: false };
    assert_eq!(gateway.command(stop).await, Outcome::Accepted, "it drives nowhere, so it stands");
    assert_eq!(chassis.twist().await, [0.0; 2]);
    let (body, _) = chassis.request("PATCH chassis/moves/current").await;
    assert_eq!(body, json!({"state": "cancelled"}));
    chassis.answers("PATCH chassis/moves/current", answer(400, &json!({"detail": "the lift is full"})));
    assert_eq!(refusal(gateway.command(Command::Stop { hold: false }).await), "the lift is full");
    assert!(!jack.is_finished());
}
