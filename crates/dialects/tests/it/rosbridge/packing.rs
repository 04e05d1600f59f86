//! Frames that come and go in other forms than one JSON text each.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::Command;
use latimer_core::model::Outcome;
use latimer_core::model::signal::{Frame, Navigation, NavigationKind, NavigationState, Pose};
use latimer_dialects::listen::Ports;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::{Bridge, publish, settled};
use crate::gate;
use crate::rig;

/// What a subscription to the pose of a robot brings.
async fn first(options: Value) -> (Bridge, rig::Socket) {
    let bridge = Bridge::start(Ports::default()).await;
    let mut socket = gate::socket("ada", &bridge.address).await;
    let mut subscribe = json!({"op": "subscribe", "topic": "/rover/pose"});
    subscribe.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    socket.send(&subscribe).await;
    settled(&mut socket).await;
    rig::publish(&bridge.source, None, Pose::planar(Frame::Map, 1.5, 2.0, 0.0));
    (bridge, socket)
}

/// Joins fragments until there is a frame.
async fn joined(socket: &mut rig::Socket, most: usize) -> String {
    let mut text = String::new();
    loop {
        let piece = socket.json().await;
        assert_eq!(piece["op"], "fragment", "{piece}");
        let data = piece["data"].as_str().unwrap();
        assert!(data.len() <= most, "{data}");
        text.push_str(data);
        if piece["num"].as_u64().unwrap() + 1 == piece["total"].as_u64().unwrap() {
            return text;
        }
    }
}

#[tokio::test]
async fn messages_come_in_fragments_as_long_as_was_asked() {
    let (_bridge, mut socket) = first(json!({"fragment_size": 64})).await;
    let frame: Value = serde_json::from_str(&joined(&mut socket, 64).await).unwrap();
    assert_eq!((&frame["op"], &frame["msg"]["pose"]["position"]["x"]), (&json!("publish"), &json!(1.5)));
    let call =
        json!({"op": "call_service", "id": "all", "service": "/rosapi/services", "fragment_size": 100});
    socket.send(&call).await;
    let answer: Value = serde_json::from_str(&joined(&mut socket, 100).await).unwrap();
    assert_eq!((&answer["op"], &answer["id"]), (&json!("service_response"), &json!("all")));
}

#[tokio::test]
async fn a_message_is_the_pixels_of_a_picture() {
    let (_bridge, mut socket) = first(json!({"compression": "png"})).await;
    let frame = socket.json().await;
    assert_eq!(frame["op"], "png");
    let png = STANDARD.decode(frame["data"].as_str().unwrap()).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    let within: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(
        (&within["topic"], &within["msg"]["pose"]["position"]["x"]),
        (&json!("/rover/pose"), &json!(1.5))
    );
}

#[tokio::test]
async fn a_message_is_binary_for_who_asks_for_it() {
    for (compression, holds) in [
        // A map whose `position` has x as a float of 64 bits.
        ("cbor", [&b"\x68position\xa3\x61x\xfb"[..], &1.5_f64.to_be_bytes()].concat()),
        // The bytes of ROS have it the other way round.
        ("cbor-raw", [&b"\x65nsecs"[..]].concat()),
    ] {
        let (_bridge, mut socket) = first(json!({"compression": compression})).await;
        let Message::Binary(bytes) = socket.message().await else { panic!("{compression} is a text") };
        assert!(bytes.starts_with(b"\xa3\x62op\x67publish\x65topic\x6b/rover/pose\x63msg"), "{bytes:?}");
        assert!(bytes.windows(holds.len()).any(|it| it == holds), "{compression}: {bytes:?}");
        if compression == "cbor-raw" {
            let place = [1.5_f64, 2.0, 0.0].map(f64::to_le_bytes).concat();
            assert!(bytes.windows(place.len()).any(|it| it == place), "{bytes:?}");
        }
    }
}

#[tokio::test]
async fn fragments_of_a_client_are_joined_and_frames_may_stand_together() {
    let mut bridge = Bridge::start(Ports::default()).await;
    let mut socket = gate::socket("ada", &bridge.address).await;
    let twist = |mps: f64| publish("/rover/cmd_vel", json!({"linear": {"x": mps}})).to_string();
    let text = twist(0.25);
    let (one, other) = text.split_at(30);
    for (num, data) in [(1, other), (0, one)] {
        socket.send(&json!({"op": "fragment", "id": 7, "data": data, "num": num, "total": 2})).await;
    }
    let driven = rig::answer(&mut bridge.source, Outcome::Accepted).await;
    assert!(matches!(driven, Command::Drive { linear_mps: 0.25, .. }), "{driven:?}");
    let lamp = publish("/rover/set_lamp", json!({"r": 1, "g": 0, "b": 0, "a": 1}));
    socket.send(format!("{lamp}\n{}", twist(0.5))).await;
    let mut asked = Vec::new();
    for _ in 0..2 {
        asked.push(rig::answer(&mut bridge.source, Outcome::Accepted).await.name());
    }
    asked.sort_unstable();
    assert_eq!(asked, ["drive", "lamp"]);
    // What cannot be joined says so, and the connection stays.
    socket.send(&json!({"op": "set_level", "level": "error"})).await;
    socket.send(&json!({"op": "fragment", "id": 7, "data": "x", "num": 2, "total": 2})).await;
    let refused = socket.json().await;
    assert!(refused["msg"].as_str().unwrap().contains("num begins with 0"), "{refused}");
}

#[tokio::test]
async fn topics_of_several_signals_are_packed_like_all_others() {
    for topic in ["/tf", "/tf_static", "/rover/move_base/status", "/rover/robot_description"] {
        let bridge = Bridge::start(Ports::default()).await;
        let mut socket = gate::socket("ada", &bridge.address).await;
        let navigation = Navigation::new(1, NavigationKind::Goto, NavigationState::Moving);
        rig::publish(&bridge.source, None, navigation);
        rig::publish(&bridge.source, None, Pose::planar(Frame::Map, 1.5, 2.0, 0.0));
        settled(&mut socket).await;
        socket.send(&json!({"op": "subscribe", "topic": topic, "compression": "cbor-raw"})).await;
        let Message::Binary(bytes) = rig::in_time(socket.message()).await else {
            panic!("{topic} is a text")
        };
        assert!(bytes.windows(topic.len()).any(|it| it == topic.as_bytes()), "{topic}: {bytes:?}");
        // The same topic in a second subscription, in shorter pieces; the stronger compression goes with its own.
        socket.send(&json!({"op": "subscribe", "topic": topic, "id": "b", "fragment_size": 50})).await;
        let Message::Binary(_) = rig::in_time(socket.message()).await else { panic!("{topic} is a text") };
        socket.send(&json!({"op": "unsubscribe", "topic": topic, "id": null})).await;
        socket.send(&json!({"op": "subscribe", "topic": topic, "fragment_size": 50})).await;
        let frame: Value = serde_json::from_str(&rig::in_time(joined(&mut socket, 50)).await).unwrap();
        assert_eq!((&frame["op"], &frame["topic"]), (&json!("publish"), &json!(topic)));
    }
}
