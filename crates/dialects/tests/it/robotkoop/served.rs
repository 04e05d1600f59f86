//! A household robot of the hub as a dialogue system sees it.

use latimer_core::model::Outcome;
use latimer_core::model::signal::{
    Alternative, Face, FaceIdentity, Task, TaskAction, TaskState, Text, TextChannel,
};
use latimer_core::{Clock, Hub, PartName, Update};
use serde_json::json;

use super::flat::{Broker, Gateway, Peer, build, doing, play, publish, report, task};

const TABLE: &str = "[[serve]]\nrobot = \"robotkoop-1\"\nid = \"R_1\"\n";

#[tokio::test]
async fn a_task_is_done_and_published_to_its_end() {
    let broker = Broker::start().await;
    let hub = Hub::new(Clock::system());
    let mut robot = play(&hub, "robotkoop-1", "robotkoop");
    let gateway = Gateway::serving(hub, TABLE, &broker).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    dialogue.order("R_1", "Task1", "bring", json!({"object": "coke", "from": null, "to": "user"})).await;
    let asked = task(&mut robot, Outcome::Accepted).await;
    assert_eq!((asked.kind.as_str(), asked.asker.as_deref(), asked.priority), ("bring", Some("dm"), 3));
    assert_eq!(asked.parameters, [("object".into(), "coke".into()), ("to".into(), "user".into())]);
    for sent in [
        report("Task1", TaskState::Confirmed),
        doing("Task1", TaskAction::SearchDatabase, Some("coke")),
        doing("Task1", TaskAction::Goto, Some("Kitchen")),
        doing("Task1", TaskAction::NoAnomaliesFound, None),
        report("Task1", TaskState::Progress),
        report("Task1", TaskState::Succeeded),
        report("Task1", TaskState::Succeeded),
    ] {
        publish(&robot, None, sent);
    }
    let (topic, confirm) = dialogue.next().await;
    assert_eq!(topic, "/robots/status");
    let keys: Vec<&String> = confirm.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["source_id", "timestamp", "task_id", "type", "parameter"]);
    assert_eq!((&confirm["source_id"], &confirm["type"]), (&json!("R_1"), &json!("confirm")));
    let age = Clock::system().now().as_nanos() / 1_000_000_000 - confirm["timestamp"].as_i64().unwrap();
    assert!((0..10).contains(&age), "whole seconds: {confirm}");
    assert_eq!(dialogue.receive().await, "Task1 progress search_database coke");
    assert_eq!(dialogue.receive().await, "Task1 progress goto Kitchen");
    assert_eq!(dialogue.receive().await, "Task1 progress no_anomalies_found null");
    assert_eq!(dialogue.receive().await, r#"Task1 success {"success":true}"#);
    // The next message is of the next task, so the end was published once.
    dialogue.order("robotkoop-1", "Task2", "clean", json!({})).await;
    task(&mut robot, Outcome::Accepted).await;
    assert_eq!(dialogue.receive().await, "Task2 confirm", "the robot said nothing of its own");
    gateway.stop().await;
}

#[tokio::test]
async fn what_was_missing_is_sent_under_the_same_name() {
    let broker = Broker::start().await;
    let hub = Hub::new(Clock::system());
    let mut robot = play(&hub, "robotkoop-1", "robotkoop");
    let gateway = Gateway::serving(hub, TABLE, &broker).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    dialogue.order("R_1", "Task1", "bring", json!({})).await;
    task(&mut robot, Outcome::Accepted).await;
    publish(&robot, None, report("Task1", TaskState::Confirmed));
    publish(&robot, None, Task { missing: vec!["object".into()], ..report("Task1", TaskState::MissingInfo) });
    assert_eq!(dialogue.receive().await, "Task1 confirm");
    assert_eq!(dialogue.receive().await, r#"Task1 missing_info {"missing_parameters":["object"]}"#);
    dialogue.order("R_1", "Task1", "bring", json!({"object": "coke"})).await;
    let again = task(&mut robot, Outcome::Accepted).await;
    assert_eq!((again.id.as_str(), again.parameter("object")), ("Task1", Some("coke")));
    assert_eq!(dialogue.receive().await, "Task1 confirm");
    gateway.stop().await;
}

#[tokio::test]
async fn assistance_and_anomalies_have_their_words() {
    let broker = Broker::start().await;
    let hub = Hub::new(Clock::system());
    let robot = play(&hub, "robotkoop-1", "robotkoop");
    let gateway = Gateway::serving(hub, TABLE, &broker).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    let alternatives = vec![Alternative {
        object: "fanta".into(),
        location: "Kitchen".into(),
        known_location: Some("Shelf".into()),
    }];
    let offer = |action| Task {
        action: Some(action),
        target: Some("coke".into()),
        alternatives: alternatives.clone(),
        ..report("T", TaskState::Assistance)
    };
    let offered = r#"[{"alternative_object":"fanta","location":"Kitchen","db_location":"Shelf"}]"#;
    publish(&robot, None, offer(TaskAction::SearchAlternatives));
    assert_eq!(
        dialogue.receive().await,
        format!(r#"T assistance {{"object":"coke","type":"not_available","alternatives":{offered}}}"#)
    );
    publish(&robot, None, offer(TaskAction::PositionUnknown));
    let second = format!(r#"T assistance {{"object":"coke","type":"no_location","alternatives":{offered}}}"#);
    assert_eq!(dialogue.receive().await, second);
    let objects = vec!["coke".into(), "book".into()];
    publish(&robot, None, Task { location: Some("Sofa".into()), objects, ..report("T", TaskState::Anomaly) });
    let anomaly = r#"T anomaly_detected {"location":"Sofa","objects":["coke","book"]}"#;
    assert_eq!(dialogue.receive().await, anomaly);
    gateway.stop().await;
}

#[tokio::test]
async fn what_it_says_and_whom_it_sees_goes_to_the_dialogue_system() {
    let broker = Broker::start().await;
    let hub = Hub::new(Clock::system());
    let mut robot = play(&hub, "robotkoop-1", "robotkoop");
    let gateway = Gateway::serving(hub, TABLE, &broker).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    dialogue.order("R_1", "T", "greet", json!({})).await;
    task(&mut robot, Outcome::Accepted).await;
    assert_eq!(dialogue.receive().await, "T confirm", "it is followed by now");
    let channel = TextChannel::Chat;
    let text = Text { channel, text: "Hello, Anna!".into(), data: None, truncated: None };
    let update = Update::now(robot.robot(), Clock::system().now(), text.into());
    robot.publish(update.of_part(PartName::of("chat")));
    let (topic, tts) = dialogue.next().await;
    assert_eq!(topic, "/robots/task");
    assert_eq!(
        (&tts["target_id"], &tts["source_id"], &tts["priority"]),
        (&json!("SI_1"), &json!("R_1"), &json!(3))
    );
    assert_eq!(
        (&tts["type"], &tts["parameter"]),
        (&json!("tts"), &json!({"text": "Hello, Anna!", "lang": "en_US"}))
    );
    for (identity, label, name) in
        [(FaceIdentity::Known, Some("Anna"), "Anna"), (FaceIdentity::Stranger, None, "unknown")]
    {
        let face = Face {
            identity,
            label: label.map(str::to_owned),
            track_id: Some(2),
            bearing_rad: None,
            elevation_rad: None,
            distance_m: Some(1.5),
        };
        for _ in 0..3 {
            publish(&robot, None, face.clone());
        }
        let (topic, seen) = dialogue.next().await;
        assert_eq!((topic.as_str(), &seen["type"]), ("/robots/task", &json!("person_detected")));
        assert_eq!(seen["parameter"], json!({"id": "2", "name": name}));
    }
    gateway.stop().await;
}

#[tokio::test]
async fn a_broker_that_is_missing_or_would_echo_is_reported_before_anything_runs() {
    let hub = Hub::new(Clock::system());
    let error = build(&hub, TABLE, None).await.err().unwrap().to_string();
    assert!(error.contains("[broker] listen = \"127.0.0.1:1883\""), "{error}");
    let broker = Broker::start().await;
    let (host, port) = (&broker.address.host, broker.address.port);
    let both =
        format!("{TABLE}[[connect]]\nrobot = \"robotkoop-1\"\nid = \"R_1\"\naddress = \"{host}:{port}\"\n");
    let error = build(&hub, &both, Some(&broker)).await.err().unwrap().to_string();
    assert!(error.contains("another id"), "{error}");
    assert!(build(&hub, "", None).await.unwrap().endpoints.is_empty(), "nobody to serve needs no broker");
    let built = build(&Hub::new(Clock::system()), TABLE, Some(&broker)).await.unwrap();
    let try_line = &built.endpoints[0].try_line;
    assert!(
        try_line.starts_with(&format!("mosquitto_rr -h {host} -p {port} -t /dialogue/task ")),
        "{try_line}"
    );
    assert!(try_line.contains(r#""target_id": "R_1""#), "it is asked by the name it has there: {try_line}");
}
