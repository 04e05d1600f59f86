//! Clients that flood, crowd in or talk nonsense: they keep no robot waiting.

use std::time::Duration;

use latimer_e2e::mosquitto::{Subscriber, port_of as port, publish, publish_lines};
use latimer_e2e::{Gateway, Mosquitto, PATIENCE};

use super::{MQTT, answer_at, reference, reference_at};

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
