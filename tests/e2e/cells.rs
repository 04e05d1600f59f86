//! Every family in every dialect: what a real client of the dialect receives of a robot, beside the truth of the world, and that it
//! drives the robot by what it receives.

use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::PROGRAM;
use latimer_e2e::mosquitto::{Subscriber, port_of, publish};
use latimer_e2e::{Gateway, Ros, program};
use serde_json::{Value, json};

use crate::python;

const ROBOTS: [&str; 5] = ["misty-1", "axbot-1", "pera-1", "miro-1", "robotkoop-1"];

/// The master's and the broker's ports above the common one.
const MASTER: u16 = 30;
const MQTT: u16 = 20;

/// How long one drive may take.
const MOVE: Duration = Duration::from_secs(60);
fn arguments<'a>(common: &'a str, latimer: &'a str) -> Vec<&'a str> {
    [common, latimer].into_iter().chain(ROBOTS).collect()
}

async fn scene() -> (Gateway, String, String) {
    let gateway = Gateway::with_config("cells.toml").await;
    let (common, latimer) = (gateway.http(), program::latimer().display().to_string());
    (gateway, common, latimer)
}

#[tokio::test]
async fn the_misty_sdk_sees_and_drives_every_robot() {
    let (_gateway, common, latimer) = scene().await;
    python::run("sdk", "cells_misty.py", &arguments(&common, &latimer)).await;
}

#[tokio::test]
async fn a_client_of_a_chassis_sees_and_drives_every_robot() {
    let (_gateway, common, latimer) = scene().await;
    python::run("axbot", "cells_axbot.py", &arguments(&common, &latimer)).await;
}

#[tokio::test]
async fn rospy_sees_and_drives_every_robot() {
    let (gateway, common, latimer) = scene().await;
    let ros = Ros::at(&format!("http://{}", gateway.port(MASTER))).await;
    let said = ros.run_script(PROGRAM, "cells_miro.py", &arguments(&common, &latimer)).await;
    for robot in ROBOTS {
        assert!(said.contains(&format!("cells_miro {robot}: ok")), "{said}");
    }
}

/// The number of each robot in the swarm, by what the log names.
fn number(said: &str, robot: &str) -> u32 {
    let (_, rest) = said.split_once(&format!("{robot} is ")).unwrap_or_else(|| panic!("{robot}:\n{said}"));
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("a number")
}

#[tokio::test]
async fn a_server_of_the_swarm_sees_every_robot() {
    let (gateway, ..) = scene().await;
    let mqtt = port_of(&gateway.port(MQTT));
    let topics = ["v1/sensor/distance", "v1/sensor/compass/", "v1/localization/update", "v1/robot/log/#"];
    let mut swarm = Subscriber::new(mqtt, &topics).await;
    let said = gateway.said();
    for robot in ROBOTS {
        let id = number(&said, robot);
        let of = |text: &str| serde_json::from_str::<Value>(text).ok().filter(|it| it["id"] == id);
        publish(mqtt, &format!("v1/sensor/distance/{id}/?"), "?").await;
        let reading = async {
            loop {
                let text = swarm.fitting("v1/sensor/distance", |text| of(text).is_some()).await;
                let dist = of(&text).and_then(|it| it["dist"].as_f64()).unwrap_or(f64::NAN);
                // The first scan may have come before the robot stood still.
                if (dist - 70.0).abs() < 2.0 {
                    return;
                }
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, reading).await;
        assert!(in_time.is_ok(), "{robot} sees the box 70 cm ahead");
        // Facing east, which is 90 degrees by a compass; a robot's own is as good as a degree or so.
        let compass = swarm.fitting("v1/sensor/compass/", |text| of(text).is_some()).await;
        let compass = of(&compass).and_then(|it| it["compass"].as_f64()).unwrap_or(f64::NAN);
        assert!((compass - 90.0).abs() < 5.0, "{robot}: {compass}");
    }
}

#[tokio::test]
async fn a_reading_of_a_sensor_that_a_robot_lacks_is_refused_at_once() {
    let (gateway, ..) = scene().await;
    let mqtt = port_of(&gateway.port(MQTT));
    let mut swarm = Subscriber::new(mqtt, &["v1/robot/log"]).await;
    let said = gateway.said();
    for robot in ["misty-1", "axbot-1", "miro-1", "robotkoop-1"] {
        let id = number(&said, robot);
        publish(mqtt, &format!("v1/sensor/color/{id}/?"), "?").await;
        let log = swarm.fitting("v1/robot/log", |text| text.contains(&format!("\"id\":\"{id}\""))).await;
        assert!(log.contains(&format!("{robot} has no sensor for color")), "{log}");
    }
}

/// Beyond the box that stands ahead of each, metres; a robot of the swarm goes at 10 cm/s.
fn beyond_m(robot: &str) -> f64 {
    if robot == "pera-1" { 1.4 } else { 2.5 }
}

#[tokio::test]
async fn a_client_of_a_chassis_sends_every_robot_beyond_a_box() {
    let (gateway, common, _) = scene().await;
    let mut arguments = vec![common];
    let mut goals = Vec::new();
    for robot in ROBOTS {
        let [x, y] = place(&gateway, robot).await;
        let goal = [x + beyond_m(robot), y];
        arguments.extend([robot.to_owned(), goal[0].to_string(), goal[1].to_string()]);
        goals.push((robot, goal));
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    python::run("axbot", "cells_moves.py", &arguments).await;
    for (robot, goal) in goals {
        let [x, y] = place(&gateway, robot).await;
        let off_m = (x - goal[0]).hypot(y - goal[1]);
        assert!(off_m < 0.12, "{robot} is {off_m} m off, at {x}, {y}");
    }
}

#[tokio::test]
async fn a_task_of_a_household_sends_other_robots_beyond_a_box() {
    let (gateway, ..) = scene().await;
    let mqtt = port_of(&gateway.port(MQTT));
    let mut received = Subscriber::new(mqtt, &["/robots/status"]).await;
    let mut goals = Vec::new();
    // A household robot goes to places that it knows.
    let others = ROBOTS.into_iter().filter(|robot| *robot != "robotkoop-1");
    for robot in others {
        let [x, y] = place(&gateway, robot).await;
        let goal = [x + beyond_m(robot), y];
        let task = json!({
            "target_id": robot, "source_id": "SI_1", "timestamp": 1_552_481_472, "task_id": format!("to-{robot}"),
            "priority": 3, "type": "goto", "parameter": {"to": format!("{:.3}, {:.3}", goal[0], goal[1])},
        });
        publish(mqtt, "/dialogue/task", &task.to_string()).await;
        goals.push((robot, goal));
    }
    let mut left = goals.len();
    while left > 0 {
        let ends = |text: &str| !text.contains("\"confirm\"") && !text.contains("\"progress\"");
        let end = received.fitting_within(MOVE, "/robots/status", ends).await;
        let report: Value = serde_json::from_str(&end).expect("it is JSON");
        assert_eq!(
            [&report["type"], &report["parameter"]["success"]],
            [&json!("success"), &json!(true)],
            "{end}"
        );
        left -= 1;
    }
    for (robot, goal) in goals {
        let [x, y] = place(&gateway, robot).await;
        let off_m = (x - goal[0]).hypot(y - goal[1]);
        assert!(off_m < 0.2, "{robot} is {off_m} m off, at {x}, {y}");
    }
}

/// Where a robot truly is, metres.
async fn place(gateway: &Gateway, robot: &str) -> [f64; 2] {
    let url = format!("http://{}/api/v1/world", gateway.http());
    let world: Value = reqwest::get(url).await.expect("it answers").json().await.expect("it is JSON");
    let robots = world["now"]["robots"].as_array().expect("robots are a list");
    let found = robots.iter().find(|it| it["robot"] == robot).expect("it is in the world");
    ["x_m", "y_m"].map(|axis| found[axis].as_f64().unwrap_or(f64::NAN))
}

/// A program of the examples.
fn example(name: &str) -> String {
    program::repository().join("examples").join(name).display().to_string()
}

#[tokio::test]
async fn a_program_for_a_misty_follows_a_wall_with_a_chassis() {
    let gateway = Gateway::with_config("wall.toml").await;
    let address = format!("{}/robots/axbot-1/misty", gateway.http());
    python::run("sdk", &example("misty_follows_wall.py"), &[&address, "16"]).await;
    let url = format!("http://{}/api/v1/world", gateway.http());
    let world: Value = reqwest::get(url).await.expect("it answers").json().await.expect("it is JSON");
    let at = |axis: &str| world["now"]["robots"][0][axis].as_f64().unwrap_or(f64::NAN);
    // The room is 16 m long; its wall on the right is at y = 0.
    assert!(at("x_m") > 4.0 && (0.35..1.1).contains(&at("y_m")), "{}", world["now"]["robots"]);
}

#[tokio::test]
async fn a_program_for_a_miro_makes_a_misty_look_around() {
    let (gateway, ..) = scene().await;
    let ros = Ros::at(&format!("http://{}", gateway.port(MASTER))).await;
    let said = ros.run_script(PROGRAM, &example("miro_looks_around.py"), &["misty_1"]).await;
    for degrees in ["40", "-40", "0"] {
        assert!(said.contains(&format!("looks at {degrees} degrees")), "{said}");
    }
}

#[tokio::test]
async fn a_program_of_the_swarm_drives_a_miro_through_a_maze() {
    let gateway = Gateway::with_config("maze.toml").await;
    let port = port_of(&gateway.port(MQTT)).to_string();
    // Cells of 60 cm: from the middle of the first to that of the last.
    let arguments = ["127.0.0.1", &port, "7", "30", "30", "90", "150", "60"];
    python::run("mqtt", &example("swarm_robot_in_maze.py"), &arguments).await;
    let [x, y] = place(&gateway, "miro-1").await;
    assert!((x - 0.9).hypot(y - 1.5) < 0.1, "it is at {x}, {y}");
}

#[tokio::test]
async fn a_task_for_a_household_robot_is_done_by_a_chassis() {
    let gateway = Gateway::with_text(
        "[http]\nlisten = '127.0.0.1:8080'\n[broker]\nlisten = '127.0.0.1:1883'\n[world]\nfile = 'demo'\nseed = 1\n\
         speed = 10.0\n[[simulate]]\nrobot = 'axbot-1'\nbody = 'axbot'\nspawn = 'workshop'\n\
         [[robotkoop.serve]]\nrobot = 'axbot-1'\nid = 'R_2'\n",
    )
    .await;
    let port = port_of(&gateway.port(MQTT)).to_string();
    let script = tokio::process::Command::new("sh")
        .args([&example("household_goto.sh"), "127.0.0.1", &port, "R_2", "Kitchen"])
        .kill_on_drop(true)
        .output();
    let ended = tokio::time::timeout(PROGRAM, script).await.expect("it ends in time").expect("sh is there");
    let (out, err) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(ended.status.success() && out.contains("\"R_2\""), "{out}{err}");
    // Where the kitchen is marked, a chassis does not fit.
    let [x, y] = place(&gateway, "axbot-1").await;
    assert!((x - 6.9).hypot(y - 4.5) < 1.0, "it is at {x}, {y}");
}
