//! The calls: what they become, and how mistakes are answered.

use std::f64::consts::FRAC_PI_2;

use latimer_core::hub::CommandId;
use latimer_core::model::signal::{Joint, Library, LinkState};
use latimer_core::{Command, Outcome, PartName, Update};
use latimer_dialects::misty::MistyConfig;
use latimer_e2e::PATIENCE;
use serde_json::{Value, json};

use super::client::{Misty, robot};
use crate::conformance::samples;

async fn answer(response: reqwest::Response) -> (u16, Value) {
    let status = response.status().as_u16();
    (status, serde_json::from_str(&response.text().await.unwrap()).unwrap())
}

async fn post(misty: &Misty, endpoint: &str, body: &str) -> (u16, Value) {
    let request = reqwest::Client::new().post(misty.url(endpoint)).body(body.to_owned());
    answer(request.send().await.unwrap()).await
}

/// Sends a call while the robot answers with an outcome; returns what the robot was asked, and the answer.
async fn asked(misty: &mut Misty, endpoint: &str, body: &str, outcome: Outcome) -> (Command, (u16, Value)) {
    let url = misty.url(endpoint);
    let body = body.to_owned();
    let call = tokio::spawn(async move { reqwest::Client::new().post(url).body(body).send().await.unwrap() });
    let request = tokio::time::timeout(PATIENCE, misty.source.next_command()).await.unwrap();
    let command = request.command.clone();
    request.answer(outcome);
    (command, answer(call.await.unwrap()).await)
}

#[tokio::test]
async fn drives_in_whatever_spelling() {
    let mut misty = Misty::start(MistyConfig::default()).await;
    let half = Command::Drive { linear_mps: 0.225, angular_radps: -FRAC_PI_2, duration: None };
    let spellings = [
        ("drive", r#"{"LinearVelocity":50,"AngularVelocity":-100}"#),
        ("drive", r#"{"linearvelocity":"50","angularVelocity":"-100","Extra":null}"#),
        ("drive?LinearVelocity=50&AngularVelocity=-100", ""),
        ("beta/drive", "LinearVelocity=50&AngularVelocity=-100"),
        ("DRIVE", "{'LinearVelocity': 50, 'AngularVelocity': -100,}"),
        ("drive", r#""{\"LinearVelocity\": 50, \"AngularVelocity\": -100}""#),
    ];
    for (endpoint, body) in spellings {
        let (command, reply) = asked(&mut misty, endpoint, body, Outcome::Accepted).await;
        assert_eq!(command, half, "{endpoint} {body}");
        assert_eq!(reply, (200, json!({"result": true, "status": "Success"})));
    }
}

#[tokio::test]
async fn missing_and_wrong_parameters_are_reported_in_the_robots_words() {
    let misty = Misty::start(MistyConfig::default()).await;
    let (status, body) = post(&misty, "drive/hdt", "").await;
    let text = "Cannot drive  - Missing required double parameter 'Heading'. - Missing required double parameter \
                'Distance'. - Missing required double parameter 'TimeMs'.";
    assert_eq!((status, body), (400, json!({"error": text, "status": "Failed"})));
    for (endpoint, body, words) in [
        ("led", r#"{"Red":256,"Green":0,"Blue":0}"#, "'Red'"),
        ("arms", r#"{"Arm":"third","Position":0}"#, "left, right or both"),
        ("head", r#"{"Pitch":0,"Units":"turns"}"#, "degrees, radians or position"),
        ("head", r#"{"Pitch":0,"Velocity":0}"#, "Velocity"),
        ("drive/time", r#"{"LinearVelocity":1,"AngularVelocity":0,"TimeMs":1e300}"#, "time"),
        ("audio/play", "{", "cannot"),
        ("websocket/version", r#"{"version":"Newest"}"#, "Deprecated"),
    ] {
        let (status, reply) = post(&misty, endpoint, body).await;
        let reported = reply["error"].as_str().unwrap();
        assert!(
            status == 400 && reported.to_lowercase().contains(&words.to_lowercase()),
            "{endpoint}: {status} {reported}"
        );
    }
}

#[tokio::test]
async fn a_refusal_of_the_robot_and_its_absence_differ() {
    let mut misty = Misty::start(MistyConfig::default()).await;
    let no = Outcome::not_now("the stairs are ahead");
    let (_, (status, body)) = asked(&mut misty, "drive/stop", "{}", no).await;
    let error = body["error"].as_str().unwrap();
    let id = error.strip_prefix("Cannot stop  - the stairs are ahead (command ").unwrap();
    assert!(status == 400 && id.strip_suffix(").").unwrap().parse::<CommandId>().is_ok(), "{error}");
    misty.source.link(LinkState::Down, Some("off".into()));
    let gone = Outcome::unreachable("it is not connected");
    let (_, (status, _)) = asked(&mut misty, "drive/stop", "{}", gone).await;
    assert_eq!(status, 503);
}

#[tokio::test]
async fn questions_are_answered_from_what_is_known() {
    let misty = Misty::start(MistyConfig::default()).await;
    let get = async |endpoint: &str| answer(reqwest::get(misty.url(endpoint)).await.unwrap()).await;
    let (status, body) = get("battery").await;
    assert_eq!((status, body["status"].as_str()), (503, Some("Failed")), "{body}");
    misty.publish(Update { robot: robot(), ..samples::battery(&misty.hub) });
    assert_eq!(get("battery").await.1["result"]["voltage"], json!(8.203));
    let library = Library { faces: vec!["Ada".into()], sounds: vec!["a.wav".into()] };
    misty.publish(Update::now(&robot(), misty.hub.clock().now(), library.into()));
    assert_eq!(get("faces").await.1["result"], json!(["Ada"]));
    assert_eq!(get("audio/list").await.1["result"][0]["name"], "a.wav");
    assert_eq!(get("websocket/version").await.1["result"], "Current");
    assert_eq!(get("websockets").await.1["result"].as_array().unwrap().len(), 21);
    let help = get("help").await.1;
    assert!(help["result"]["post"].as_array().unwrap().iter().any(|it| it["endpoint"] == "drive/time"));
    assert_eq!(get("help?command=led").await.0, 200);
    let joint = Joint::hinge(0.0);
    let joint = Update::now(&robot(), misty.hub.clock().now(), joint.into());
    misty.publish(joint.of_part(PartName::of("head_yaw")));
    let device = get("device").await.1["result"].clone();
    assert_eq!(device["robotId"], "misty-1");
    assert_eq!(device["outputCapabilities"], json!({"actuator_HeadYaw": "2ABzJD"}));
    assert_eq!(device["sensorCapabilities"]["/Sensors/RTC/BatteryCharge"], "charge");
    assert_eq!(device["batteryLevel"]["voltage"], json!(8.203));
    let (status, body) = get("nonsense").await;
    assert!(status == 404 && body["error"].as_str().unwrap().contains("/api/help"), "{body}");
    assert_eq!(get("drive").await.0, 404);
    let head = reqwest::Client::new().head(misty.url("battery")).send().await.unwrap();
    assert_eq!(head.status().as_u16(), 200);
    assert_eq!(head.headers()["misty-command-version"], "Current");
    assert_eq!(head.text().await.unwrap(), "");
}

#[tokio::test]
async fn a_misty_lists_her_sensors_from_the_start() {
    let misty = Misty::of("misty", MistyConfig::default()).await;
    let device = answer(reqwest::get(misty.url("device")).await.unwrap()).await.1["result"].clone();
    for (name, id) in [("toF_Center", "toffc"), ("toF_DownBackLeft", "tofdrl"), ("bump_FrontLeft", "bfl")] {
        assert_eq!(device["sensorCapabilities"][name], id, "{device}");
    }
}

#[tokio::test]
async fn browsers_may_call() {
    let misty = Misty::start(MistyConfig::default()).await;
    let ask = reqwest::Client::new().request(reqwest::Method::OPTIONS, misty.url("drive"));
    let response = ask.header("origin", "http://localhost:5173").send().await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    assert_eq!(response.headers()["access-control-allow-origin"], "http://localhost:5173");
    assert_eq!(response.headers()["vary"], "Origin");
    assert!(response.headers()["access-control-allow-methods"].to_str().unwrap().contains("POST"));
    let response = reqwest::get(misty.url("slam/status")).await.unwrap();
    assert_eq!(response.headers()["misty-command-version"], "Alpha");
    assert!(!response.headers().contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn a_long_body_is_refused() {
    let misty = Misty::start(MistyConfig::default()).await;
    let (status, body) = post(&misty, "serial", &"x".repeat(1 << 20)).await;
    assert!(status == 400 && body["error"].as_str().unwrap().contains("longer"), "{body}");
}
