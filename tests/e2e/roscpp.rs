//! Programs in roscpp, compiled from our own sources with the maker's messages: roscpp compares MD5 sums alone and declares no layout when it
//! subscribes, so these must be the maker's to the letter.

use std::collections::BTreeSet;
use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::{Gateway, Ros, RosMaster};
use serde_json::{Value, json};

/// The master's port above the common one.
const MASTER: u16 = 30;

async fn get(gateway: &Gateway, path: &str) -> Value {
    let url = format!("http://{}/api/v1/{path}", gateway.http());
    let answer = reqwest::get(url).await.expect("the gateway answers");
    serde_json::from_str(&answer.text().await.expect("the answer is text")).expect("the answer is JSON")
}

/// The first word of a line.
fn first(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

#[tokio::test]
async fn a_client_with_a_copy_of_the_messages_hears_a_miro_and_drives_it() {
    let gateway = Gateway::with_text(
        "[http]\nlisten = '127.0.0.1:8080'\n[world]\nfile = 'empty'\nseed = 1\n\
         [[simulate]]\nrobot = 'miro-1'\nbody = 'miro'\nposition_m = [3.0, 3.0]\nyaw_deg = 0.0\n\
         [miro.master]\nlisten = '127.0.0.1:11311'\n[[miro.serve]]\nrobot = 'miro-1'\nname = 'rob01'\n",
    )
    .await;
    let ros = Ros::at(&format!("http://{}", gateway.port(MASTER))).await;
    let client = ros.compile("miro_client", "robot_copy").await;
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    ros.line(PATIENCE, &client, &["rob01"], |line| {
        assert_ne!(line, "mics 20000 4000 gap", "{lines:?}");
        lines.push(line.to_owned());
        seen.insert(first(line).to_owned());
        seen.len() == 3
    })
    .await;
    assert!(lines.iter().any(|line| line == "mics 20000 4000 gapless"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("sensors 5.") && line.ends_with(" V 15")), "{lines:?}");
    let world = get(&gateway, "world").await;
    let x_m = world["now"]["robots"][0]["x_m"].as_f64();
    assert!(x_m.is_some_and(|x_m| x_m > 3.02), "it drove: {world}");
}

#[tokio::test]
async fn a_bridge_is_followed_and_driven() {
    let master = RosMaster::start().await;
    let ros = Ros::at(&master.uri()).await;
    let bridge = ros.compile("miro_bridge", "miro_msgs").await;
    let gateway = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[miro.connect]]\nrobot = 'real'\nname = 'rob01'\naddress = '{}'\n",
        master.address()
    ))
    .await;
    let received = async {
        let driven = ros.line(PATIENCE, &bridge, &["rob01"], |line| line == "body_vel 150");
        driven.await
    };
    let asks = async {
        gateway.until_up("real").await;
        // The link is up with the first sensors; the serial number comes with the state, on a connection of its own.
        while !get(&gateway, "last?select=real/device").await.to_string().contains("4711") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let url = format!("http://{}/api/v1/robots/real/commands", gateway.http());
        let drive = json!({"command": "drive", "linear_mps": 0.15}).to_string();
        loop {
            let request = reqwest::Client::new().post(&url).header("content-type", "application/json");
            request.body(drive.clone()).send().await.expect("the gateway answers");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::select! {
        line = received => assert_eq!(line, "body_vel 150"),
        () = asks => unreachable!("it sends the drive command until the bridge receives it"),
    }
}
