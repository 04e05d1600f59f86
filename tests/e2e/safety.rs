//! Who may move a robot: drives end with their programs, an emergency stop holds for everybody, and each command has an author.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::{Gateway, MistyClient, SlowRobot};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;

use crate::fakes::{Base, Running, Told, bridge};
use crate::python;

/// How long a robot of these tests takes for each request.
const TAKES: Duration = Duration::from_millis(400);
/// How long what must not happen has time to.
const AFTERMATH: Duration = Duration::from_secs(3);

/// A gateway that knows a slow Misty as `far`.
async fn connected(robot: &SlowRobot, more: &str) -> Gateway {
    connected_with(robot, more, &[]).await
}

/// The same with options of the command line.
async fn connected_with(robot: &SlowRobot, more: &str, options: &[&str]) -> Gateway {
    let address = robot.address();
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[misty.connect]]\nrobot = 'far'\naddress = '{address}'\n{more}"
    );
    let gateway = Gateway::with_text_and(&config, options).await;
    gateway.until_up("far").await;
    gateway
}

/// A program for a Misty that has set a speed.
async fn driving(gateway: &Gateway) -> Child {
    let address = format!("{}/robots/far/misty", gateway.http());
    let mut program = python::script("axbot", "misty_drives_on.py", &[&address]);
    let mut program = program.stdout(Stdio::piped()).spawn().expect("Python starts");
    let out = program.stdout.take().expect("it is piped");
    let line = tokio::time::timeout(PATIENCE, BufReader::new(out).lines().next_line()).await;
    assert_eq!(line.expect("it drives in time").expect("it can be read").as_deref(), Some("drives"));
    program
}

async fn commands(gateway: &Gateway) -> Vec<String> {
    let url = format!("http://{}/api/v1/commands", gateway.http());
    let answer: Value = reqwest::get(url).await.expect("it answers").json().await.expect("it is JSON");
    let records = answer["commands"].as_array().expect("a list").iter().rev();
    let text = |record: &Value| {
        let word = |it: &Value| it.as_str().unwrap_or_default().to_owned();
        format!(
            "{} {} {}",
            word(&record["author"]["dialect"]),
            word(&record["command"]),
            word(&record["outcome"])
        )
    };
    records.map(text).collect()
}

#[tokio::test]
async fn a_program_that_is_killed_leaves_no_robot_driving() {
    let robot = SlowRobot::start(TAKES).await;
    let gateway = connected(&robot, "").await;
    let mut program = driving(&gateway).await;
    tokio::time::sleep(AFTERMATH).await;
    assert_eq!(robot.names(), ["POST drive"], "it drives as long as its program is there");
    program.kill().await.expect("it can be killed");
    robot.until("POST drive/stop", PATIENCE).await;
    while !commands(&gateway).await.contains(&"gateway stop accepted".to_owned()) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(commands(&gateway).await[0], "misty drive accepted");
}

/// Two programs of one host: nothing but their sockets tells them apart.
#[tokio::test]
async fn a_program_that_is_killed_beside_another_leaves_no_robot_driving() {
    let robot = SlowRobot::start(TAKES).await;
    let gateway = connected(&robot, "").await;
    let other = MistyClient::connect(&format!("{}/robots/far/misty", gateway.http())).await;
    let mut program = driving(&gateway).await;
    program.kill().await.expect("it can be killed");
    robot.until("POST drive/stop", PATIENCE).await;
    drop(other);
}

#[tokio::test]
async fn a_site_may_let_robots_drive_on() {
    let robot = SlowRobot::start(TAKES).await;
    let gateway = connected(&robot, "[[authority]]\ndrive_until_stopped = true\n").await;
    let mut program = driving(&gateway).await;
    program.kill().await.expect("it can be killed");
    tokio::time::sleep(AFTERMATH).await;
    assert_eq!(robot.names(), ["POST drive"]);
}

#[tokio::test]
async fn an_emergency_stop_holds_a_robot_that_has_none() {
    let robot = SlowRobot::start(TAKES).await;
    let gateway = connected(&robot, "").await;
    assert_eq!(gateway.cli_ok(&["estop", "--all"]).await.trim(), "far  accepted");
    robot.until("POST halt", PATIENCE).await;
    let drive = async || {
        let url = format!("http://{}/robots/far/misty/api/drive", gateway.http());
        let body = json!({"LinearVelocity": 10, "AngularVelocity": 0}).to_string();
        let answer = reqwest::Client::new().post(url).header("content-type", "application/json").body(body);
        let answer = answer.send().await.expect("the gateway answers");
        (answer.status().as_u16(), answer.text().await.expect("it is text"))
    };
    let (status, text) = drive().await;
    assert!(
        status == 400 && text.contains("the emergency stop is pressed, by cli 127.0.0.1"),
        "{status} {text}"
    );
    let refused = gateway.cli(&["send", "far", "drive", "0.1", "0", "--for", "1s"]).await;
    assert_eq!(refused.status.code(), Some(4), "{refused:?}");
    assert_eq!(gateway.cli_ok(&["estop", "far", "--release"]).await.trim(), "far  done");
    assert_eq!(drive().await.0, 200);
    assert!(robot.names().ends_with(&["POST drive".to_owned()]), "{:?}", robot.names());
}

/// What the gateway finds wrong with the robot.
async fn alerts(gateway: &Gateway) -> String {
    let url = format!("http://{}/api/v1/last?select=far/alerts/**", gateway.http());
    reqwest::get(url).await.expect("it answers").text().await.expect("it is text")
}

#[tokio::test]
async fn a_stop_that_a_robot_answers_by_500_is_sent_again_until_it_takes_it() {
    let robot = SlowRobot::start(Duration::from_millis(20)).await;
    let gateway = connected(&robot, "").await;
    let stops = || robot.names().iter().filter(|it| *it == "POST drive/stop").count();
    gateway.cli_ok(&["send", "far", "drive", "0.1", "0"]).await;
    robot.fail("POST drive/stop", usize::MAX);
    let failed = gateway.cli(&["send", "far", "stop"]).await;
    assert!(!failed.status.success(), "the caller learns of it: {failed:?}");
    let alerted = async {
        while !alerts(&gateway).await.contains("did not take a stop") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, alerted).await.expect("an alert says so");
    assert!(stops() > 2, "{:?}", robot.names());
    robot.fail("POST drive/stop", 0);
    // It took one, and reports nothing: that is not to stand.
    let taken = async {
        while !alerts(&gateway).await.contains("does not confirm that it stands") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, taken).await.expect("the alert says what is missing by then");
    let taken = stops();
    tokio::time::sleep(AFTERMATH).await;
    assert_eq!(stops(), taken, "it took it");
}

#[tokio::test]
async fn the_end_of_the_gateway_tries_until_the_robot_takes_a_stop_and_says_if_it_does_not() {
    for (refused, code) in [(2, 0), (1_000, 1)] {
        let robot = SlowRobot::start(Duration::from_millis(20)).await;
        let mut gateway = connected(&robot, "").await;
        gateway.cli_ok(&["send", "far", "drive", "0.1", "0", "--for", "60s"]).await;
        robot.fail("POST drive/stop", refused);
        let status = gateway.signal("TERM", PATIENCE).await;
        let stops = robot.names().iter().filter(|it| *it == "POST drive/stop").count();
        assert_eq!(status.code(), Some(code), "{stops} stops\n{}", gateway.said());
        assert!(stops >= 3, "{:?}", robot.names());
        assert_eq!(code == 1, gateway.said().contains("far did not take a stop and may move still"));
    }
}

#[tokio::test]
async fn a_gateway_that_was_killed_stops_what_it_left_moving_first_and_holds_emergency_stops() {
    let folder = std::env::temp_dir().join(format!("latimer-state-{}", std::process::id()));
    let state = ["--state", folder.to_str().expect("a path of letters")];
    let robot = SlowRobot::start(Duration::from_millis(20)).await;
    let mut gateway = connected_with(&robot, "", &state).await;
    assert_eq!(robot.names(), [""; 0], "nothing is known of it, and others may use it");
    gateway.cli_ok(&["send", "far", "drive", "0.1", "0", "--for", "60s"]).await;
    gateway.signal("KILL", PATIENCE).await;
    assert_eq!(robot.names(), ["POST drive/time"]);

    let mut gateway = connected_with(&robot, "", &state).await;
    robot.until("POST drive/stop", PATIENCE).await;
    gateway.cli_ok(&["estop", "far"]).await;
    gateway.signal("KILL", PATIENCE).await;

    let mut gateway = connected_with(&robot, "", &state).await;
    let refused = gateway.cli(&["send", "far", "drive", "0.1", "0"]).await;
    assert!(!refused.status.success() && alerts(&gateway).await.contains("emergency stop is pressed"));
    gateway.cli_ok(&["estop", "far", "--release"]).await;
    // It reports nothing, so that somebody has to say that it stands.
    gateway.cli_ok(&["stands", "far"]).await;
    assert_eq!(commands(&gateway).await.last().map(String::as_str), Some("cli stands done"));
    gateway.signal("TERM", PATIENCE).await;

    let before = robot.names().len();
    let gateway = connected_with(&robot, "", &state).await;
    tokio::time::sleep(AFTERMATH).await;
    assert_eq!(robot.names().len(), before, "it is held to nothing");
    drop(gateway);
    let gateway = connected(&robot, "[[authority]]\nstart = 'stop'\n").await;
    while robot.names().len() == before {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(robot.names().last().map(String::as_str), Some("POST drive/stop"));
    drop(gateway);
    let _ = std::fs::remove_dir_all(folder);
}

/// A base on its way to a goal, whose navigator can be told to give it up or not; and a gateway that knows it as `far`.
async fn bridged(can_cancel: bool) -> (Arc<Base>, Gateway, Running) {
    let base = Arc::new(Base::new());
    base.go_by_itself(true);
    base.arm();
    let (address, bridge) = bridge::start(base.clone(), can_cancel).await;
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[rosbridge.connect]]\nrobot = 'far'\naddress = '{address}'\nname = ''\n"
    );
    let gateway = Gateway::with_text(&config).await;
    gateway.until_up("far").await;
    (base, gateway, bridge)
}

/// Waits until what the gateway finds wrong with the robot is so.
async fn until_alerts(gateway: &Gateway, are: impl Fn(&str) -> bool) {
    let mut last = String::new();
    let waiting = async {
        while !are(&last) {
            tokio::time::sleep(Duration::from_millis(50)).await;
            last = alerts(gateway).await;
        }
    };
    let came = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(came.is_ok(), "{last}");
}

#[tokio::test]
async fn a_stop_ends_what_a_base_behind_a_bridge_drives_for_by_itself() {
    let (base, gateway, _bridge) = bridged(true).await;
    gateway.cli_ok(&["send", "far", "stop"]).await;
    let cancelled = async {
        while base.goes_by_itself() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, cancelled).await.expect("its goal is cancelled");
    tokio::time::sleep(AFTERMATH).await;
    assert!(!alerts(&gateway).await.contains("moves"), "{}", alerts(&gateway).await);
}

#[tokio::test]
async fn a_base_whose_navigator_goes_on_is_stopped_until_it_stands() {
    let (base, gateway, _bridge) = bridged(false).await;
    gateway.cli_ok(&["send", "far", "stop"]).await;
    until_alerts(&gateway, |it| {
        it.contains("was stopped and moves still") || it.contains("does not confirm")
    })
    .await;
    let before = base.count(Told::Stop);
    tokio::time::sleep(AFTERMATH).await;
    let zeros = base.count(Told::Stop) - before;
    assert!(zeros >= 10, "{zeros} in {AFTERMATH:?}: a single one is nothing against a navigator");
    base.go_by_itself(false);
    until_alerts(&gateway, |it| !it.contains("stop") && !it.contains("stands")).await;
    // The zeros of the last stop still come.
    tokio::time::sleep(AFTERMATH).await;
    let before = base.count(Told::Stop);
    tokio::time::sleep(AFTERMATH).await;
    assert_eq!(base.count(Told::Stop), before, "it stands, and is left alone");
}

#[tokio::test]
async fn commands_are_appended_to_a_file() {
    let robot = SlowRobot::start(TAKES).await;
    let file = std::env::temp_dir().join(format!("latimer-e2e-{}-commands.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let mut gateway = connected(&robot, &format!("[audit]\nfile = '{}'\n", file.display())).await;
    gateway.cli_ok(&["send", "far", "drive", "0.1", "0", "--for", "1s"]).await;
    gateway.cli_ok(&["send", "far", "stop"]).await;
    let status = gateway.signal("TERM", PATIENCE).await;
    assert!(status.success(), "{status}\n{}", gateway.said());
    let text = std::fs::read_to_string(&file).expect("there is a file");
    let _ = std::fs::remove_file(&file);
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let shown: Vec<_> =
        lines.iter().map(|it| (it["author"]["dialect"].as_str(), it["command"].as_str())).collect();
    assert_eq!(shown[..2], [(Some("cli"), Some("drive")), (Some("cli"), Some("stop"))], "{text}");
    assert_eq!(lines[0]["outcome"], "accepted");
}
