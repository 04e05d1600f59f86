//! What robots do when a program, a link or the gateway fails while they drive. The robots are those of a first gateway, which lets
//! them drive on as their families do; a second one stands between them and their programs, and each of them takes its time for
//! what it is asked.

use std::process::Stdio;
use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::{Gateway, Ros, SlowLink, gateway};
use serde_json::{Value, json};
use tokio::process::Child;

use crate::python;

/// How long a robot takes for what it is asked.
const TAKES: Duration = Duration::from_millis(400);
/// How long what must not happen has time to.
const AFTERMATH: Duration = Duration::from_secs(3);
/// Within this time a robot that moves goes further than [`STANDS_M`].
const LOOK: Duration = Duration::from_secs(1);
const STANDS_M: f64 = 0.01;
/// Ports above the common one.
const AXBOT: u16 = 10;
const BRIDGE: u16 = 10;
const MQTT: u16 = 20;
const MASTER: u16 = 30;

/// The robots, and the names that the second gateway has for them. The last one wanders.
const ROBOTS: [(&str, &str); 4] =
    [("misty-1", "far-misty"), ("axbot-1", "far-axbot"), ("miro-1", "far-miro"), ("pera-1", "far-pera")];

async fn robots() -> Gateway {
    let mut config = "[http]\nlisten = '127.0.0.1:8080'\n[broker]\nlisten = '127.0.0.1:1883'\n\
         [world]\nfile = 'empty'\nseed = 1\n[[authority]]\ndrive_until_stopped = true\n"
        .to_owned();
    for (i, (robot, _)) in ROBOTS.iter().enumerate() {
        let body = robot.trim_end_matches("-1");
        let (x_m, y_m) = (1.5 + 3.0 * (i % 2) as f64, 1.5 + 3.0 * (i / 2) as f64);
        config += &format!(
            "[[simulate]]\nrobot = '{robot}'\nbody = '{body}'\nposition_m = [{x_m:.1}, {y_m:.1}]\nyaw_deg = 0.0\n"
        );
    }
    config += "behaviour = 'wander'\n[[misty.serve]]\nrobot = 'misty-1'\nlisten = '127.0.0.1:8081'\n\
         [[axbot.serve]]\nrobot = 'axbot-1'\nlisten = '127.0.0.1:8090'\n\
         [[pera.serve]]\nrobot = 'pera-1'\n\
         [miro.master]\nlisten = '127.0.0.1:11311'\n[[miro.serve]]\nrobot = 'miro-1'\nname = 'rob01'\n";
    Gateway::with_text(&config).await
}

/// How the second gateway reaches them: three cables, and the bridge of a MiRo.
struct Links {
    misty: SlowLink,
    axbot: SlowLink,
    broker: SlowLink,
    bridge: Child,
    /// Its files are the bridge's.
    _ros: Ros,
}

impl Links {
    async fn to(robots: &Gateway) -> Self {
        let ros = Ros::at(&format!("http://{}", robots.port(MASTER))).await;
        let takes_s = TAKES.as_secs_f64().to_string();
        let mut bridge = ros.script("miro_slow_bridge.py", &["rob02", "rob01", &takes_s]);
        Self {
            misty: SlowLink::to(robots.misty(), TAKES).await,
            axbot: SlowLink::to(robots.port(AXBOT), TAKES).await,
            broker: SlowLink::to(robots.port(MQTT), TAKES).await,
            bridge: bridge.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it is installed"),
            _ros: ros,
        }
    }

    const fn cables(&self) -> [&SlowLink; 3] {
        [&self.misty, &self.axbot, &self.broker]
    }

    async fn cut(&self) {
        self.cables().into_iter().for_each(SlowLink::cut);
        gateway::signal(self.bridge_pid(), "STOP").await;
    }

    async fn mend(&self) {
        self.cables().into_iter().for_each(SlowLink::mend);
        gateway::signal(self.bridge_pid(), "CONT").await;
    }

    fn bridge_pid(&self) -> u32 {
        self.bridge.id().expect("the bridge runs")
    }
}

/// A gateway that is connected to all of them.
async fn between(robots: &Gateway, links: &Links) -> Gateway {
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[authority]]\ndrive_timeout_s = 3600\n\
         [[misty.connect]]\nrobot = 'far-misty'\naddress = '{}'\n\
         [[axbot.connect]]\nrobot = 'far-axbot'\naddress = '{}'\n\
         [[pera.connect]]\nrobot = 'far-pera'\nid = 1\naddress = '{}'\n\
         [[miro.connect]]\nrobot = 'far-miro'\nname = 'rob02'\naddress = '{}'\n",
        links.misty.address(),
        links.axbot.address(),
        links.broker.address(),
        robots.port(MASTER)
    );
    let gateway = Gateway::with_text(&config).await;
    for (_, far) in ROBOTS {
        gateway.until_up(far).await;
    }
    // A chassis is driven by hand in this mode alone.
    command(&gateway, "far-axbot", json!({"command": "control_mode", "mode": "remote"})).await;
    gateway
}

/// All of it, with all robots driving in circles.
async fn driving() -> (Gateway, Links, Gateway) {
    let robots = robots().await;
    let links = Links::to(&robots).await;
    let between = between(&robots, &links).await;
    for (near, far) in ROBOTS {
        // A robot of a swarm drives by its own program, which goes on at START.
        let drive = match near {
            "pera-1" => json!({"command": "skill_message", "text": "START"}),
            _ => json!({"command": "drive", "linear_mps": 0.08, "angular_radps": 0.4}),
        };
        command(&between, far, drive).await;
        until(&format!("{near} moves"), async || moves(&robots, near).await).await;
    }
    (robots, links, between)
}

async fn command(gateway: &Gateway, robot: &str, command: Value) {
    let url = format!("http://{}/api/v1/robots/{robot}/commands", gateway.http());
    let answer = reqwest::Client::new().post(url).json(&command).send().await.expect("it answers");
    assert!(answer.status().is_success(), "{robot}: {}", answer.text().await.unwrap_or_default());
}

async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, waiting).await.is_ok(), "not within {PATIENCE:?}: {what}");
}

async fn get(gateway: &Gateway, path: &str) -> Value {
    let answer = reqwest::get(format!("http://{}/api/v1/{path}", gateway.http())).await;
    answer.expect("the gateway answers").json().await.expect("the answer is JSON")
}

/// Where a robot truly is.
async fn place(gateway: &Gateway, robot: &str) -> [f64; 2] {
    let world = get(gateway, "world").await;
    let robots = world["now"]["robots"].as_array().cloned().unwrap_or_default();
    let it = robots.iter().find(|it| it["robot"] == robot).unwrap_or_else(|| panic!("no {robot}: {world}"));
    ["x_m", "y_m"].map(|axis| it[axis].as_f64().unwrap_or_else(|| panic!("{it} has no place")))
}

async fn moves(gateway: &Gateway, robot: &str) -> bool {
    let [from_x, from_y] = place(gateway, robot).await;
    tokio::time::sleep(LOOK).await;
    let [x, y] = place(gateway, robot).await;
    (x - from_x).hypot(y - from_y) > STANDS_M
}

/// Whether a robot was stopped by the gateway itself.
async fn is_stopped(gateway: &Gateway, robot: &str) -> bool {
    let records = get(gateway, &format!("commands?robot={robot}")).await;
    let records = records["commands"].as_array().cloned().unwrap_or_default();
    records.iter().any(|it| {
        it["author"]["dialect"] == "gateway" && it["command"] == "stop" && it["outcome"] != "refused"
    })
}

#[tokio::test]
async fn robots_whose_link_breaks_while_they_drive_are_stopped_when_it_is_back() {
    let (robots, links, between) = driving().await;
    links.cut().await;
    for (_, far) in ROBOTS {
        until(&format!("{far} is moving, out of reach"), async || {
            let report = get(&between, &format!("robots/{far}")).await;
            report["link"]["reason"].as_str().is_some_and(|it| it.starts_with("moving, out of reach"))
        })
        .await;
    }
    links.mend().await;
    for (near, far) in ROBOTS {
        until(&format!("{far} is stopped"), async || is_stopped(&between, far).await).await;
        until(&format!("{near} stands"), async || !moves(&robots, near).await).await;
    }
    tokio::time::sleep(AFTERMATH).await;
    for (near, _) in ROBOTS {
        assert!(!moves(&robots, near).await, "{near} moves again");
    }
}

#[tokio::test]
async fn robots_that_hang_while_they_drive_are_stopped_when_they_are_back() {
    let (robots, _links, between) = driving().await;
    gateway::signal(robots.pid(), "STOP").await;
    for (_, far) in ROBOTS {
        until(&format!("{far} is given up"), async || {
            get(&between, &format!("robots/{far}")).await["link"]["state"] != "up"
        })
        .await;
    }
    gateway::signal(robots.pid(), "CONT").await;
    for (near, far) in ROBOTS {
        until(&format!("{far} is stopped"), async || is_stopped(&between, far).await).await;
        until(&format!("{near} stands"), async || !moves(&robots, near).await).await;
    }
}

#[tokio::test]
async fn a_gateway_that_is_killed_leaves_each_robot_to_what_its_family_does() {
    let (robots, _links, mut between) = driving().await;
    between.signal("KILL", PATIENCE).await;
    tokio::time::sleep(AFTERMATH).await;
    // As the table of docs/safety.md has it.
    for (robot, drives_on) in [("misty-1", true), ("axbot-1", false), ("pera-1", true), ("miro-1", false)] {
        if drives_on {
            // One that wanders turns on its spot now and then.
            until(&format!("{robot} drives on"), async || moves(&robots, robot).await).await;
        } else {
            assert!(!moves(&robots, robot).await, "{robot} drives on");
        }
    }
}

#[tokio::test]
async fn a_gateway_that_is_ended_leaves_no_robot_driving() {
    let (robots, _links, mut between) = driving().await;
    let status = between.signal("TERM", PATIENCE).await;
    assert!(status.success(), "{status}\n{}", between.said());
    tokio::time::sleep(AFTERMATH).await;
    for (robot, _) in ROBOTS {
        assert!(!moves(&robots, robot).await, "{robot} drives on");
    }
}

/// A program that drives, and has said so.
async fn program_at(url: String, message: Value) -> Child {
    let mut program = python::script("axbot", "drives_on.py", &[&url, &message.to_string()]);
    program.stdout(Stdio::null()).spawn().expect("Python starts")
}

#[tokio::test]
async fn a_program_that_is_ended_leaves_no_slow_robot_driving() {
    let robots = robots().await;
    let links = Links::to(&robots).await;
    let between = between(&robots, &links).await;
    let twist = json!({"topic": "/twist", "linear_velocity": 0.08, "angular_velocity": 0.4});
    for signal in ["KILL", "TERM"] {
        for (near, far) in ROBOTS {
            if near == "pera-1" {
                // It drives by its own program, whatever becomes of others.
                continue;
            }
            let url = format!("ws://{}/robots/{far}/axbot/ws/v2/topics", between.http());
            let mut program = program_at(url, twist.clone()).await;
            until(&format!("{near} moves"), async || moves(&robots, near).await).await;
            gateway::signal(program.id().expect("it runs"), signal).await;
            program.wait().await.expect("it ends");
            tokio::time::sleep(AFTERMATH).await;
            assert!(!moves(&robots, near).await, "{near} drives on after SIG{signal} of its program");
        }
    }
}

#[tokio::test]
async fn a_program_of_any_dialect_that_is_killed_leaves_no_robot_driving() {
    let config = "[http]\nlisten = '127.0.0.1:8080'\n[world]\nfile = 'empty'\nseed = 1\n\
         [[simulate]]\nrobot = 'misty-1'\nbody = 'misty'\nposition_m = [3.0, 3.0]\nyaw_deg = 0.0\n\
         [rosbridge]\nlisten = '127.0.0.1:8090'\n\
         [miro]\nserve_all = true\n[miro.master]\nlisten = '127.0.0.1:11311'\n";
    let gateway = Gateway::with_text(config).await;
    let ros = Ros::at(&format!("http://{}", gateway.port(MASTER))).await;
    let twist = json!({"linear": {"x": 0.08}, "angular": {"z": 0.4}});
    for dialect in ["axbot", "rosbridge", "miro"] {
        let mut program = match dialect {
            "axbot" => {
                let message = json!({"topic": "/twist", "linear_velocity": 0.08, "angular_velocity": 0.4});
                program_at(format!("ws://{}/robots/misty-1/axbot/ws/v2/topics", gateway.http()), message)
                    .await
            }
            "rosbridge" => {
                let message = json!({"op": "publish", "topic": "/misty_1/cmd_vel", "msg": twist});
                program_at(format!("ws://{}", gateway.port(BRIDGE)), message).await
            }
            _ => ros
                .command("rostopic")
                .args(["pub", "-r20", "/miro/misty_1/control/cmd_vel", "geometry_msgs/Twist"])
                .arg(twist.to_string())
                .spawn()
                .expect("it is installed"),
        };
        until(&format!("{dialect} drives"), async || moves(&gateway, "misty-1").await).await;
        program.kill().await.expect("it can be killed");
        tokio::time::sleep(AFTERMATH).await;
        assert!(!moves(&gateway, "misty-1").await, "it drives on after a program for {dialect}");
    }
    // Its node is the author.
    let records = get(&gateway, "commands?dialect=miro").await;
    let name = records["commands"][0]["author"]["name"].as_str();
    assert!(name.is_some_and(|it| it.starts_with("/rostopic_")), "{records}");
}
