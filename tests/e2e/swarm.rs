//! A Pera swarm: robots of the reference's library and firmware, its screens, other brokers and other gateways.

use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::mosquitto::{Subscriber, port_of as port, publish, publish_lines};
use latimer_e2e::{Gateway, Mosquitto, program};
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

/// The gateway may not be at the broker yet when a program asks.
const AGAIN: Duration = Duration::from_millis(500);

#[tokio::test]
async fn a_flood_for_one_served_robot_keeps_no_other_waiting() {
    let broker = Mosquitto::start().await;
    let gateway = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[broker]\nurl = 'mqtt://{}'\n[world]\nfile = 'empty'\n\
         [[simulate]]\nrobot = 'misty-1'\nbody = 'misty'\nposition_m = [3.0, 3.0]\n\
         [[simulate]]\nrobot = 'misty-2'\nbody = 'misty'\nposition_m = [4.0, 3.0]\n\
         [[pera.serve]]\nrobot = 'misty-1'\nid = 50\n[[pera.serve]]\nrobot = 'misty-2'\nid = 51\n",
        broker.address()
    ))
    .await;
    let mqtt = broker.port();
    let mut received = Subscriber::new(mqtt, &["v1/robot/live"]).await;
    let there = async {
        for robot in ["50", "51"] {
            let answered = async |received: &mut Subscriber| {
                publish(mqtt, &format!("v1/robot/msg/{robot}"), "ID? -1").await;
                let answer = received.fitting("v1/robot/live", |text| text.contains(robot));
                tokio::time::timeout(AGAIN, answer).await.is_ok()
            };
            while !answered(&mut received).await {}
        }
    };
    tokio::time::timeout(PATIENCE, there).await.expect("both are served at the broker");
    let said_before = gateway.said().lines().count();
    let complaint = "robots of the swarm are asked faster than they answer";
    let flooding = publish_lines(mqtt, "v1/robot/msg/50", (0..50_000).map(|_| "ID? -1".to_owned()));
    let asking = async {
        let mut asked = 0;
        while asked < 20 || !gateway.said().contains(complaint) {
            publish(mqtt, "v1/robot/msg/51", "ID? -1").await;
            received.fitting("v1/robot/live", |text| text.contains("51")).await;
            asked += 1;
        }
    };
    let both = tokio::time::timeout(PATIENCE * 4, async { tokio::join!(flooding, asking) }).await;
    both.expect("a robot answers meanwhile, and the log says what happens");
    let said = gateway.said();
    let more = said.lines().count() - said_before;
    assert!(said.matches(complaint).count() == 1 && more < 10, "{more} lines more:\n{said}");
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

#[tokio::test]
async fn a_crowd_a_flood_and_nonsense_keep_no_robot_waiting() {
    // A rate that a client exceeds on a busy machine, too.
    let gateway = Gateway::with_text(&format!("{}\n[broker.limits]\nmax_rate = 500\n", reference())).await;
    let mqtt = port(&gateway.http()) + MQTT;
    others_are_answered(&gateway, mqtt, 5_000, &[FULL, ODD, "faster than broker.limits.max_rate"]).await;
}

#[tokio::test]
async fn they_keep_nobody_waiting_at_another_broker() {
    let broker = Mosquitto::start().await;
    let gateway = Gateway::with_text(&reference_at(&format!("mqtt://{}", broker.address()))).await;
    // More at once than is answered meanwhile and has room: an outage leaves less behind.
    others_are_answered(&gateway, broker.port(), 30_000, &[FULL, ODD, FLOODED]).await;
}

#[tokio::test]
async fn one_that_calls_out_and_asks_everything_keeps_nobody_waiting() {
    let gateway = Gateway::with_text(&reference()).await;
    calls_are_passed_on_and_others_answered(&gateway, port(&gateway.http()) + MQTT).await;
}

#[tokio::test]
async fn nor_at_another_broker() {
    let broker = Mosquitto::start().await;
    let gateway = Gateway::with_text(&reference_at(&format!("mqtt://{}", broker.address()))).await;
    calls_are_passed_on_and_others_answered(&gateway, broker.port()).await;
    assert_eq!(gateway.said().matches(FLOODED).count(), 1, "{}", gateway.said());
}

/// A robot calls out at length to five hundred others and asks all that can be asked, without waiting; one
/// receives all of the first calls, and one is answered meanwhile.
async fn calls_are_passed_on_and_others_answered(gateway: &Gateway, mqtt: u16) {
    assert_eq!(answer_at(mqtt).await, "74");
    // Out of view of the one that asks.
    let crowd = (1_000..1_500).map(|id| {
        format!(r#"{{"id":{id},"x":{},"y":90000,"heading":0,"reality":"V"}}"#, 20_000 + 10 * (id - 1_000))
    });
    publish_lines(mqtt, "v1/robot/create", crowd).await;
    let mut last = Subscriber::new(mqtt, &["v1/localization/1499", "v1/comm/in/simple/1499"]).await;
    let there = async {
        loop {
            publish(mqtt, "v1/localization", "1499").await;
            let answer = last.message("v1/localization/1499");
            // The answer comes as soon as the robot is there.
            if let Ok(place) = tokio::time::timeout(Duration::from_millis(500), answer).await {
                return place;
            }
        }
    };
    let place = tokio::time::timeout(PATIENCE, there).await.expect("all of them come");
    assert_eq!(place, "24990 90000 0");
    let bytes_before = gateway.resident_bytes();

    let text = "a".repeat(8_000);
    let call = |number: u32| format!(r#"{{"id":1000,"msg":"{number} {text}","dist":100000}}"#);
    let hostile = async {
        publish_lines(mqtt, "v1/comm/out/simple", (0..1_000).map(call)).await;
        publish_lines(mqtt, "v1/localization", (0..2_000).map(|_| "1000".to_owned())).await;
        let asked = (0..2_000).map(|_| r#"{"id":1000}"#.to_owned());
        publish_lines(mqtt, "v1/mgt/robots/snapshot", asked).await;
    };
    let mut received = Subscriber::new(mqtt, &["v1/sensor/distance/7"]).await;
    let others = async {
        for number in 0..10 {
            let passed_on = last.message("v1/comm/in/simple/1499").await;
            assert!(passed_on == format!("{number} {text}"), "call {number} is passed on as it was said");
            publish(mqtt, "v1/sensor/distance", r#"{"id":7}"#).await;
            assert_eq!(received.message("v1/sensor/distance/7").await, "74");
        }
    };
    let both = tokio::time::timeout(PATIENCE * 4, async { tokio::join!(hostile, others) }).await;
    both.expect("calls are passed on, and a robot is answered meanwhile");
    let grown = gateway.resident_bytes().saturating_sub(bytes_before);
    assert!(grown < 64 << 20, "{} MiB of memory went away", grown >> 20);
}

/// What the log says of a crowd.
const FULL: &str = "the swarm is full";

/// What it says of a robot that floods a broker that slows nobody down.
const FLOODED: &str = "a robot asks faster than it is answered";

/// What it says of nonsense.
const ODD: &str = "a message of the swarm cannot be read";

/// A robot asks while a thousand more announce themselves than are taken in, one asks without waiting so many times, and one talks nonsense on
/// every topic, until the log has said so.
async fn others_are_answered(gateway: &Gateway, mqtt: u16, flood: u32, complaints: &[&str]) {
    assert_eq!(answer_at(mqtt).await, "74");
    let (bytes_before, said_before) = (gateway.resident_bytes(), gateway.said().lines().count());
    // They stand so far away that they are in nobody's view.
    // One client of the gateway's own broker may bring half of a swarm.
    let crowd = |ids: std::ops::Range<u32>| {
        ids.map(|id| format!(r#"{{"id":{id},"x":{},"y":90000,"heading":0,"reality":"V"}}"#, 20_000 + 10 * id))
    };
    let flood = (0..flood).map(|_| r#"{"id":8,"reality":"M"}"#.to_owned());
    let nonsense = |topic: &'static str| {
        let lines = [r#"{"id":"#, "[[[[[[", r#"{"id":-1e999,"reality":Q}"#, "\u{fffd}", "null"];
        publish_lines(mqtt, topic, (0..200).flat_map(move |_| lines).map(str::to_owned))
    };
    publish(mqtt, "v1/robot/create", r#"{"id":8,"x":-50,"y":-50,"heading":0,"reality":"V"}"#).await;
    let hostile = async {
        tokio::join!(
            publish_lines(mqtt, "v1/robot/create", crowd(1_000..2_500)),
            publish_lines(mqtt, "v1/robot/create", crowd(2_500..4_000)),
            publish_lines(mqtt, "v1/sensor/distance", flood),
            nonsense("v1/robot/create"),
            nonsense("v1/localization/update"),
            nonsense("v1/sensor/color"),
            nonsense("v1/comm/out/simple"),
            nonsense("v1/mgt/robots/snapshot"),
        );
    };
    let mut received = Subscriber::new(mqtt, &["v1/sensor/distance/7"]).await;
    // What was sent is still being read when it has left the senders.
    let asking = async {
        let is_logged = || complaints.iter().all(|line| gateway.said().contains(line));
        let mut answers = 0;
        while answers < 20 || !is_logged() {
            publish(mqtt, "v1/sensor/distance", r#"{"id":7}"#).await;
            let answer = tokio::time::timeout(PATIENCE, received.message("v1/sensor/distance/7")).await;
            assert_eq!(answer.expect("it is answered"), "74");
            answers += 1;
        }
    };
    // Each answer has its time; how long the machine takes for all of this says nothing.
    let both = tokio::time::timeout(PATIENCE * 7, async { tokio::join!(hostile, asking) }).await;
    both.expect("the log says what happens, and a robot is answered meanwhile");
    let grown = gateway.resident_bytes().saturating_sub(bytes_before);
    assert!(grown < 64 << 20, "{} MiB of memory went away", grown >> 20);
    let said = gateway.said();
    let full = said.lines().filter(|line| line.contains(FULL)).count();
    let more = said.lines().count() - said_before;
    assert!(full == 1 && more < 10, "{more} lines more, {full} of them of the full swarm:\n{said}");
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
