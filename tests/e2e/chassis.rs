//! An AutoXing chassis and those who work with one: an integrator's program, a second gateway, a viewer that stalls.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_e2e::Gateway;
use latimer_e2e::PATIENCE;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::python;

/// A plain client of the topics.
struct Topics(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Topics {
    async fn connect(address: &str, topics: &[&str]) -> Self {
        let (socket, _) =
            connect_async(format!("ws://{address}/ws/v2/topics")).await.expect("it takes connections");
        let mut client = Self(socket);
        client.send(json!({"enable_topic": topics})).await;
        let answer: Value = serde_json::from_str(&client.text().await).expect("answers are JSON");
        let enabled = answer["enabled_topics"].as_array().expect("the answer names what is enabled");
        assert_eq!(enabled.len(), topics.len(), "{answer}");
        client
    }

    async fn send(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).await.expect("the socket is open");
    }

    async fn text(&mut self) -> String {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.0.next()).await.expect("something comes in time");
            match next {
                Some(Ok(Message::Text(text))) => return text.to_string(),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => panic!("expected a text, got {other:?}"),
            }
        }
    }

    /// The next message of a topic for which something holds, others skipped.
    async fn until(&mut self, topic: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let search = async {
            loop {
                let message: Value = serde_json::from_str(&self.text().await).expect("messages are JSON");
                if message["topic"] == topic && fits(&message) {
                    return message;
                }
            }
        };
        let found = tokio::time::timeout(PATIENCE, search).await;
        found.unwrap_or_else(|_| panic!("{topic} did not come as expected"))
    }
}

/// The chassis' own port.
fn chassis(gateway: &Gateway) -> String {
    gateway.port(10)
}

/// A gateway that knows the chassis of `first` as `far-1`.
async fn connected_to(first: &Gateway) -> Gateway {
    let address = chassis(first);
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n\
         [[axbot.connect]]\nrobot = 'far-1'\naddress = '{address}'\n\
         [[axbot.serve]]\nrobot = 'far-1'\nlisten = '127.0.0.1:8090'\n"
    );
    Gateway::with_text(&config).await
}

#[tokio::test]
async fn an_integrator_works_with_it_for_a_day() {
    let gateway = Gateway::with_config("hall.toml").await;
    let arguments = [chassis(&gateway), gateway.http()];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    python::run("axbot", "axbot_integrator.py", &arguments).await;
}

#[tokio::test]
async fn a_second_gateway_shows_the_same_bytes() {
    let first = Gateway::with_config("hall.toml").await;
    let second = connected_to(&first).await;
    let topics = ["/battery_state", "/odom_state", "/alerts", "/robot_signal"];
    let mut near = Topics::connect(&chassis(&first), &topics).await;
    let mut far = Topics::connect(&chassis(&second), &topics).await;
    let (mut said, mut shown): (BTreeSet<String>, BTreeSet<String>) = Default::default();
    let both = |said: &BTreeSet<String>, shown: &BTreeSet<String>| {
        topics.iter().all(|topic| {
            let start = format!("{{\"topic\":\"{topic}\"");
            said.intersection(shown).any(|text| text.starts_with(&start))
        })
    };
    let comparing = async {
        while !both(&said, &shown) {
            tokio::select! {
                text = near.text() => said.insert(text),
                text = far.text() => shown.insert(text),
            };
        }
    };
    let compared = tokio::time::timeout(PATIENCE, comparing).await;
    assert!(compared.is_ok(), "not the same:\n{said:#?}\n{shown:#?}");
}

#[tokio::test]
async fn a_move_asked_of_the_second_is_made_by_the_robot_of_the_first() {
    let first = Gateway::with_config("hall.toml").await;
    let second = connected_to(&first).await;
    let mut far = Topics::connect(&chassis(&second), &["/planning_state", "/tracked_pose"]).await;
    far.until("/tracked_pose", |_| true).await;
    let url = format!("http://{}/chassis/moves", chassis(&second));
    let asked =
        json!({"creator": "far", "type": "standard", "target_x": 3.4, "target_y": 2.7, "target_ori": 0});
    let answer = reqwest::Client::new().post(url).json(&asked).send().await.expect("the second answers");
    assert_eq!(answer.status(), 201, "{:?}", answer.text().await);
    let created: Value = answer.json().await.expect("the answer is JSON");
    let ended = |it: &Value| it["action_id"] == created["id"] && it["move_state"] == "succeeded";
    far.until("/planning_state", ended).await;
    let url = format!("http://{}/chassis/pose", chassis(&first));
    let pose: Value = reqwest::get(url).await.expect("the first answers").json().await.expect("it is JSON");
    let x = pose["position"][0].as_f64().expect("a pose has a position");
    assert!((x - 3.4).abs() < 0.4, "{pose}");
}

#[tokio::test]
async fn the_round_of_a_patrol_is_the_current_move() {
    let gateway = Gateway::with_text(
        "[http]\nlisten = '127.0.0.1:8080'\n[world]\nfile = 'demo'\nseed = 1\n\
         [[simulate]]\nrobot = 'axbot-1'\nbody = 'axbot'\nspawn = 'workshop'\n\
         behaviour = 'patrol'\nroute_m = [[9.4, 2.7], [11.4, 2.7]]\n\
         [[axbot.serve]]\nrobot = 'axbot-1'\nlisten = '127.0.0.1:8090'\n",
    )
    .await;
    let mut topics = Topics::connect(&chassis(&gateway), &["/planning_state"]).await;
    let round = topics.until("/planning_state", |it| it["move_state"] == "moving").await;
    let url = format!("http://{}/chassis/moves/current", chassis(&gateway));
    let answer = reqwest::get(&url).await.expect("the gateway answers");
    assert_eq!(answer.status(), 200, "{:?}", answer.text().await);
    let current: Value = answer.json().await.expect("the answer is JSON");
    assert_eq!(current["id"], round["action_id"], "{current} {round}");
    assert_eq!(current["state"], "moving", "{current}");
    assert_eq!(current["type"], "along_given_route", "{current}");
    let cancelled = reqwest::Client::new().patch(&url).json(&json!({"state": "cancelled"})).send().await;
    assert_eq!(cancelled.expect("the gateway answers").status(), 200);
    let ended = |it: &Value| it["action_id"] == round["action_id"] && it["move_state"] == "cancelled";
    topics.until("/planning_state", ended).await;
}

#[tokio::test]
async fn a_viewer_that_stops_reading_costs_another_nothing() {
    let gateway = Gateway::with_config("hall.toml").await;
    let video = ["/rgb_cameras/front/video"];
    let stalled = Topics::connect(&chassis(&gateway), &video).await;
    let mut viewer = Topics::connect(&chassis(&gateway), &video).await;
    let mut stamps = Vec::new();
    for _ in 0..30 {
        let frame = viewer.until("/rgb_cameras/front/video", |_| true).await;
        assert!(
            frame["data"].as_str().is_some_and(|data| data.starts_with("AAAAA")),
            "a start code: {frame}"
        );
        stamps.push(frame["stamp"].as_f64().expect("a stamp is a number"));
    }
    assert!(stamps.windows(2).all(|pair| pair[1] > pair[0]), "{stamps:?}");
    drop(stalled);
}

#[tokio::test]
async fn any_robot_is_served_as_a_chassis_and_says_only_what_it_knows() {
    let gateway = Gateway::demo().await;
    for robot in ["misty-1", "miro-1", "robotkoop-1", "pera-1"] {
        let base = format!("{}/robots/{robot}/axbot", gateway.http());
        let info: Value = reqwest::get(format!("http://{base}/device/info"))
            .await
            .expect("it answers")
            .json()
            .await
            .expect("it is JSON");
        assert!(!info["caps"]["supportsJack"].as_bool().unwrap_or(false), "{robot}: {info}");
        // A MiRo has switches, which are inputs.
        let pins: &[&str] = if robot == "miro-1" { &[] } else { &["/io_pins_state"] };
        let lacking = [&["/jack_state", "/robot_signal"], pins].concat();
        let mut client = Topics::connect(&base, &lacking).await;
        let nothing = tokio::time::timeout(Duration::from_millis(1500), client.text()).await;
        assert!(nothing.is_err(), "{robot} has none of these, and says {nothing:?}");
    }
    let misty = format!("{}/robots/misty-1/axbot", gateway.http());
    let mut client = Topics::connect(&misty, &["/battery_state", "/bumper_state"]).await;
    let battery = client.until("/battery_state", |_| true).await;
    assert!(battery["voltage"].as_f64().is_some_and(|volts| (6.0..9.0).contains(&volts)), "{battery}");
    gateway.cli_ok(&["poke", "misty-1", "bump", "front_left"]).await;
    let pressed = client.until("/bumper_state", |it| it["front_bumper_pressed"] == true).await;
    assert!(!pressed["rear_bumper_pressed"].as_bool().unwrap_or(false), "{pressed}");
}
