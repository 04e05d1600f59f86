//! Robots of the hub that ask a simulator, as real ones do.

use latimer_core::model::signal::{Color, Range};

use super::gateway::{Gateway, publish};
use super::swarm::{Broker, Peer};

const ASK: &str = "ask = true\ntimeout_s = 0.3\n[[serve]]\nrobot = \"misty-3\"\n";

#[tokio::test]
async fn the_simulators_reading_is_put_to_the_robots_own() {
    let broker = Broker::start().await;
    let filters = ["robot/create", "robot/log", "sensor/distance", "sensor/color"];
    let mut simulator = Peer::at(&broker.address, &filters).await;
    let gateway = Gateway::start(ASK, &broker.address).await;
    let robot = gateway.robot("misty-3");
    simulator.hear_of("robot/create").await;
    publish(&robot, Some("front"), Range::valid(0.4));
    assert_eq!(simulator.hear_of("sensor/distance").await, r#"{"id":3,"dist":40,"reality":"M"}"#);
    simulator.publish("sensor/distance/3", "25").await;
    let log = simulator.hear_of("robot/log").await;
    assert!(log.contains("distance 25 in"), "{log}");
    publish(&robot, Some("front"), Color { red: 100, green: 0, blue: 0, ambient_ratio: None });
    let asked = simulator.hear_of("sensor/color").await;
    assert_eq!(asked, r#"{"id":3,"R":100,"G":0,"B":0,"reality":"M"}"#);
    simulator.publish("sensor/color/3", "0 64 0 21").await;
    let log = simulator.hear_of("robot/log").await;
    assert!(log.contains("color 50 32 0 21 in"), "{log}");
    gateway.stop().await;
}

#[tokio::test]
async fn a_simulator_that_does_not_answer_is_asked_again() {
    let broker = Broker::start().await;
    let mut simulator = Peer::at(&broker.address, &["robot/create", "sensor/distance", "robot/log"]).await;
    let gateway = Gateway::start(ASK, &broker.address).await;
    let robot = gateway.robot("misty-3");
    simulator.hear_of("robot/create").await;
    publish(&robot, Some("front"), Range::valid(0.4));
    simulator.hear_of("sensor/distance").await;
    let again = async {
        loop {
            // A robot measures again and again; nothing tells when it may ask again.
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            publish(&robot, Some("front"), Range::valid(0.3));
        }
    };
    tokio::select! {
        asked = simulator.hear_of("sensor/distance") => assert!(asked.contains("\"dist\":30"), "{asked}"),
        () = again => unreachable!(),
    }
    gateway.stop().await;
}
