//! What the swarm asks of a robot of the hub.

use latimer_core::Value;
use latimer_core::model::{Command, Outcome};

use latimer_dialects::limits::MAX_PENDING_STOPS;

use super::gateway::Gateway;
use super::swarm::{Broker, PATIENCE, Peer};

const SERVE: &str = "[[serve]]\nrobot = \"misty-3\"\n";

#[tokio::test]
async fn orders_reach_the_robot_and_refusals_its_log() {
    let broker = Broker::start().await;
    let mut sandbox = Peer::at(&broker.address, &["robot/create", "robot/log"]).await;
    let gateway = Gateway::start(SERVE, &broker.address).await;
    let mut robot = gateway.robot("misty-3");
    sandbox.hear_of("robot/create").await;
    let program = |text: &str| Command::SkillMessage { text: text.to_owned(), data: None };
    let comm = Value::Map(vec![("comm".into(), Value::Text("simple".into()))]);
    for (topic, text, command) in [
        ("robot/msg/3", "STOP -1", Command::Stop { hold: false }),
        ("robot/msg/broadcast", "STOP -1", Command::Stop { hold: false }),
        ("robot/msg/3", "START -1", program("START")),
        ("robot/msg/3", "RESET -1", program("RESET")),
        ("robot/msg/3", "MODE 2", program("MODE 2")),
        ("output/neopixel/3", "1 2 3", Command::Lamp { part: None, rgb: [1, 2, 3] }),
        ("comm/in/simple/3", "hi", Command::SkillMessage { text: "hi".to_owned(), data: Some(comm) }),
    ] {
        sandbox.publish(topic, text).await;
        let request = robot.next_command().await;
        assert_eq!(request.command, command, "{topic} {text}");
        request.answer(Outcome::Done);
    }
    sandbox.publish("robot/msg/3", "START -1").await;
    robot.next_command().await.answer(Outcome::not_now("it has no program"));
    let noted = sandbox.hear_of("robot/log").await;
    assert!(noted.starts_with(r#"{"id":"3","msg":"START: it has no program (command "#), "{noted}");
    sandbox.publish("robot/msg/3", "DANCE now").await;
    assert!(sandbox.hear_of("robot/log").await.contains("DANCE now: unknown; send START"));
    gateway.stop().await;
}

#[tokio::test]
async fn garbage_on_every_topic_is_survived() {
    let broker = Broker::start().await;
    let mut sandbox = Peer::at(&broker.address, &["robot/create", "robot/live"]).await;
    let gateway = Gateway::start("serve_all = true\nask = true", &broker.address).await;
    let _robot = gateway.robot("misty-3");
    sandbox.hear_of("robot/create").await;
    let topics = "robot/msg/3 robot/msg/broadcast robot/msg/x sensor/distance/3 sensor/color/3 sensor/color/3/? \
                  sensor/proximity/3 sensor/proximity/3/? sensor/compass/3/? sensor/sonar/3 comm/in/simple/3 \
                  comm/in/loud/3 output/neopixel/3 localization/update/? sensor/distance/99999999999";
    for topic in topics.split_whitespace() {
        for garbage in [&b""[..], b"\xff\xfe", b"{", b"null", &[b'['; 100_000], b"nan nan nan nan"] {
            sandbox.publish(topic, garbage).await;
        }
    }
    sandbox.publish("robot/msg/3", "ID? -1").await;
    assert_eq!(sandbox.hear_of("robot/live").await, r#"{"id":3,"reality":"V"}"#);
    gateway.stop().await;
}

#[tokio::test]
async fn orders_for_a_silent_robot_keep_none_from_another() {
    let broker = Broker::start().await;
    let mut sandbox = Peer::at(&broker.address, &["robot/create", "robot/live"]).await;
    let gateway = Gateway::start("serve_all = true", &broker.address).await;
    let (_silent, mut quick) = (gateway.robot("misty-3"), gateway.robot("misty-4"));
    for _ in 0..2 {
        sandbox.hear_of("robot/create").await;
    }
    for _ in 0..4_200 {
        sandbox.publish("robot/msg/3", "STOP -1").await;
    }
    sandbox.publish("robot/msg/4", "STOP -1").await;
    let request = tokio::time::timeout(PATIENCE, quick.next_command()).await.unwrap();
    assert_eq!(request.command, Command::Stop { hold: false });
    request.answer(Outcome::Done);
    sandbox.publish("robot/msg/3", "ID? -1").await;
    assert_eq!(sandbox.hear_of("robot/live").await, r#"{"id":3,"reality":"V"}"#);
    gateway.stop().await;
}

#[tokio::test]
async fn a_robot_that_has_too_many_orders_is_stopped_and_stops_have_a_bound() {
    let broker = Broker::start().await;
    let mut sandbox = Peer::at(&broker.address, &["robot/create", "robot/live"]).await;
    let gateway = Gateway::start(SERVE, &broker.address).await;
    let mut robot = gateway.robot("misty-3");
    sandbox.hear_of("robot/create").await;
    for _ in 0..100 {
        sandbox.publish("output/neopixel/3", "1 2 3").await;
    }
    for _ in 0..2 * MAX_PENDING_STOPS {
        sandbox.publish("robot/msg/3", "STOP -1").await;
    }
    // It is left out: a stop that was refused would have to end it.
    sandbox.publish("robot/msg/3", "START -1").await;
    sandbox.publish("robot/msg/3", "ID? -1").await;
    sandbox.hear_of("robot/live").await;
    for _ in 0..MAX_PENDING_STOPS {
        let request = tokio::time::timeout(PATIENCE, robot.next_command()).await.unwrap();
        assert_eq!(request.command, Command::Stop { hold: false });
        request.answer(Outcome::Done);
    }
    // Those that are answered have left room when this is.
    sandbox.publish("robot/msg/3", "ID? -1").await;
    sandbox.hear_of("robot/live").await;
    sandbox.publish("robot/msg/3", "RESET -1").await;
    let next = tokio::time::timeout(PATIENCE, robot.next_command()).await.unwrap();
    assert!(
        matches!(&*next.command, Command::SkillMessage { text, .. } if text == "RESET"),
        "{:?}",
        next.command
    );
    next.answer(Outcome::Done);
    gateway.stop().await;
}
