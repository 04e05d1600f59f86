//! A second Latimer, connected to the first one's facade as to a real Misty.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use latimer_e2e::{Gateway, MistyClient, PATIENCE};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// Event types of one update each; what is composed of several has no bytes of its own.
const TYPES: [&str; 4] = ["IMU", "TimeOfFlight", "DriveEncoders", "ActuatorPosition"];

/// Updates to compare.
const UPDATES: usize = 150;

#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(borrow, rename = "eventName")]
    name: &'a str,
    #[serde(borrow)]
    message: &'a RawValue,
}

#[derive(Deserialize)]
struct Line<'a> {
    robot: &'a str,
    #[serde(borrow)]
    native: Option<Native<'a>>,
}

#[derive(Deserialize)]
struct Native<'a> {
    dialect: &'a str,
    topic: &'a str,
    #[serde(borrow)]
    payload: &'a RawValue,
}

/// Which event, by all that tells events apart: its type, time and sensor.
type Which = (String, String, String);

fn which(event_type: &str, message: &str) -> Which {
    let message: Value = serde_json::from_str(message).expect("events are JSON");
    let text = |key: &str| message[key].as_str().unwrap_or_default().to_owned();
    (event_type.to_owned(), text("created"), text("sensorId"))
}

/// A gateway that knows the Misty of `first` as `far-1`.
async fn connected_to(first: &Gateway) -> Gateway {
    let address = first.misty();
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n\
         [[misty.connect]]\nrobot = 'far-1'\naddress = '{address}'\n\
         [[misty.serve]]\nrobot = 'far-1'\nlisten = '127.0.0.1:8081'\n"
    );
    Gateway::with_text(&config).await
}

#[tokio::test]
async fn it_shows_the_same_robot_with_the_same_bytes() {
    let first = Gateway::demo().await;
    let second = connected_to(&first).await;

    // What a plain client of the first gets, all of it.
    let seen: Arc<Mutex<BTreeMap<Which, String>>> = Arc::default();
    let mut client = MistyClient::connect(&first.misty()).await;
    for event_type in TYPES {
        let request =
            json!({"Operation": "subscribe", "Type": event_type, "DebounceMs": 0, "EventName": event_type});
        client.send(request.to_string()).await.expect("the socket is open");
    }
    let (subscribed, all_subscribed) = oneshot::channel();
    let reading = tokio::spawn({
        let seen = seen.clone();
        async move {
            let (mut subscribed, mut registered) = (Some(subscribed), 0);
            loop {
                let text = client.text().await;
                let frame: Frame<'_> = serde_json::from_str(&text).expect("frames are JSON");
                let message = frame.message.get();
                if message.starts_with('{') {
                    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                    seen.insert(which(frame.name, message), message.to_owned());
                } else {
                    assert!(message.contains("registered."), "{text}");
                    registered += 1;
                }
                if registered == TYPES.len()
                    && let Some(subscribed) = subscribed.take()
                {
                    let _ = subscribed.send(());
                }
            }
        }
    });
    all_subscribed.await.expect("all types are registered");

    let count = UPDATES.to_string();
    let said = second.cli_ok(&["echo", "far-1", "--native", "--json", "-n", &count]).await;
    let mut shown = Vec::new();
    for line in said.lines() {
        let line: Line<'_> = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
        assert_eq!(line.robot, "far-1");
        if let Some(native) = line.native
            && TYPES.contains(&native.topic)
        {
            assert_eq!(native.dialect, "misty");
            let payload = native.payload.get();
            shown.push((which(native.topic, payload), payload));
        }
    }
    let caught_up = async {
        let missing = || {
            let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            shown.iter().any(|(which, _)| !seen.contains_key(which))
        };
        while missing() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let _ = tokio::time::timeout(PATIENCE, caught_up).await;
    reading.abort();

    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    for (which, payload) in &shown {
        assert_eq!(seen.get(which).map(String::as_str), Some(*payload), "{which:?}");
    }
    let types: BTreeSet<_> = shown.into_iter().map(|((event_type, ..), _)| event_type).collect();
    assert_eq!(types, TYPES.map(str::to_owned).into());
}

/// The stamps of IMU events from a gateway, in the order in which they come.
async fn imu(client: &mut MistyClient, name: &str) -> String {
    client.event(name).await["created"].as_str().expect("events have a stamp").to_owned()
}

/// IMU events that the Misty facade left out because a newer one was there before they were read.
async fn left_out(gateway: &Gateway) -> usize {
    gateway.figure("latimer_updates_coalesced_total{dialect=\"misty\"}").await as usize
}

#[tokio::test]
async fn a_client_of_the_second_gets_every_imu_event_once_and_in_order() {
    // Fifty a second.
    const EVENTS: usize = 400;
    let first = Gateway::demo().await;
    let second = connected_to(&first).await;
    second.until_up("far-1").await;
    let mut far = MistyClient::connect(&second.misty()).await;
    far.subscribe("IMU", "far", json!({"DebounceMs": 0})).await;
    let mut near = MistyClient::connect(&first.misty()).await;
    near.subscribe("IMU", "near", json!({"DebounceMs": 0})).await;
    let (mut of_near, mut of_far) = (Vec::new(), Vec::new());
    // Both follow by now what comes after this.
    let begin = imu(&mut near, "near").await.max(imu(&mut far, "far").await);
    while of_far.len() < EVENTS {
        let (one, other) = tokio::join!(imu(&mut near, "near"), imu(&mut far, "far"));
        of_near.push(one);
        of_far.push(other);
    }
    let end = of_near.last().max(of_far.last()).expect("there are events").clone();
    for (client, name, events) in [(&mut near, "near", &mut of_near), (&mut far, "far", &mut of_far)] {
        while events.last() < Some(&end) {
            events.push(imu(client, name).await);
        }
        assert!(events.is_sorted_by(|before, after| before < after), "{name}: {events:?}");
        events.retain(|it| *it > begin && *it <= end);
    }
    // A gateway that does not get the processor in time may leave out an event, and counts it.
    let [near, far] = [of_near, of_far].map(BTreeSet::from_iter);
    let differ: Vec<&String> = near.symmetric_difference(&far).collect();
    let counted = left_out(&first).await + left_out(&second).await;
    assert!(differ.len() <= counted, "{counted} are counted as left out, but these are: {differ:?}");
}

#[tokio::test]
async fn a_command_to_the_second_moves_the_robot_of_the_first() {
    let first = Gateway::with_config("still.toml").await;
    let second = connected_to(&first).await;
    let mut near = MistyClient::connect(&first.misty()).await;
    near.subscribe("DriveEncoders", "near", json!({"DebounceMs": 0})).await;
    let before = near.event("near").await;
    let mut far = MistyClient::connect(&second.misty()).await;
    far.subscribe("DriveEncoders", "far", json!({"DebounceMs": 0})).await;
    far.event("far").await;

    let url = format!("http://{}/api/drive/time", second.misty());
    let drive = json!({"LinearVelocity": 20, "AngularVelocity": 0, "TimeMs": 1000});
    let answer = reqwest::Client::new().post(url).json(&drive).send().await.expect("the second answers");
    let answer: Value = answer.json().await.expect("the answer is JSON");
    assert_eq!(answer["status"], "Success", "{answer}");

    let turned =
        |event: &Value| event["leftDistance"].as_f64() > before["leftDistance"].as_f64().map(|it| it + 45.0);
    for client in [(&mut near, "near"), (&mut far, "far")] {
        let (client, name) = client;
        while !turned(&client.event(name).await) {}
    }
}
