//! Robots of the hub, seen from the swarm.

use std::time::Duration;

use latimer_core::model::signal::{
    Color, Frame, Imu, Lamp, LinkState, Orientation, Pose, Range, Text, TextChannel,
};
use latimer_core::model::{Destination, NavigationGoal};
use latimer_core::{Clock, Command, Hub, Outcome};

use super::gateway::{Gateway, build, publish};
use super::swarm::{Broker, Peer};

const SERVE: &str = "[[serve]]\nrobot = \"misty-3\"\n";

#[tokio::test]
async fn a_robot_introduces_itself_and_tells_where_it_is() {
    let broker = Broker::start().await;
    let mut screen =
        Peer::at(&broker.address, &["robot/create", "localization/update", "output/neopixel"]).await;
    let gateway = Gateway::start(SERVE, &broker.address).await;
    let robot = gateway.robot("misty-3");
    let created = r#"{"id":3,"x":0,"y":0,"heading":0,"reality":"V"}"#;
    assert_eq!(screen.hear_of("robot/create").await, created);
    assert_eq!(screen.hear_of("localization/update").await, format!("[{created}]"));
    publish(&robot, None, Pose::planar(Frame::Map, 0.1, -0.25, -1.0));
    let place = r#"[{"id":3,"x":10,"y":-25,"heading":-57.3,"reality":"V"}]"#;
    while screen.hear_of("localization/update").await != place {}
    publish(&robot, Some("led"), Lamp { red: 1, green: 2, blue: 3 });
    assert_eq!(screen.hear_of("output/neopixel").await, r#"{"id":3,"R":1,"G":2,"B":3}"#);
    screen.publish("localization/update/?", "?").await;
    assert_eq!(screen.hear_of("localization/update").await, place);
    gateway.stop().await;
}

#[tokio::test]
async fn a_robot_answers_for_its_sensors() {
    let broker = Broker::start().await;
    let filters = ["robot/create", "sensor/distance", "sensor/color", "sensor/compass/"];
    let mut sandbox = Peer::at(&broker.address, &filters).await;
    let gateway = Gateway::start(SERVE, &broker.address).await;
    let robot = gateway.robot("misty-3");
    sandbox.hear_of("robot/create").await;
    publish(&robot, Some("front"), Range::valid(0.4));
    assert_eq!(sandbox.hear_of("sensor/distance").await, r#"{"id":3,"dist":40}"#);
    publish(&robot, Some("front"), Range::valid(0.125));
    sandbox.publish("sensor/distance/3/?", "?").await;
    while sandbox.hear_of("sensor/distance").await != r#"{"id":3,"dist":12.5}"# {}
    let color = Color { red: 255, green: 0, blue: 7, ambient_ratio: None };
    publish(&robot, Some("front"), color);
    assert_eq!(sandbox.hear_of("sensor/color").await, r#"{"id":3,"R":255,"G":0,"B":7}"#);
    let orientation = Some(Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad: 0.0 });
    publish(&robot, None, Imu { orientation, angular_velocity: None, linear_acceleration: None });
    sandbox.publish("sensor/compass/3/?", "?").await;
    assert_eq!(sandbox.hear_of("sensor/compass/").await, r#"{"id":3,"compass":90}"#);
    gateway.stop().await;
}

#[tokio::test]
async fn a_robot_shows_that_it_is_there_while_it_is() {
    let broker = Broker::start().await;
    let mut simulator = Peer::at(&broker.address, &["robot/create", "robot/live"]).await;
    let gateway = Gateway::start("serve_all = true", &broker.address).await;
    let one = gateway.robot("misty-3");
    let _other = gateway.robot("nameless");
    let created = [simulator.hear_of("robot/create").await, simulator.hear_of("robot/create").await];
    assert!(created[0].starts_with("{\"id\":3,") && created[1].starts_with("{\"id\":100,"), "{created:?}");
    simulator.publish("robot/msg/broadcast", "ID? -1").await;
    let live = [simulator.hear_of("robot/live").await, simulator.hear_of("robot/live").await];
    assert_eq!(live, [r#"{"id":3,"reality":"V"}"#, r#"{"id":100,"reality":"V"}"#]);
    one.link(LinkState::Down, Some("switched off".to_owned()));
    simulator.publish("robot/msg/3", "ID? -1").await;
    simulator.publish("robot/msg/100", "ID? -1").await;
    assert_eq!(simulator.hear_of("robot/live").await, r#"{"id":100,"reality":"V"}"#);
    gateway.stop().await;
}

#[tokio::test]
async fn what_a_robot_says_reaches_the_swarm() {
    let broker = Broker::start().await;
    let mut swarm = Peer::at(&broker.address, &["robot/create", "robot/log", "comm/out/+"]).await;
    let gateway = Gateway::start(SERVE, &broker.address).await;
    let robot = gateway.robot("misty-3");
    swarm.hear_of("robot/create").await;
    let text = |channel| Text { channel, text: "hello".into(), data: None, truncated: None };
    publish(&robot, None, text(TextChannel::Log));
    publish(&robot, Some("comm_in_simple"), text(TextChannel::Chat));
    publish(&robot, Some("comm_out_direct"), text(TextChannel::Chat));
    assert_eq!(swarm.receive().await, ("robot/log".to_owned(), r#"{"id":"3","msg":"hello"}"#.to_owned()));
    assert_eq!(swarm.receive().await, ("comm/out/direct".to_owned(), r#"{"id":3,"msg":"hello"}"#.to_owned()));
    gateway.stop().await;
}

#[tokio::test]
async fn a_broker_that_was_away_meets_the_robots_again() {
    let broker = Broker::start().await;
    let mut before = Peer::at(&broker.address, &["robot/create"]).await;
    let gateway = Gateway::start(SERVE, &broker.address).await;
    let robot = gateway.robot("misty-3");
    before.hear_of("robot/create").await;
    let broker = broker.restarted().await;
    let mut after = Peer::at(&broker.address, &["robot/live", "localization/update"]).await;
    publish(&robot, None, Pose::planar(Frame::Map, 1.0, 0.0, 0.0));
    assert!(after.hear_of("localization/update").await.contains("\"x\":100"));
    after.publish("robot/msg/3", "ID? -1").await;
    after.hear_of("robot/live").await;
    gateway.stop().await;
}

#[tokio::test]
async fn without_a_broker_nobody_is_served() {
    let hub = Hub::new(Clock::system());
    let error = build(&hub, SERVE, None).await.err().unwrap().to_string();
    assert!(error.contains("[broker]") && error.contains("127.0.0.1:1883"), "{error}");
    assert!(build(&hub, "", None).await.unwrap().endpoints.is_empty());
}

#[tokio::test]
async fn a_robot_that_knows_no_place_stands_in_nobodys_way() {
    let broker = Broker::start().await;
    let filters = ["robot/create", "robot/live", "localization/update", "sensor/distance"];
    let mut swarm = Peer::at(&broker.address, &filters).await;
    let gateway = Gateway::start(SERVE, &broker.address).await;
    let robot = gateway.lost_robot("misty-3");
    publish(&robot, None, Pose::planar(Frame::Odom, 1.0, 0.0, 0.0));
    publish(&robot, Some("front"), Range::valid(0.4));
    assert_eq!(swarm.receive().await.0, "sensor/distance", "a robot that reads a sensor is placed nowhere");
    swarm.publish("robot/msg/3", "ID? -1").await;
    swarm.publish("sensor/distance/3/?", "?").await;
    assert_eq!(swarm.receive().await.0, "sensor/distance", "simulators make a robot of robot/live");
    publish(&robot, None, Pose::planar(Frame::Map, 1.0, 0.0, 0.0));
    assert_eq!(swarm.hear_of("robot/create").await, r#"{"id":3,"x":100,"y":0,"heading":0,"reality":"V"}"#);
    let live = swarm.hear_of("robot/live").await;
    assert_eq!(live, r#"{"id":3,"reality":"V"}"#, "it answers the query that came before its place");
    gateway.stop().await;
}

#[tokio::test]
async fn a_robot_is_the_body_of_a_program() {
    let broker = Broker::start().await;
    let topics = ["robot/create", "robot/log", "sensor/distance/7", "localization/7", "localization/update"];
    let mut program = Peer::at(&broker.address, &topics).await;
    let gateway =
        Gateway::start("[[serve]]\nrobot = \"misty-3\"\nid = 7\nbody = true\n", &broker.address).await;
    let mut robot = gateway.robot("misty-3");
    publish(&robot, Some("front"), Range::valid(0.404));
    // The gateway listens once it answers.
    let place = loop {
        program.publish("localization", "7").await;
        if let Ok(answer) = tokio::time::timeout(Duration::from_millis(100), program.receive()).await {
            break answer;
        }
    };
    assert_eq!(place, ("localization/7".to_owned(), "0 0 0".to_owned()));
    // Once where it is, and once where the program goes; numbers as texts are as good.
    for (update, goal) in [
        (r#"[{"id":7,"x":50,"y":-20,"heading":90,"reality":"V"}]"#, [0.5, -0.2, 90_f64.to_radians()]),
        (r#"[{"id":"7","x":"60","y":"-20","heading":"180"}]"#, [0.6, -0.2, 180_f64.to_radians()]),
    ] {
        // What is said twice is one goal.
        program.publish("localization/update", update).await;
        program.publish("localization/update", update).await;
        let request = robot.next_command().await;
        let Command::Navigate(NavigationGoal {
            destination: Destination::Point { x_m, y_m, yaw_rad }, ..
        }) = &*request.command
        else {
            panic!("{:?}", request.command)
        };
        let off = [x_m - goal[0], y_m - goal[1], yaw_rad.unwrap() - goal[2]];
        assert!(off.iter().all(|it| it.abs() < 1e-9), "{off:?}");
        request.answer(Outcome::Accepted);
        assert_eq!(program.hear_of("localization/update").await, update);
        assert_eq!(program.hear_of("localization/update").await, update);
    }
    program.publish("sensor/distance", r#"{"id":7,"reality":"M"}"#).await;
    assert_eq!(program.hear_of("sensor/distance/7").await, "40");
    program.publish("robot/msg/7", "STOP -1").await;
    assert_eq!(robot.next_command().await.command, Command::Stop { hold: false });
    // Another robot's place, and half of one, is no goal.
    program.publish("localization/update", r#"[{"id":8,"x":1,"y":1,"heading":1},{"id":7,"x":90}]"#).await;
    program.publish("robot/msg/7", "STOP -1").await;
    assert!(robot.next_command().await.command.is_stop());
    gateway.stop().await;
}
