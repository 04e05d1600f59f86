//! Who may move a robot: drives end with their programs, an emergency stop holds for everybody, and each command has an author.

use std::process::Stdio;
use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::{Gateway, SlowRobot};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;

use crate::python;

/// How long a robot of these tests takes for each request.
const TAKES: Duration = Duration::from_millis(400);
/// How long what must not happen has time to.
const AFTERMATH: Duration = Duration::from_secs(3);

/// A gateway that knows a slow Misty as `far`.
async fn connected(robot: &SlowRobot, more: &str) -> Gateway {
    let address = robot.address();
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[misty.connect]]\nrobot = 'far'\naddress = '{address}'\n{more}"
    );
    let gateway = Gateway::with_text(&config).await;
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
