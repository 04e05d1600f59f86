//! The link to a broker breaks off while others stay at it: what they say meanwhile comes later.

use std::time::Duration;

use latimer_core::hub::Source;
use latimer_core::model::signal::{LinkState, Range};
use latimer_core::model::{Command, Kind};
use latimer_e2e::Cable;

use super::gateway::{Gateway, id};
use super::swarm::{Broker, PATIENCE, Peer};

/// Requests of minutes.
const WAITED: usize = 2_250;

/// Longer than a command to move is obeyed.
const LONG: Duration = Duration::from_millis(5_500);

/// A robot that is served at a broker over a cable, with somebody else there.
async fn served(table: &str) -> (Broker, Cable, Peer, Gateway, Source) {
    let broker = Broker::start().await;
    let filters = ["robot/create", "robot/live", "robot/log", "robot/msg/3", "localization/3"];
    let mut swarm = Peer::at(&broker.address, &filters).await;
    let cable = Cable::to(broker.address.port).await;
    let gateway = Gateway::start(table, &cable.address()).await;
    let robot = gateway.robot("misty-3");
    let there = async {
        loop {
            // It answers one or the other once it is there, by whether it is a body.
            swarm.publish("robot/msg/3", "ID? -1").await;
            swarm.publish("localization", "3").await;
            let answer = async {
                loop {
                    let (topic, _) = swarm.receive().await;
                    if topic != "robot/msg/3" {
                        return;
                    }
                }
            };
            if tokio::time::timeout(Duration::from_millis(200), answer).await.is_ok() {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, there).await.expect("the robot is served");
    (broker, cable, swarm, gateway, robot)
}

/// Waits until the broker has passed on what was said to the robot.
async fn is_said(swarm: &mut Peer, last: &str) {
    while swarm.hear_of("robot/msg/3").await != last {}
}

#[tokio::test]
async fn a_backlog_is_answered_in_whole_and_each_once() {
    let (_broker, cable, mut swarm, gateway, _robot) = served("[[serve]]\nrobot = \"misty-3\"\n").await;
    swarm.publish("robot/msg/3", "FIRST").await;
    while !swarm.hear_of("robot/log").await.contains("FIRST") {}
    cable.pull();
    for _ in 0..WAITED {
        swarm.publish("robot/msg/3", "ID? -1").await;
    }
    swarm.publish("robot/msg/3", "LAST").await;
    is_said(&mut swarm, "LAST").await;
    cable.plug();
    let mut answered = 0;
    loop {
        let (topic, text) = swarm.receive().await;
        match topic.as_str() {
            "robot/live" => answered += 1,
            "robot/log" if text.contains("LAST") => break,
            _ => {}
        }
    }
    assert_eq!(answered, WAITED);
    gateway.stop().await;
}

#[tokio::test]
async fn an_order_that_waited_long_moves_nobody_and_a_stop_stops() {
    let (_broker, cable, mut swarm, gateway, mut robot) = served("[[serve]]\nrobot = \"misty-3\"\n").await;
    cable.pull();
    swarm.publish("robot/msg/3", "START -1").await;
    swarm.publish("robot/msg/3", "STOP -1").await;
    tokio::time::sleep(LONG).await;
    cable.plug();
    let request = tokio::time::timeout(PATIENCE, robot.next_command()).await.expect("a stop is never late");
    assert_eq!(request.command, Command::Stop { hold: false });
    let note = swarm.hear_of("robot/log").await;
    assert!(note.contains("START: it may have waited") && note.contains("send it again"), "{note}");
    let start = Command::SkillMessage { text: "START".to_owned(), data: None };
    assert_eq!(once_caught_up(&mut swarm, &mut robot, ("robot/msg/3", "START -1")).await, start);
    gateway.stop().await;
}

#[tokio::test]
async fn an_order_that_the_broker_retained_moves_nobody() {
    let broker = Broker::start().await;
    let mut swarm = Peer::at(&broker.address, &["robot/log", "robot/msg/3"]).await;
    swarm.publish_retained("robot/msg/3", "START -1").await;
    is_said(&mut swarm, "START -1").await;
    let gateway = Gateway::start("[[serve]]\nrobot = \"misty-3\"\n", &broker.address).await;
    let mut robot = gateway.robot("misty-3");
    let note = swarm.hear_of("robot/log").await;
    assert!(note.contains("START: the broker retained it"), "{note}");
    swarm.publish("robot/msg/3", "START -1").await;
    let request = tokio::time::timeout(PATIENCE, robot.next_command()).await.expect("it is said now");
    assert_eq!(request.command, Command::SkillMessage { text: "START".to_owned(), data: None });
    gateway.stop().await;
}

#[tokio::test]
async fn a_body_drives_where_its_program_is_and_not_where_it_was_during_an_outage() {
    let table = "[[serve]]\nrobot = \"misty-3\"\nbody = true\n";
    let (_broker, cable, mut swarm, gateway, mut robot) = served(table).await;
    let place = r#"[{"id":3,"x":50,"y":-20,"heading":90,"reality":"V"}]"#;
    cable.pull();
    swarm.publish("localization/update", place).await;
    swarm.publish("robot/msg/3", "STOP -1").await;
    tokio::time::sleep(LONG).await;
    cable.plug();
    let request = tokio::time::timeout(PATIENCE, robot.next_command()).await.expect("a stop is never late");
    assert_eq!(request.command, Command::Stop { hold: false });
    let goal = once_caught_up(&mut swarm, &mut robot, ("localization/update", place)).await;
    assert!(matches!(goal, Command::Navigate(_)), "{goal:?}");
    gateway.stop().await;
}

/// What a robot is asked to do by a message that is sent until nothing of the outage waits any more.
async fn once_caught_up(swarm: &mut Peer, robot: &mut Source, (topic, text): (&str, &str)) -> Command {
    let asking = async {
        loop {
            swarm.publish(topic, text).await;
            let soon = tokio::time::timeout(Duration::from_millis(200), robot.next_command()).await;
            if let Ok(request) = soon {
                return request.command.clone();
            }
        }
    };
    tokio::time::timeout(PATIENCE, asking).await.expect("what is said now is obeyed")
}

#[tokio::test]
async fn what_a_robot_said_during_an_outage_is_as_old_as_it_may_be_and_no_sign_of_life() {
    let broker = Broker::start().await;
    let cable = Cable::to(broker.address.port).await;
    let mut robot = Peer::at(&broker.address, &["robot/msg/7", "sensor/distance"]).await;
    let table = format!("[[connect]]\nrobot = \"pera-7\"\naddress = \"{}\"\n", cable.address().authority());
    let gateway = Gateway::start(&table, &broker.address).await;
    robot.hear_of("robot/msg/7").await;
    robot.publish("robot/live", r#"{"id":7}"#).await;
    gateway.link(|link| link.state == LinkState::Up).await;
    let pulled = gateway.hub.clock().now();
    cable.pull();
    gateway.link(|link| link.state != LinkState::Up).await;
    robot.publish("sensor/distance", r#"{"id":7,"dist":12}"#).await;
    robot.hear_of("sensor/distance").await;
    cable.plug();
    let reading = gateway.update(|update| update.kind() == Kind::Range).await;
    assert_eq!(reading.signal, Range::valid(0.12).into());
    assert!(reading.received <= pulled && reading.stamp.at <= pulled, "{reading:?}");
    let link = gateway.hub.robot(&id("pera-7")).unwrap().link;
    assert_ne!(link.state, LinkState::Up, "nobody knows whether it is still there");
    robot.publish("robot/live", r#"{"id":7}"#).await;
    gateway.link(|link| link.state == LinkState::Up).await;
    gateway.stop().await;
}
