//! The socket: registration, versions, conditions, picked properties, debounce, mistakes.

use std::time::Duration;

use latimer_core::model::signal::{
    Contact, ContactSensor, Face, FaceIdentity, Frame, Motion, MotionState, Point, Pose, Range, SoundSource,
    Text, TextChannel, Velocity,
};
use latimer_core::{PartName, Signal, Update};
use latimer_dialects::misty::MistyConfig;
use serde_json::json;

use super::client::{Misty, PATIENCE, REGISTERED, robot};
use crate::conformance::samples;

fn of(misty: &Misty, part: &str, signal: impl Into<Signal>) -> Update {
    Update::now(&robot(), misty.hub.clock().now(), signal.into()).of_part(PartName::of(part))
}

fn bump(contacted: bool) -> Contact {
    let position = Some(Point { x_m: 0.12, y_m: -0.075, z_m: 0.0 });
    Contact { contacted, sensor: ContactSensor::Bumper, position, frame: Frame::BaseLink }
}

fn keys(text: &str) -> Vec<String> {
    let frame: serde_json::Value = serde_json::from_str(text).unwrap();
    frame["message"].as_object().unwrap().keys().cloned().collect()
}

#[tokio::test]
async fn a_subscription_is_confirmed_and_the_last_state_follows() {
    let misty = Misty::start(MistyConfig::default()).await;
    misty.publish(Update { robot: robot(), ..samples::battery(&misty.hub) });
    let mut client = misty.client().await;
    client.subscribe("BatteryCharge", "mine", "").await;
    // What misty2py sends after each subscription.
    client.send("").await;
    let text = client.text().await;
    assert!(text.starts_with(r#"{"eventName":"mine","message":{"#), "{text}");
    let sample = [
        "chargePercent",
        "created",
        "current",
        "healthPercent",
        "isCharging",
        "sensorId",
        "state",
        "temperature",
        "trained",
        "voltage",
    ];
    assert_eq!(keys(&text), sample, "the keys of the specification's sample, in its order");
}

#[tokio::test]
async fn a_name_is_unique_per_robot_until_its_socket_is_gone() {
    let misty = Misty::start(MistyConfig::default()).await;
    let (mut first, mut second) = (misty.client().await, misty.client().await);
    first.subscribe("IMU", "x", "").await;
    second.send(r#"{"Operation":"subscribe","Type":"IMU","EventName":"x"}"#).await;
    assert_eq!(
        second.json().await,
        json!({"eventName": "x", "message":
            "Registration Status: Cannot register an event with same name (x) as a previously registered event."})
    );
    // Only the socket that made it can end it.
    second.send(r#"{"Operation":"unsubscribe","EventName":"x","Message":""}"#).await;
    assert!(second.text().await.contains("no subscription of that name"));
    drop(first);
    let taken = async {
        loop {
            second.send(r#"{"Operation":"subscribe","Type":"IMU","EventName":"x"}"#).await;
            if second.text().await.contains(REGISTERED) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, taken).await.expect("the name is free again");
}

#[tokio::test]
async fn the_two_versions_show_what_the_specification_shows() {
    let misty = Misty::start(MistyConfig::default()).await;
    let mut client = misty.client().await;
    client.subscribe("BumpSensor", "b", r#""DebounceMs":0"#).await;
    misty.publish(of(&misty, "bump_front_right", bump(true)));
    assert_eq!(keys(&client.text().await), ["created", "isContacted", "sensorId"]);
    let http = reqwest::Client::new();
    let set =
        http.post(misty.url("websocket/version")).body(r#"{"version":"Deprecated"}"#).send().await.unwrap();
    assert_eq!(set.text().await.unwrap(), r#"{"result":true,"status":"Success"}"#);
    let got = http.get(misty.url("websocket/version")).send().await.unwrap().text().await.unwrap();
    assert_eq!(got, r#"{"result":"Deprecated","status":"Success"}"#);
    misty.publish(of(&misty, "bump_front_right", bump(false)));
    let text = client.text().await;
    assert!(text.ends_with(r#""type":"BumpSensor"}"#), "{text}");
    let names = keys(&text);
    assert!(names.contains(&"pose".to_owned()) && names.contains(&"sensorName".to_owned()), "{names:?}");
}

#[tokio::test]
async fn robots_of_2018_are_spelled_by_option() {
    let config = MistyConfig { pascal_case: true, ..MistyConfig::default() };
    let misty = Misty::start(config).await;
    let mut client = misty.client().await;
    client.subscribe("BumpSensor", "b", r#""DebounceMs":0"#).await;
    misty.publish(of(&misty, "bump_front_right", bump(true)));
    assert_eq!(keys(&client.text().await), ["Created", "IsContacted", "SensorId"]);
}

#[tokio::test(start_paused = true)]
async fn conditions_see_the_whole_object_in_any_case() {
    let misty = Misty::start(MistyConfig::default()).await;
    let mut client = misty.client().await;
    // sensorName is not part of the message in this version, but it can be filtered by.
    let near_left = r#""DebounceMs":0,"EventConditions":[
        {"Property":"SensorName","Inequality":"=","Value":"toF_Left"},
        {"Property":"distanceinmeters","Inequality":"<=","Value":"0.5"}]"#;
    client.subscribe("TimeOfFlight", "left", near_left).await;
    for (part, distance) in [("front_right", 0.1), ("front_left", 0.9), ("front_left", 0.3)] {
        misty.publish(of(&misty, part, Range::valid(distance)));
        misty.time.pass(Duration::from_millis(20)).await;
    }
    let frame = client.json().await;
    assert_eq!(frame["message"]["distanceInMeters"], json!(0.3));
    assert_eq!(frame["message"]["sensorId"], "toffl");
    assert!(client.all_within(Duration::from_millis(100)).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_filtered_sensor_is_not_starved_by_the_others() {
    let misty = Misty::start(MistyConfig::default()).await;
    let mut client = misty.client().await;
    let back = r#""DebounceMs":50,"EventConditions":[{"Property":"SensorPosition","Inequality":"=","Value":"Back"}]"#;
    client.subscribe("TimeOfFlight", "back", back).await;
    client.subscribe("TimeOfFlight", "all", r#""DebounceMs":50"#).await;
    for i in 0..30 {
        for part in ["back", "front_left", "front_right", "front_center"] {
            misty.publish(of(&misty, part, Range::valid(f64::from(i))));
        }
        misty.time.pass(Duration::from_millis(10)).await;
    }
    let frames = client.all_within(Duration::from_millis(200)).await;
    let of_name = |name: &str| frames.iter().filter(|frame| frame["eventName"] == name).count();
    assert!(of_name("back") >= 3, "{} of {}", of_name("back"), frames.len());
    assert!(of_name("all") >= 3);
    assert!(frames.iter().filter(|f| f["eventName"] == "back").all(|f| f["message"]["sensorId"] == "tofr"));
}

#[tokio::test]
async fn a_return_property_replaces_the_message() {
    let misty = Misty::start(MistyConfig::default()).await;
    let mut client = misty.client().await;
    client.subscribe("TimeOfFlight", "d", r#""ReturnProperty":"DistanceInMeters","DebounceMs":0"#).await;
    misty.publish(of(&misty, "front_left", Range::valid(0.25)));
    assert_eq!(client.text().await, r#"{"eventName":"d","message":0.25}"#);
    client.subscribe("SelfState", "s", r#""ReturnProperty":"MentalState.Affect""#).await;
    let frame = client.json().await;
    assert_eq!(frame["message"], json!({"arousal": 0.0, "dominance": 0.0, "valence": 0.0}));
    let mut other = misty.client().await;
    other.subscribe("SelfState", "p", r#""ReturnProperty":"Position""#).await;
    assert!(other.json().await["message"]["x"].is_number());
    let mut third = misty.client().await;
    third.subscribe("SelfState", "n", r#""ReturnProperty":"Nothing.At.All""#).await;
    assert_eq!(third.json().await["message"], json!(null));
}

#[tokio::test]
async fn older_clients_find_place_and_attitude_in_the_pose() {
    let misty = Misty::start(MistyConfig::default()).await;
    let pose = Pose::planar(Frame::Map, 1.23, -0.31, 0.5);
    misty.publish(Update::now(&robot(), misty.hub.clock().now(), pose.into()));
    let mut client = misty.client().await;
    for (name, property, expected) in [
        ("a", "Orientation.Yaw", json!(0.5)),
        ("b", "position.x", json!(1.23)),
        ("c", "OccupancyGridCell", json!({"x": 24, "y": -7})),
        ("d", "OccupancyGridCellMeters", json!(0.05)),
    ] {
        client
            .subscribe("SelfState", name, &format!(r#""DebounceMs":60000,"ReturnProperty":"{property}""#))
            .await;
        assert_eq!(client.json().await, json!({"eventName": name, "message": expected}), "{property}");
    }
}

fn motion(state: MotionState) -> Motion {
    Motion { state, motor_mask: Some(6), reason: None }
}

#[tokio::test(start_paused = true)]
async fn what_happened_before_is_not_sent_to_a_new_subscriber() {
    let misty = Misty::start(MistyConfig::default()).await;
    let publish = |at: f64| {
        misty.publish(of(&misty, "commanded", Velocity::of(at, 0.0)));
        let source = SoundSource {
            offset_s: Some(at),
            noise_bearings_rad: Vec::new(),
            speech_bearing_rad: None,
            activity_ratio: Vec::new(),
            sectors_active: vec![false; 4],
        };
        misty.publish(Update::now(&robot(), misty.hub.clock().now(), source.into()));
        misty.publish(of(&misty, "bump_front_right", bump(at > 1.0)));
    };
    publish(1.0);
    misty.time.pass(Duration::from_millis(20)).await;
    let mut client = misty.client().await;
    for event in ["LocomotionCommand", "SourceTrackDataMessage", "BumpSensor"] {
        client.subscribe(event, event, r#""DebounceMs":0"#).await;
    }
    assert_eq!(client.all_within(Duration::from_millis(300)).await, Vec::<serde_json::Value>::new());
    publish(2.0);
    let mut frames = client.all_within(Duration::from_millis(300)).await;
    frames.sort_by_key(|frame| frame["eventName"].to_string());
    let [bump, locomotion, track] = &frames[..] else { panic!("{frames:?}") };
    assert_eq!(bump["message"]["isContacted"], true);
    assert_eq!(locomotion["message"]["linearVelocity"], 2.0);
    assert_eq!(track["message"]["timeOffset"], 2_000);
    assert_eq!(track["message"]["degreeOfArrivalSpeech"], 360, "nobody speaks");
}

#[tokio::test(start_paused = true)]
async fn every_end_of_a_motion_is_a_halt() {
    let misty = Misty::start(MistyConfig::default()).await;
    let mut client = misty.client().await;
    client.subscribe("HaltCommand", "halts", r#""DebounceMs":0"#).await;
    let all = [MotionState::Succeeded, MotionState::Halted, MotionState::Blocked, MotionState::Failed];
    for state in all {
        for state in [MotionState::Moving, state] {
            misty.publish(Update::now(&robot(), misty.hub.clock().now(), motion(state).into()));
            misty.time.pass(Duration::from_millis(20)).await;
        }
    }
    let frames = client.all_within(Duration::from_millis(100)).await;
    assert_eq!(frames.len(), all.len(), "{frames:?}");
    assert!(frames.iter().all(|frame| frame["message"]["motorMask"] == 6), "{frames:?}");
}

#[tokio::test]
async fn directions_of_faces_and_sounds_are_integers() {
    let misty = Misty::start(MistyConfig::default()).await;
    let mut client = misty.client().await;
    client.subscribe("FaceRecognition", "face", r#""DebounceMs":0"#).await;
    let face = Face {
        identity: FaceIdentity::Known,
        label: Some("Ada".into()),
        track_id: Some(3),
        bearing_rad: Some(0.07),
        elevation_rad: Some(0.035),
        distance_m: Some(0.962),
    };
    misty.publish(Update::now(&robot(), misty.hub.clock().now(), face.into()));
    let text = client.text().await;
    for property in [r#""bearing":4,"#, r#""distance":96,"#, r#""elevation":-2,"#] {
        assert!(text.contains(property), "{property} is not in {text}");
    }
    let source = SoundSource {
        offset_s: Some(1.0),
        noise_bearings_rad: vec![1.5, -0.1],
        speech_bearing_rad: Some(0.5),
        activity_ratio: Vec::new(),
        sectors_active: vec![true, false, false, false],
    };
    client.subscribe("SourceTrackDataMessage", "track", r#""DebounceMs":0"#).await;
    misty.publish(Update::now(&robot(), misty.hub.clock().now(), source.into()));
    let text = client.text().await;
    assert!(text.contains(r#""degreeOfArrivalNoise":[86,354],"degreeOfArrivalSpeech":29,"#), "{text}");
}

#[tokio::test(start_paused = true)]
async fn debounce_is_250_ms_unless_zero_asks_for_every_change() {
    let misty = Misty::start(MistyConfig::default()).await;
    let mut client = misty.client().await;
    client.subscribe("BumpSensor", "slow", "").await;
    client.subscribe("BumpSensor", "every", r#""DebounceMs":0"#).await;
    for i in 0..6 {
        misty.publish(of(&misty, "bump_front_left", bump(i % 2 == 0)));
    }
    let frames = client.all_within(Duration::from_millis(150)).await;
    let of_name = |name: &str| frames.iter().filter(|frame| frame["eventName"] == name).count();
    assert_eq!((of_name("slow"), of_name("every")), (1, 6));
}

#[tokio::test(start_paused = true)]
async fn timed_events_come_though_nothing_changes() {
    let misty = Misty::start(MistyConfig::default()).await;
    let mut client = misty.client().await;
    let mut other = misty.client().await;
    client.subscribe("SelfState", "default", "").await;
    other.subscribe("WorldState", "fastest", r#""DebounceMs":1"#).await;
    let time = Duration::from_millis(1_050);
    let (slow, fast) = (client.all_within(time).await, other.so_far().await);
    assert!((3..=6).contains(&slow.len()), "every 250 ms: {}", slow.len());
    assert!((7..=12).contains(&fast.len()), "at most every 100 ms: {}", fast.len());
}

#[tokio::test]
async fn mistakes_are_explained_and_the_socket_stays() {
    let misty = Misty::start(MistyConfig::default()).await;
    let mut client = misty.client().await;
    let mistakes = [
        (r#"{"Operation":"subscribe","Type":"Nonsense","EventName":"n"}"#, "TimeOfFlight"),
        ("{'Operation':", "cannot be read"),
        ("[]", "no JSON object"),
        (r#"{"Operation":"unsubscribe","EventName":"never"}"#, "no subscription"),
    ];
    for (text, words) in mistakes {
        client.send(text).await;
        let answer = client.json().await;
        let reported = answer["message"].as_str().unwrap();
        assert!(
            reported.starts_with("Registration Status: ") && reported.contains(words),
            "{text}: {reported}"
        );
    }
    client.subscribe("IMU", "still there", "").await;
}

#[tokio::test]
async fn one_socket_holds_a_bounded_number_of_subscriptions() {
    let misty = Misty::start(MistyConfig::default()).await;
    let mut client = misty.client().await;
    for i in 0..512 {
        client.subscribe("HaltCommand", &format!("s{i}"), "").await;
    }
    client.send(r#"{"Operation":"subscribe","Type":"HaltCommand","EventName":"more"}"#).await;
    assert!(client.text().await.contains("512"));
    client.send(r#"{"Operation":"unsubscribe","EventName":"s7"}"#).await;
    client.subscribe("HaltCommand", "more", "").await;
}

#[tokio::test]
async fn an_event_that_is_too_large_is_left_out_and_the_socket_stays() {
    let misty = Misty::start(MistyConfig::default()).await;
    let mut client = misty.client().await;
    client.subscribe("SerialMessage", "serial", r#""DebounceMs":0"#).await;
    let publish = |text: String| {
        let text = Text { channel: TextChannel::Serial, text: text.into(), data: None, truncated: None };
        misty.publish(Update::now(&robot(), misty.hub.clock().now(), text.into()));
    };
    publish("x".repeat(5 << 20));
    let reported = client.json().await;
    assert_eq!(reported["eventName"], "serial");
    let text = reported["message"].as_str().unwrap();
    assert!(text.starts_with("Event Status: ") && text.contains("left out"), "{text}");
    publish("after".to_owned());
    assert!(client.text().await.contains("after"));
}
