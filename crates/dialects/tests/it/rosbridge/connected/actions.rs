//! Goals of a base that takes them by an action of ROS 2.

use std::time::Duration;

use latimer_core::model::signal::{Frame, Navigation, NavigationState};
use latimer_core::model::{Destination, NavigationGoal};
use latimer_core::{Command, Outcome, Signal};
use serde_json::{Value, json};

use super::super::real::{RealBridge, Rosapi};
use super::{Gateway, ODOMETRY, TWIST, refusal};
use crate::time::Time;

const NAVIGATE: &str = "/navigate_to_pose";
const THERE: Command = Command::Navigate(NavigationGoal {
    id: Some(7),
    destination: Destination::Point { x_m: 3.0, y_m: -1.0, yaw_rad: Some(0.0) },
    accuracy_m: None,
    zone: false,
});

async fn base(actions: &[&'static str], keys: &str) -> (RealBridge, Gateway) {
    let bridge = RealBridge::start(Rosapi::Answers, &[("/odom", ODOMETRY)], &[("/cmd_vel", TWIST)]).await;
    bridge.set_actions(actions);
    let gateway = Gateway::of(&bridge, keys, "base-1/navigation").await;
    gateway.observer.is_up().await;
    (bridge, gateway)
}

async fn navigation(gateway: &Gateway, state: NavigationState) -> Navigation {
    let is_it = |signal: &Signal| matches!(signal, Signal::Navigation(it) if it.state == state);
    let update = gateway.observer.update(|it| is_it(&it.signal)).await;
    let Signal::Navigation(navigation) = &update.signal else { unreachable!() };
    navigation.clone()
}

#[tokio::test]
async fn a_goal_is_accepted_once_the_robot_begins_and_told_until_its_end() {
    let (bridge, gateway) = base(&[NAVIGATE, "/spin"], "").await;
    let given = async {
        let goal = bridge.goal().await;
        assert_eq!(
            (&goal["action"], &goal["action_type"]),
            (&json!(NAVIGATE), &json!("nav2_msgs/action/NavigateToPose"))
        );
        let pose = &goal["args"]["pose"];
        assert_eq!(
            (&pose["header"], &pose["pose"]["position"]["x"]),
            (&json!({"frame_id": "map"}), &json!(3.0))
        );
        bridge.feedback(&goal, json!({"distance_remaining": 2.5, "number_of_recoveries": 0}));
        goal
    };
    let (outcome, goal) = tokio::join!(gateway.command(THERE), given);
    assert_eq!(outcome, Outcome::Accepted);
    let moving = navigation(&gateway, NavigationState::Moving).await;
    assert_eq!((moving.id, moving.remaining_m), (7, Some(2.5)));
    assert_eq!(moving.target.map(|it| (it.frame, it.x_m)), Some((Frame::Map, 3.0)));
    // What is given next is not behind the goal that is under way.
    assert_eq!(gateway.command(super::DRIVE).await, Outcome::Accepted);
    bridge.published("/cmd_vel").await;
    bridge.finish(&goal, 6, json!({"error_code": 208, "error_msg": "no valid path"}));
    let failed = navigation(&gateway, NavigationState::Failed).await;
    assert_eq!((failed.failure_code, failed.reason.as_deref()), (Some(208), Some("no valid path")));
}

#[tokio::test]
async fn a_goal_that_arrives_and_one_that_is_cancelled_say_so() {
    let (bridge, gateway) = base(&[NAVIGATE], "").await;
    let begun = async {
        let goal = bridge.goal().await;
        bridge.feedback(&goal, json!({}));
        goal
    };
    let (_, goal) = tokio::join!(gateway.command(THERE), begun);
    bridge.finish(&goal, 4, json!({}));
    navigation(&gateway, NavigationState::Succeeded).await;
    for (command, outcome) in
        [(Command::CancelNavigation, Outcome::Accepted), (Command::Stop { hold: false }, Outcome::Done)]
    {
        let begun = async { bridge.feedback(&bridge.goal().await, json!({})) };
        let (given, ()) = tokio::join!(gateway.command(THERE), begun);
        assert_eq!(given, Outcome::Accepted);
        assert_eq!(gateway.command(command).await, outcome);
        navigation(&gateway, NavigationState::Cancelled).await;
        // Goals of others, too.
        let service = format!("{NAVIGATE}/_action/cancel_goal");
        let all = bridge.frame(|it| it["op"] == "call_service" && it["service"] == *service).await;
        assert_eq!(all["args"]["goal_info"]["goal_id"]["uuid"], json!(vec![0; 16]));
    }
}

#[tokio::test(start_paused = true)]
async fn a_goal_that_nothing_is_told_of_is_refused_and_cancelled() {
    let time = Time::standing();
    let (bridge, gateway) = base(&[], "topics = { action = 'nav/navigate_to_pose' }").await;
    let given = gateway.command(THERE);
    tokio::pin!(given);
    let outcome = loop {
        tokio::select! {
            biased;
            outcome = &mut given => break outcome,
            () = time.pass(Duration::from_millis(500)) => {}
        }
    };
    let reason = refusal(outcome);
    assert!(reason.contains("/nav/navigate_to_pose") && reason.contains("within 4 s"), "{reason}");
    let id = bridge.goal().await["id"].clone();
    let is_cancel = |it: &Value| it["op"] == "cancel_action_goal" && it["id"] == id;
    bridge.frame(is_cancel).await;
}

#[tokio::test]
async fn a_base_without_a_map_has_goals_where_its_odometry_is() {
    let (bridge, gateway) = base(&["/navigate_to_position", "/led_animation"], "preset = 'create3'").await;
    let begun = async {
        let goal = bridge.goal().await;
        bridge.feedback(&goal, json!({"navigate_state": 2, "remaining_travel_distance": 1.5}));
        goal
    };
    let (outcome, goal) = tokio::join!(gateway.command(THERE), begun);
    assert_eq!(outcome, Outcome::Accepted);
    assert_eq!(goal["action_type"], "irobot_create_msgs/action/NavigateToPosition");
    let args = &goal["args"];
    assert_eq!(
        (&args["goal_pose"]["header"]["frame_id"], &args["achieve_goal_heading"]),
        (&json!("odom"), &json!(true))
    );
    assert_eq!(navigation(&gateway, NavigationState::Moving).await.remaining_m, Some(1.5));
}
