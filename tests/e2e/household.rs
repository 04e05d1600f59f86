//! A dialogue system and those who do what it asks: a household robot, and robots that can only drive.

use std::time::Duration;

use latimer_e2e::mosquitto::{Subscriber, port_of, publish};
use latimer_e2e::{Gateway, Mosquitto};
use serde_json::{Value, json};

use crate::python;

/// How long a dialogue may take.
const DAY: Duration = Duration::from_secs(100);

/// The broker's port above the common one.
const MQTT: u16 = 20;

/// The demo's flat at ten times the pace, with a household robot in it and a chassis that is shown as one.
fn flat(broker: &str) -> String {
    format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[broker]\n{broker}\n[world]\nfile = 'demo'\nseed = 1\nspeed = 10.0\n\
         [[simulate]]\nrobot = 'robotkoop-1'\nbody = 'robotkoop'\nspawn = 'kitchen'\n\
         [[simulate]]\nrobot = 'axbot-1'\nbody = 'axbot'\nspawn = 'workshop'\n\
         [[robotkoop.serve]]\nrobot = 'robotkoop-1'\nid = 'R_1'\n\
         [[robotkoop.serve]]\nrobot = 'axbot-1'\nid = 'R_2'\n"
    )
}

fn status(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// The next status of a task that is of this type.
async fn next(heard: &mut Subscriber, task_id: &str, kind: &str) -> Value {
    let fits = |text: &str| {
        let status = status(text);
        status["task_id"] == task_id && status["type"] == kind
    };
    status(&heard.fitting("/robots/status", fits).await)
}

#[tokio::test]
async fn a_dialogue_system_has_things_brought() {
    let gateway = Gateway::with_text(&flat("listen = '127.0.0.1:1883'")).await;
    let port = port_of(&gateway.port(MQTT)).to_string();
    python::run_for(DAY, "mqtt", "robotkoop_dialogue.py", &[&port]).await;
}

#[tokio::test]
async fn it_does_so_at_another_broker() {
    let broker = Mosquitto::start().await;
    let _gateway = Gateway::with_text(&flat(&format!("url = 'mqtt://{}'", broker.address()))).await;
    python::run_for(DAY, "mqtt", "robotkoop_dialogue.py", &[&broker.port().to_string()]).await;
}

#[tokio::test]
async fn the_gateway_sends_a_task_and_follows_it_to_its_end() {
    let gateway = Gateway::with_text(&flat("listen = '127.0.0.1:1883'")).await;
    let said = gateway.cli_ok(&["send", "robotkoop-1", "bring", "--object", "coke", "--to", "user"]).await;
    for word in ["goto", "found", "pick", "handover_start", "handover_completed"] {
        assert!(said.contains(word), "{word} is not in\n{said}");
    }
    let url = format!("http://{}/api/v1/tasks", gateway.http());
    let listed: Value = reqwest::get(url).await.expect("it answers").json().await.expect("it is JSON");
    let text = listed.to_string();
    assert!(text.contains("robotkoop-1") && text.contains("handover_completed"), "{text}");
}

#[tokio::test]
async fn a_chassis_reports_its_moves_and_never_keeps_silent() {
    let gateway = Gateway::with_text(&flat("listen = '127.0.0.1:1883'")).await;
    let mqtt = port_of(&gateway.port(MQTT));
    let mut heard = Subscriber::new(mqtt, &["/robots/status"]).await;
    let task = |task_id: &str, kind: &str, parameter: Value| {
        json!({
            "target_id": "R_2", "source_id": "SI_1", "timestamp": 1_552_481_472, "task_id": task_id,
            "priority": 3, "type": kind, "parameter": parameter,
        })
        .to_string()
    };
    let bring = task("Task1", "bring", json!({"object": "coke", "from": null, "to": "user"}));
    publish(mqtt, "/dialogue/task", &bring).await;
    let refused = next(&mut heard, "Task1", "unkown").await;
    assert_eq!((&refused["source_id"], &refused["parameter"]), (&json!("R_2"), &json!({})), "{refused}");
    // A move that somebody else asks for is a task, too.
    gateway.cli_ok(&["send", "axbot-1", "goto", "9.4", "2.7"]).await;
    let goes = |text: &str| {
        let status = status(text);
        status["source_id"] == "R_2" && status["parameter"]["performed_actions"][0]["action"] == "goto"
    };
    let going = status(&heard.fitting("/robots/status", goes).await);
    let task_id = going["task_id"].as_str().expect("a task has an id").to_owned();
    let ended = next(&mut heard, &task_id, "success").await;
    assert_eq!(ended["parameter"]["success"], true, "{ended}");
}
