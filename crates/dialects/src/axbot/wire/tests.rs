//! The specification's samples, read and written again.

use serde_json::{Value, json};

use super::Message;
use crate::axbot::topic::Topic;
use crate::golden::{assert_same, files};

/// Name, text and value of each sample.
pub(in crate::axbot) fn samples() -> Vec<(String, String, Value)> {
    let files = files("axbot/testdata").into_iter();
    files.map(|(name, text)| (name, text.clone(), serde_json::from_str(&text).unwrap())).collect()
}

pub(in crate::axbot) fn topic_of(sample: &Value) -> Topic {
    sample["topic"].as_str().unwrap().parse().unwrap()
}

fn read(topic: Topic, body: &Value) -> Result<Message, super::DecodeError> {
    Message::read(topic, body.to_string().as_bytes())
}

#[test]
fn each_sample_is_written_as_it_was_read_and_has_no_key_that_is_not_named() {
    for (name, text, sample) in samples() {
        let message = Message::read(topic_of(&sample), text.as_bytes()).unwrap();
        assert_eq!(message.topic(), topic_of(&sample));
        assert!(
            message.extra().is_some_and(serde_json::Map::is_empty)
                && !format!("{message:?}").contains("extra: {\""),
            "{name}"
        );
        let written: Value = serde_json::from_slice(&message.write()).unwrap();
        assert_same(&name, &written, &sample);
    }
}

#[test]
fn whole_numbers_are_written_without_a_point() {
    let path = json!({"topic": "/path", "stamp": 1653301966860_i64, "positions": []});
    assert_eq!(*read(Topic::Path, &path).unwrap().write(), *path.to_string().as_bytes());
    let pins = json!({"topic": "/io_pins_state", "inputs": [[0, 1]], "outputs": []});
    assert_eq!(*read(Topic::IoPinsState, &pins).unwrap().write(), *pins.to_string().as_bytes());
}

#[test]
fn each_topic_has_a_sample() {
    let samples = samples();
    for topic in Topic::ALL {
        let name = topic.as_str().trim_matches('/').replace('/', "_");
        let own = samples.iter().find(|(sample, ..)| *sample == name);
        assert_eq!(topic_of(&own.unwrap_or_else(|| panic!("{topic}")).2), *topic);
    }
}

#[test]
fn an_unknown_key_is_kept_at_every_depth() {
    let body = json!({
        "topic": "/jack_state", "state": "hold", "progress": 1.0, "weight": 3.5,
        "fork": {"tip": [null, {"topic": 1}]},
    });
    assert_same("", &serde_json::from_slice(&read(Topic::JackState, &body).unwrap().write()).unwrap(), &body);
    let body = json!({
        "topic": "/planning_state",
        "target_poses": [{"pos": [1.0, 2.0], "ori": 0.5, "accuracy": {"xy": 0.1}}],
        "expected_cargo_action": "load",
    });
    assert_same(
        "",
        &serde_json::from_slice(&read(Topic::PlanningState, &body).unwrap().write()).unwrap(),
        &body,
    );
}

#[test]
fn a_missing_key_stays_missing() {
    for topic in Topic::ALL {
        let written = Message::read(*topic, b"{}").unwrap().write();
        assert_eq!(*written, *json!({"topic": topic.as_str()}).to_string().as_bytes());
    }
}

#[test]
fn numbers_and_flags_are_read_in_any_spelling() {
    let body = json!({"secs": "1653299708", "voltage": "26.3", "current": 3, "percentage": "nan"});
    let Message::BatteryState(battery) = read(Topic::BatteryState, &body).unwrap() else { panic!() };
    assert_eq!((battery.secs, battery.voltage, battery.current), (Some(1653299708), Some(26.3), Some(3.0)));
    assert_eq!(battery.percentage, None);
    let body = json!({"alerts": [{"code": 6004.0, "level": "error", "msg": 5}, null]});
    let Message::Alerts(alerts) = read(Topic::Alerts, &body).unwrap() else { panic!() };
    let alerts = alerts.alerts.unwrap();
    assert_eq!((alerts.len(), alerts[0].code, alerts[0].msg.as_deref()), (1, Some(6004), Some("5")));
    let body = json!({"turn_left": 1, "turn_right": "False"});
    let Message::RobotSignal(signal) = read(Topic::RobotSignal, &body).unwrap() else { panic!() };
    assert_eq!((signal.turn_left, signal.turn_right, signal.brake), (Some(true), Some(false), None));
}

#[test]
fn an_error_names_the_key() {
    let cases = [
        (Topic::VisionDetectedObjects, json!({"boxes": [{}, {"label": "cat"}]}), "boxes[1].label: "),
        (
            Topic::Path,
            json!({"positions": [[1.0]]}),
            "positions[0]: a point has 2 to 4 numbers, this one has 1",
        ),
        (Topic::SlamState, json!({"position_quality": 1.5}), "position_quality: "),
        (Topic::RobotSignal, json!([]), "invalid type: sequence, expected an object"),
        (Topic::RobotSignal, Value::Null, "is null"),
    ];
    for (topic, body, problem) in cases {
        let error = read(topic, &body).unwrap_err();
        assert!(error.problem.starts_with(problem), "{error}");
        assert!(error.to_string().starts_with(topic.as_str()), "{error}");
    }
}

#[test]
fn hostile_frames_are_refused() {
    let points = |count: usize| format!("{{\"points\": [{}[0,0]]}}", "[0,0],".repeat(count - 1));
    assert!(Message::read(Topic::Trajectory, points(1_000_000).as_bytes()).is_ok());
    let error = Message::read(Topic::Trajectory, points(1_000_001).as_bytes()).unwrap_err();
    assert!(error.problem.contains("points: more than 1000000 items"), "{error}");
    let values = format!("{{\"a\": [{}0]}}", "0,".repeat(5_000_000));
    let error = Message::read(Topic::RobotSignal, values.as_bytes()).unwrap_err();
    assert!(error.problem.contains("more than 4500000 values"), "{error}");
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    assert!(Message::read(Topic::RobotSignal, deep.as_bytes()).is_err());
    for garbage in [&b""[..], b"{", b"{} {}", b"\xff\xfe", b"{\"brake\": tru"] {
        assert!(Message::read(Topic::RobotSignal, garbage).is_err());
    }
}
