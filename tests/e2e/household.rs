//! A dialogue system and those who do what it asks: a household robot, and robots that can only drive.

use std::time::Duration;

use latimer_e2e::PROGRAM;
use latimer_e2e::mosquitto::{Subscriber, port_of, publish, publish_lines};
use latimer_e2e::{Gateway, Mosquitto, program};
use serde_json::{Value, json};

use crate::python;

/// The broker's port above the common one.
const MQTT: u16 = 20;

/// What the log says of who sends tasks without waiting.
const FLOODED: &str = "a robot gets tasks faster than they are answered";

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

/// A dialogue system's task for a robot.
fn task(target_id: &str, task_id: &str, kind: &str, parameter: Value) -> String {
    json!({
        "target_id": target_id, "source_id": "SI_1", "timestamp": 1_552_481_472, "task_id": task_id,
        "priority": 3, "type": kind, "parameter": parameter,
    })
    .to_string()
}

/// The next status of a task that is of this type.
async fn next(received: &mut Subscriber, task_id: &str, kind: &str) -> Value {
    let fits = |text: &str| {
        let status = status(text);
        status["task_id"] == task_id && status["type"] == kind
    };
    status(&received.fitting("/robots/status", fits).await)
}

#[tokio::test]
async fn a_dialogue_system_has_things_brought() {
    let gateway = Gateway::with_text(&flat("listen = '127.0.0.1:1883'")).await;
    let port = port_of(&gateway.port(MQTT)).to_string();
    python::run("mqtt", "robotkoop_dialogue.py", &[&port]).await;
}

#[tokio::test]
async fn it_does_so_at_another_broker() {
    let broker = Mosquitto::start().await;
    let _gateway = Gateway::with_text(&flat(&format!("url = 'mqtt://{}'", broker.address()))).await;
    python::run("mqtt", "robotkoop_dialogue.py", &[&broker.port().to_string()]).await;
}

#[tokio::test]
async fn the_known_dialogue_system_is_served_in_its_own_words() {
    let file = program::repository().join("config/robotkoop-dialogue.toml");
    let file = file.to_str().expect("the repository's path is text");
    let gateway = Gateway::start(["run", "-c", file, "--speed", "20"]).await;
    let port = port_of(&gateway.port(MQTT)).to_string();
    python::run("mqtt", "robotkoop_german.py", &[&port]).await;
    let said = gateway.said();
    // A busy machine may be too slow for the pace.
    let warned =
        |line: &str| (line.contains("WARN") || line.contains("ERROR")) && !line.contains("cannot keep up");
    assert!(!said.lines().any(warned), "{said}");
}

#[tokio::test]
async fn what_has_no_home_is_asked_about_however_it_lost_it() {
    let gateway = Gateway::with_text(&flat("listen = '127.0.0.1:1883'")).await;
    let mqtt = port_of(&gateway.port(MQTT));
    let mut received = Subscriber::new(mqtt, &["/robots/status"]).await;
    let asked = async |received: &mut Subscriber, task_id: &str, place: &str, object: &str| {
        publish(mqtt, "/dialogue/task", &task("R_1", task_id, "clean", json!({"to": place}))).await;
        let anomaly = next(received, task_id, "anomaly_detected").await;
        assert_eq!(anomaly["parameter"], json!({"location": place, "objects": [object]}));
        let assistance = next(received, task_id, "assistance").await["parameter"].take();
        assert_eq!((&assistance["type"], &assistance["object"]), (&json!("no_location"), &json!(object)));
        assert!(assistance["alternatives"][0]["location"].is_string(), "{assistance}");
    };
    // Put there by the command line, moved by the API.
    gateway.cli_ok(&["world", "put-object", "vase", "sofa", "--category", "decoration"]).await;
    asked(&mut received, "Task1", "Sofa", "vase").await;
    gateway.cli_ok(&["send", "robotkoop-1", "cancel-task", "Task1"]).await;
    let url = format!("http://{}/api/v1/world/poke", gateway.http());
    let poked = |body: Value| {
        reqwest::Client::new()
            .post(&url)
            .body(body.to_string())
            .header("content-type", "application/json")
            .send()
    };
    let moved = poked(json!({"happening": "move_object", "name": "vase", "place": "Bedroom"})).await;
    assert_eq!(moved.expect("it answers").status(), 200);
    let wrong = poked(json!({"happening": "move_object", "name": "vase", "place": "attic"})).await;
    let wrong = wrong.expect("it answers").text().await.expect("it is text");
    assert!(wrong.contains("the places are: "), "{wrong}");
    asked(&mut received, "Task2", "Bedroom", "vase").await;
    // The answer comes under the same id, and the thing is put there.
    publish(mqtt, "/dialogue/task", &task("R_1", "Task2", "clean", json!({"to": "Shelf"}))).await;
    assert_eq!(next(&mut received, "Task2", "success").await["parameter"]["success"], true);
    gateway.cli_ok(&["poke", "robotkoop-1", "forget-home", "ball"]).await;
    gateway.cli_ok(&["world", "remove-object", "vase"]).await;
    asked(&mut received, "Task3", "Sofa", "ball").await;
}

#[tokio::test]
async fn a_task_for_an_unknown_robot_is_logged_with_a_hint() {
    let gateway = Gateway::with_text(&flat("listen = '127.0.0.1:1883'")).await;
    let mqtt = port_of(&gateway.port(MQTT));
    let logged = async |task: String, wanted: &[&str]| {
        let says = async {
            while !wanted.iter().all(|it| gateway.said().contains(it)) {
                publish(mqtt, "/dialogue/task", &task).await;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let waited = tokio::time::timeout(PROGRAM, says).await;
        assert!(waited.is_ok(), "{wanted:?} is not in\n{}", gateway.said());
    };
    let hints = ["a task is for a robot that is not served here", "kurt", "R_2, R_1", "[[robotkoop.serve]]"];
    logged(task("kurt", "Task1", "clean", json!({})), &hints).await;
    assert_eq!(gateway.said().matches(hints[0]).count(), 1, "{}", gateway.said());
    let nobody =
        json!({"source_id": "SI_1", "timestamp": 0, "task_id": "Task2", "type": "clean", "parameter": {}});
    logged(nobody.to_string(), &["a task names no robot; write one of the served ones as its target_id"])
        .await;
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
    let mut received = Subscriber::new(mqtt, &["/robots/status"]).await;
    let bring = task("R_2", "Task1", "bring", json!({"object": "coke", "from": null, "to": "user"}));
    publish(mqtt, "/dialogue/task", &bring).await;
    let refused = next(&mut received, "Task1", "unkown").await;
    assert_eq!((&refused["source_id"], &refused["parameter"]), (&json!("R_2"), &json!({})), "{refused}");
    // A move that somebody else asks for is a task, too.
    gateway.cli_ok(&["send", "axbot-1", "goto", "9.4", "2.7", "--no-wait"]).await;
    let goes = |text: &str| {
        let status = status(text);
        status["source_id"] == "R_2" && status["parameter"]["performed_actions"][0]["action"] == "goto"
    };
    let going = status(&received.fitting("/robots/status", goes).await);
    let task_id = going["task_id"].as_str().expect("a task has an id").to_owned();
    let ended = next(&mut received, &task_id, "success").await;
    assert_eq!(ended["parameter"]["success"], true, "{ended}");
}

#[tokio::test]
async fn a_flood_of_tasks_for_one_keeps_no_other_waiting() {
    let broker = Mosquitto::start().await;
    let gateway = Gateway::with_text(&flat(&format!("url = 'mqtt://{}'", broker.address()))).await;
    let mqtt = broker.port();
    let mut received = Subscriber::new(mqtt, &["/robots/status"]).await;
    // Until the gateway is at the broker, too.
    let first = async {
        loop {
            publish(mqtt, "/dialogue/task", &task("R_1", "first", "clean", json!({}))).await;
            if tokio::time::timeout(Duration::from_millis(500), next(&mut received, "first", "confirm"))
                .await
                .is_ok()
            {
                return;
            }
        }
    };
    tokio::time::timeout(PROGRAM, first).await.expect("it is served");
    let (bytes_before, said_before) = (gateway.resident_bytes(), gateway.said().lines().count());
    let flood = (0..50_000).map(|number| task("R_2", &format!("F{number}"), "clean", json!({})));
    let flooding = publish_lines(mqtt, "/dialogue/task", flood);
    let asking = async {
        let mut asked = 0;
        while asked < 20 || !gateway.said().contains(FLOODED) {
            let name = format!("T{asked}");
            publish(mqtt, "/dialogue/task", &task("R_1", &name, "clean", json!({}))).await;
            next(&mut received, &name, "confirm").await;
            asked += 1;
        }
    };
    let both = tokio::time::timeout(PROGRAM, async { tokio::join!(flooding, asking) }).await;
    both.expect("tasks are confirmed meanwhile, and the log says what happens");
    let said = gateway.said();
    let more = said.lines().count() - said_before;
    assert!(said.matches(FLOODED).count() == 1 && more < 10, "{more} lines more:\n{said}");
    let grown = gateway.resident_bytes().saturating_sub(bytes_before);
    assert!(grown < 64 << 20, "{} MiB of memory went away", grown >> 20);
}
