//! Commands of one client that wait for their robot, and its stops.

use latimer_core::Command;
use latimer_core::model::Outcome;
use latimer_dialects::limits::MAX_PENDING_STOPS;
use latimer_dialects::listen::Ports;
use latimer_testing::PATIENCE;
use serde_json::{Value, json};

use super::Bridge;
use crate::gate;
use crate::rig::Socket;

/// Commands of one client that may wait, apart from stops.
const MOST: usize = 64;

/// What stops a robot.
fn stops() -> [Value; 3] {
    let still = json!({"linear": {"x": 0, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0}});
    [
        json!({"op": "call_service", "service": "/rover/stop"}),
        json!({"op": "call_service", "service": "/rover/emergency_stop", "args": {"data": true}}),
        json!({"op": "publish", "topic": "/rover/cmd_vel", "msg": still}),
    ]
}

/// The socket of a client that wants to be told what is refused.
async fn told(bridge: &Bridge) -> Socket {
    let mut socket = gate::socket("ada", &bridge.address).await;
    socket.send(&json!({"op": "set_level", "level": "error"})).await;
    socket
}

/// Of a message, or of a call.
fn is_refusal(frame: &Value) -> bool {
    let text = frame["msg"].as_str().or_else(|| frame["values"].as_str());
    text.is_some_and(|text| text.contains("wait for their robots"))
}

#[tokio::test]
async fn a_client_whose_commands_wait_stops_the_robot() {
    for stop in stops() {
        let mut bridge = Bridge::start(Ports::default()).await;
        let mut socket = told(&bridge).await;
        let lamp = json!({"r": 1, "g": 0, "b": 0, "a": 1});
        for _ in 0..=MOST {
            socket.send(&json!({"op": "publish", "topic": "/rover/set_lamp", "msg": lamp})).await;
        }
        assert!(is_refusal(&socket.json().await), "the last one");
        socket.send(&stop).await;
        // It overtakes what waits, which is void; an answer to that is the first that comes.
        let void = socket.json().await;
        assert!(void["msg"].as_str().is_some_and(|it| it.contains("a stop came after it")), "{void}");
        let request = tokio::time::timeout(PATIENCE, bridge.source.next_command()).await.unwrap();
        assert!(request.command.is_stop(), "{stop}: {:?}", request.command);
        request.answer(Outcome::Done);
    }
}

#[tokio::test]
async fn a_flood_of_stops_is_bounded_and_no_drive_comes_behind_it() {
    let mut bridge = Bridge::start(Ports::default()).await;
    let mut socket = told(&bridge).await;
    let [stop, ..] = stops();
    for _ in 0..=MAX_PENDING_STOPS {
        socket.send(&stop).await;
    }
    assert!(is_refusal(&socket.json().await), "the last one");
    let drive = json!({"linear": {"x": 0.5, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0}});
    let drive = json!({"op": "publish", "topic": "/rover/cmd_vel", "msg": drive});
    socket.send(&drive).await;
    assert!(is_refusal(&socket.json().await), "nothing comes behind stops of which one more is refused");
    for _ in 0..MAX_PENDING_STOPS {
        let request = tokio::time::timeout(PATIENCE, bridge.source.next_command()).await.unwrap();
        assert_eq!(request.command, Command::Stop { hold: false });
        request.answer(Outcome::Done);
        assert_eq!(socket.json().await["values"]["success"], true);
    }
    socket.send(&drive).await;
    let request = tokio::time::timeout(PATIENCE, bridge.source.next_command()).await.unwrap();
    assert_eq!(request.command.name(), "drive");
    request.answer(Outcome::Done);
}
