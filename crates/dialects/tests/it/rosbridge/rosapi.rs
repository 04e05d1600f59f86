//! All of `rosapi`, beside a robot and a client.

use latimer_core::model::signal::Battery;
use latimer_dialects::listen::Ports;
use serde_json::{Value, json};

use super::{Bridge, call};
use crate::gate;
use crate::rig::{self, Socket};

/// A bridge with a robot that has said something, and a client.
async fn started() -> (Bridge, Socket) {
    let bridge = Bridge::start(Ports::default()).await;
    rig::publish(&bridge.source, None, Battery { charge_ratio: Some(0.5), ..Battery::UNKNOWN });
    let socket = gate::socket("ada", &bridge.address).await;
    (bridge, socket)
}

async fn values(socket: &mut Socket, service: &str, args: Value) -> Value {
    let mut answer = call(socket, &format!("/rosapi/{service}"), args).await;
    assert_eq!(answer["result"], true, "{service}: {answer}");
    answer["values"].take()
}

#[tokio::test]
async fn topics_services_and_nodes_are_answered_from_what_is_connected() {
    let (_bridge, mut socket) = started().await;
    for (service, args, expected) in [
        (
            "topics_for_type",
            json!({"type": "sensor_msgs/msg/BatteryState"}),
            json!({"topics": ["/rover/battery"]}),
        ),
        ("topic_type", json!({"topic": "/rover/battery"}), json!({"type": "sensor_msgs/BatteryState"})),
        ("topic_type", json!({"topic": "/rosout"}), json!({"type": "rosgraph_msgs/Log"})),
        ("publishers", json!({"topic": "/rover/battery"}), json!({"publishers": ["/rover"]})),
        ("subscribers", json!({"topic": "/rover/battery"}), json!({"subscribers": []})),
        ("subscribers", json!({"topic": "/rover/cmd_vel"}), json!({"subscribers": ["/rover"]})),
        (
            "services_for_type",
            json!({"type": "std_srvs/SetBool"}),
            json!({"services": ["/rover/emergency_stop"]}),
        ),
        ("service_type", json!({"service": "/rover/stop"}), json!({"type": "std_srvs/Trigger"})),
        ("service_type", json!({"service": "/rosapi/topics"}), json!({"type": "rosapi/Topics"})),
        ("service_node", json!({"service": "/rover/stop"}), json!({"node": "/rover"})),
        ("service_host", json!({"service": "/rover/stop"}), json!({"host": "localhost"})),
        ("service_providers", json!({"service": "std_srvs/Trigger"}), json!({"providers": ["/rover"]})),
        (
            "nodes",
            json!({}),
            json!({"nodes": ["/rosapi", "/rosbridge_websocket", "/rover", "/tf2_web_republisher"]}),
        ),
        (
            "action_servers",
            json!({}),
            json!({"action_servers": ["/rover/move_base", "/tf2_web_republisher", "/rover/navigate_to_pose"]}),
        ),
    ] {
        assert_eq!(values(&mut socket, service, args.clone()).await, expected, "{service} {args}");
    }
    let details = values(&mut socket, "node_details", json!({"node": "/rover"})).await;
    assert!(details["subscribing"].as_array().unwrap().contains(&json!("/rover/cmd_vel")), "{details}");
    assert!(details["publishing"].as_array().unwrap().contains(&json!("/rover/battery")), "{details}");
    assert_eq!(details["services"], json!(["/rover/emergency_stop", "/rover/stop"]));
    let all = values(&mut socket, "topics_and_raw_types", json!({})).await;
    let at = all["topics"].as_array().unwrap().iter().position(|it| it == "/rover/battery").unwrap();
    let text = all["typedefs_full_text"][at].as_str().unwrap();
    assert!(text.contains("float32 percentage") && text.contains("MSG: std_msgs/Header"), "{text}");
}

#[tokio::test]
async fn types_are_described_from_the_catalogue() {
    let (_bridge, mut socket) = started().await;
    let twist = values(&mut socket, "message_details", json!({"type": "geometry_msgs/msg/Twist"})).await;
    let expected = json!([
        {"type": "geometry_msgs/Twist", "fieldnames": ["linear", "angular"],
         "fieldtypes": ["geometry_msgs/Vector3", "geometry_msgs/Vector3"], "fieldarraylen": [-1, -1],
         "examples": ["{}", "{}"], "constnames": [], "constvalues": []},
        {"type": "geometry_msgs/Vector3", "fieldnames": ["x", "y", "z"], "fieldtypes": ["float64", "float64", "float64"],
         "fieldarraylen": [-1, -1, -1], "examples": ["0.0", "0.0", "0.0"], "constnames": [], "constvalues": []},
    ]);
    assert_eq!(twist["typedefs"], expected);
    for (service, first) in [
        ("service_request_details", json!(["data"])),
        ("service_response_details", json!(["success", "message"])),
    ] {
        let details = values(&mut socket, service, json!({"type": "std_srvs/SetBool"})).await;
        assert_eq!(details["typedefs"][0]["fieldnames"], first, "{service}");
    }
    let unknown = call(&mut socket, "/rosapi/message_details", json!({"type": "my_msgs/Thing"})).await;
    assert_eq!(
        (&unknown["result"], &unknown["values"]),
        (&json!(false), &json!("the type \"my_msgs/Thing\" is not known here"))
    );
}

#[tokio::test]
async fn parameters_are_shared_and_bounded() {
    let (bridge, mut socket) = started().await;
    let mut other = gate::socket("other", &bridge.address).await;
    values(&mut socket, "set_param", json!({"name": "/my_app/speed", "value": "{\"max\": 0.5}"})).await;
    assert_eq!(
        values(&mut other, "get_param", json!({"name": "my_app/speed"})).await["value"],
        "{\"max\":0.5}"
    );
    assert_eq!(values(&mut other, "has_param", json!({"name": "/my_app/speed"})).await["exists"], true);
    // A parameter is a node of a tree.
    values(&mut socket, "set_param", json!({"name": "/my_app/name", "value": "\"a\""})).await;
    for (name, value) in [("/my_app", r#"{"speed":{"max":0.5},"name":"a"}"#), ("/my_app/speed/max", "0.5")] {
        assert_eq!(values(&mut other, "get_param", json!({"name": name})).await["value"], value);
    }
    let names = values(&mut other, "get_param_names", json!({})).await;
    let all = json!(["/rosdistro", "/rosversion", "/my_app/speed/max", "/my_app/name"]);
    assert_eq!(names["names"], all);
    for (default, value) in [("\"d\"", "\"d\""), ("no JSON", "\"no JSON\"")] {
        let absent = json!({"name": "/absent", "default": default});
        assert_eq!(values(&mut other, "get_param", absent).await["value"], value);
    }
    values(&mut other, "delete_param", json!({"name": "/absent"})).await;
    values(&mut other, "delete_param", json!({"name": "/my_app/speed"})).await;
    assert_eq!(
        values(&mut socket, "get_param", json!({"name": "/my_app/speed", "default": "7"})).await["value"],
        "7"
    );
    assert_eq!(values(&mut socket, "get_param", json!({"name": "/my_app/speed"})).await["value"], "null");
    assert_eq!(
        values(&mut socket, "get_param", json!({"name": "/rosdistro"})).await["value"],
        "\"noetic\\n\""
    );
    for (args, problem) in [
        (json!({"name": "/a", "value": "{"}), "the value is no JSON text"),
        (json!({"name": "/a", "value": format!("\"{}\"", "x".repeat(1 << 20))}), "are the limit"),
        (json!({"name": "/a", "value": 7}), "value: 7 is no string"),
    ] {
        let refused = call(&mut socket, "/rosapi/set_param", args).await;
        assert_eq!(refused["result"], false);
        assert!(refused["values"].as_str().unwrap().contains(problem), "{refused}");
    }
}
