//! The samples read and written again, and what others send in their own ways.

use serde_json::{Value, json};

use super::*;
use crate::describe::check::seed;
use crate::golden::files;

/// Name, topic and text of each sample.
pub(in crate::robotkoop) fn samples() -> impl Iterator<Item = (String, Topic, String)> {
    files("robotkoop/testdata").into_iter().map(|(name, text)| {
        let topics = [
            ("status", Topic::RobotsStatus),
            ("robots_task", Topic::RobotsTask),
            ("dialogue_task", Topic::DialogueTask),
            ("dialogue_status", Topic::DialogueStatus),
        ];
        let topic = topics.into_iter().find(|(start, _)| name.starts_with(start)).unwrap().1;
        (name, topic, text)
    })
}

pub(in crate::robotkoop) fn read_status(kind: &str, parameter: Value) -> Result<Status, DecodeError> {
    let message =
        json!({"source_id": "kurt", "task_id": "T", "timestamp": 1, "type": kind, "parameter": parameter});
    seed("robotkoop_message", &message.to_string());
    let message = Message::read(Topic::RobotsStatus, message.to_string().as_bytes())?;
    match message.body {
        Body::Report(status) => Ok(status),
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_sample_is_written_as_it_was_read() {
    for (name, topic, text) in samples() {
        let message = Message::read(topic, text.as_bytes()).unwrap();
        assert_eq!(message.topic(), topic, "{name}");
        let sample: Value = serde_json::from_str(&text).unwrap();
        // Text against text: the order of the keys counts.
        assert_eq!(String::from_utf8_lossy(&message.write()), sample.to_string(), "{name}");
    }
}

#[test]
fn a_status_may_name_its_reader_and_its_urgency_and_more() {
    let text = r#"{"target_id": "dm", "source_id": "kurt", "timestamp": "1630000000.75", "task_id": 7,
        "priority": 3.0, "type": "confirm", "parameter": null, "mood": {"good": true}}"#;
    let Message { head, body } = Message::read(Topic::RobotsStatus, text.as_bytes()).unwrap();
    let reported = (head.target_id.as_deref(), head.timestamp, head.task_id.as_str(), head.priority);
    assert_eq!(
        (reported, body),
        ((Some("dm"), Some(1_630_000_000), "7", Some(3)), Body::Report(Status::Confirm))
    );
    let bare = br#"{"source_id": "kurt", "task_id": "T", "type": "confirm"}"#;
    assert!(Message::read(Topic::RobotsStatus, bare).is_ok(), "no parameter, no time");
}

#[test]
fn older_robots_are_understood() {
    let missing =
        read_status("missing_info", json!({"missing_parameters": "from", "lang": "de_DE"})).unwrap();
    assert_eq!(missing, Status::MissingInfo(MissingInfo { missing_parameters: vec!["from".into()] }));
    let anomaly = read_status(
        "anomaly_detected",
        json!({"anomaly": "coke", "place": "Sofa", "alternative_places": ["a", "b"]}),
    );
    let anomaly_now = AnomalyDetected { location: Some("Sofa".into()), objects: vec!["coke".into()] };
    assert_eq!(anomaly.unwrap(), Status::AnomalyDetected(anomaly_now));
    let Status::Assistance(offer) = read_status("alternatives", json!({"alternatives": ["fanta"]})).unwrap()
    else {
        panic!()
    };
    assert_eq!(offer.alternatives, [AnyAlternative::Name("fanta".into())]);
    assert_eq!(read_status("unknown", json!({})).unwrap(), Status::Unkown);
    let success = read_status("success", json!({"success": "True"})).unwrap();
    assert_eq!(success, Status::Success(Success { success: Some(true) }));
}

#[test]
fn what_nobody_specified_is_a_value() {
    let status = read_status("busy", json!({"until": 7})).unwrap();
    assert_eq!(status.type_word(), "busy");
    let empty = read_status("progress", json!({"performed_actions": []})).unwrap();
    assert_eq!(empty, Status::Progress(Progress::default()));
    assert_eq!(read_status("progress", json!({})).unwrap(), empty);
    let odd = read_status("progress", json!({"performed_actions": {"action": "obj_rec"}})).unwrap();
    let Status::Progress(odd) = odd else { panic!() };
    assert_eq!(odd.performed_actions[0].action.as_deref(), Some("obj_rec"), "one where a list belongs");
}

#[test]
fn an_error_names_the_key_and_what_to_write() {
    let problem = |text: &str| Message::read(Topic::DialogueTask, text.as_bytes()).unwrap_err().to_string();
    assert!(problem("{}").contains("source_id is missing"), "{}", problem("{}"));
    let unnamed = r#"{"source_id": "dm", "task_id": "", "type": "bring"}"#;
    assert!(problem(unnamed).contains("task_id has 0 bytes; write a text"));
    assert!(problem(r#"{"source_id": "dm", "task_id": "T"}"#).contains("type is missing"));
    assert!(
        problem(r#"{"source_id": [], "task_id": "T"}"#)
            .contains("source_id: invalid type: sequence, expected a text")
    );
    let listed = r#"{"source_id": "dm", "task_id": "T", "type": "bring", "parameter": []}"#;
    assert!(problem(listed).contains("/dialogue/task cannot be read: parameter is no object; write {}"));
    let error = read_status("success", json!({"success": "perhaps"})).unwrap_err().to_string();
    assert!(
        error.contains("parameter.success: invalid value: string \"perhaps\", expected true or false"),
        "{error}"
    );
    let error = read_status("progress", json!({"performed_actions": [{"action": {}}]})).unwrap_err();
    assert!(error.problem.to_string().contains("performed_actions"), "{error}");
}

#[test]
fn hostile_messages_are_refused() {
    let long = format!(r#"{{"source_id": "dm", "task_id": "T", "type": "bring{}"}}"#, " ".repeat(MAX_BYTES));
    let deep = format!(r#"{{"source_id": "dm", "parameter": {}"#, "[".repeat(60_000));
    let name = "x".repeat(MAX_NAME + 1);
    let named = format!(r#"{{"source_id": "{name}", "task_id": "T", "type": "bring"}}"#);
    for topic in Topic::ALL {
        for garbage in ["", "{", "null", "7", "[]", "{} {}", "\u{0}", &long, &deep, &named] {
            assert!(Message::read(*topic, garbage.as_bytes()).is_err(), "{topic} {garbage:.40}");
        }
        assert!(Message::read(*topic, b"\xff\xfe{").is_err());
    }
    let many = json!({"missing_parameters": vec!["a"; 257]});
    assert!(read_status("missing_info", many).unwrap_err().problem.to_string().contains("257 items"));
}
