//! Robots behind rosbridge, for clients that nobody here wrote, and for a second gateway.

use std::process::Stdio;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_e2e::{Gateway, PATIENCE, PROGRAM, program};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;

use crate::python;

/// The bridge's port above the common one.
const BRIDGE: u16 = 10;

const CONFIG: &str = "[http]\nlisten = '127.0.0.1:8080'\n[world]\nfile = 'empty'\nseed = 1\n\
     [[simulate]]\nrobot = 'misty-1'\nbody = 'misty'\nposition_m = [2.0, 3.0]\nyaw_deg = 0.0\n\
     [rosbridge]\nlisten = '127.0.0.1:8090'\n";

/// The same with a port on which the robot's topics have no name before them.
const OWN_PORT: &str = "[[rosbridge.serve]]\nrobot = 'misty-1'\nlisten = '127.0.0.1:8091'\n";

/// Runs a script of `tests/node` to its end, which must be a good one.
async fn node(script: &str, arguments: &[&str]) {
    let script = program::repository().join("tests/node").join(script);
    let installed = script.with_file_name("node_modules/roslib");
    assert!(installed.exists(), "{} is missing; run `make setup`", installed.display());
    let running =
        Command::new("node").arg(&script).args(arguments).stdin(Stdio::null()).kill_on_drop(true).output();
    let output = tokio::time::timeout(PROGRAM, running).await.expect("it ends").expect("node starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}:\n{out}{err}", output.status);
}

#[tokio::test]
async fn a_program_with_roslib_follows_drives_and_stops_a_robot() {
    let gateway = Gateway::with_text(CONFIG).await;
    node("roslib_robot.mjs", &[&format!("ws://{}", gateway.port(BRIDGE)), "misty_1"]).await;
    gateway.until_sinks_are(0, PATIENCE).await;
}

#[tokio::test]
async fn programs_of_both_majors_of_roslib_use_a_robot_at_its_own_address() {
    let gateway = Gateway::with_text(&format!("{CONFIG}{OWN_PORT}")).await;
    let port = format!("ws://{}", gateway.port(BRIDGE + 1));
    let path = format!("ws://{}/robots/misty-1/rosbridge", gateway.http());
    node("roslib_own_port.mjs", &["roslib1", &port]).await;
    node("roslib_own_port.mjs", &["roslib", &path]).await;
    gateway.until_sinks_are(0, PATIENCE).await;
}

#[tokio::test]
async fn an_mcp_server_for_robots_of_ros_looks_drives_and_stops_a_robot() {
    let gateway = Gateway::with_text(&format!("{CONFIG}{OWN_PORT}")).await;
    let address = gateway.port(BRIDGE + 1);
    let (host, port) = address.rsplit_once(':').expect("an address has a port");
    python::run("rosmcp", "ros_mcp_client.py", &[host, port]).await;
}

#[tokio::test]
async fn a_program_with_roslibpy_sees_turns_and_stops_a_robot() {
    let gateway = Gateway::with_text(CONFIG).await;
    let address = gateway.port(BRIDGE);
    let (host, port) = address.rsplit_once(':').expect("an address has a port");
    python::run("rosbridge", "rosbridge_robot.py", &[host, port, "misty_1"]).await;
}

#[tokio::test]
async fn an_emergency_stop_at_a_second_gateway_holds_the_robot_at_the_first() {
    let first = Gateway::with_text(CONFIG).await;
    let second = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n\
         [[rosbridge.connect]]\nrobot = 'far'\naddress = '{}'\nname = 'misty_1'\n",
        first.port(BRIDGE)
    ))
    .await;
    second.until_up("far").await;
    let held = async |pressed: bool| {
        let url = format!("http://{}/api/v1/robots/misty-1", first.http());
        loop {
            let robot: Value =
                reqwest::get(&url).await.expect("it answers").json().await.expect("it is JSON");
            if robot["emergency_stop"].is_object() == pressed {
                return;
            }
            // The bridge is asked for its services every few seconds.
            second
                .cli(
                    &["estop", "far"]
                        .iter()
                        .copied()
                        .chain((!pressed).then_some("--release"))
                        .collect::<Vec<_>>(),
                )
                .await;
        }
    };
    tokio::time::timeout(PATIENCE, held(true)).await.expect("it is pressed at the first");
    let drive = first.cli(&["send", "misty-1", "drive", "0.1", "0", "--for", "1s"]).await;
    assert_eq!(drive.status.code(), Some(4), "{drive:?}");
    tokio::time::timeout(PATIENCE, held(false)).await.expect("it is released at the first");
}

#[tokio::test]
async fn a_second_gateway_reaches_a_robot_over_the_bridge() {
    let first = Gateway::with_text(CONFIG).await;
    let second = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n\
         [[rosbridge.connect]]\nrobot = 'far'\naddress = '{}'\nname = 'misty_1'\n",
        first.port(BRIDGE)
    ))
    .await;
    second.until_up("far").await;
    let drive = json!({"command": "drive", "linear_mps": 0.2, "duration_s": 1.0});
    let url = format!("http://{}/api/v1/robots/far/commands", second.http());
    let answer = reqwest::Client::new()
        .post(url)
        .header("content-type", "application/json")
        .body(drive.to_string())
        .send()
        .await
        .expect("the gateway answers");
    assert_eq!(answer.status(), 200);
    let went = async {
        loop {
            let world = reqwest::get(format!("http://{}/api/v1/world", first.http())).await;
            let world: Value = world.expect("it answers").json().await.expect("it is JSON");
            if world["now"]["robots"][0]["x_m"].as_f64().is_some_and(|x_m| x_m > 2.1) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, went).await.expect("the robot drives");
    let output = second.cli_ok(&["echo", "far/battery", "-n", "1"]).await;
    assert!(output.contains("charge_ratio"), "{output}");
}

/// A bridge of rosbridge_suite for which no rosapi was started: calls fail with the reason as their values.
async fn bridge_without_rosapi(listener: TcpListener) {
    let mut clients = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        clients.spawn(async move {
            let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else { return };
            while let Some(Ok(frame)) = socket.next().await {
                let frame = frame.to_text().ok().and_then(|it| serde_json::from_str::<Value>(it).ok());
                let Some(frame) = frame.filter(|it| it["op"] == "call_service") else { continue };
                let answer = json!({"op": "service_response", "id": frame["id"], "service": frame["service"],
                    "values": "Service /rosapi/topics does not exist", "result": false});
                if socket.send(Message::text(answer.to_string())).await.is_err() {
                    return;
                }
            }
        });
    }
}

#[tokio::test]
async fn a_bridge_without_rosapi_is_down_and_says_what_to_start() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    let bridge = tokio::spawn(bridge_without_rosapi(listener));
    let gateway = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[rosbridge.connect]]\nrobot = 'base-1'\naddress = '{address}'\nname = ''\n"
    ))
    .await;
    let url = format!("http://{}/api/v1/robots/base-1", gateway.http());
    let reason = async {
        loop {
            let robot: Value =
                reqwest::get(&url).await.expect("it answers").json().await.expect("it is JSON");
            assert_ne!(robot["link"]["state"], "up", "nothing is known of it");
            match robot["link"]["reason"].as_str() {
                Some(reason) if reason.contains("rosapi") => return reason.to_owned(),
                _ => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    };
    let reason = tokio::time::timeout(PATIENCE, reason).await.expect("it says why");
    assert!(reason.contains("start rosapi") && reason.contains("does not exist"), "{reason}");
    bridge.abort();
}
