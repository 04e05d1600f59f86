//! Robots' own dialects, whose messages may hold any kind, beside clients that see some kinds alone by now.

use latimer_core::access::Role;
use latimer_core::model::signal::Battery;
use latimer_core::{Clock, RobotId, Update};
use serde_json::{Value, json};

use crate::axbot::chassis::Chassis;
use crate::gate::{self, Users, grants};
use crate::misty::client::Misty;

/// How often a client is answered before what comes of an update has come: a socket takes either first.
const ANSWERS: usize = 8;

fn battery(robot: &RobotId, charge: f64) -> Update {
    let battery = Battery { charge_ratio: Some(charge), ..Battery::UNKNOWN };
    Update::now(robot, Clock::system().now(), battery.into())
}

fn users() -> Users {
    Users::new(&[("ada", &[(Role::See, "*")])])
}

/// The charge of a message that tells it.
fn charge(frame: &Value) -> Option<f64> {
    frame["percentage"].as_f64().or_else(|| frame["message"]["chargePercent"].as_f64())
}

#[tokio::test]
async fn a_chassis_tells_nothing_to_who_sees_some_of_its_kinds_by_now() {
    let users = users();
    let chassis = Chassis::behind(users.ports()).await;
    let robot = chassis.source.robot();
    let mut socket = gate::socket("ada", &format!("{}/ws/v2/topics", chassis.address)).await;
    socket.send(&json!({"enable_topic": ["/battery_state"]})).await;
    socket.json().await;
    chassis.source.publish(battery(robot, 0.5));
    assert_eq!(charge(&socket.json().await), Some(0.5));
    users.get("ada").set_grants(grants(&[(Role::See, "*/battery")]));
    chassis.source.publish(battery(robot, 0.25));
    for _ in 0..ANSWERS {
        socket.send(&json!({"enable_topic": ["/planning_state"]})).await;
        let answer = socket.json().await;
        assert!(answer["error"].as_str().is_some_and(|it| it.contains("the role see")), "{answer}");
    }
    users.get("ada").set_grants(grants(&[(Role::See, "*")]));
    chassis.source.publish(battery(robot, 0.125));
    assert_eq!(charge(&socket.json().await), Some(0.125));
}

#[tokio::test]
async fn a_misty_tells_nothing_to_who_sees_some_of_its_kinds_by_now() {
    let users = users();
    let misty = Misty::behind(users.ports()).await;
    let robot = misty.source.robot();
    let mut socket = gate::socket("ada", &format!("{}/pubsub", misty.address)).await;
    let subscribe =
        json!({"Operation": "subscribe", "Type": "BatteryCharge", "EventName": "charge", "DebounceMs": 0});
    socket.send(&subscribe).await;
    socket.json().await;
    misty.source.publish(battery(robot, 0.5));
    assert_eq!(charge(&socket.json().await), Some(0.5));
    users.get("ada").set_grants(grants(&[(Role::See, "*/battery")]));
    misty.source.publish(battery(robot, 0.25));
    for _ in 0..ANSWERS {
        socket.send(&json!([])).await;
        let answer = socket.json().await;
        assert!(answer["message"].as_str().is_some_and(|it| it.contains("no JSON object")), "{answer}");
    }
    users.get("ada").set_grants(grants(&[(Role::See, "*")]));
    misty.source.publish(battery(robot, 0.125));
    assert_eq!(charge(&socket.json().await), Some(0.125));
}
