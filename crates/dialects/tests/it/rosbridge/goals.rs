//! Where to go, by the names that programs know, and in which frame.

use std::sync::Arc;

use latimer_core::hub::{RobotInfo, Source};
use latimer_core::model::signal::{Frame, Navigation, NavigationKind, NavigationState, Pose};
use latimer_core::model::{Destination, Kind, Outcome, RobotProfile};
use latimer_core::{Clock, Command, Hub};
use latimer_dialects::listen::Ports;
use serde_json::{Value, json};

use super::names::{bridge, call};
use crate::rig::{Running, Socket, answer, play, publish, robot_info};

/// A robot at (1, 2) on its map that looks along y, and a client of its own port.
async fn robot() -> (Source, Socket, Running) {
    let hub = Hub::new(Clock::system());
    let robot = play(&hub, "rover", "test");
    publish(&robot, None, Pose::planar(Frame::Map, 1.0, 2.0, std::f64::consts::FRAC_PI_2));
    let (ports, running) =
        bridge(&hub, "[[serve]]\nrobot = 'rover'\nlisten = '127.0.0.1:0'\n", Ports::default()).await;
    let mut socket = Socket::open(format!("ws://{}", ports[1])).await;
    socket.send(json!({"op": "set_level", "level": "error"})).await;
    (robot, socket, running)
}

fn pose(frame: &str, x: f64, y: f64) -> Value {
    let place =
        json!({"position": {"x": x, "y": y, "z": 0}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}});
    json!({"header": {"frame_id": frame}, "pose": place})
}

async fn send(socket: &mut Socket, topic: &str, msg: Value) {
    socket.send(json!({"op": "publish", "topic": topic, "id": topic, "msg": msg})).await;
}

/// The next goal that the robot gets: its number and place.
async fn goal(robot: &mut Source, outcome: Outcome) -> (Option<i64>, [f64; 3]) {
    let Command::Navigate(goal) = answer(robot, outcome).await else { panic!("a goal") };
    let Destination::Point { x_m, y_m, yaw_rad } = goal.destination else { panic!("a point") };
    (goal.id, [x_m, y_m, yaw_rad.unwrap_or_default()])
}

fn near(is: [f64; 3], wanted: [f64; 3]) {
    assert!(is.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{is:?} {wanted:?}");
}

fn tell(robot: &Source, id: i64, state: NavigationState) {
    let remaining_m = (state == NavigationState::Moving).then_some(0.5);
    publish(robot, None, Navigation { remaining_m, ..Navigation::new(id, NavigationKind::Goto, state) });
}

/// The next frame that is wanted.
async fn frame(socket: &mut Socket, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let frame = socket.json().await;
        if wanted(&frame) {
            return frame;
        }
    }
}

#[tokio::test]
async fn a_goal_is_where_its_frame_has_it_or_refused_with_the_reason() {
    let (mut robot, mut socket, _running) = robot().await;
    let quarter = std::f64::consts::FRAC_PI_2;
    for topic in ["/goal", "/goal_pose", "/move_base_simple/goal"] {
        for (frame_id, wanted) in [
            ("map", [0.5, 0.0, 0.0]),
            ("", [0.5, 0.0, 0.0]),
            ("/base_link", [1.0, 2.5, quarter]),
            ("odom", [0.5, 0.0, 0.0]),
        ] {
            send(&mut socket, topic, pose(frame_id, 0.5, 0.0)).await;
            if frame_id == "odom" {
                // Nothing tells where its odometry began.
                let told = socket.json().await["msg"].as_str().unwrap().to_owned();
                assert!(told.contains("\"odom\" is nowhere on the map of rover"), "{told}");
                continue;
            }
            near(goal(&mut robot, Outcome::Accepted).await.1, wanted);
        }
        send(&mut socket, topic, pose("kitchen", 0.5, 0.0)).await;
        let told = socket.json().await["msg"].as_str().unwrap().to_owned();
        assert!(told.contains("\"kitchen\" is no frame of rover") && told.contains("base_link"), "{told}");
    }
    let place = json!({"header": {"frame_id": "base_link"}, "pose": {"pose": pose("", 0.5, 0.0)["pose"]}});
    send(&mut socket, "/initialpose", place).await;
    let Command::SetPose { x_m, y_m, yaw_rad } = answer(&mut robot, Outcome::Done).await else {
        panic!("a pose")
    };
    near([x_m, y_m, yaw_rad], [1.0, 2.5, quarter]);
}

#[tokio::test]
async fn actionlib_hears_of_its_goal_until_it_arrives() {
    let (mut robot, mut socket, _running) = robot().await;
    for topic in ["status", "feedback", "result"] {
        socket.send(json!({"op": "subscribe", "topic": format!("/move_base/{topic}")})).await;
    }
    let given = json!({"goal_id": {"id": "mine", "stamp": {"secs": 7, "nsecs": 0}}, "goal": {"target_pose": pose("map", 3.0, 4.0)}});
    send(&mut socket, "/move_base/goal", given.clone()).await;
    let (number, place) = goal(&mut robot, Outcome::Accepted).await;
    near(place, [3.0, 4.0, 0.0]);
    let number = number.unwrap();
    tell(&robot, number, NavigationState::Moving);
    // At first there was none.
    let has_goal = |it: &Value| it["topic"] == "/move_base/status" && it["msg"]["status_list"] != json!([]);
    let status = frame(&mut socket, has_goal).await["msg"]["status_list"][0].clone();
    assert_eq!((&status["goal_id"]["id"], &status["status"]), (&json!("mine"), &json!(1)));
    publish(&robot, None, Pose::planar(Frame::Map, 2.0, 2.0, 0.0));
    let feedback = frame(&mut socket, |it| it["topic"] == "/move_base/feedback").await["msg"].clone();
    assert_eq!(feedback["feedback"]["base_position"]["pose"]["position"]["x"], 2.0);
    assert_eq!(feedback["status"]["goal_id"], json!({"id": "mine", "stamp": {"secs": 7, "nsecs": 0}}));
    // What cancels another goal cancels none.
    send(&mut socket, "/move_base/cancel", json!({"id": "other"})).await;
    send(&mut socket, "/move_base/cancel", json!({"id": "mine"})).await;
    assert_eq!(answer(&mut robot, Outcome::Done).await, Command::CancelNavigation);
    tell(&robot, number, NavigationState::Cancelled);
    let result = frame(&mut socket, |it| it["topic"] == "/move_base/result").await["msg"]["status"].clone();
    assert_eq!((&result["goal_id"]["id"], &result["status"]), (&json!("mine"), &json!(2)));
    // A robot that numbers its drives itself; and one that takes none.
    send(&mut socket, "/move_base/goal", given.clone()).await;
    goal(&mut robot, Outcome::Accepted).await;
    tell(&robot, 7, NavigationState::Moving);
    tell(&robot, 7, NavigationState::Succeeded);
    let result = frame(&mut socket, |it| it["topic"] == "/move_base/result").await["msg"]["status"].clone();
    assert_eq!((&result["goal_id"]["id"], &result["status"]), (&json!("mine"), &json!(3)));
    send(&mut socket, "/move_base/goal", given).await;
    goal(&mut robot, Outcome::not_now("it charges")).await;
    let result = frame(&mut socket, |it| it["topic"] == "/move_base/result").await["msg"]["status"].clone();
    assert_eq!(result["status"], 5);
    assert!(result["text"].as_str().unwrap().contains("it charges"), "{result}");
}

#[tokio::test]
async fn an_action_tells_how_it_goes_and_how_it_ended() {
    let (mut robot, mut socket, _running) = robot().await;
    let send_goal = |id: &str| {
        json!({"op": "send_action_goal", "id": id, "action": "/navigate_to_pose", "action_type": "nav2_msgs/action/NavigateToPose",
            "args": {"pose": pose("base_link", 1.0, 0.0), "behavior_tree": ""}, "feedback": true})
    };
    for (id, state, status) in [
        ("a", NavigationState::Succeeded, 4),
        ("b", NavigationState::Cancelled, 5),
        ("c", NavigationState::Failed, 6),
    ] {
        publish(&robot, None, Pose::planar(Frame::Map, 1.0, 2.0, 0.0));
        call(&mut socket, "/rosapi/nodes", json!({})).await;
        socket.send(send_goal(id)).await;
        let (number, place) = goal(&mut robot, Outcome::Accepted).await;
        near(place, [2.0, 2.0, 0.0]);
        tell(&robot, number.unwrap(), NavigationState::Moving);
        publish(&robot, None, Pose::planar(Frame::Map, 1.5, 2.0, 0.0));
        let feedback = frame(&mut socket, |it| it["op"] == "action_feedback").await;
        assert_eq!((&feedback["id"], &feedback["action"]), (&json!(id), &json!("/navigate_to_pose")));
        assert_eq!(feedback["values"]["distance_remaining"], 0.5);
        if status == 5 {
            socket.send(json!({"op": "cancel_action_goal", "id": id, "action": "/navigate_to_pose"})).await;
            assert_eq!(answer(&mut robot, Outcome::Done).await, Command::CancelNavigation);
        }
        tell(&robot, number.unwrap(), state);
        let result = frame(&mut socket, |it| it["op"] == "action_result").await;
        assert_eq!(
            (&result["id"], &result["status"], &result["result"]),
            (&json!(id), &json!(status), &json!(status == 4))
        );
    }
    socket.send(send_goal("d")).await;
    goal(&mut robot, Outcome::not_now("it charges")).await;
    let result = frame(&mut socket, |it| it["op"] == "action_result").await;
    assert_eq!((&result["id"], &result["result"]), (&json!("d"), &json!(false)));
    assert!(result["values"].as_str().unwrap().contains("it charges"), "{result}");
    // Who waits for a goal that is none hears so; what a goal leaves out is zero.
    let with = |id: &str, pose: Value| json!({"op": "send_action_goal", "id": id, "action": "/navigate_to_pose", "args": {"pose": {"pose": pose}}});
    socket.send(with("e", json!({"position": {"X": 1.0}}))).await;
    let result = frame(&mut socket, |it| it["op"] == "action_result").await;
    assert_eq!(
        (&result["id"], &result["status"], &result["result"]),
        (&json!("e"), &json!(0), &json!(false))
    );
    assert!(result["values"].as_str().unwrap().contains("pose.position.X"), "{result}");
    frame(&mut socket, |it| it["op"] == "status").await;
    socket.send(with("f", json!({"position": {"x": 1.0}}))).await;
    near(goal(&mut robot, Outcome::not_now("it charges")).await.1, [1.0, 0.0, 0.0]);
    socket.send(json!({"op": "cancel_action_goal", "id": "d", "action": "/nowhere"})).await;
    assert!(
        frame(&mut socket, |it| it["op"] == "status").await["msg"].as_str().unwrap().contains("under way")
    );
}

#[tokio::test]
async fn a_goal_of_which_nothing_is_told_holds_no_place() {
    let (mut robot, mut socket, running) = robot().await;
    let send_goal = |id: usize| json!({"op": "send_action_goal", "id": id, "action": "/navigate_to_pose", "args": {"pose": pose("map", 1.0, 0.0)}});
    // More than a client may have under way.
    for id in 0..20 {
        socket.send(send_goal(id)).await;
        if id > 0 {
            let ended = frame(&mut socket, |it| it["op"] == "action_result").await;
            assert_eq!((&ended["id"], &ended["status"]), (&json!(id - 1), &json!(6)), "{ended}");
            assert_eq!(ended["values"]["error_msg"], "the robot told nothing of it");
        }
        goal(&mut robot, Outcome::Accepted).await;
    }
    drop(robot);
    let ended = frame(&mut socket, |it| it["op"] == "action_result").await;
    assert_eq!(ended["id"], 19, "the robot is gone");
    drop(running);
}

#[tokio::test]
async fn a_robot_that_does_not_tell_of_its_drives_takes_no_goal_of_an_action() {
    let hub = Hub::new(Clock::system());
    let info = robot_info(&"rover".parse().unwrap(), "test");
    let profile = RobotProfile { kinds: [Kind::Pose].into_iter().collect(), ..RobotProfile::default() };
    let _robot = hub.register(RobotInfo { profile: Arc::new(profile), ..info }).unwrap();
    let (ports, _running) = bridge(&hub, "", Ports::default()).await;
    let mut socket = Socket::open(format!("ws://{}", ports[0])).await;
    socket.send(json!({"op": "set_level", "level": "error"})).await;
    socket.send(json!({"op": "send_action_goal", "action": "/rover/navigate_to_pose", "args": {}})).await;
    let says = |text: &Value| text.as_str().unwrap().contains("does not tell how its drives end");
    assert!(says(&frame(&mut socket, |it| it["op"] == "action_result").await["values"]));
    assert!(says(&frame(&mut socket, |it| it["op"] == "status").await["msg"]));
}
