//! What a bridge refuses, and where a client reads it.

use latimer_core::Command;
use latimer_core::access::Role;
use latimer_core::model::Outcome;
use latimer_core::model::signal::Battery;
use latimer_dialects::listen::Ports;
use serde_json::{Value, json};

use super::{Bridge, call, publish, settled};
use crate::gate::{self, Users};
use crate::rig::{self, Socket};

/// Follows `/rosout` from now on.
async fn rosout(bridge: &Bridge, user: &str, topic: &str) -> Socket {
    let mut socket = gate::socket(user, &bridge.address).await;
    socket.send(&json!({"op": "subscribe", "topic": topic, "type": "rosgraph_msgs/Log"})).await;
    settled(&mut socket).await;
    socket
}

fn twist(linear: Value) -> Value {
    publish("/rover/cmd_vel", json!({"linear": linear}))
}

#[tokio::test]
async fn a_refusal_is_a_line_on_rosout_and_a_status_for_who_asked_for_it_alone() {
    let bridge = Bridge::start(Ports::default()).await;
    let mut log = rosout(&bridge, "log", "/rosout").await;
    let mut socket = gate::socket("ada", &bridge.address).await;
    for (level, is_told) in
        [(None, false), (Some("none"), false), (Some("error"), true), (Some("none"), false)]
    {
        if let Some(level) = level {
            socket.send(&json!({"op": "set_level", "level": level})).await;
        }
        socket.send(&twist(json!({"X": 1}))).await;
        let line = log.json().await["msg"].take();
        assert_eq!((&line["level"], &line["topics"]), (&json!(8), &json!(["/rover/cmd_vel"])));
        let text = line["msg"].as_str().unwrap();
        assert!(text.contains("linear.X: geometry_msgs/Vector3 has no such field"), "{text}");
        // What is answered next comes after a status, if there is one.
        socket.send(&json!({"op": "call_service", "service": "/rosapi/nodes"})).await;
        let frame = socket.json().await;
        assert_eq!(frame["op"] == "status", is_told, "{level:?}: {frame}");
        if is_told {
            assert_eq!(frame["msg"], line["msg"]);
            socket.json().await;
        }
    }
}

#[tokio::test]
async fn a_message_that_is_none_of_its_type_moves_nothing() {
    let mut bridge = Bridge::start(Ports::default()).await;
    let mut log = rosout(&bridge, "log", "/rover/rosout").await;
    let mut socket = gate::socket("ada", &bridge.address).await;
    for (message, path) in [
        (json!({"linear": {"x": null}}), "linear.x: null is no float64"),
        (Value::Null, "null is no geometry_msgs/Twist"),
        (json!({"liner": {"x": 1}}), "liner: geometry_msgs/Twist has no such field"),
        (json!({"linear": {"x": "1"}}), "linear.x: \"1\" is no float64"),
        (json!({"twist": {"linear": {"y": true}}}), "twist.linear.y: true is no float64"),
        (json!({"header": {"frame": "map"}, "twist": {}}), "header.frame: std_msgs/Header has no such field"),
    ] {
        socket.send(&publish("/rover/cmd_vel", message)).await;
        let line = log.json().await;
        assert!(line["msg"]["msg"].as_str().unwrap().contains(path), "{line}");
    }
    // The next command is the first one that reaches the robot; what is left out is zero.
    socket.send(&twist(json!({"x": 0.5}))).await;
    let driven = rig::answer(&mut bridge.source, Outcome::Accepted).await;
    assert!(matches!(driven, Command::Drive { linear_mps: 0.5, .. }), "{driven:?}");
}

#[tokio::test]
async fn both_twists_drive_whatever_was_advertised_in_the_words_of_either_ros() {
    let mut bridge = Bridge::start(Ports::default()).await;
    let mut socket = gate::socket("ada", &bridge.address).await;
    let plain = json!({"linear": {"x": 0.5, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0}});
    let stamped = json!({"header": {"stamp": {"sec": 1, "nanosec": 2}, "frame_id": ""}, "twist": plain});
    for (ros_type, message) in [
        ("geometry_msgs/Twist", &plain),
        ("geometry_msgs/msg/Twist", &plain),
        ("geometry_msgs/TwistStamped", &stamped),
        ("geometry_msgs/msg/TwistStamped", &stamped),
    ] {
        socket.send(&json!({"op": "advertise", "topic": "/rover/cmd_vel", "type": ros_type})).await;
        socket.send(&publish("/rover/cmd_vel", message.clone())).await;
        let driven = rig::answer(&mut bridge.source, Outcome::Accepted).await;
        assert!(matches!(driven, Command::Drive { linear_mps: 0.5, .. }), "{ros_type}: {driven:?}");
    }
    let mut log = rosout(&bridge, "log", "/rosout").await;
    socket.send(&json!({"op": "advertise", "topic": "/rover/cmd_vel", "type": "std_msgs/String"})).await;
    let line = log.json().await;
    let expected =
        "/rover/cmd_vel is of type geometry_msgs/Twist or geometry_msgs/TwistStamped, not std_msgs/String";
    assert_eq!(line["msg"]["msg"], expected);
}

#[tokio::test]
async fn arguments_are_a_list_or_an_object_and_one_that_is_wrong_is_named() {
    for args in [json!([true]), json!([true, "and more"]), json!({"data": true})] {
        let mut bridge = Bridge::start(Ports::default()).await;
        let mut socket = gate::socket("ada", &bridge.address).await;
        let call = json!({"op": "call_service", "service": "/rover/emergency_stop", "args": args});
        socket.send(&call).await;
        assert!(rig::answer(&mut bridge.source, Outcome::Done).await.is_stop());
        assert_eq!(socket.json().await["values"], json!({"success": true, "message": ""}));
    }
    let bridge = Bridge::start(Ports::default()).await;
    let mut socket = gate::socket("ada", &bridge.address).await;
    for (args, problem) in [
        (json!({"on": true}), "on: std_srvs/SetBoolRequest has no such field; it has data"),
        (json!(["on"]), "data: \"on\" is no bool"),
    ] {
        let answer = call(&mut socket, "/rover/emergency_stop", args).await;
        assert_eq!(answer["result"], false);
        assert_eq!(answer["values"], format!("/rover/emergency_stop: {problem}"));
    }
    // By its place and by its name.
    for args in [json!(["/rover/cmd_vel"]), json!({"topic": "/rover/cmd_vel"})] {
        let answer = call(&mut socket, "/rosapi/topic_type", args).await;
        assert_eq!(answer["values"]["type"], "geometry_msgs/Twist");
    }
}

#[tokio::test]
async fn a_line_about_a_robot_is_for_those_who_may_see_it() {
    let users = Users::new(&[("ada", &[(Role::Drive, "*")]), ("other", &[(Role::See, "pera-*")])]);
    let bridge = Bridge::start(users.ports()).await;
    let mut ada = rosout(&bridge, "ada", "/rosout").await;
    let mut other = rosout(&bridge, "other", "/rosout").await;
    ada.send(&twist(json!({"X": 1}))).await;
    assert_eq!(ada.json().await["msg"]["topics"], json!(["/rover/cmd_vel"]));
    // The first line that comes is about what it sent itself.
    other.send(&json!({"op": "subscribe"})).await;
    assert_eq!(other.json().await["msg"]["msg"], "subscribe needs a topic");
}

#[tokio::test]
async fn each_field_of_the_type_is_in_what_is_published() {
    let bridge = Bridge::start(Ports::default()).await;
    let mut socket = gate::socket("ada", &bridge.address).await;
    socket.send(&json!({"op": "subscribe", "topic": "/rover/battery"})).await;
    settled(&mut socket).await;
    rig::publish(&bridge.source, None, Battery { charge_ratio: Some(0.5), ..Battery::UNKNOWN });
    let message = socket.json().await["msg"].take();
    let fields =
        call(&mut socket, "/rosapi/message_details", json!({"type": "sensor_msgs/BatteryState"})).await;
    for field in fields["values"]["typedefs"][0]["fieldnames"].as_array().unwrap() {
        assert!(message.get(field.as_str().unwrap()).is_some(), "{field} of {message}");
    }
    assert_eq!(message["header"]["seq"], 0);
    assert_eq!((&message["serial_number"], &message["power_supply_technology"]), (&json!(""), &json!(0)));
}
