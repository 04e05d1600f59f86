//! Drives.

use std::time::Duration;

use latimer_core::model::signal::{
    Battery, Control, ControlMode, Joint, LinkState, Navigation, NavigationKind, NavigationState, PowerState,
};
use latimer_core::model::{Destination, NavigationGoal};
use latimer_core::{Command, Outcome, PartName, Signal, Update};
use latimer_dialects::axbot::AxbotConfig;
use latimer_e2e::PATIENCE;
use serde_json::{Value, json};

use super::gateway::{Answer, Gateway, robot};
use super::sent::navigation;

const THERE: &str =
    r#"{"creator": "app", "type": "standard", "target_x": 1, "target_y": 2, "target_ori": 0.5}"#;

async fn sent(gateway: &mut Gateway, body: &str) -> (NavigationGoal, Answer) {
    match gateway.asked("POST", "chassis/moves", body, Outcome::Accepted).await {
        (Command::Navigate(goal), answer) => (goal, answer),
        (other, answer) => panic!("{other:?} {answer:?}"),
    }
}

fn states(list: &Value) -> Vec<(i64, &str)> {
    let each = |it: &'_ Value| it["id"].as_i64().unwrap();
    list.as_array().unwrap().iter().map(|it| (each(it), it["state"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn a_drive_is_published_from_its_begin_to_its_end() {
    let mut gateway = Gateway::start().await;
    let (goal, (status, object)) = sent(&mut gateway, THERE).await;
    let there = Destination::Point { x_m: 1.0, y_m: 2.0, yaw_rad: Some(0.5) };
    assert_eq!(goal, NavigationGoal { id: Some(1), destination: there, accuracy_m: None, zone: false });
    assert_eq!(status, 201);
    for (key, value) in [
        ("id", json!(1)),
        ("creator", json!("app")),
        ("state", json!("moving")),
        ("type", json!("standard")),
        ("target_x", json!(1.0)),
        ("target_accuracy", json!(null)),
        ("fail_reason", json!(0)),
        ("fail_reason_str", json!("None - None")),
        ("fail_message", json!("")),
    ] {
        assert_eq!(object[key], value, "{key}");
    }
    assert_eq!(gateway.get("chassis/moves/current").await.1["id"], 1);
    gateway.publish(navigation(1, NavigationState::Moving));
    gateway.publish(navigation(1, NavigationState::Succeeded));
    assert_eq!(gateway.get("chassis/moves/1").await.1["state"], "succeeded");
    let (status, text) = gateway.refused("GET", "chassis/moves/current", "").await;
    assert!(status == 404 && text.contains("no move now"), "{status} {text}");
    let (_, list) = gateway.get("chassis/moves").await;
    assert!(list[0].get("target_x").is_none() && list[0]["type"] == "standard", "{list}");
    let (status, text) = gateway.refused("GET", "chassis/moves/77", "").await;
    assert!(status == 404 && text.contains("no move 77"), "{status} {text}");
}

#[tokio::test]
async fn why_it_was_given_up_is_reported_as_a_number_and_in_words() {
    let mut gateway = Gateway::start().await;
    sent(&mut gateway, THERE).await;
    gateway.publish(navigation(1, NavigationState::Failed));
    let (_, object) = gateway.get("chassis/moves/1").await;
    assert_eq!(object["state"], "failed");
    assert_eq!(object["fail_reason"], 501);
    assert_eq!(object["fail_reason_str"], "RackDetectionError - no rack");
}

#[tokio::test]
async fn every_type_becomes_what_it_means() {
    let mut gateway = Gateway::start().await;
    gateway.say_of("jack", super::sent::jack());
    let pose = r#""target_x": 1, "target_y": 2, "target_ori": 3"#;
    for (body, destination) in [
        (
            r#"{"target_x": 1, "target_y": 2}"#.into(),
            Destination::Point { x_m: 1.0, y_m: 2.0, yaw_rad: None },
        ),
        (r#"{"is_charging": true}"#.into(), Destination::Charger { pose: None, retries: 3 }),
        (
            r#"{"type": "charge", "charge_retry_count": 5}"#.into(),
            Destination::Charger { pose: None, retries: 5 },
        ),
        (
            r#"{"type": "along_given_route", "route_coordinates": "1, 2, 3, 4", "detour_tolerance": 0.5}"#
                .into(),
            Destination::Route { points_m: vec![[1.0, 2.0], [3.0, 4.0]], detour_m: 0.5 },
        ),
        (format!(r#"{{"type": "align_with_rack", {pose}}}"#), Destination::Rack { pose: [1.0, 2.0, 3.0] }),
        (format!(r#"{{"type": "to_unload_point", {pose}}}"#), Destination::Unload { pose: [1.0, 2.0, 3.0] }),
        (
            r#"{"type": "align_with_rack", "rack_area_id": "66b3"}"#.into(),
            Destination::RackOfArea("66b3".into()),
        ),
        (
            r#"{"type": "to_unload_point", "rack_area_id": "66b3"}"#.into(),
            Destination::UnloadInArea("66b3".into()),
        ),
        (
            format!(r#"{{"type": "enter_elevator", {pose}}}"#),
            Destination::EnterLift { x_m: 1.0, y_m: 2.0, yaw_rad: Some(3.0) },
        ),
        (
            format!(r#"{{"type": "return_to_elevator_waiting_point", {pose}}}"#),
            Destination::AwaitLift { x_m: 1.0, y_m: 2.0, yaw_rad: Some(3.0) },
        ),
        (r#"{"type": "follow_target"}"#.into(), Destination::Target),
    ] {
        let (goal, (status, object)) = sent(&mut gateway, &body).await;
        assert_eq!((goal.destination, status), (destination, 201), "{body}: {object}");
    }
}

#[tokio::test]
async fn a_new_drive_takes_the_place_of_the_old_one() {
    let mut gateway = Gateway::start().await;
    sent(&mut gateway, THERE).await;
    gateway.publish(navigation(1, NavigationState::Moving));
    let (goal, _) = sent(&mut gateway, THERE).await;
    assert_eq!(goal.id, Some(2));
    assert_eq!(states(&gateway.get("chassis/moves").await.1), [(2, "moving"), (1, "cancelled")]);
}

#[tokio::test]
async fn a_drive_is_called_off_in_either_way() {
    let mut gateway = Gateway::start().await;
    for (path, body) in [
        ("chassis/moves/current", r#"{"state": "cancelled"}"#),
        ("chassis/moves/2", r#"{state: "cancelled"}"#),
    ] {
        sent(&mut gateway, THERE).await;
        let (command, answer) = gateway.done("PATCH", path, body).await;
        assert_eq!((command, answer), (Command::CancelNavigation, (200, json!({"state": "cancelled"}))));
    }
    assert_eq!(states(&gateway.get("chassis/moves").await.1), [(2, "cancelled"), (1, "cancelled")]);
    let (status, text) = gateway.refused("PATCH", "chassis/moves/2", r#"{"state":"cancelled"}"#).await;
    assert!(status == 400 && text.contains("move 2 is over: cancelled"), "{status} {text}");
    let nothing = gateway.refused("PATCH", "chassis/moves/current", r#"{"state":"cancelled"}"#).await;
    assert_eq!(nothing.0, 404);
    for body in ["{}", r#"{"state": "paused"}"#] {
        let (status, text) = gateway.refused("PATCH", "chassis/moves/current", body).await;
        assert!(status == 400 && text.contains("\"cancelled\""), "{status} {text}");
    }
}

#[tokio::test]
async fn a_refused_drive_never_was() {
    let mut gateway = Gateway::start().await;
    let no = Outcome::not_now("the emergency stop is pressed");
    let (_, answer) = gateway.asked("POST", "chassis/moves", THERE, no).await;
    assert_eq!(answer, (400, json!({"detail": "the emergency stop is pressed"})));
    assert_eq!(gateway.get("chassis/moves").await, (200, json!([])));
    gateway.source.link(LinkState::Down, Some("off".into()));
    gateway.publish(super::sent::control(false));
    let gone = Outcome::unreachable("it is not connected");
    let (_, (status, body)) = gateway.asked("POST", "chassis/moves", THERE, gone).await;
    assert!(status == 503 && body["detail"].as_str().unwrap().contains("not heard"), "{status} {body}");
}

#[tokio::test]
async fn drives_of_others_are_published_and_numbers_go_on_behind_theirs() {
    let mut gateway = Gateway::start().await;
    gateway.publish(navigation(40, NavigationState::Moving));
    let (_, object) = gateway.get("chassis/moves/current").await;
    assert_eq!((&object["id"], &object["target_x"]), (&json!(40), &json!(7.0)));
    assert!(object.get("creator").is_none(), "{object}");
    let (goal, _) = sent(&mut gateway, THERE).await;
    assert_eq!(goal.id, Some(41));
}

#[tokio::test]
async fn what_happens_while_nobody_asks_is_entered() {
    let gateway = Gateway::start().await;
    gateway.get("chassis/moves").await;
    for id in 1..=3 {
        gateway.publish(navigation(id, NavigationState::Moving));
        gateway.publish(navigation(id, NavigationState::Succeeded));
    }
    let deadline = tokio::time::timeout(PATIENCE, async {
        while states(&gateway.get("chassis/moves").await.1).len() < 3 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    deadline.await.unwrap();
    let ended = [(3, "succeeded"), (2, "succeeded"), (1, "succeeded")];
    assert_eq!(states(&gateway.get("chassis/moves").await.1), ended);
}

#[tokio::test]
async fn mistakes_are_explained() {
    let gateway = Gateway::start().await;
    for (body, words) in [
        (
            r#"{"type": "pull_over"}"#,
            "it can do: standard, charge, along_given_route, enter_elevator, \
             return_to_elevator_waiting_point, follow_target",
        ),
        (r#"{"type": "align_with_rack"}"#, "cannot do moves of type \"align_with_rack\""),
        (r#"{"type": "standard", "target_x": 1}"#, "\"target_y\" is required"),
        (r#"{"type": "along_given_route", "route_coordinates": "1,2,3"}"#, "3 numbers"),
        ("[]", "no JSON object"),
        ("{", "no JSON"),
    ] {
        let (status, text) = gateway.refused("POST", "chassis/moves", body).await;
        assert!(status == 400 && text.contains(words), "{body}: {status} {text}");
    }
}

#[tokio::test]
async fn a_strict_gateway_refuses_what_is_known_to_fail() {
    let config = AxbotConfig { strict: true, ..AxbotConfig::default() };
    let gateway = Gateway::of_family("axbot", config).await;
    gateway.source.link(LinkState::Up, None);
    let control = |mode, emergency_stop| Control { mode, emergency_stop, wheels_released: None, power: None };
    let jack = |position, ratiops| {
        let joint = Joint { velocity_ratiops: Some(ratiops), ..Joint::share(position) };
        (Some("jack"), Signal::from(joint))
    };
    let charging = Battery { state: PowerState::Charging, ..Battery::UNKNOWN };
    let rack = r#"{"type": "align_with_rack", "target_x": 1, "target_y": 2, "target_ori": 0}"#;
    for ((part, signal), path, body, reason) in [
        ((None, control(ControlMode::Auto, true).into()), "chassis/moves", THERE, "emergency stop"),
        ((None, control(ControlMode::Manual, false).into()), "chassis/moves", THERE, "control mode"),
        ((None, control(ControlMode::Auto, false).into()), "services/nothing", "", ""),
        (jack(0.5, 0.1), "chassis/moves", THERE, "jack moves"),
        (jack(1.0, 0.0), "chassis/moves", rack, "jack is up"),
        ((None, charging.into()), "chassis/moves", r#"{"type": "charge"}"#, "charges already"),
        ((None, navigation(1, NavigationState::Moving).into()), "services/jack_up", "", "on its way"),
    ] {
        let update = Update::now(&robot(), gateway.hub.clock().now(), signal);
        gateway.source.publish(part.map_or(update.clone(), |part| update.of_part(PartName::of(part))));
        let (status, text) = gateway.refused("POST", path, body).await;
        assert!(reason.is_empty() || status == 400 && text.contains(reason), "{reason}: {status} {text}");
    }
}

#[tokio::test]
async fn a_client_gets_its_own_move_though_a_round_begins_under_its_number() {
    let mut gateway = Gateway::start().await;
    gateway.publish(navigation(6, NavigationState::Succeeded));
    let client = gateway.client().clone();
    let asked = tokio::spawn(async move { client.call("POST", "chassis/moves", THERE).await });
    let waits = Duration::from_secs(5);
    let request = tokio::time::timeout(waits, gateway.source.next_command()).await.unwrap();
    assert!(
        matches!(&*request.command, Command::Navigate(goal) if goal.id == Some(7)),
        "{:?}",
        request.command
    );
    // The robot counts on from the same move, and begins a round before it hears of this one.
    let moving = navigation(7, NavigationState::Moving);
    gateway.publish(Navigation { kind: NavigationKind::Route, ..moving.clone() });
    let rounds = gateway.get("chassis/moves").await.1;
    assert_eq!(states(&rounds), [(8, "moving"), (7, "moving"), (6, "succeeded")], "{rounds}");
    request.answer(Outcome::Accepted);
    let (status, object) = asked.await.unwrap();
    assert_eq!((status, &object["id"], &object["type"]), (201, &json!(7), &json!("standard")), "{object}");
    gateway.publish(Navigation { kind: NavigationKind::Goto, ..moving });
    let current = gateway.get("chassis/moves/current").await.1;
    assert_eq!(
        (&current["id"], &current["type"], &current["target_x"]),
        (&json!(7), &json!("standard"), &json!(1.0))
    );
    let list = gateway.get("chassis/moves").await.1;
    assert_eq!(states(&list), [(8, "cancelled"), (7, "moving"), (6, "succeeded")], "{list}");
}
