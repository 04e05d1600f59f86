//! A stop is final: nothing that was given before it moves a robot after it, whoever the robot is and however slow; and
//! the end of the gateway stops what moves.

use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::mosquitto::{Subscriber, port_of, publish};
use latimer_e2e::{Gateway, Mosquitto, Ros, SlowRobot};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// How long a robot of these tests takes for each request.
const TAKES: Duration = Duration::from_millis(400);
/// How long what must not happen has time to.
const AFTERMATH: Duration = Duration::from_secs(3);
/// The broker's port above the common one, and the ROS master's.
const MQTT: u16 = 20;
const MASTER: u16 = 30;

/// A request for a robot by the API; its status and what it says.
async fn command(gateway: &Gateway, robot: &str, command: Value, query: &str) -> (StatusCode, String) {
    let url = format!("http://{}/api/v1/robots/{robot}/commands{query}", gateway.http());
    let request = reqwest::Client::new().post(url).header("content-type", "application/json");
    let answer = request.body(command.to_string()).send().await.expect("the gateway answers");
    (answer.status(), answer.text().await.expect("the answer is text"))
}

/// The same while the test goes on.
fn give(gateway: &Gateway, robot: &'static str, it: Value) -> JoinHandle<(StatusCode, String)> {
    let url = format!("http://{}/api/v1/robots/{robot}/commands", gateway.http());
    tokio::spawn(async move {
        let request = reqwest::Client::new().post(url).header("content-type", "application/json");
        let answer = request.body(it.to_string()).send().await.expect("the gateway answers");
        (answer.status(), answer.text().await.expect("the answer is text"))
    })
}

fn drive(linear_mps: f64) -> Value {
    json!({"command": "drive", "linear_mps": linear_mps})
}

/// A drive that no newer one replaces.
fn heading(distance_m: f64) -> Value {
    json!({"command": "drive_heading", "heading_rad": 0.0, "distance_m": distance_m, "duration_s": 1.0})
}

/// A gateway that knows a slow robot as `far`.
async fn connected(dialect: &str, robot: &SlowRobot) -> Gateway {
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[{dialect}.connect]]\nrobot = 'far'\naddress = '{}'\n",
        robot.address()
    );
    let gateway = Gateway::with_text(&config).await;
    gateway.until_up("far").await;
    gateway
}

/// Ten commands, and a stop while the second is on its way: what the robot was asked, and what the ten were answered.
async fn overtaken(
    dialect: &str,
    ten: impl Fn(u32) -> Value,
    stop: Value,
    is_stop: impl Fn(&str, &Value) -> bool,
) -> (Vec<String>, Vec<(StatusCode, String)>) {
    let robot = SlowRobot::start(TAKES).await;
    let gateway = connected(dialect, &robot).await;
    let given: Vec<_> = (1..=10).map(|i| give(&gateway, "far", ten(i))).collect();
    tokio::time::sleep(TAKES * 3 / 2).await;
    let (status, answer) = command(&gateway, "far", stop, "").await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let mut answers = Vec::new();
    for given in given {
        answers.push(given.await.expect("it is answered"));
    }
    tokio::time::sleep(AFTERMATH).await;
    let calls = robot.calls();
    let asked: Vec<String> = calls
        .iter()
        .map(|(name, body)| format!("{}{name}", if is_stop(name, body) { "stop: " } else { "" }))
        .collect();
    let first = asked.iter().position(|it| it.starts_with("stop: "));
    let first = first.unwrap_or_else(|| panic!("no stop in {asked:?}"));
    let after = asked.get(first..).unwrap_or_default();
    assert!(after.iter().all(|it| it.starts_with("stop: ")), "a command came after the stop: {asked:?}");
    assert!(after.len() >= 2, "the stop is not sent again after what was on its way: {asked:?}");
    (asked, answers)
}

/// At least so many were answered that a stop came after them, and nobody was left without an answer.
fn assert_answered(answers: &[(StatusCode, String)], least: usize) {
    let stopped = answers
        .iter()
        .filter(|(status, text)| *status == StatusCode::CONFLICT && text.contains("a stop came after it"));
    assert!(stopped.count() >= least, "{answers:?}");
}

#[tokio::test]
async fn a_slow_misty_is_asked_for_nothing_after_a_stop_or_a_halt() {
    for (word, endpoint) in [("stop", "POST drive/stop"), ("halt", "POST halt")] {
        let ten = |i| heading(0.02 * f64::from(i));
        let (asked, answers) =
            overtaken("misty", ten, json!({"command": word}), |name, _| name == endpoint).await;
        assert_eq!(
            asked.iter().filter(|it| it.contains("drive") && !it.contains("stop")).count(),
            2,
            "{asked:?}"
        );
        assert_answered(&answers, 9);
    }
}

#[tokio::test]
async fn a_slow_chassis_is_asked_for_nothing_after_a_stop_or_an_emergency_stop() {
    let moves = |i| json!({"command": "navigate", "to": {"x_m": i, "y_m": 0.0}});
    let stands = |name: &str, body: &Value| {
        name == "PATCH chassis/moves/current" || (name == "/twist" && body["linear_velocity"] == 0.0)
    };
    let (asked, answers) = overtaken("axbot", moves, json!({"command": "stop"}), stands).await;
    assert!(asked.iter().filter(|it| *it == "POST chassis/moves").count() <= 2, "{asked:?}");
    assert_answered(&answers, 8);

    let pressed =
        |name: &str, body: &Value| name.ends_with("wheel_control/set_emergency_stop") || stands(name, body);
    let estop = json!({"command": "emergency_stop", "pressed": true});
    let (asked, answers) = overtaken("axbot", moves, estop, pressed).await;
    assert!(asked.iter().any(|it| it.contains("set_emergency_stop")), "{asked:?}");
    assert_answered(&answers, 8);
}

#[tokio::test]
async fn a_drive_whose_caller_received_504_never_reaches_the_robot() {
    let robot = SlowRobot::start(TAKES).await;
    let gateway = connected("misty", &robot).await;
    let given = (1..=20).map(|i| command(&gateway, "far", heading(0.01 * f64::from(i)), "?patience=1s"));
    let answers = futures_util::future::join_all(given).await;
    let late = answers.iter().filter(|(status, _)| *status == StatusCode::GATEWAY_TIMEOUT).count();
    // The patience of the later ones ends a little later, so each may still be sent when the one before it is given up;
    // what was sent by now arrives within a moment.
    tokio::time::sleep(TAKES).await;
    let by_then = robot.calls().len();
    assert!(
        late >= 15 && by_then <= 10,
        "{late} were answered 504, these reached the robot: {:?}",
        robot.calls()
    );
    tokio::time::sleep(AFTERMATH).await;
    assert_eq!(robot.calls().len(), by_then, "{:?}", robot.names());
}

#[tokio::test]
async fn the_end_of_the_gateway_stops_a_misty_and_a_chassis_that_drive() {
    for signal in ["TERM", "INT"] {
        let (misty, chassis) = (SlowRobot::start(TAKES).await, SlowRobot::start(TAKES).await);
        let config = format!(
            "[http]\nlisten = '127.0.0.1:8080'\n[[misty.connect]]\nrobot = 'far'\naddress = '{}'\n\
             [[axbot.connect]]\nrobot = 'farther'\naddress = '{}'\n[[misty.connect]]\nrobot = 'still'\naddress = '{0}'\n",
            misty.address(),
            chassis.address()
        );
        let mut gateway = Gateway::with_text(&config).await;
        for robot in ["far", "farther", "still"] {
            gateway.until_up(robot).await;
        }
        let (status, answer) = command(&gateway, "far", drive(0.1), "").await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        // This one is still on its way.
        let _moving =
            give(&gateway, "farther", json!({"command": "navigate", "to": {"x_m": 1.0, "y_m": 0.0}}));
        chassis.until("POST chassis/moves", PATIENCE).await;
        let status = gateway.signal(signal, PATIENCE).await;
        assert!(status.success(), "{status}:\n{}", gateway.said());
        assert_eq!(misty.names(), ["POST drive", "POST drive/stop"], "one stop, for the one that drives");
        let asked = chassis.names();
        let cancelled = asked.iter().filter(|it| *it == "PATCH chassis/moves/current").count();
        assert!(cancelled >= 1 && asked.last().is_some_and(|it| it != "POST chassis/moves"), "{asked:?}");
    }
}

#[tokio::test]
async fn the_end_of_the_gateway_stops_a_robot_of_a_swarm_that_moves_and_tells_of_one_that_cannot_be_stopped()
{
    let broker = Mosquitto::start().await;
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n\
         [[pera.connect]]\nrobot = 'pera-7'\nid = 7\naddress = '{0}'\n\
         [[robotkoop.connect]]\nrobot = 'house'\nid = 'R_1'\naddress = '{0}'\n",
        broker.address()
    );
    let mut gateway = Gateway::with_text(&config).await;
    let mut received = Subscriber::new(broker.port(), &["v1/robot/msg/7", "/dialogue/task"]).await;
    // A robot of the swarm that others let go: only its places tell that it moves.
    for step in 0..40 {
        let place = json!([{"id": 7, "x": f64::from(step), "y": 0.0, "heading": 0.0, "reality": "R"}]);
        publish(broker.port(), "v1/localization/update", &place.to_string()).await;
        publish(broker.port(), "v1/robot/live", r#"{"id": 7, "reality": "R"}"#).await;
        if step > 2 && is_up(&gateway, "pera-7").await {
            break;
        }
    }
    let bring = json!({"command": "task", "id": "T1", "kind": "bring", "parameters": {"object": "coke"}});
    let _asked = give(&gateway, "house", bring);
    received.message("/dialogue/task").await;
    for x in [50, 60] {
        let place = json!([{"id": 7, "x": x, "y": 0.0, "heading": 0.0, "reality": "R"}]);
        publish(broker.port(), "v1/localization/update", &place.to_string()).await;
    }
    let status = gateway.signal("TERM", PATIENCE).await;
    assert_eq!(status.code(), Some(1), "the household robot takes no stop: {status}");
    received.fitting("v1/robot/msg/7", |text| text.starts_with("STOP")).await;
    let said = gateway.said();
    assert!(said.contains("could not be stopped") && said.contains("house"), "{said}");
}

async fn is_up(gateway: &Gateway, robot: &str) -> bool {
    let url = format!("http://{}/api/v1/robots/{robot}", gateway.http());
    let answer = reqwest::get(url).await.expect("the gateway answers").text().await.unwrap_or_default();
    answer.contains("\"up\"")
}

#[tokio::test]
async fn the_end_of_the_gateway_stops_a_miro_at_once() {
    let config = "[http]\nlisten = '127.0.0.1:8080'\n[world]\nfile = 'empty'\nseed = 1\n\
         [[simulate]]\nrobot = 'miro-1'\nbody = 'miro'\nposition_m = [1.0, 3.0]\nyaw_deg = 0.0\n\
         [miro.master]\nlisten = '127.0.0.1:11311'\n[[miro.serve]]\nrobot = 'miro-1'\nname = 'rob01'\n";
    let first = Gateway::with_text(config).await;
    let address = first.port(MASTER);
    let mut second = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[miro.connect]]\nrobot = 'far'\nname = 'rob01'\naddress = '{address}'\n"
    ))
    .await;
    second.until_up("far").await;
    let drive = json!({"command": "drive", "linear_mps": 0.1, "duration_s": 60});
    let (status, answer) = command(&second, "far", drive, "").await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    until_moving(&first, "miro-1").await;
    second.signal("TERM", PATIENCE).await;
    // Without its driver a MiRo would go on for a second.
    let at = place(&first, "miro-1").await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    let gone_m = distance_m(at, place(&first, "miro-1").await);
    assert!(gone_m < 0.05, "it went on for {gone_m} m");
}

/// Where a robot truly is.
async fn place(gateway: &Gateway, robot: &str) -> [f64; 2] {
    let answer = reqwest::get(format!("http://{}/api/v1/world", gateway.http())).await;
    let world: Value = answer.expect("the gateway answers").json().await.expect("the answer is JSON");
    let robots = world["now"]["robots"].as_array().cloned().unwrap_or_default();
    let it = robots.iter().find(|it| it["robot"] == robot);
    let it = it.unwrap_or_else(|| panic!("no {robot} in {robots:?}"));
    ["x_m", "y_m"].map(|axis| it[axis].as_f64().unwrap_or_else(|| panic!("{it} has no place")))
}

fn distance_m(from: [f64; 2], to: [f64; 2]) -> f64 {
    (to[0] - from[0]).hypot(to[1] - from[1])
}

async fn until_moving(gateway: &Gateway, robot: &str) {
    let moving = async {
        let at = place(gateway, robot).await;
        while distance_m(at, place(gateway, robot).await) < 0.05 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let moved = tokio::time::timeout(PATIENCE, moving).await;
    assert!(moved.is_ok(), "{robot} does not move");
}

/// Two seconds to brake, and then it must not have moved.
async fn assert_stands(gateway: &Gateway, robot: &str) {
    tokio::time::sleep(Duration::from_secs(1)).await;
    let at = place(gateway, robot).await;
    tokio::time::sleep(AFTERMATH).await;
    let gone_m = distance_m(at, place(gateway, robot).await);
    assert!(gone_m < 0.02, "{robot} went on for {gone_m} m after a stop");
}

async fn post(url: String, body: Value) {
    let answer = reqwest::Client::new().post(url).body(body.to_string()).send().await;
    let answer = answer.expect("the gateway answers");
    let status = answer.status();
    assert!(status.is_success(), "{status} {}", answer.text().await.unwrap_or_default());
}

#[tokio::test]
async fn each_robot_of_the_demo_stands_after_a_stop() {
    let gateway = Gateway::demo().await;
    let misty = format!("http://{}/api", gateway.misty());
    let chassis = format!("http://{}", gateway.port(10));
    let broker = port_of(&gateway.port(MQTT));

    // Each is set in motion in its own dialect, and stopped in it where that has a word.
    let turns = json!({"LinearVelocity": 10, "AngularVelocity": 40});
    for _ in 0..5 {
        post(format!("{misty}/drive"), turns.clone()).await;
    }
    until_moving(&gateway, "misty-1").await;
    post(format!("{misty}/drive/stop"), json!({})).await;
    assert_stands(&gateway, "misty-1").await;

    for x in [11.0, 7.0, 11.4] {
        let goal = json!({"type": "standard", "target_x": x, "target_y": 2.7});
        post(format!("{chassis}/chassis/moves"), goal).await;
    }
    until_moving(&gateway, "axbot-1").await;
    gateway.cli_ok(&["send", "axbot-1", "stop"]).await;
    assert_stands(&gateway, "axbot-1").await;

    publish(broker, "v1/robot/msg/1", "START").await;
    until_moving(&gateway, "pera-1").await;
    publish(broker, "v1/robot/msg/1", "STOP").await;
    assert_stands(&gateway, "pera-1").await;

    let task = |id: &str| {
        json!({"target_id": "R_1", "source_id": "SI_1", "timestamp": 1, "task_id": id, "priority": 3,
            "type": "bring", "parameter": {"object": "coke", "to": "user"}})
    };
    for id in ["T1", "T2"] {
        publish(broker, "/dialogue/task", &task(id).to_string()).await;
    }
    until_moving(&gateway, "robotkoop-1").await;
    gateway.cli_ok(&["send", "robotkoop-1", "stop"]).await;
    assert_stands(&gateway, "robotkoop-1").await;

    // A MiRo goes on for as long as its driver speaks; this one says it once.
    let ros = Ros::at(&format!("http://{}", gateway.port(MASTER))).await;
    let publisher = ["pub", "-r20", "/miro/rob01/control/cmd_vel", "geometry_msgs/Twist"];
    let twist = "{linear: {x: 0.1}, angular: {z: 0.5}}";
    let mut driver = ros.command("rostopic");
    let driver = driver.args(publisher).arg(twist).kill_on_drop(true).spawn().expect("it is installed");
    until_moving(&gateway, "miro-1").await;
    drop(driver);
    gateway.cli_ok(&["send", "miro-1", "stop"]).await;
    assert_stands(&gateway, "miro-1").await;
}
