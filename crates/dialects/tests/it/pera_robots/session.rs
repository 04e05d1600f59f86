//! Robots of a swarm that the gateway listens to.

use latimer_core::model::signal::{LinkState, Range};
use latimer_core::model::{Command, Kind, Outcome, Realities, SenseRequest, Sensing};
use latimer_core::{Signal, Value};

use super::gateway::{Gateway, id};
use super::swarm::{Broker, PATIENCE, Peer};

fn connect(broker: &Broker) -> String {
    format!("[[connect]]\nrobot = \"pera-7\"\naddress = \"{}\"\n", broker.address.authority())
}

/// A robot that is heard: its number, at a broker, with a gateway that knows it.
async fn up(broker: &Broker, filters: &[&str]) -> (Peer, Gateway) {
    let filters: Vec<&str> = filters.iter().copied().chain(["robot/msg/7"]).collect();
    let mut robot = Peer::at(&broker.address, &filters).await;
    let gateway = Gateway::start(&connect(broker), &broker.address).await;
    assert_eq!(robot.hear_of("robot/msg/7").await, "ID? -1");
    robot.publish("robot/live", r#"{"id": 7,"reality":"R"}"#).await;
    gateway.link(|link| link.state == LinkState::Up).await;
    (robot, gateway)
}

#[tokio::test]
async fn what_a_robot_says_becomes_signals() {
    let broker = Broker::start().await;
    let (mut robot, gateway) = up(&broker, &[]).await;
    robot.publish("sensor/distance", r#"{"id":"8","dist":"50"}"#).await;
    robot.publish("sensor/distance", r#"{"id":"7","dist":"12"}"#).await;
    let incoming = gateway.update(|update| update.kind() == Kind::Range).await;
    assert_eq!(
        (incoming.key().as_str(), &incoming.signal),
        ("pera-7/range/front", &Range::valid(0.12).into())
    );
    let native = incoming.native.as_ref().unwrap();
    assert_eq!(
        (native.dialect, &*native.topic, &native.payload[..]),
        ("pera", "sensor/distance", &br#"{"id":"7","dist":"12"}"#[..])
    );
    robot.publish("robot/create", r#"{"heading":90.0,"x":9.0,"y":9.0,"reality":V,"id":7}"#).await;
    let incoming = gateway.update(|update| update.kind() == Kind::Pose).await;
    let Signal::Pose(pose) = &incoming.signal else { unreachable!() };
    assert_eq!((pose.x_m, pose.y_m), (0.09, 0.09));
    robot.publish("sensor/proximity", r#"{"id":7,"angles":[-90,90]}"#).await;
    robot.publish("sensor/proximity/7", "5 10 #404040 #FF0000").await;
    let incoming = gateway.update(|update| update.key() == "pera-7/color/virtual_right").await;
    assert!(matches!(&incoming.signal, Signal::Color(color) if color.red == 255 && color.green == 0));
    robot.publish("sensor/distance/7", "far away").await;
    let odd = gateway.update(|update| update.kind() == Kind::Other).await;
    assert_eq!(&odd.native.as_ref().unwrap().payload[..], b"far away");
    gateway.stop().await;
}

#[tokio::test]
async fn commands_become_orders() {
    let broker = Broker::start().await;
    let (mut robot, gateway) = up(&broker, &["output/neopixel/7", "comm/in/+/7"]).await;
    let name = id("pera-7");
    let ask = |command| gateway.hub.command(&name, command, PATIENCE);
    assert_eq!(ask(Command::Stop { hold: false }).await, Outcome::Accepted);
    assert_eq!(robot.hear_of("robot/msg/7").await, "STOP -1");
    assert_eq!(ask(Command::Lamp { part: None, rgb: [1, 2, 3] }).await, Outcome::Accepted);
    assert_eq!(robot.hear_of("output/neopixel/7").await, "1 2 3");
    let data = Some(Value::Map(vec![("comm".into(), Value::Text("direct".into()))]));
    let text = Command::SkillMessage { text: "hi".to_owned(), data };
    assert_eq!(ask(text).await, Outcome::Accepted);
    assert_eq!(robot.hear_of("comm/in/direct/7").await, "hi");
    let Outcome::Refused(reason) = ask(Command::Volume(0.5)).await else { panic!() };
    assert!(reason.reason.contains("volume"), "{reason}");
    gateway.stop().await;
}

#[tokio::test]
async fn a_reading_is_asked_for_and_waited_for() {
    let broker = Broker::start().await;
    let (mut robot, gateway) = up(&broker, &["sensor/+/7/?"]).await;
    let sense = |what| Command::Sense(SenseRequest { what, realities: Realities::Real });
    let name = id("pera-7");
    let asked = gateway.hub.command(&name, sense(Sensing::Distance), PATIENCE);
    let answer = async {
        assert_eq!(robot.hear_of("sensor/distance/7/?").await, "?");
        robot.publish("sensor/distance", r#"{"id":7,"dist":33}"#).await;
    };
    let (outcome, ()) = tokio::join!(asked, answer);
    let Outcome::Sensed(readings) = outcome else { panic!("{outcome:?}") };
    assert_eq!(readings[0].signal, Range::valid(0.33).into());
    let around = sense(Sensing::Proximity { bearings_rad: vec![0.0] });
    assert!(matches!(gateway.hub.command(&name, around, PATIENCE).await, Outcome::Refused(_)));
    gateway.stop().await;
}

#[tokio::test]
async fn a_robot_that_says_nothing_is_not_there_though_its_broker_is() {
    let broker = Broker::start().await;
    // What the broker kept is no sign of life.
    let gateway = Gateway::start(&connect(&broker), &broker.address).await;
    let link = gateway.link(|link| link.state == LinkState::Down).await;
    assert!(link.reason.as_ref().is_some_and(|reason| reason.contains("robot 7 said nothing")), "{link:?}");
    gateway.stop().await;
}
