//! A Pera swarm: robots of the reference's library and firmware, its screens, other brokers and other gateways.

mod floods;

use std::time::Duration;

use latimer_e2e::mosquitto::{Subscriber, port_of as port, publish};
use latimer_e2e::{Gateway, Mosquitto, PATIENCE, program};
use serde_json::Value;

use crate::python;

/// The broker's port above the common one, and the one for WebSockets.
const MQTT: u16 = 20;

const WEBSOCKET: u16 = 21;

/// What stands in for the reference simulator.
fn reference() -> String {
    let file = program::repository().join("config/pera-reference.toml");
    std::fs::read_to_string(file).expect("it is in the repository")
}

/// The same without its own broker.
fn reference_at(url: &str) -> String {
    let text = reference();
    let mut table = "";
    let mut kept: Vec<&str> = Vec::new();
    for line in text.lines() {
        if line.starts_with('[') {
            table = line;
        }
        if !table.starts_with("[broker") {
            kept.push(line);
        }
    }
    format!("{}\n[broker]\nurl = '{url}'\n", kept.join("\n"))
}

/// Everybody who speaks to the reference simulator, one after the other.
async fn all_programs(gateway: &Gateway, mqtt: u16, websocket: u16) {
    let (mqtt, websocket, http) = (mqtt.to_string(), websocket.to_string(), gateway.http());
    python::run("mqtt", "pera_robot.py", &[&mqtt]).await;
    python::run("mqtt", "pera_firmware.py", &[&mqtt, &http]).await;
    python::run("mqtt", "pera_screens.py", &[&mqtt, &websocket]).await;
}

/// What the gateway last heard, by a selection.
async fn last(gateway: &Gateway, select: &str) -> Vec<Value> {
    let url = format!("http://{}/api/v1/last?select={select}", gateway.http());
    let mut answer: Value = reqwest::get(url).await.expect("it answers").json().await.expect("it is JSON");
    match answer["updates"].take() {
        Value::Array(updates) => updates,
        other => panic!("updates are a list, not {other}"),
    }
}

/// Waits for an update that fits; the last values can only be asked for.
async fn until(gateway: &Gateway, select: &str, fits: impl Fn(&Value) -> bool) -> Value {
    let waiting = async {
        loop {
            if let Some(found) = last(gateway, select).await.into_iter().find(|it| fits(it)) {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let found = tokio::time::timeout(PATIENCE, waiting).await;
    found.unwrap_or_else(|_| panic!("no {select} that fits"))
}

#[tokio::test]
async fn it_stands_in_for_the_reference_simulator() {
    let file = program::repository().join("config/pera-reference.toml");
    let gateway = Gateway::start(["run", "-c", file.to_str().expect("the path is text")]).await;
    all_programs(&gateway, port(&gateway.port(MQTT)), port(&gateway.port(WEBSOCKET))).await;
}

#[tokio::test]
async fn it_does_so_at_another_broker() {
    let broker = Mosquitto::start().await;
    let gateway = Gateway::with_text(&reference_at(&format!("mqtt://{}", broker.address()))).await;
    all_programs(&gateway, broker.port(), broker.port() + 1).await;
}

#[tokio::test]
async fn whoever_pastes_a_line_gets_an_answer() {
    let gateway = Gateway::demo().await;
    let mqtt = port(&gateway.port(MQTT));
    let topics = [
        "v1/sensor/distance/1",
        "v1/sensor/distance/77",
        "v1/sensor/compass/",
        "v1/localization/update",
        "v1/output/neopixel",
    ];
    let mut received = Subscriber::new(mqtt, &topics).await;
    // One of the demo's own robots.
    publish(mqtt, "v1/sensor/distance", r#"{"id":1,"reality":"M"}"#).await;
    let distance: i32 = received.message("v1/sensor/distance/1").await.parse().expect("a whole number");
    assert!((-6..=1000).contains(&distance), "{distance}");
    publish(mqtt, "v1/sensor/compass/1/?", "?").await;
    let own = |text: &str| text.contains("\"id\":1,") || text.contains("\"id\": 1,");
    let compass: Value =
        serde_json::from_str(&received.fitting("v1/sensor/compass/", own).await).expect("JSON");
    assert!(compass["compass"].is_number(), "{compass}");
    received.fitting("v1/localization/update", own).await;
    gateway.cli_ok(&["send", "pera-1", "led", "0", "255", "0"]).await;
    let green = |text: &str| {
        let lamp: Value = serde_json::from_str(text).unwrap_or_default();
        lamp["id"] == 1 && lamp["R"] == 0 && lamp["G"] == 255
    };
    received.fitting("v1/output/neopixel", green).await;
    // A stranger that nobody here has made.
    publish(mqtt, "v1/robot/create", r#"{"id":77,"x":0,"y":0,"heading":0,"reality":"V"}"#).await;
    until(&gateway, "pera-77/pose", |_| true).await;
    publish(mqtt, "v1/sensor/distance", r#"{"id":77}"#).await;
    received.message("v1/sensor/distance/77").await;
    // A command to it is a message for it.
    let mut orders = Subscriber::new(mqtt, &["v1/robot/msg/77"]).await;
    gateway.cli_ok(&["send", "pera-77", "stop"]).await;
    assert!(orders.message("v1/robot/msg/77").await.starts_with("STOP"));
}

#[tokio::test]
async fn a_robot_of_the_java_library_sees_the_walls_of_the_demo() {
    let gateway = Gateway::demo().await;
    let mqtt = port(&gateway.port(MQTT));
    let mut received = Subscriber::new(mqtt, &["v1/sensor/proximity/77", "v1/sensor/distance/77"]).await;
    publish(mqtt, "v1/localization/update", r#"[{"heading":0.0,"x":70.0,"y":70.0,"reality":"V","id":77}]"#)
        .await;
    until(&gateway, "pera-77/pose", |_| true).await;
    // The reality that the library asks for.
    publish(mqtt, "v1/sensor/distance", r#"{"reality":"V","id":77}"#).await;
    assert_eq!(
        received.message("v1/sensor/distance/77").await,
        "17",
        "a wall at 90, a robot of radius 3 at 70"
    );
    publish(mqtt, "v1/sensor/proximity", r#"{"angles":[-90,0,90],"reality":"V","id":77}"#).await;
    let proximity = received.message("v1/sensor/proximity/77").await;
    assert_eq!(proximity, "17 17 157 #9A8F80 #9A8F80 #000000", "the third wall is 20 cm and more away");
}

#[tokio::test]
async fn lines_to_copy_show_the_swarm() {
    let gateway = Gateway::demo().await;
    let python = program::python("mqtt");
    let url = format!("http://{}/api/v1/lines?key=pera-1/pose", gateway.http());
    let answer: Value = reqwest::get(url).await.expect("it answers").json().await.expect("it is JSON");
    let lines = answer["lines"].as_array().expect("lines are a list");
    let of_pera = |tool: &str| {
        let found =
            lines.iter().find(|it| it["tool"] == tool && it["line"].to_string().contains("localization"));
        found
            .and_then(|it| it["line"].as_str())
            .unwrap_or_else(|| panic!("no {tool} in {lines:?}"))
            .to_owned()
    };
    let script = std::env::temp_dir().join(format!("latimer-e2e-{}.py", std::process::id()));
    std::fs::write(&script, of_pera("python")).expect("the temporary folder can be written");
    let run_script = format!("{} -u {}", python.display(), script.display());
    for line in [of_pera("mosquitto_sub"), run_script] {
        // A robot tells where it is when it has moved, and the demo's wander.
        let shown = tokio::process::Command::new("sh")
            .args(["-c", &format!("timeout 10 stdbuf -oL {line} | head -n 1")])
            .kill_on_drop(true)
            .output();
        let shown = shown.await.expect("sh is there");
        let text = String::from_utf8_lossy(&shown.stdout);
        assert!(text.contains("heading"), "{line}: {text}{}", String::from_utf8_lossy(&shown.stderr));
    }
    let _ = std::fs::remove_file(script);
}

#[tokio::test]
async fn robots_of_one_gateway_ask_the_simulator_of_another() {
    let first = Gateway::with_text(
        "[http]\nlisten = '127.0.0.1:8080'\n[broker]\nlisten = '127.0.0.1:1883'\n\
         [world]\nfile = 'arena'\n[pera]\nsimulator = true\n",
    )
    .await;
    let mqtt = port(&first.port(MQTT));
    let second = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[broker]\nurl = 'mqtt://127.0.0.1:{mqtt}'\n\
         [world]\nfile = 'empty'\n\
         [[simulate]]\nrobot = 'pera-61'\nbody = 'pera'\nposition_m = [3.0, 3.0]\nbehaviour = 'wander'\n\
         [pera]\nask = true\n[[pera.serve]]\nrobot = 'pera-61'\n"
    ))
    .await;
    let mut received = Subscriber::new(mqtt, &["v1/sensor/distance", "v1/sensor/distance/61"]).await;
    let request = received.fitting("v1/sensor/distance", |text| text.contains("61")).await;
    assert!(serde_json::from_str::<Value>(&request).is_ok(), "{request}");
    received.message("v1/sensor/distance/61").await;
    // It moves there, and is seen moving here.
    let pose = |it: &Value| (it["data"]["x_m"].as_f64(), it["data"]["y_m"].as_f64());
    let before = pose(&until(&first, "pera-61/pose", |_| true).await);
    until(&first, "pera-61/pose", |it| pose(it) != before).await;
    drop(second);
}

#[tokio::test]
async fn a_misty_is_shown_as_one_of_the_swarm() {
    // Another broker, so that there is a listener before the robot introduces itself.
    let broker = Mosquitto::start().await;
    let mqtt = broker.port();
    let mut received = Subscriber::new(mqtt, &["v1/sensor/distance", "v1/robot/#"]).await;
    let _gateway = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[broker]\nurl = 'mqtt://{}'\n\
         [world]\nfile = 'empty'\n\
         [[simulate]]\nrobot = 'misty-1'\nbody = 'misty'\nposition_m = [3.0, 3.0]\n\
         [[pera.serve]]\nrobot = 'misty-1'\nid = 50\n",
        broker.address()
    ))
    .await;
    received.message("v1/robot/create").await;
    publish(mqtt, "v1/sensor/distance/50/?", "?").await;
    let reading: Value =
        serde_json::from_str(&received.message("v1/sensor/distance").await).expect("a reading is JSON");
    assert!(reading["id"] == 50 && reading["dist"].is_number(), "{reading}");
    publish(mqtt, "v1/robot/msg/broadcast", "ID? -1").await;
    let live: Value = serde_json::from_str(&received.message("v1/robot/live").await).expect("it is JSON");
    assert_eq!(live["id"], 50, "{live}");
}

#[tokio::test]
async fn where_all_are_served_each_robot_shows_its_number() {
    let gateway = Gateway::with_text(
        "[http]\nlisten = '127.0.0.1:8080'\n[broker]\nlisten = '127.0.0.1:1883'\n\
         [world]\nfile = 'empty'\n\
         [[simulate]]\nrobot = 'misty-1'\nbody = 'misty'\nposition_m = [3.0, 3.0]\n\
         [[simulate]]\nrobot = 'pera-1'\nbody = 'pera'\nposition_m = [4.0, 3.0]\n\
         [[simulate]]\nrobot = 'rover'\nbody = 'misty'\nposition_m = [5.0, 3.0]\n\
         [pera]\nsimulator = true\nserve_all = true\n[[pera.serve]]\nrobot = 'pera-1'\n",
    )
    .await;
    let mqtt = port(&gateway.port(MQTT));
    // They ask from the start, though they may know no place yet.
    let mut asking = Subscriber::new(mqtt, &["v1/sensor/distance/100", "v1/sensor/distance/101"]).await;
    for topic in ["v1/sensor/distance/100", "v1/sensor/distance/101"] {
        asking.message(topic).await;
    }
    let line = |id: u32| format!("mosquitto_rr -h 127.0.0.1 -p {mqtt} -t 'v1/robot/msg/{id}'");
    let said = gateway.said();
    for (robot, id) in [("misty-1", 100), ("pera-1", 1), ("rover", 101)] {
        let row = said.lines().find(|row| row.starts_with(robot));
        assert!(
            row.is_some_and(|row| row.ends_with(&format!("mqtt://127.0.0.1:{mqtt}/v1"))),
            "{robot}:\n{said}"
        );
        assert!(said.contains(&format!("{robot} is {id}")), "the log names {robot}:\n{said}");
    }
    assert!(!said.contains("a robot asks that nobody knows"), "{said}");
    let of_misty = format!("http://{}/api/v1/robots/misty-1", gateway.http());
    let misty: Value = reqwest::get(of_misty).await.expect("it answers").json().await.expect("it is JSON");
    assert!(misty["endpoints"].to_string().contains(&line(100)), "{misty}");
    let url = format!("http://{}/api/v1/lines?key=misty-1/range/front", gateway.http());
    let lines: Value = reqwest::get(url).await.expect("it answers").json().await.expect("it is JSON");
    assert!(lines.to_string().contains("v1/sensor/distance/100/?"), "{lines}");
}

#[tokio::test]
async fn a_broker_that_starts_anew_finds_everybody_again() {
    let broker = Mosquitto::start().await;
    let gateway = Gateway::with_text(&reference_at(&format!("mqtt://{}", broker.address()))).await;
    assert_eq!(answer_at(broker.port()).await, "74");
    let broker = broker.restart().await;
    assert_eq!(answer_at(broker.port()).await, "74");
    let count = gateway.said().lines().filter(|line| line.contains("broker")).count();
    assert!((1..10).contains(&count), "{count} lines name the broker:\n{}", gateway.said());
}

/// The answer to a new robot that asks again and again.
async fn answer_at(port: u16) -> String {
    let mut received = Subscriber::new(port, &["v1/sensor/distance/7"]).await;
    let asking = async {
        loop {
            publish(port, "v1/robot/create", r#"{"id":7,"x":10,"y":10,"heading":0,"reality":"V"}"#).await;
            publish(port, "v1/sensor/distance", r#"{"id":7}"#).await;
            // The gateway may still be away, and what is published for nobody is lost.
            let answer = received.message("v1/sensor/distance/7");
            if let Ok(text) = tokio::time::timeout(Duration::from_millis(500), answer).await {
                return text;
            }
        }
    };
    tokio::time::timeout(PATIENCE, asking).await.expect("an answer comes in time")
}
