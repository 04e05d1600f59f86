//! What the gateway says of a robot behind a bridge is so.

use latimer_core::model::signal::{Link, LinkState};
use latimer_core::{Command, Outcome, Signal};
use serde_json::{Value, json};

use super::super::real::{RealBridge, Rosapi};
use super::{DRIVE, Gateway, ODOMETRY, TWIST, odometry, refusal};
use crate::time::Time;

const CONFIGURED: &str = "topics = { odom = 'wheels', cmd_vel_stamped = '/base/cmd_vel' }";

#[tokio::test(start_paused = true)]
async fn a_drive_is_accepted_only_if_somebody_subscribes_to_it() {
    let time = Time::standing();
    let bridge = RealBridge::start(Rosapi::Answers, &[("/odom", ODOMETRY)], &[("/cmd_vel", TWIST)]).await;
    bridge.set_nodes("/cmd_vel", false, false);
    let gateway = Gateway::of(&bridge, "", "").await;
    gateway.observer.is_up().await;
    assert_eq!(refusal(gateway.command(DRIVE).await), "nobody subscribes to /cmd_vel");
    assert_eq!(bridge.taken(&["/cmd_vel"]), [0]);
    // A stop goes out all the same, and is owed.
    let stop = gateway.command(Command::Stop { hold: false }).await;
    assert_eq!(refusal(stop), "nobody subscribes to /cmd_vel");
    assert_eq!(bridge.published("/cmd_vel").await["linear"]["x"], 0.0);
    bridge.set_nodes("/cmd_vel", false, true);
    while gateway.command(DRIVE).await != Outcome::Accepted {
        time.pass(std::time::Duration::from_millis(500)).await;
    }
    let is_drive = |it: &Value| it["topic"] == "/cmd_vel" && it["msg"]["linear"]["x"] == 0.25;
    assert_eq!(bridge.frame(is_drive).await["msg"]["angular"]["z"], 0.5);
}

#[tokio::test]
async fn a_base_that_takes_stamped_speeds_gets_them() {
    let offered = "geometry_msgs/msg/TwistStamped";
    let bridge = RealBridge::start(Rosapi::Answers, &[("/odom", ODOMETRY)], &[("/cmd_vel", offered)]).await;
    let gateway = Gateway::of(&bridge, "", "").await;
    gateway.observer.is_up().await;
    assert_eq!(gateway.command(DRIVE).await, Outcome::Accepted);
    assert_eq!(bridge.frame(|it| it["op"] == "advertise").await["type"], offered);
    let twist = bridge.published("/cmd_vel").await;
    // Which stamp is meant is the bridge's to say: ROS 1 and 2 spell it in two ways.
    assert_eq!(twist["header"], json!({"frame_id": "base_link"}));
    assert_eq!(twist["twist"]["linear"]["x"], 0.25);
}

#[tokio::test]
async fn a_base_that_takes_something_else_is_not_driven() {
    let bridge =
        RealBridge::start(Rosapi::Answers, &[("/odom", ODOMETRY)], &[("/speed", "std_msgs/String")]).await;
    let gateway = Gateway::of(&bridge, "topics = { cmd_vel = 'speed' }", "").await;
    gateway.observer.is_up().await;
    let reason = refusal(gateway.command(DRIVE).await);
    assert!(reason.contains("/speed takes std_msgs/String") && reason.contains(TWIST), "{reason}");
    let nowhere = RealBridge::start(Rosapi::Answers, &[("/odom", ODOMETRY)], &[]).await;
    let gateway = Gateway::of(&nowhere, "", "").await;
    gateway.observer.is_up().await;
    let reason = refusal(gateway.command(DRIVE).await);
    assert!(reason.contains("no topic of the robot takes geometry_msgs/Twist"), "{reason}");
}

#[tokio::test(start_paused = true)]
async fn a_bridge_without_rosapi_works_with_the_topics_of_the_config_and_says_so() {
    for (rosapi, says) in [(Rosapi::Missing, "does not exist"), (Rosapi::Silent, "did not answer within 4 s")]
    {
        let time = Time::standing();
        let bridge = RealBridge::start(rosapi, &[], &[]).await;
        let gateway = Gateway::of(&bridge, CONFIGURED, "base-1/velocity").await;
        let problem = gateway.problem(&time).await;
        assert!(problem.contains(says) && problem.contains("start rosapi"), "{problem}");
        assert_eq!(gateway.command(DRIVE).await, Outcome::Accepted);
        assert_eq!(bridge.published("/base/cmd_vel").await["twist"]["linear"]["x"], 0.25);
        bridge.publish("/wheels", &odometry(1.0, 0.5)).await;
        let is_speed = |signal: &Signal| matches!(signal, Signal::Velocity(it) if it.linear_mps == Some(0.5));
        gateway.observer.update(|it| is_speed(&it.signal)).await;
        // It is started later.
        bridge.set_rosapi(Rosapi::Answers);
        gateway.link(&time, |it| !it.reason.as_ref().is_some_and(|it| it.contains("rosapi"))).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_bridge_without_rosapi_and_topics_is_down_with_the_reason() {
    for (rosapi, says) in [(Rosapi::Missing, "does not exist"), (Rosapi::Silent, "did not answer within 4 s")]
    {
        let time = Time::standing();
        let bridge = RealBridge::start(rosapi, &[], &[]).await;
        let gateway = Gateway::of(&bridge, "", "").await;
        let link = gateway.link(&time, |it| it.state != LinkState::Connecting).await;
        let reason = link.reason.unwrap();
        assert_eq!(link.state, LinkState::Down);
        assert!(reason.contains(says) && reason.contains("rosbridge.connect.topics"), "{reason}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_robot_whose_program_is_gone_is_told_from_its_bridge() {
    let time = Time::standing();
    let bridge = RealBridge::start(Rosapi::Answers, &[("/odom", ODOMETRY)], &[("/cmd_vel", TWIST)]).await;
    let gateway = Gateway::of(&bridge, "", "base-1/velocity").await;
    assert_eq!(gateway.observer.link(|it| it.state == LinkState::Up).await.reason, None);
    bridge.set_nodes("/odom", false, false);
    let says = |what: &'static str| move |it: &Link| it.reason.as_ref().is_some_and(|it| it.contains(what));
    gateway.link(&time, says("nobody publishes /odom")).await;
    bridge.set_nodes("/odom", true, false);
    bridge.publish("/odom", &odometry(0.0, 0.0)).await;
    gateway.link(&time, |it| it.state == LinkState::Up && it.reason.is_none()).await;
    // It is there, and hangs.
    gateway.link(&time, says("nothing comes on /odom")).await;
    bridge.publish("/odom", &odometry(0.0, 0.0)).await;
    gateway.link(&time, |it| it.reason.is_none()).await;
}

#[tokio::test]
async fn each_topic_is_looked_at_once_so_that_what_there_is_is_known_before_somebody_asks() {
    let bridge = RealBridge::start(Rosapi::Answers, &[("/odom", ODOMETRY)], &[]).await;
    let gateway = Gateway::of(&bridge, "", "").await;
    gateway.observer.is_up().await;
    bridge.publish("/odom", &odometry(1.0, 0.5)).await;
    bridge.frame(|it| it["op"] == "unsubscribe" && it["topic"] == "/odom").await;
    let known: Vec<_> =
        gateway.hub.last_of_robot(&super::robot()).iter().map(|it| it.key().to_string()).collect();
    assert!(known.contains(&"base-1/velocity/measured".to_owned()), "{known:?}");
}
