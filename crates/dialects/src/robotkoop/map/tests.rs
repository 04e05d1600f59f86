//! Each sample by way of the model: it is written as it was read, but for what the model cannot hold.

use latimer_core::hub::Shared;
use latimer_core::model::signal::{Task, TaskAction, TaskState};
use latimer_core::model::{Native, TaskRequest};
use latimer_core::{PartName, RobotId, Stamp, Timestamp, Update};
use serde_json::{Value, json};

use super::*;
use crate::robotkoop::wire::tests::{read_status, samples};

const RECEIVED: Timestamp = Timestamp::from_nanos(1_700_000_000_000_000_000);

const NAMES: Names<'static> = Names { robot: "R_1", dialogue: "SI_1" };

fn update(stamp: Stamp, part: Option<PartName>, signal: Signal) -> Update {
    let robot = RobotId::new("robotkoop-1").unwrap();
    Update { robot, part, stamp, received: RECEIVED, signal, native: None, provenance: None }
}

/// The updates that a message becomes, as a session makes them.
fn incoming(message: &Message) -> Vec<Update> {
    let head = &message.head;
    match &message.body {
        Body::Report(status) => {
            let stamp = stamp_from_seconds(head.timestamp, RECEIVED);
            let tasks = tasks_from_status(&head.task_id, "", status);
            tasks.into_iter().map(|task| update(stamp, None, task.into())).collect()
        }
        Body::Request(request) => {
            let incoming = received_from_request(head, request, RECEIVED);
            incoming.into_iter().map(|it| update(it.stamp, it.part, it.signal)).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn json(message: &Message) -> Value {
    serde_json::from_slice(&message.write()).unwrap()
}

#[test]
fn each_report_and_request_comes_back() {
    for (name, topic, text) in samples() {
        if matches!(topic, Topic::DialogueTask | Topic::DialogueStatus) {
            continue;
        }
        let mut sample: Value = serde_json::from_str(&text).unwrap();
        let message = Message::read(topic, text.as_bytes()).unwrap();
        let written: Vec<Value> = incoming(&message)
            .iter()
            .flat_map(|update| messages_from_update(update, NAMES))
            .map(|message| json(&message))
            .collect();
        if topic == Topic::RobotsTask {
            // The model does not tell the names of such requests.
            sample["task_id"] = written[0]["task_id"].clone();
        }
        if name == "status_progress_specification" {
            let each = |i: usize| {
                let mut one = sample.clone();
                one["parameter"]["performed_actions"] = json!([sample["parameter"]["performed_actions"][i]]);
                one
            };
            assert_eq!(written, [each(0), each(1)], "a message for each action");
            continue;
        }
        assert_eq!(written, [sample], "{name}");
    }
}

#[test]
fn all_seventeen_actions_have_their_words() {
    assert_eq!(TaskAction::ALL.len(), 17);
    for action in TaskAction::ALL {
        let task = Task { action: Some(*action), ..Task::new("T", "bring", TaskState::Progress) };
        let status = status_from_task(&task).unwrap();
        let Status::Progress(progress) = &status else { panic!() };
        assert_eq!(progress.performed_actions.len(), 1);
        assert_eq!(tasks_from_status("T", "bring", &status), [task], "{action}");
    }
}

#[test]
fn there_is_never_a_progress_without_an_action() {
    let idle = Task::new("T", "bring", TaskState::Progress);
    assert_eq!(status_from_task(&idle), None);
    let stamp = Stamp::gateway(RECEIVED);
    assert!(messages_from_update(&update(stamp, None, idle.clone().into()), NAMES).is_empty());
    let empty = json!({"source_id": "kurt", "task_id": "T", "type": "progress", "parameter": {"performed_actions": []}});
    let native = |payload: &Value| Native {
        dialect: NAME,
        topic: Topic::RobotsStatus.as_str().into(),
        payload: payload.to_string().into(),
        definition: None,
    };
    let sent = |payload: &Value| {
        let update = Update { native: Some(native(payload)), ..update(stamp, None, idle.clone().into()) };
        messages_from_update(&update, NAMES).iter().map(json).collect::<Vec<_>>()
    };
    assert!(sent(&empty).is_empty(), "nor one that somebody else said");
    let odd = json!({"source_id": "kurt", "timestamp": 7, "task_id": "T", "type": "progress",
        "parameter": {"performed_actions": [{"action": "obj_rec", "target": null}, {"action": "found", "target": "cup"}]}});
    let reported = sent(&odd);
    assert_eq!(reported.len(), 2);
    assert_eq!(reported[0]["parameter"]["performed_actions"], json!([{"action": "obj_rec", "target": null}]));
    assert!(reported.iter().all(|it| it["source_id"] == "R_1" && it["timestamp"] == 7), "{reported:?}");
}

#[test]
fn what_is_not_specified_is_published_as_far_as_there_are_words() {
    let odd = read_status("progress", json!({"performed_actions": [{"action": "obj_rec", "target": "cup"}]}));
    let tasks = tasks_from_status("T", "bring", &odd.unwrap());
    assert_eq!((tasks[0].action, tasks[0].reason.as_deref()), (None, Some("obj_rec")));
    assert_eq!(tasks_from_status("T", "bring", &read_status("busy", json!({})).unwrap()), []);
    let cancelled = status_from_task(&Task::new("T", "bring", TaskState::Cancelled));
    assert_eq!(cancelled, status_from_task(&Task::new("T", "bring", TaskState::Failed)));
}

#[test]
fn a_task_travels_as_it_was_given() {
    let task = TaskRequest {
        id: "T".to_owned(),
        kind: "bring".to_owned(),
        parameters: vec![("object".into(), "coke".into()), ("from".into(), String::new())],
        asker: None,
        priority: 9,
    };
    let message = order_from_task(&task, "R_1", "SI_1", RECEIVED);
    let expected = json!({"target_id": "R_1", "source_id": "SI_1", "timestamp": 1_700_000_000, "task_id": "T",
        "priority": 5, "type": "bring", "parameter": {"object": "coke", "from": null}});
    assert_eq!(json(&message), expected);
    let again = Message::read(Topic::DialogueTask, &message.write()).unwrap();
    let Body::Order(order) = &again.body else { panic!() };
    let parameters = vec![("object".to_owned(), "coke".to_owned())];
    let arrived = TaskRequest { parameters, asker: Some("SI_1".into()), priority: 5, ..task };
    assert_eq!(task_from_order(&again.head, order), arrived);
    let odd = br#"{"source_id": "dm", "task_id": "T", "priority": -3, "type": "lfd", "parameter": {"n": 1, "l": [1]}}"#;
    let odd = Message::read(Topic::DialogueTask, odd).unwrap();
    let Body::Order(order) = &odd.body else { panic!() };
    let task = task_from_order(&odd.head, order);
    assert_eq!(task.parameters, [("n".to_owned(), "1".to_owned()), ("l".to_owned(), "[1]".to_owned())]);
    assert_eq!(task.priority, 1);
}

#[test]
fn the_dialogue_system_acknowledges_what_concerns_a_person() {
    let acked = |kind: &str, parameter: Value| acknowledged(&read_status(kind, parameter).unwrap());
    let doing = |action: &str| acked("progress", json!({"performed_actions": [{"action": action}]}));
    let of_a_person = ["person_detected", "handover_start", "handover_completed", "found", "obj_rec"];
    assert!(of_a_person.into_iter().all(doing));
    assert!(!["goto", "way_blocked", "no_anomalies_found"].into_iter().any(doing));
    assert!(acked("anomaly_detected", json!({})));
    assert!(acked("assistance", json!({"type": "not_available"})));
    assert!(!acked("assistance", json!({"type": "no_location"})));
    assert!(!acked("progress", json!({"performed_actions": [{"action": "goto"}, {"action": "found"}]})));
    for quiet in ["confirm", "success", "missing_info", "unkown", "busy"] {
        assert!(!acked(quiet, json!({})), "{quiet}");
    }
}

#[test]
fn only_the_kinds_that_have_words_are_translated() {
    let sent = |signal: Signal| translate(&Shared::new(update(Stamp::gateway(RECEIVED), None, signal), 1));
    let (topic, payload) = sent(Task::new("T", "bring", TaskState::Confirmed).into()).unwrap();
    assert_eq!(
        (topic, json(&Message::read(topic, &payload).unwrap())["source_id"].clone()),
        (Topic::RobotsStatus, json!("robotkoop-1"))
    );
    assert_eq!(sent(latimer_core::model::signal::Velocity::of(1.0, 0.0).into()), None);
}
