//! Topics: which are enabled, which messages are sent at once, which are changes.

use std::time::Duration;

use latimer_core::model::signal::{
    Alerts, Control, ControlMode, Door, DoorState, Doors, Footprint, Frame, OccupancyGrid, Other, Path, Pins,
    Traction, Velocity,
};
use latimer_core::{Signal, Update};
use latimer_dialects::axbot::AxbotConfig;
use latimer_dialects::axbot::style::PoseAtRest;
use serde_json::json;

use super::chassis::{Chassis, robot};

pub(super) const MOMENT: Duration = Duration::from_millis(300);

#[tokio::test(start_paused = true)]
async fn the_answer_names_all_topics_and_the_last_state_follows() {
    let chassis = Chassis::start().await;
    chassis.say_battery(0.5);
    let mut client = chassis.client().await;
    client.send(r#"{"enable_topic": "/battery_state"}"#).await;
    assert_eq!(client.text().await, r#"{"enabled_topics":["/battery_state"]}"#);
    assert_eq!(client.json().await, json!({"topic": "/battery_state", "percentage": 0.5}));
    // A list, the newest first; a topic without a message follows with the first that is published.
    client.send(r#"{"enable_topic": ["/alerts", "/tracked_pose"]}"#).await;
    assert_eq!(client.json().await["enabled_topics"], json!(["/tracked_pose", "/alerts", "/battery_state"]));
    chassis.publish(None, Alerts { active: vec![] }, "/alerts", r#"{"topic": "/alerts", "alerts": []}"#);
    assert_eq!(client.text().await, r#"{"topic": "/alerts", "alerts": []}"#, "as the robot wrote it");
    // Once more is no mistake, and tells the state once more.
    client.send(r#"{"enable_topic": "/battery_state"}"#).await;
    assert_eq!(client.json().await["enabled_topics"].as_array().unwrap().len(), 3);
    assert_eq!(client.json().await["topic"], "/battery_state");
    client.send(r#"{"disable_topic": ["/alerts", "/battery_state"]}"#).await;
    assert_eq!(client.json().await, json!({"enabled_topics": ["/tracked_pose"]}));
    chassis.say_battery(0.4);
    assert!(client.all_within(MOMENT).await.is_empty());
    // Off and on in one object.
    client.send(r#"{"disable_topic": "/tracked_pose", "enable_topic": "/battery_state"}"#).await;
    assert_eq!(client.json().await, json!({"enabled_topics": ["/battery_state"]}));
    assert_eq!(client.json().await["percentage"], 0.4);
}

#[tokio::test(start_paused = true)]
async fn a_topic_of_two_names_is_published_once_until_both_are_disabled() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.enable(&["/trajectory", "/trajectory_node_list"]).await;
    let publish = || {
        let path = Path::of(Frame::Map, vec![[1.0, 2.0]]);
        chassis.publish(
            Some("trajectory"),
            path,
            "/trajectory",
            r#"{"topic":"/trajectory","points":[[1,2]]}"#,
        );
    };
    publish();
    let frames = client.all_within(MOMENT).await;
    assert_eq!(frames, [json!({"topic": "/trajectory", "points": [[1, 2]]})]);
    client.send(r#"{"disable_topic": "/trajectory"}"#).await;
    assert_eq!(client.json().await, json!({"enabled_topics": ["/trajectory_node_list"]}));
    publish();
    assert_eq!(client.all_within(MOMENT).await.len(), 1);
}

#[tokio::test]
async fn mistakes_are_explained_and_the_socket_stays() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.send(r#"{"enable_topic": ["/battery_state", "/tracked_pos", "/chocolate"]}"#).await;
    let answer = client.json().await;
    assert_eq!(answer["enabled_topics"], json!(["/battery_state"]));
    let error = answer["error"].as_str().unwrap();
    assert!(error.contains("did you mean \"/tracked_pose\"?") && error.contains("/chocolate"), "{error}");
    for (text, words) in [
        ("{", "not JSON"),
        ("[]", "a list"),
        (r#"{"enable_topic": 7}"#, "a number"),
        (r#"{"topic": "/follow_target_state", "state": 1}"#, "follow_state"),
    ] {
        client.send(text).await;
        let answer = client.json().await;
        assert!(answer["error"].as_str().unwrap().contains(words), "{text}: {answer}");
        assert_eq!(answer.as_object().unwrap().len(), 1);
    }
    client.send("").await;
    client.enable(&["/alerts"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_pose_comes_only_when_the_robot_moved_and_not_too_often() {
    let config = AxbotConfig { pose_every_s: 0.1, ..AxbotConfig::default() };
    let chassis = Chassis::with("test", config).await;
    chassis.say_pose(None, Frame::Map, 1.0);
    let mut client = chassis.client().await;
    client.enable(&["/tracked_pose"]).await;
    assert_eq!(client.json().await["pos"], json!([1.0, 0.0]));
    for step in 0..30 {
        // The place by dead reckoning must not take the place of the one on the map.
        chassis.say_pose(None, Frame::Map, 1.0 + f64::from(step) * 0.00001);
        chassis.say_pose(Some("odom"), Frame::Odom, 70.0 + f64::from(step));
        chassis.time.pass(Duration::from_millis(10)).await;
    }
    assert!(client.all_within(MOMENT).await.is_empty(), "it stands");
    for step in 0..30 {
        chassis.say_pose(None, Frame::Map, 2.0 + f64::from(step));
        chassis.say_pose(Some("odom"), Frame::Odom, 70.0);
        chassis.time.pass(Duration::from_millis(10)).await;
    }
    let frames = client.all_within(MOMENT).await;
    assert!((2..=5).contains(&frames.len()), "{}", frames.len());
    assert_eq!(frames.last().unwrap()["pos"], json!([31.0, 0.0]), "the last one comes");
}

#[tokio::test(start_paused = true)]
async fn a_robot_whose_wheels_stand_is_silent_in_spite_of_its_noise() {
    let config = AxbotConfig { pose_every_s: 0.01, ..AxbotConfig::default() };
    let chassis = Chassis::with("test", config).await;
    let wheels = |linear_mps: f64| {
        let velocity = Velocity {
            linear_mps: Some(linear_mps),
            angular_radps: Some(0.0),
            closed_loop: None,
            ramped: None,
            action_id: None,
        };
        let text =
            json!({"topic": "/motion_metrics", "linear_velocity": linear_mps, "angular_velocity": 0.0});
        chassis.publish(Some("measured"), velocity, "/motion_metrics", text.to_string());
    };
    wheels(0.0);
    chassis.say_pose(None, Frame::Map, 1.0);
    let mut client = chassis.client().await;
    client.enable(&["/tracked_pose"]).await;
    assert_eq!(client.json().await["pos"], json!([1.0, 0.0]));
    chassis.say_pose(None, Frame::Map, 1.02);
    assert!(client.all_within(MOMENT).await.is_empty(), "that is noise");
    wheels(0.5);
    chassis.say_pose(None, Frame::Map, 1.04);
    let pose = |x_m: f64| json!({"topic": "/tracked_pose", "pos": [x_m, 0.0], "ori": 0.0});
    assert_eq!(client.all_within(MOMENT).await, [pose(1.04)]);
    wheels(0.0);
    chassis.say_pose(None, Frame::Map, 1.06);
    assert_eq!(client.all_within(MOMENT).await, [pose(1.06)], "where it came to stand");
    chassis.say_pose(None, Frame::Map, 1.03);
    assert!(client.all_within(MOMENT).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_outline_is_published_when_it_changes() {
    let chassis = Chassis::start().await;
    let publish = |width_m: f64| {
        let text = json!({"topic": "/robot_model", "width": width_m});
        chassis.publish(None, Footprint { polygon_m: vec![], width_m }, "/robot_model", text.to_string());
    };
    publish(0.5);
    let mut client = chassis.client().await;
    client.enable(&["/robot_model"]).await;
    assert_eq!(client.json().await["width"], 0.5);
    publish(0.5);
    assert!(client.all_within(MOMENT).await.is_empty(), "every twelve seconds is enough");
    publish(0.9);
    assert_eq!(client.json().await["width"], 0.9);
}

#[tokio::test(start_paused = true)]
async fn a_silent_pose_waits_for_the_first_move() {
    let config =
        AxbotConfig { pose_at_rest: PoseAtRest::Silent, pose_every_s: 0.01, ..AxbotConfig::default() };
    let chassis = Chassis::with("test", config).await;
    chassis.say_pose(None, Frame::Map, 1.0);
    let mut client = chassis.client().await;
    client.enable(&["/tracked_pose"]).await;
    assert!(client.all_within(MOMENT).await.is_empty());
    chassis.say_pose(None, Frame::Map, 1.5);
    assert_eq!(client.json().await["pos"], json!([1.5, 0.0]));
}

#[tokio::test(start_paused = true)]
async fn a_pose_repeats_while_the_robot_stands_if_the_site_wants_so() {
    let config = AxbotConfig { pose_at_rest: PoseAtRest::Repeats, ..AxbotConfig::default() };
    let chassis = Chassis::with("axbot", config).await;
    chassis.say_pose(None, Frame::Map, 1.0);
    let mut client = chassis.client().await;
    client.enable(&["/tracked_pose"]).await;
    let poses = client.all_within(Duration::from_millis(5_200)).await;
    assert!((4..=6).contains(&poses.len()), "{poses:?}");
    assert!(poses.iter().all(|it| it["pos"] == json!([1.0, 0.0])), "{poses:?}");
    chassis.say_pose(None, Frame::Map, 1.0005);
    let poses = client.all_within(MOMENT).await;
    assert_eq!(poses[0]["pos"], json!([1.0005, 0.0]), "half a millimetre is a message, too");
}

fn one_cell(cell: u8) -> OccupancyGrid {
    OccupancyGrid {
        resolution_m: 0.05,
        width: 1,
        height: 1,
        cells: vec![cell].into(),
        ..OccupancyGrid::UPRIGHT
    }
}

#[tokio::test(start_paused = true)]
async fn obstacle_maps_come_about_once_a_second() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.enable(&["/maps/5cm/1hz"]).await;
    for _ in 0..30 {
        chassis.publish(Some("costmap_5cm"), one_cell(0), "/maps/5cm/1hz", r#"{"topic":"/maps/5cm/1hz"}"#);
        chassis.time.pass(Duration::from_millis(40)).await;
    }
    let frames = client.all_within(MOMENT).await;
    assert!((2..=3).contains(&frames.len()), "{}", frames.len());
}

#[tokio::test(start_paused = true)]
async fn a_map_is_published_once_until_it_changes() {
    let chassis = Chassis::start().await;
    let publish = |cell: u8, stamp: f64| {
        let text = json!({"topic": "/map", "stamp": stamp, "data": cell});
        chassis.publish(Some("map"), one_cell(cell), "/map", text.to_string());
    };
    publish(0, 1.0);
    let mut client = chassis.client().await;
    client.enable(&["/map", "/map_v2"]).await;
    let mut topics = [client.json().await, client.json().await].map(|it| it["topic"].clone());
    topics.sort_by_key(ToString::to_string);
    assert_eq!(topics, ["/map", "/map_v2"]);
    publish(0, 2.0);
    assert!(client.all_within(MOMENT).await.is_empty(), "the same, drawn again");
    publish(100, 3.0);
    assert_eq!(client.all_within(MOMENT).await.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_topic_that_no_robot_tells_is_taken_and_says_what_it_needs() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.send(r#"{"enable_topic": ["/towing_state", "/battery_state", "/twist_feedback"]}"#).await;
    let answer = json!({
        "enabled_topics": ["/twist_feedback", "/battery_state", "/towing_state"],
        "needs": {"/towing_state": "a towing hook"},
    });
    assert_eq!(client.json().await, answer);
    client.send(r#"{"disable_topic": ["/towing_state", "/twist_feedback"]}"#).await;
    assert_eq!(client.json().await, json!({"enabled_topics": ["/battery_state"]}));
    client.send(r#"{"disable_topic": "/towing_stat"}"#).await;
    assert!(client.json().await["error"].as_str().unwrap().contains("there is no topic"));
}

#[tokio::test(start_paused = true)]
async fn what_a_connected_chassis_sends_on_it_is_passed_on_until_it_is_disabled() {
    let chassis = Chassis::connected().await;
    let mut client = chassis.client().await;
    client.send(r#"{"enable_topic": "/towing_state"}"#).await;
    assert_eq!(client.json().await, json!({"enabled_topics": ["/towing_state"]}));
    let text = r#"{"topic": "/towing_state", "state": "locked", "action_progress": 1.0}"#;
    let say = |topic: &str, text: &str| {
        let part = topic.trim_start_matches('/');
        chassis.publish(Some(part), Other { topic: topic.into() }, topic, text);
    };
    say("/mast_state", r#"{"topic": "/mast_state"}"#);
    say("/towing_state", text);
    assert_eq!(client.text().await, text, "as the robot wrote it");
    client.send(r#"{"disable_topic": "/towing_state"}"#).await;
    assert_eq!(client.json().await, json!({"enabled_topics": []}));
    say("/towing_state", text);
    assert!(client.all_within(MOMENT).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn wheels_doors_and_pins_are_published_in_older_words_too() {
    let chassis = Chassis::with("axbot", AxbotConfig::default()).await;
    let mut client = chassis.client().await;
    let topics = [
        "/chassis_state",
        "/fused_sensor_state",
        "/robot/footprint",
        "/detected_features/gates",
        "/raw_io_board_state",
    ];
    client.enable(&topics).await;
    let say =
        |signal: Signal| chassis.source.publish(Update::now(&robot(), chassis.hub.clock().now(), signal));
    let control =
        Control { mode: ControlMode::Remote, emergency_stop: true, wheels_released: None, power: None };
    say(control.into());
    let parts = json!({"control_mode": "remote", "emergency_stop_pressed": true});
    let mut sent = parts.clone();
    sent["topic"] = "/chassis_state".into();
    sent["parts"] = parts;
    assert_eq!(client.json().await, sent);
    let traction = Traction {
        slipping: Some(true),
        slipping_badly: None,
        pushed: Some(false),
        suggested_mps: Some(0.35),
        still: Some(false),
        wheels_still: Some(false),
        body_still: None,
    };
    say(traction.clone().into());
    let sent = json!({
        "topic": "/fused_sensor_state", "slipping": true, "pushed": false, "suggested_speed": 0.35,
        "is_still": false, "odom_still": false,
    });
    assert_eq!(client.json().await, sent);
    say(traction.into());
    assert!(client.all_within(MOMENT).await.is_empty(), "only changes are sent");
    say(Footprint { polygon_m: vec![[0.3, 0.2], [-0.3, 0.2], [-0.3, -0.2]], width_m: 0.4 }.into());
    let sent = json!({"topic": "/robot/footprint", "footprint": [[-0.2, 0.3], [-0.2, -0.3], [0.2, -0.3]]});
    assert_eq!(client.json().await, sent);
    let door = |name: &str, state| Door { name: name.into(), mac: None, state, polygon_m: vec![] };
    say(Doors { doors: vec![door("a", DoorState::Open), door("b", DoorState::Closing)] }.into());
    let gates = json!([{"name": "a", "state": "open"}, {"name": "b", "state": "unknown"}]);
    assert_eq!(client.json().await, json!({"topic": "/detected_features/gates", "gates": gates}));
    say(Pins { inputs: vec![vec![true], vec![false]], outputs: vec![vec![false, true]] }.into());
    let sent = json!({"topic": "/raw_io_board_state", "inputs_active": [1, 0], "outputs_active": [0, 1]});
    assert_eq!(client.json().await, sent);
}
