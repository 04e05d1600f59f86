//! Messages of several kinds beside clients that may see some of them.

use latimer_core::access::Role;
use latimer_core::model::Native;
use latimer_core::model::signal::{Frame, Joint, Pose, Velocity};
use latimer_core::{Clock, PartName, Update};
use serde_json::{Value, json};

use super::Bridge;
use crate::gate::{self, Users, grants};
use crate::rig::Socket;

const ODOMETRY: &str = r#"{"header":{"stamp":{"secs":9,"nsecs":0},"frame_id":"map"},
    "pose":{"pose":{"position":{"x":1,"y":2,"z":0},"orientation":{"x":0,"y":0,"z":0,"w":1}},"covariance":[7]},
    "twist":{"twist":{"linear":{"x":0.5,"y":0,"z":0},"angular":{"x":0,"y":0,"z":0}}}}"#;

fn users() -> Users {
    Users::new(&[
        ("all", &[(Role::See, "*")]),
        ("speeds", &[(Role::See, "*/velocity")]),
        ("poses", &[(Role::See, "*/pose")]),
        ("neck", &[(Role::See, "*/joint/neck")]),
    ])
}

impl Bridge {
    /// A client of a topic of the robot.
    async fn follower(&self, user: &str, topic: &str) -> Socket {
        let mut socket = gate::socket(user, &self.address).await;
        socket.send(&json!({"op": "subscribe", "topic": format!("/rover/{topic}")})).await;
        // What is answered next comes after the subscription.
        socket.send(&json!({"op": "call_service", "service": "/rosapi/nodes"})).await;
        assert_eq!(socket.json().await["op"], "service_response");
        socket
    }

    fn publish(&self, part: Option<&str>, update: Update) {
        self.source.publish(Update { part: part.map(PartName::of), ..update });
    }

    fn update(&self, signal: impl Into<latimer_core::Signal>) -> Update {
        Update::now(self.source.robot(), Clock::system().now(), signal.into())
    }

    fn publish_pose(&self) {
        self.publish(None, self.update(Pose::planar(Frame::Map, 1.0, 2.0, 0.0)));
    }

    fn publish_speed(&self, linear_mps: f64) {
        self.publish(Some(Velocity::MEASURED), self.update(Velocity::of(linear_mps, 0.0)));
    }

    /// What a robot behind a bridge says.
    fn publish_native(
        &self,
        part: &str,
        topic: &str,
        text: &'static str,
        signal: impl Into<latimer_core::Signal>,
    ) {
        let native =
            Native { dialect: "rosbridge", topic: topic.into(), payload: text.into(), definition: None };
        self.publish(Some(part), Update { native: Some(native), ..self.update(signal) });
    }
}

fn place(frame: &Value) -> [f64; 2] {
    let position = &frame["msg"]["pose"]["pose"]["position"];
    ["x", "y"].map(|axis| position[axis].as_f64().expect("a place"))
}

fn speed(frame: &Value) -> f64 {
    frame["msg"]["twist"]["twist"]["linear"]["x"].as_f64().expect("a speed")
}

#[tokio::test]
async fn an_odometry_has_the_pose_for_those_alone_who_may_see_poses() {
    for order in [["all", "speeds"], ["speeds", "all"]] {
        let bridge = Bridge::start(users().ports()).await;
        bridge.publish_pose();
        let mut sockets = Vec::new();
        for user in order {
            sockets.push((user, bridge.follower(user, "odom").await));
        }
        for mps in [0.25, 0.5] {
            bridge.publish_speed(mps);
            // Each order of clients encodes the same update in its own order, too.
            for (user, socket) in &mut sockets {
                let frame = socket.json().await;
                assert_eq!(speed(&frame), mps, "{user} of {order:?}");
                let (pose, named) = match *user {
                    "all" => ([1.0, 2.0], "rover/map"),
                    _ => ([0.0, 0.0], "rover/odom"),
                };
                assert_eq!(place(&frame), pose, "{user} of {order:?}");
                assert_eq!(frame["msg"]["header"]["frame_id"], named, "{user} of {order:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_message_of_a_robot_behind_a_bridge_is_sent_as_it_came_to_those_who_may_see_all_of_it() {
    for order in [["all", "speeds"], ["speeds", "all"]] {
        let bridge = Bridge::start(users().ports()).await;
        let mut sockets = Vec::new();
        for user in order {
            sockets.push((user, bridge.follower(user, "odom").await));
        }
        bridge.publish_native(Velocity::MEASURED, "odom", ODOMETRY, Velocity::of(0.5, 0.0));
        for (user, socket) in &mut sockets {
            let frame = socket.json().await;
            assert_eq!(speed(&frame), 0.5, "{user} of {order:?}");
            let mut sent = serde_json::from_str::<Value>(ODOMETRY).unwrap();
            // Its frames are below its name here.
            sent["header"]["frame_id"] = "rover/map".into();
            let whole = frame["msg"] == sent;
            assert_eq!(whole, *user == "all", "{user} of {order:?}: {frame}");
            assert_eq!(place(&frame), if whole { [1.0, 2.0] } else { [0.0, 0.0] }, "{user} of {order:?}");
        }
    }
}

#[tokio::test]
async fn a_message_of_several_joints_is_sent_as_it_came_to_those_who_may_see_each() {
    const JOINTS: &str = r#"{"name":["neck","arm"],"position":[0.5,1.5],"velocity":[0,0]}"#;
    let bridge = Bridge::start(users().ports()).await;
    let mut neck = bridge.follower("neck", "joint_states").await;
    let mut all = bridge.follower("all", "joint_states").await;
    let joint = Joint { velocity_radps: Some(0.0), ..Joint::hinge(0.5) };
    bridge.publish_native("neck", "joint_states", JOINTS, joint);
    assert_eq!(neck.json().await["msg"]["name"], json!(["neck"]));
    assert_eq!(all.json().await["msg"]["name"], json!(["neck", "arm"]));
}

#[tokio::test]
async fn a_topic_of_which_a_client_may_see_nothing_is_silent() {
    let bridge = Bridge::start(users().ports()).await;
    let mut poses = bridge.follower("poses", "odom").await;
    let mut all = bridge.follower("all", "odom").await;
    bridge.publish_speed(0.5);
    bridge.publish_pose();
    assert_eq!(speed(&all.json().await), 0.5);
    // The pose that came last is there, and nothing before it.
    poses.send(&json!({"op": "subscribe", "topic": "/rover/pose"})).await;
    assert_eq!(poses.json().await["topic"], "/rover/pose");
}

#[tokio::test]
async fn roles_that_change_count_from_the_next_message_on() {
    let users = users();
    let bridge = Bridge::start(users.ports()).await;
    bridge.publish_pose();
    let mut socket = bridge.follower("all", "odom").await;
    bridge.publish_speed(0.25);
    assert_eq!(place(&socket.json().await), [1.0, 2.0]);
    users.get("all").set_grants(grants(&[(Role::See, "*/velocity")]));
    bridge.publish_speed(0.5);
    assert_eq!(place(&socket.json().await), [0.0, 0.0]);
}

#[tokio::test]
async fn topics_that_a_client_may_not_see_are_not_named() {
    let bridge = Bridge::start(users().ports()).await;
    bridge.publish_pose();
    bridge.publish_speed(0.5);
    bridge.publish(Some("neck"), bridge.update(Joint::hinge(0.5)));
    for (user, sees) in [
        ("all", ["odom", "pose", "joint_states"].as_slice()),
        ("speeds", &["odom"]),
        ("poses", &["pose"]),
        ("neck", &["joint_states"]),
    ] {
        let mut socket = gate::socket(user, &bridge.address).await;
        socket.send(&json!({"op": "call_service", "service": "/rosapi/topics"})).await;
        let answer = socket.json().await;
        let topics = answer["values"]["topics"].as_array().expect("a list");
        let named = |topic: &str| topics.contains(&json!(format!("/rover/{topic}")));
        for topic in ["odom", "pose", "joint_states"] {
            assert_eq!(named(topic), sees.contains(&topic), "{user}: {topic}");
        }
        // Where a robot listens is the same for all; whether they may drive it is asked when they do.
        assert!(named("cmd_vel"), "{user}");
    }
}
