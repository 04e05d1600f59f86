//! Where frames are, as ROS hears it: `/tf`, `/tf_static` and `robot_description`, below the robot's name or not.

use std::sync::Arc;

use latimer_core::hub::{RobotInfo, Source};
use latimer_core::model::profile::{Axis, Camera, CameraRole, Hinge, Mount, RangeSensor};
use latimer_core::model::signal::{Frame, Joint, Pose};
use latimer_core::model::{Kind, RobotProfile};
use latimer_core::{Clock, Hub, PartName};
use latimer_dialects::listen::Ports;
use serde_json::{Value, json};

use super::names::{bridge, call, topics};
use crate::rig::{Socket, publish, robot_info};

/// A robot with a scanner ahead and a camera on a head that nods.
fn robot(hub: &Hub, name: &str) -> Source {
    let hinge = Hinge { joint: PartName::of("nod"), at_m: [0.0, 0.0, 0.5], axis: Axis::Y };
    let on_head = Mount { hinges: vec![hinge], ..Mount::fixed([0.1, 0.0, 0.0], 0.0) };
    let camera = Camera { mount: Some(on_head), ..Camera::new("camera", CameraRole::Front) };
    let mount = Some(Mount::fixed([0.2, 0.0, 0.3], 0.0));
    let lidar = RangeSensor { mount, ..RangeSensor::new(Kind::Scan, Some("lidar")) };
    let profile = RobotProfile {
        footprint_m: vec![[0.5, 0.2], [-0.25, 0.2], [-0.25, -0.2], [0.5, -0.2]],
        cameras: vec![camera],
        ranges: vec![lidar],
        ..RobotProfile::default()
    };
    let info = robot_info(&name.parse().unwrap(), "test");
    hub.register(RobotInfo { profile: Arc::new(profile), ..info }).unwrap()
}

/// The transforms of the next message on a topic: parent, child and shift of each.
async fn transforms(socket: &mut Socket, topic: &str) -> Vec<(String, String, [f64; 3])> {
    loop {
        let frame = socket.json().await;
        if frame["topic"] != topic {
            continue;
        }
        let transforms = frame["msg"]["transforms"].as_array().unwrap().clone();
        let text = |it: &Value| it.as_str().unwrap().to_owned();
        let one = |it: Value| {
            let shift = ["x", "y", "z"].map(|axis| it["transform"]["translation"][axis].as_f64().unwrap());
            (text(&it["header"]["frame_id"]), text(&it["child_frame_id"]), shift)
        };
        return transforms.into_iter().map(one).collect();
    }
}

fn named(all: &[(String, String, [f64; 3])]) -> Vec<String> {
    all.iter().map(|(parent, child, [x, y, z])| format!("{parent} {child} {x} {y} {z}")).collect()
}

#[tokio::test]
async fn no_two_robots_share_a_frame_on_the_port_of_all_and_one_alone_has_root_frames() {
    let hub = Hub::new(Clock::system());
    let (a, b) = (robot(&hub, "a"), robot(&hub, "b"));
    publish(&a, None, Pose::planar(Frame::Map, 1.0, 2.0, 0.0));
    publish(&b, None, Pose::planar(Frame::Odom, 3.0, 4.0, 0.0));
    let (ports, _running) =
        bridge(&hub, "[[serve]]\nrobot = 'a'\nlisten = '127.0.0.1:0'\n", Ports::default()).await;
    for (address, prefix) in [(&ports[0], "a/"), (&ports[1], "")] {
        let mut socket = Socket::open(format!("ws://{address}")).await;
        for topic in ["/tf", "/tf_static"] {
            socket.send(json!({"op": "subscribe", "topic": topic, "type": "tf2_msgs/TFMessage"})).await;
        }
        let fixed = named(&transforms(&mut socket, "/tf_static").await);
        let own = [
            format!("{prefix}base_link {prefix}lidar 0.2 0 0.3"),
            format!("{prefix}head {prefix}camera 0.1 0 0"),
        ];
        assert!(own.iter().all(|it| fixed.contains(it)), "{fixed:?}");
        assert_eq!(fixed.len(), if prefix.is_empty() { 2 } else { 4 }, "{fixed:?}");
        publish(&a, Some("nod"), Joint::hinge(0.25));
        publish(&b, None, Pose::planar(Frame::Odom, 3.5, 4.0, 0.0));
        publish(&a, None, Pose::planar(Frame::Map, 1.5, 2.0, 0.0));
        let mut heard = Vec::new();
        let mut wanted = vec![
            format!("{prefix}map {prefix}odom 0 0 0"),
            format!("{prefix}odom {prefix}base_link 1.5 2 0"),
            format!("{prefix}base_link {prefix}head 0 0 0.5"),
        ];
        if !prefix.is_empty() {
            wanted.push("b/odom b/base_link 3.5 4 0".to_owned());
        }
        while !wanted.iter().all(|it| heard.contains(it)) {
            heard.extend(named(&transforms(&mut socket, "/tf").await));
        }
        assert!(!prefix.is_empty() || !heard.iter().any(|it| it.contains("b/")), "{heard:?}");
        assert!(!heard.iter().any(|it| it.starts_with("b/map")), "b knows no map: {heard:?}");
        // Other messages name the same frames.
        let topic = if prefix.is_empty() { "/pose" } else { "/a/pose" };
        socket.send(json!({"op": "subscribe", "topic": topic})).await;
        let pose = loop {
            let frame = socket.json().await;
            if frame["topic"] == topic {
                break frame;
            }
        };
        assert_eq!(pose["msg"]["header"]["frame_id"], format!("{prefix}map"));
    }
}

#[tokio::test]
async fn a_robot_that_comes_later_is_in_the_fixed_frames() {
    let hub = Hub::new(Clock::system());
    let (ports, _running) = bridge(&hub, "", Ports::default()).await;
    let mut socket = Socket::open(format!("ws://{}", ports[0])).await;
    socket.send(json!({"op": "subscribe", "topic": "/tf_static"})).await;
    assert!(transforms(&mut socket, "/tf_static").await.is_empty());
    let _robot = robot(&hub, "late");
    let fixed = named(&transforms(&mut socket, "/tf_static").await);
    assert!(fixed.contains(&"late/base_link late/lidar 0.2 0 0.3".to_owned()), "{fixed:?}");
}

#[tokio::test]
async fn a_robot_is_described_by_its_outline_and_its_sensors() {
    let hub = Hub::new(Clock::system());
    let _robot = robot(&hub, "a");
    let (ports, _running) =
        bridge(&hub, "[[serve]]\nrobot = 'a'\nlisten = '127.0.0.1:0'\n", Ports::default()).await;
    for (address, name, prefix) in
        [(&ports[0], "/a/robot_description", "a/"), (&ports[1], "/robot_description", "")]
    {
        let mut socket = Socket::open(format!("ws://{address}")).await;
        assert!(topics(&mut socket).await.contains(&name.to_owned()));
        socket.send(json!({"op": "subscribe", "topic": name, "type": "std_msgs/String"})).await;
        let urdf = socket.json().await["msg"]["data"].as_str().unwrap().to_owned();
        for part in [
            "<robot name=\"a\">".to_owned(),
            format!("<link name=\"{prefix}base_link\"><visual><origin xyz=\"0.125 0"),
            "<joint name=\"nod\" type=\"continuous\">".to_owned(),
            format!("<parent link=\"{prefix}head\"/><child link=\"{prefix}camera\"/>"),
        ] {
            assert!(urdf.contains(&part), "{part} in {urdf}");
        }
        let parameter = call(&mut socket, "/rosapi/get_param", json!({"name": name, "default": ""})).await;
        let value: String = serde_json::from_str(parameter["values"]["value"].as_str().unwrap()).unwrap();
        assert_eq!(value, urdf);
    }
}

/// The frames of the next transforms that come to a page by a goal or on a topic: child and shift.
fn republished(transforms: &Value) -> Vec<(String, f64)> {
    let one = |it: &Value| {
        let x = it["transform"]["translation"]["x"].as_f64().unwrap();
        (format!("{} {}", it["header"]["frame_id"], it["child_frame_id"]).replace('"', ""), x)
    };
    transforms.as_array().unwrap().iter().map(one).collect()
}

async fn next(socket: &mut Socket, topic: &str) -> Value {
    loop {
        let mut frame = socket.json().await;
        if frame["topic"] == topic {
            return frame["msg"].take();
        }
    }
}

#[tokio::test]
async fn a_page_has_transforms_republished_until_it_cancels() {
    let hub = Hub::new(Clock::system());
    let a = robot(&hub, "a");
    publish(&a, None, Pose::planar(Frame::Map, 1.0, 2.0, 0.0));
    let (ports, _running) = bridge(&hub, "", Ports::default()).await;
    let mut socket = Socket::open(format!("ws://{}", ports[0])).await;
    let actions = call(&mut socket, "/rosapi/action_servers", json!({})).await;
    assert!(actions["values"]["action_servers"].as_array().unwrap().contains(&json!("/tf2_web_republisher")));
    for word in ["feedback", "result"] {
        socket.send(json!({"op": "subscribe", "topic": format!("/tf2_web_republisher/{word}")})).await;
    }
    let wanted = json!({"source_frames": ["/a/lidar", "a/base_link", "nowhere"], "target_frame": "/a/map",
        "trans_thres": 0.1, "angular_thres": 0.1, "rate": 50.0});
    let goal = json!({"goal_id": {"id": "mine"}, "goal": wanted});
    socket.send(json!({"op": "publish", "topic": "/tf2_web_republisher/goal", "msg": goal})).await;
    let feedback = next(&mut socket, "/tf2_web_republisher/feedback").await;
    assert_eq!(
        (&feedback["status"]["goal_id"]["id"], &feedback["status"]["status"]),
        (&json!("mine"), &json!(1))
    );
    let all = [("a/map a/lidar".to_owned(), 1.2), ("a/map a/base_link".to_owned(), 1.0)];
    assert_eq!(republished(&feedback["feedback"]["transforms"]), all);
    // Less than the threshold is nothing new.
    for x in [1.05, 1.5] {
        publish(&a, None, Pose::planar(Frame::Map, x, 2.0, 0.0));
        call(&mut socket, "/rosapi/nodes", json!({})).await;
    }
    let feedback = next(&mut socket, "/tf2_web_republisher/feedback").await;
    assert_eq!(republished(&feedback["feedback"]["transforms"])[1].1, 1.5);
    socket
        .send(json!({"op": "publish", "topic": "/tf2_web_republisher/cancel", "msg": {"id": "mine"}}))
        .await;
    let result = next(&mut socket, "/tf2_web_republisher/result").await;
    assert_eq!(
        (&result["status"]["goal_id"]["id"], &result["status"]["status"]),
        (&json!("mine"), &json!(2))
    );
}

#[tokio::test]
async fn a_page_has_transforms_republished_on_a_topic_of_its_own() {
    let hub = Hub::new(Clock::system());
    let a = robot(&hub, "a");
    publish(&a, None, Pose::planar(Frame::Map, 1.0, 2.0, 0.0));
    let (ports, _running) =
        bridge(&hub, "[[serve]]\nrobot = 'a'\nlisten = '127.0.0.1:0'\n", Ports::default()).await;
    let mut socket = Socket::open(format!("ws://{}", ports[1])).await;
    let wanted = json!({"source_frames": ["base_link"], "target_frame": "map", "trans_thres": 0.0,
        "angular_thres": 0.0, "rate": 20.0, "timeout": {"secs": 2, "nsecs": 0}});
    let answer = call(&mut socket, "/republish_tfs", wanted).await;
    let topic = answer["values"]["topic_name"].as_str().unwrap().to_owned();
    socket.send(json!({"op": "subscribe", "topic": topic, "type": "tf2_web_republisher/TFArray"})).await;
    // Without a threshold they come again and again.
    for _ in 0..2 {
        let message = next(&mut socket, &topic).await;
        assert_eq!(republished(&message["transforms"]), [("map base_link".to_owned(), 1.0)]);
    }
}
