//! Topics and services that clients have for one another.

use latimer_core::access::Role;
use latimer_core::model::Outcome;
use latimer_core::model::signal::Battery;
use latimer_dialects::listen::Ports;
use serde_json::{Value, json};

use super::{Bridge, call, publish, settled};
use crate::gate::{self, Users};
use crate::rig::{self, Socket};

async fn advertise(socket: &mut Socket, topic: &str, ros_type: &str) {
    socket.send(&json!({"op": "advertise", "topic": topic, "type": ros_type})).await;
}

async fn subscribe(socket: &mut Socket, topic: &str) {
    socket.send(&json!({"op": "subscribe", "topic": topic})).await;
    settled(socket).await;
}

#[tokio::test]
async fn a_topic_of_an_application_reaches_all_who_follow_it() {
    let bridge = Bridge::start(Ports::default()).await;
    let mut readers = Vec::new();
    // One of them came before the topic did.
    for _ in 0..2 {
        let mut reader = gate::socket("reader", &bridge.address).await;
        subscribe(&mut reader, "/my_app/state").await;
        readers.push(reader);
    }
    let mut writer = gate::socket("writer", &bridge.address).await;
    advertise(&mut writer, "/my_app/state", "std_msgs/msg/String").await;
    writer.send(&publish("/my_app/state", json!({"data": "ready"}))).await;
    for reader in &mut readers {
        let expected = json!({"op": "publish", "topic": "/my_app/state", "msg": {"data": "ready"}});
        assert_eq!(reader.json().await, expected);
    }
    let topic = json!({"topic": "/my_app/state"});
    let of = async |service: &str, socket: &mut Socket| {
        call(socket, service, topic.clone()).await["values"].take()
    };
    assert_eq!(of("/rosapi/topic_type", &mut writer).await["type"], "std_msgs/String");
    assert_eq!(of("/rosapi/publishers", &mut writer).await["publishers"], json!(["/rosbridge_websocket"]));
    assert_eq!(of("/rosapi/subscribers", &mut writer).await["subscribers"], json!(["/rosbridge_websocket"]));
    // A message that does not fit the type reaches no subscriber, and its sender is told why if it asked for status frames.
    writer.send(&json!({"op": "set_level", "level": "error"})).await;
    writer.send(&publish("/my_app/state", json!({"text": "x"}))).await;
    let refused = writer.json().await;
    assert!(
        refused["msg"].as_str().unwrap().contains("text: std_msgs/String has no such field"),
        "{refused}"
    );
    // Topics of nobody are gone with those who had them.
    drop(readers);
    writer.send(&json!({"op": "unadvertise", "topic": "/my_app/state"})).await;
    let gone = async {
        while of("/rosapi/topic_type", &mut writer).await["type"] != "" {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(latimer_testing::PATIENCE, gone).await.expect("it goes");
}

#[tokio::test]
async fn the_last_message_of_a_latched_topic_waits_for_those_who_come_later() {
    let bridge = Bridge::start(Ports::default()).await;
    let mut writer = gate::socket("writer", &bridge.address).await;
    let latched = json!({"op": "advertise", "topic": "/plan", "type": "std_msgs/Int32", "latch": true});
    writer.send(&latched).await;
    for number in [1, 2] {
        writer.send(&publish("/plan", json!({"data": number}))).await;
    }
    settled(&mut writer).await;
    let mut reader = gate::socket("reader", &bridge.address).await;
    reader.send(&json!({"op": "subscribe", "topic": "/plan"})).await;
    assert_eq!(reader.json().await["msg"], json!({"data": 2}));
    // One that is advertised by its first message keeps it, too.
    let first =
        json!({"op": "publish", "topic": "/goal_of_all", "type": "std_msgs/Int32", "latch": true, "msg": {}});
    writer.send(&first).await;
    settled(&mut writer).await;
    reader.send(&json!({"op": "subscribe", "topic": "/goal_of_all"})).await;
    assert_eq!(reader.json().await["msg"], json!({"data": 0}));
}

#[tokio::test]
async fn a_message_of_another_client_is_whole_as_one_that_ros_passed_on() {
    let bridge = Bridge::start(Ports::default()).await;
    let mut reader = gate::socket("reader", &bridge.address).await;
    let mut writer = gate::socket("writer", &bridge.address).await;
    for (number, (ros_type, message, whole)) in [
        ("geometry_msgs/Vector3", r#"{"x":1}"#, json!({"x": 1.0, "y": 0.0, "z": 0.0})),
        (
            "std_msgs/UInt8MultiArray",
            r#"{"data":[1,2]}"#,
            json!({"data": "AQI=", "layout": {"dim": [], "data_offset": 0}}),
        ),
        // As Python writes numbers that are none.
        ("geometry_msgs/Vector3", r#"{"x":NaN,"y":-Infinity}"#, json!({"x": null, "y": null, "z": 0.0})),
        (
            "std_msgs/Header",
            r#"{"stamp":{"sec":5},"frame_id":"a"}"#,
            json!({"seq": 0, "stamp": {"secs": 5, "nsecs": 0}, "frame_id": "a"}),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let topic = format!("/my_app/number_{number}");
        subscribe(&mut reader, &topic).await;
        advertise(&mut writer, &topic, ros_type).await;
        writer.send(format!(r#"{{"op":"publish","topic":"{topic}","msg":{message}}}"#)).await;
        assert_eq!(reader.json().await["msg"], whole, "{message}");
    }
    // A header without a stamp has that of the bridge.
    subscribe(&mut reader, "/my_app/place").await;
    advertise(&mut writer, "/my_app/place", "geometry_msgs/PoseStamped").await;
    writer.send(&publish("/my_app/place", json!({"header": {"frame_id": "map"}}))).await;
    let header = reader.json().await["msg"]["header"].take();
    assert!(header["frame_id"] == "map" && header["stamp"]["secs"].as_u64() > Some(0), "{header}");
}

#[tokio::test]
async fn a_topic_that_was_advertised_twice_stays_until_both_are_taken_back() {
    let bridge = Bridge::start(Ports::default()).await;
    let mut writer = gate::socket("writer", &bridge.address).await;
    let of = |op: &str, id: &str| json!({"op": op, "id": id, "topic": "/a", "type": "std_msgs/Int32"});
    for id in ["one", "other"] {
        writer.send(&of("advertise", id)).await;
    }
    for (id, publishers) in [("one", json!(["/rosbridge_websocket"])), ("other", json!([]))] {
        writer.send(&of("unadvertise", id)).await;
        let answer = call(&mut writer, "/rosapi/publishers", json!({"topic": "/a"})).await;
        assert_eq!(answer["values"]["publishers"], publishers, "{id}");
    }
}

#[tokio::test]
async fn a_page_that_is_loaded_anew_takes_its_service_over_and_an_answer_is_held_against_its_type() {
    let bridge = Bridge::start(Ports::default()).await;
    let advertised = json!({"op": "advertise_service", "service": "/my_app/arm", "type": "std_srvs/Trigger"});
    let mut servers = Vec::new();
    for name in ["before", "after"] {
        let mut server = gate::socket(name, &bridge.address).await;
        server.send(&advertised).await;
        settled(&mut server).await;
        servers.push(server);
    }
    let mut caller = gate::socket("caller", &bridge.address).await;
    for (values, answer) in [
        (json!({"success": true}), json!([{"success": true, "message": ""}, true])),
        (
            json!({"succes": true}),
            json!([
                "the answer is no std_srvs/Trigger: succes: std_srvs/TriggerResponse has no such field; it has success, message",
                false
            ]),
        ),
    ] {
        caller.send(&json!({"op": "call_service", "service": "/my_app/arm"})).await;
        let asked = servers[1].json().await;
        let response = json!({"op": "service_response", "id": asked["id"], "service": "/my_app/arm", "values": values, "result": true});
        servers[1].send(&response).await;
        let got = caller.json().await;
        assert_eq!(json!([got["values"], got["result"]]), answer);
    }
}

#[tokio::test]
async fn a_client_serves_a_service_that_others_call() {
    let bridge = Bridge::start(Ports::default()).await;
    let mut server = gate::socket("server", &bridge.address).await;
    let advertised = json!({"op": "advertise_service", "service": "/my_app/add", "type": "my_msgs/Add"});
    server.send(&advertised).await;
    settled(&mut server).await;
    let mut caller = gate::socket("caller", &bridge.address).await;
    assert!(
        call(&mut caller, "/rosapi/services", json!({})).await["values"]["services"]
            .as_array()
            .unwrap()
            .contains(&json!("/my_app/add"))
    );
    for (values, result) in [(json!({"sum": 3}), true), (json!("it overflows"), false)] {
        let called =
            json!({"op": "call_service", "id": "mine", "service": "/my_app/add", "args": {"a": 1, "b": 2}});
        caller.send(&called).await;
        let asked = server.json().await;
        assert_eq!((&asked["op"], &asked["args"]), (&json!("call_service"), &json!({"a": 1, "b": 2})));
        let answer = json!({"op": "service_response", "id": asked["id"], "service": "/my_app/add", "values": values,
            "result": result});
        server.send(&answer).await;
        let expected = json!({"op": "service_response", "id": "mine", "service": "/my_app/add", "values": values,
            "result": result});
        assert_eq!(caller.json().await, expected);
    }
    // A call that is under way ends with who serves it.
    caller.send(&json!({"op": "call_service", "service": "/my_app/add"})).await;
    server.json().await;
    drop(server);
    let answer = caller.json().await;
    assert!(answer["result"] == false && answer["values"].as_str().unwrap().contains("is gone"), "{answer}");
    let absent = call(&mut caller, "/my_app/add", json!({})).await;
    assert_eq!(absent["values"], "there is no service /my_app/add; call /rosapi/services for a list");
}

#[tokio::test]
async fn who_may_only_see_sends_others_nothing_and_nobody_takes_a_robots_place() {
    let users = Users::new(&[("eye", &[(Role::See, "*")]), ("ada", &[(Role::Drive, "*")])]);
    let bridge = Bridge::start(users.ports()).await;
    let serve =
        |service: &str| json!({"op": "advertise_service", "service": service, "type": "std_srvs/Trigger"});
    let publishes = |topic: &str| json!({"op": "advertise", "topic": topic, "type": "nav_msgs/Odometry"});
    for (user, frame, problem) in [
        ("eye", publishes("/my_app/state"), "drive no robot"),
        ("eye", serve("/my_app/reset"), "drive no robot"),
        ("ada", serve("/rover/stop"), "/rover/stop is served here"),
        ("ada", serve("/rosapi/topics"), "/rosapi/topics is served here"),
        ("ada", publishes("/rover/odom"), "/rover/odom is published here"),
        ("ada", publishes("/my app"), "no name"),
    ] {
        let mut socket = gate::socket(user, &bridge.address).await;
        socket.send(&json!({"op": "set_level", "level": "error"})).await;
        socket.send(&frame).await;
        let refused = socket.json().await;
        assert!(refused["msg"].as_str().is_some_and(|it| it.contains(problem)), "{refused}");
    }
    let mut eye = gate::socket("eye", &bridge.address).await;
    let set = call(&mut eye, "/rosapi/set_param", json!({"name": "/a", "value": "1"})).await;
    assert_eq!(set["result"], false);
}

#[tokio::test]
async fn of_several_subscriptions_the_fastest_that_is_still_there_counts() {
    let bridge = Bridge::start(Ports::default()).await;
    let mut reader = gate::socket("reader", &bridge.address).await;
    let mut writer = gate::socket("writer", &bridge.address).await;
    advertise(&mut writer, "/count", "std_msgs/Int32").await;
    for (id, throttle_rate) in [("slow", 3_600_000), ("fast", 0)] {
        let subscribe =
            json!({"op": "subscribe", "id": id, "topic": "/count", "throttle_rate": throttle_rate});
        reader.send(&subscribe).await;
    }
    settled(&mut reader).await;
    let count = |number: i32| publish("/count", json!({"data": number}));
    for number in [1, 2] {
        writer.send(&count(number)).await;
        assert_eq!(reader.json().await["msg"]["data"], number);
    }
    reader.send(&json!({"op": "unsubscribe", "id": "fast", "topic": "/count"})).await;
    settled(&mut reader).await;
    writer.send(&count(3)).await;
    settled(&mut writer).await;
    // The one that is left wants none within the hour; nothing stands before the answer.
    reader.send(&json!({"op": "call_service", "service": "/rosapi/nodes"})).await;
    let next: Value = reader.json().await;
    assert_eq!(next["op"], "service_response", "{next}");
}

#[tokio::test]
async fn who_subscribes_before_the_robot_is_there_follows_it_once_it_comes() {
    let bridge = Bridge::start(Ports::default()).await;
    let mut reader = gate::socket("reader", &bridge.address).await;
    subscribe(&mut reader, "/late/battery").await;
    advertise(&mut reader, "/late/cmd_vel", "geometry_msgs/Twist").await;
    settled(&mut reader).await;
    let mut late = rig::play(&bridge.hub, "late", "test");
    rig::publish(&late, None, Battery { charge_ratio: Some(0.5), ..Battery::UNKNOWN });
    let message = reader.json().await;
    assert_eq!((&message["topic"], &message["msg"]["percentage"]), (&json!("/late/battery"), &json!(0.5)));
    reader.send(&publish("/late/cmd_vel", json!({"linear": {"x": 0.5}}))).await;
    assert_eq!(rig::answer(&mut late, Outcome::Done).await.name(), "drive");
}
