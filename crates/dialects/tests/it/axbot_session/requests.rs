use std::time::Duration;

use latimer_core::Signal;
use latimer_core::model::signal::{Navigation, NavigationState, SpeedLimits};
use latimer_core::model::{Carry, Command, Destination, Kind, Maintenance, NavigationGoal, Outcome};
use latimer_dialects::axbot::calls::{self, DriveLimits, Maintain};
use serde_json::{Value, json};

use super::chassis::{Answer, Chassis, answer};
use super::gateway::{Gateway, refusal};
use crate::own;

fn point() -> Destination {
    Destination::Point { x_m: 1.0, y_m: 2.0, yaw_rad: Some(0.5) }
}

fn planning(id: i64, state: &str) -> Value {
    json!({
        "topic": "/planning_state", "action_id": id, "action_type": "standard", "move_state": state,
        "fail_reason": if state == "failed" { 9 } else { 0 }, "fail_reason_str": "calculation_failed", "by": "hand",
    })
}

async fn navigation(gateway: &Gateway) -> (Navigation, Value) {
    let update = gateway.of_kind(Kind::Navigation).await;
    let Signal::Navigation(navigation) = &update.signal else { unreachable!() };
    (navigation.clone(), serde_json::from_slice(&update.native.as_ref().unwrap().payload).unwrap())
}

#[tokio::test]
async fn a_drive_keeps_its_askers_number() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/navigation").await;
    chassis.enabled("/planning_state").await;
    let slow = Answer(200, r#"{"id": 3354, "state": "moving"}"#.into(), Duration::from_millis(300));
    chassis.answers("POST chassis/moves", slow);
    let asked = gateway.ask(Command::Navigate(NavigationGoal {
        id: Some(7),
        destination: point(),
        accuracy_m: Some(0.2),
        zone: true,
    }));
    let (body, _) = chassis.request("POST chassis/moves").await;
    assert_eq!(
        body,
        json!({
            "creator": "latimer", "type": "standard", "target_x": 1.0, "target_y": 2.0, "target_ori": 0.5,
            "target_accuracy": 0.2, "use_target_zone": true,
        })
    );
    // The robot tells of it before it has answered.
    chassis.publish(planning(3354, "moving"));
    let (moving, native) = navigation(&gateway).await;
    assert_eq!((moving.id, moving.state), (7, NavigationState::Moving));
    assert_eq!((&native["action_id"], &native["by"]), (&json!(7), &json!("hand")));
    assert_eq!(asked.await.unwrap(), Outcome::Accepted);
    chassis.publish(planning(3354, "failed"));
    let (failed, _) = navigation(&gateway).await;
    assert_eq!((failed.id, failed.state, failed.failure_code), (7, NavigationState::Failed, Some(9)));
    chassis.publish(planning(3355, "moving"));
    assert_eq!(navigation(&gateway).await.0.id, 3355, "somebody else's drive keeps the robot's number");
}

#[tokio::test]
async fn a_refusal_is_in_the_robots_words() {
    let chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    gateway.is_up().await;
    chassis.answers("POST chassis/moves", answer(400, &json!({"detail": "jack is in up state"})));
    let asked = Command::Navigate(NavigationGoal { id: Some(7), ..NavigationGoal::to(point()) });
    assert_eq!(refusal(gateway.command(asked).await), "jack is in up state");
    chassis.answers("POST services/jack_up", answer(500, &json!({"message": "error: no jack"})));
    assert_eq!(refusal(gateway.command(own(calls::Carry { action: Carry::JackUp })).await), "error: no jack");
    chassis.answers("POST chassis/moves", answer(201, &json!({"state": "moving"})));
    assert!(
        refusal(gateway.command(Command::Navigate(NavigationGoal::to(point()))).await).contains("number")
    );
    let cancelled = gateway.command(Command::CancelNavigation).await;
    assert_eq!(cancelled, Outcome::Accepted);
    assert!(refusal(gateway.command(Command::Volume(0.5)).await).contains("no command volume"));
}

#[tokio::test]
async fn an_older_path_is_tried_if_the_robot_does_not_know_the_first() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    gateway.is_up().await;
    chassis
        .answers("POST services/monitor/clear_slipping_error", answer(404, &json!({"detail": "Not found."})));
    assert_eq!(
        gateway.command(own(Maintain { action: Maintenance::ClearSlipping })).await,
        Outcome::Accepted
    );
    chassis.request("POST services/clear_slipping_error").await;
}

#[tokio::test]
async fn places_are_found_on_the_map() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/map_info").await;
    chassis.enabled("/map/info").await;
    let hall = json!({"type": "FeatureCollection", "features": [{
        "type": "Feature", "id": "1", "geometry": {"type": "Point", "coordinates": [4.0, -1.0]},
        "properties": {"type": "11", "name": "Hall", "yaw": 90},
    }]});
    chassis.answers("POST chassis/moves", answer(200, &json!({"id": 1})));
    let go = |name: &str| Command::Navigate(NavigationGoal::to(Destination::Place(name.into())));
    // The robot has not published its map yet, so the gateway requests it.
    chassis.answers("GET chassis/current-map", answer(200, &json!({"id": 3, "overlays": hall.to_string()})));
    assert_eq!(gateway.command(go("Hall")).await, Outcome::Accepted);
    let (body, _) = chassis.request("POST chassis/moves").await;
    assert_eq!((&body["target_x"], &body["target_y"]), (&json!(4.0), &json!(-1.0)));
    assert!((body["target_ori"].as_f64().unwrap() - std::f64::consts::FRAC_PI_2).abs() < 1e-3);
    assert!(refusal(gateway.command(go("Attic")).await).contains("there are: Hall"));
    chassis.publish(json!({"topic": "/map/info", "name": "First floor", "uid": "u", "overlays": hall}));
    gateway.of_kind(Kind::MapInfo).await;
    chassis.answers("GET chassis/current-map", answer(500, &json!({})));
    assert_eq!(gateway.command(go("Hall")).await, Outcome::Accepted);
}

#[tokio::test]
async fn the_limits_of_a_chassis_are_read_set_and_read_again() {
    let mut chassis = Chassis::start().await;
    let params = |mps: f64| {
        answer(200, &json!({"/wheel_control/max_forward_velocity": mps, "/planning/auto_hold": true}))
    };
    chassis.answers("GET robot-params", params(1.2));
    let gateway = Gateway::looking_at(&chassis, "axbot-1/drive_limits").await;
    let reported = async || {
        let update = gateway.of_kind(Kind::DriveLimits).await;
        let Signal::DriveLimits(limits) = &update.signal else { unreachable!() };
        let native: Value = serde_json::from_slice(&update.native.as_ref().unwrap().payload).unwrap();
        (limits.present.forward_mps, native["/planning/auto_hold"].clone())
    };
    assert_eq!(reported().await, (Some(1.2), json!(true)));
    chassis.answers("GET robot-params", params(0.5));
    let slower = own(DriveLimits::from(SpeedLimits { forward_mps: Some(0.5), ..SpeedLimits::NONE }));
    assert_eq!(gateway.command(slower.clone()).await, Outcome::Accepted);
    let (body, _) = chassis.request("POST robot-params").await;
    assert_eq!(body, json!({"/wheel_control/max_forward_velocity": 0.5}));
    assert_eq!(reported().await, (Some(0.5), json!(true)));
    chassis.answers("POST robot-params", answer(400, &json!({"detail": "0.5 is too fast"})));
    assert_eq!(refusal(gateway.command(slower).await), "0.5 is too fast");
}
