//! A real household robot as the hub sees it, and the gateway as the dialogue system that it hears.

use latimer_core::model::signal::{Task, TaskAction, TaskState};
use latimer_core::model::{Command, Outcome, TaskRequest};
use latimer_core::{Clock, Hub, RobotId, Signal, Update};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::flat::{Broker, Gateway, PATIENCE, Peer};

async fn connected(broker: &Broker, more: &str) -> Gateway {
    let (host, port) = (&broker.address.host, broker.address.port);
    let table =
        format!("{more}[[connect]]\nrobot = \"robotkoop-2\"\nid = \"kurt\"\naddress = \"{host}:{port}\"\n");
    let gateway = Gateway::start(Hub::new(Clock::system()), &table, broker).await;
    gateway.is_up().await;
    gateway
}

fn send(gateway: &Gateway, id: &str, parameters: &[(&str, &str)]) -> JoinHandle<Outcome> {
    let task = TaskRequest {
        id: id.to_owned(),
        kind: "bring".to_owned(),
        parameters: parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        asker: None,
        priority: 3,
    };
    ask(gateway, Command::Task(task))
}

fn ask(gateway: &Gateway, command: Command) -> JoinHandle<Outcome> {
    let hub = gateway.hub.clone();
    tokio::spawn(async move { hub.command(&RobotId::new("robotkoop-2").unwrap(), command, PATIENCE).await })
}

async fn task(gateway: &Gateway) -> Task {
    let update = gateway.incoming(|it| matches!(it.signal, Signal::Task(_))).await;
    match update.signal {
        Signal::Task(task) => task,
        _ => unreachable!(),
    }
}

#[tokio::test]
async fn a_task_is_sent_and_followed_to_its_end() {
    let broker = Broker::start().await;
    let mut kurt = Peer::robot(&broker).await;
    let gateway = connected(&broker, "").await;
    let sent = send(&gateway, "Task1", &[("object", "coke"), ("to", "user")]);
    let (topic, order) = kurt.next().await;
    assert_eq!(topic, "/dialogue/task");
    assert!(order["timestamp"].as_i64().unwrap() < 100_000_000_000, "whole seconds");
    let mut whole = order.clone();
    whole.as_object_mut().unwrap().remove("timestamp");
    let expected = json!({"target_id": "kurt", "source_id": "SI_1", "task_id": "Task1", "priority": 3,
        "type": "bring", "parameter": {"object": "coke", "to": "user"}});
    assert_eq!(whole, expected);
    kurt.report("kurt", "Task1", "confirm", json!({})).await;
    assert_eq!(sent.await.unwrap(), Outcome::Accepted);
    let confirmed = task(&gateway).await;
    assert_eq!((confirmed.kind.as_str(), confirmed.state), ("bring", TaskState::Confirmed));
    let both = json!({"performed_actions": [{"action": "goto", "target": "Sofa"}, {"action": "found", "target": "coke"}]});
    kurt.report("kurt", "Task1", "progress", both).await;
    let (goto, found) = (task(&gateway).await, task(&gateway).await);
    assert_eq!((goto.action, goto.target.as_deref()), (Some(TaskAction::Goto), Some("Sofa")));
    assert_eq!((found.action, found.target.as_deref()), (Some(TaskAction::Found), Some("coke")));
    kurt.report("rolf", "Task1", "success", json!({"success": false})).await;
    kurt.report("kurt", "Task1", "success", json!({"success": true})).await;
    assert_eq!(task(&gateway).await.state, TaskState::Succeeded, "what another robot says is not his");
    gateway.stop().await;
}

#[tokio::test]
async fn each_first_report_is_an_answer() {
    let broker = Broker::start().await;
    let mut kurt = Peer::robot(&broker).await;
    let gateway = connected(&broker, "").await;
    for (id, kind, parameter, ok) in [
        ("A", "confirm", json!({}), true),
        ("B", "unkown", json!({}), false),
        ("C", "success", json!({"success": false}), false),
        ("D", "missing_info", json!({"missing_parameters": "from", "lang": "de_DE"}), true),
        ("E", "progress", json!({"performed_actions": [{"action": "goto", "target": null}]}), true),
    ] {
        let sent = send(&gateway, id, &[("object", "coke")]);
        kurt.next().await;
        kurt.report("kurt", id, kind, parameter).await;
        assert_eq!(sent.await.unwrap().is_ok(), ok, "{id}");
    }
    let refused = ask(&gateway, Command::CancelTask("A".to_owned())).await.unwrap();
    assert!(matches!(refused, Outcome::Refused(reason) if reason.reason.contains("calling a task off")));
    let refused = ask(&gateway, Command::Stop { hold: false }).await.unwrap();
    assert!(matches!(refused, Outcome::Refused(reason) if reason.reason.contains("tasks only")));
    gateway.stop().await;
}

#[tokio::test]
async fn what_was_missing_is_sent_with_the_rest_under_the_same_name() {
    let broker = Broker::start().await;
    let mut kurt = Peer::robot(&broker).await;
    let gateway = connected(&broker, "").await;
    let sent = send(&gateway, "Task1", &[("to", "user")]);
    kurt.next().await;
    kurt.report("kurt", "Task1", "missing_info", json!({"missing_parameters": ["object"]})).await;
    assert_eq!(sent.await.unwrap(), Outcome::Accepted);
    assert_eq!(task(&gateway).await.missing, ["object"]);
    let again = send(&gateway, "Task1", &[("object", "coke")]);
    let (_, order) = kurt.next().await;
    assert_eq!(
        (&order["task_id"], &order["parameter"]),
        (&json!("Task1"), &json!({"to": "user", "object": "coke"}))
    );
    kurt.report("kurt", "Task1", "confirm", json!({})).await;
    assert_eq!(again.await.unwrap(), Outcome::Accepted);
    gateway.stop().await;
}

#[tokio::test]
async fn what_concerns_a_person_is_acknowledged() {
    let broker = Broker::start().await;
    let mut kurt = Peer::robot(&broker).await;
    let gateway = connected(&broker, "sender = \"dm\"\n").await;
    let doing = |action: &str| json!({"performed_actions": [{"action": action, "target": "Anna"}]});
    let sent: [(&str, Value, bool); 10] = [
        ("confirm", json!({}), false),
        ("progress", doing("goto"), false),
        ("progress", doing("person_detected"), true),
        ("progress", doing("handover_start"), true),
        ("progress", doing("obj_rec"), true),
        ("missing_info", json!({"missing_parameters": ["to"]}), false),
        ("anomaly_detected", json!({"location": "Sofa", "objects": ["coke"]}), true),
        ("assistance", json!({"object": "coke", "type": "no_location", "alternatives": []}), false),
        ("assistance", json!({"object": "coke", "type": "not_available", "alternatives": []}), true),
        ("success", json!({"success": true}), false),
    ];
    for (i, (kind, parameter, _)) in sent.iter().enumerate() {
        kurt.report("kurt", &format!("T{i}"), kind, parameter.clone()).await;
    }
    for i in (0..sent.len()).filter(|i| sent[*i].2) {
        let (topic, mut receipt) = kurt.next().await;
        assert_eq!(topic, "/dialogue/status");
        assert!(receipt.as_object_mut().unwrap().remove("timestamp").is_some_and(|it| it.is_i64()));
        let expected = json!({"target_id": "kurt", "source_id": "dm", "task_id": format!("T{i}"), "priority": 3,
            "type": "success", "parameter": {"success": true}});
        assert_eq!(receipt, expected);
    }
    gateway.stop().await;
}

#[tokio::test]
async fn what_the_robot_says_to_people_is_text_and_faces() {
    let broker = Broker::start().await;
    let mut kurt = Peer::robot(&broker).await;
    let gateway = connected(&broker, "acknowledge = false\n").await;
    let request = |kind: &str, parameter: Value| {
        json!({"target_id": "SI_1", "source_id": "kurt", "timestamp": 1_630_000_000, "task_id": "T", "priority": 3,
            "type": kind, "parameter": parameter})
        .to_string()
    };
    let tts = request("tts", json!({"text": "Hallo", "lang": "de_DE"}));
    kurt.publish("/robots/task", tts.clone()).await;
    let text = gateway.incoming(|it| matches!(it.signal, Signal::Text(_))).await;
    let Signal::Text(sent) = &text.signal else { unreachable!() };
    assert_eq!((&*sent.text, text.part.as_ref().map(|it| it.as_str())), ("Hallo", Some("chat")));
    assert_eq!(text.native.unwrap().payload, tts.as_bytes());
    kurt.publish("/robots/task", request("person_detected", json!({"id": 3, "name": "unknown"}))).await;
    let face: Update = gateway.incoming(|it| matches!(it.signal, Signal::Face(_))).await;
    let Signal::Face(face) = face.signal else { unreachable!() };
    assert_eq!((face.label, face.track_id), (None, Some(3)));
    kurt.publish("/robots/task", request("dance", json!({}))).await;
    gateway.incoming(|it| matches!(it.signal, Signal::Other(_))).await;
    gateway.stop().await;
}
