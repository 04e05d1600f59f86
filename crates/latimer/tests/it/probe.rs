//! `latimer probe` beside robots as they should be, and others.

use std::net::TcpListener;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::{Method, Uri};
use axum::routing::any;
use latimer::wire::v1::{Probe, ProbeFault};
use serde_json::{Value, json};

use crate::program::{Demo, Guarded, finish, latimer, run, stderr, stdout};

fn begin(args: &[&str]) -> Guarded {
    Guarded(latimer(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// The report of a probe, and its exit code.
fn report(output: &Output) -> (Probe, Option<i32>) {
    let found = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (found, output.status.code())
}

#[test]
fn a_simulated_robot_of_each_family_deviates_in_nothing() {
    let demo = Demo::start(&[]);
    let at = |above: u16| format!("127.0.0.1:{}", demo.port + above);
    let (broker, master) = (format!("mqtt://{}", at(20)), format!("http://{}", at(30)));
    let (swarm, bridge) = (format!("{broker}/v1"), format!("ws://{}/rosbridge", at(0)));
    let families = [
        (
            "misty",
            at(1),
            None,
            &["ActuatorPosition", "BatteryCharge", "IMU", "TimeOfFlight", "DriveEncoders"][..],
        ),
        ("axbot", at(10), None, &["/battery_state", "/tracked_pose", "/wheel_state", "/maps/5cm/1hz"]),
        ("pera", swarm, Some("1"), &["localization/update"]),
        ("robotkoop", broker, Some("R_1"), &["/robots/status"]),
        (
            "miro",
            master,
            Some("rob01"),
            &["platform/sensors", "platform/state", "platform/mics", "platform/caml"],
        ),
        ("rosbridge", bridge, Some("misty_1"), &["/{robot}/imu", "/{robot}/range/{part}", "/{robot}/odom"]),
    ];
    for (dialect, address, robot, topics) in families {
        let mut args = vec!["probe", dialect, &address, "--seconds", "4", "--json"];
        args.extend(robot.iter().flat_map(|robot| ["--robot", robot]));
        let probe = begin(&args);
        if dialect == "robotkoop" {
            // It publishes nothing but what becomes of its tasks.
            let sent = demo.ask(&["send", "robotkoop-1", "task", "clean", "--to", "kitchen"]);
            assert!(sent.status.success(), "{sent:?}");
        }
        let output = finish(probe);
        let (found, code) = report(&output);
        assert_eq!((found.deviations.as_slice(), code), (&[][..], Some(0)), "{dialect}: {}", stderr(&output));
        for topic in topics {
            let came = found.topics.iter().find(|it| it.topic == *topic);
            assert!(
                came.is_some_and(|it| it.described && it.count > 0),
                "{dialect} {topic}: {:?}",
                found.topics
            );
        }
        assert!(found.link.up && found.link.reconnects == 0, "{dialect}: {:?}", found.link);
    }
    let text = finish(begin(&["probe", "misty", &at(1), "--seconds", "1"]));
    assert!(stdout(&text).lines().all(|line| line.chars().count() <= 80), "{}", stdout(&text));
    assert!(stdout(&text).contains("0 deviations") && stdout(&text).contains("serial misty-1"), "{text:?}");
}

/// A server that is a robot as far as its events are asked for, and what it was asked.
struct Doctored {
    address: String,
    requests: Arc<Mutex<Vec<(Method, Uri)>>>,
}

/// What it sends of each event type, again and again.
type Bodies = fn(&str) -> Option<Value>;

impl Doctored {
    async fn start(bodies: Bodies) -> Self {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let asked = requests.clone();
        let answer = async move |method: Method, uri: Uri| {
            asked.lock().unwrap().push((method, uri));
            axum::Json(
                json!({"status": "Success", "result": {"robotVersion": "9.8.7", "serialNumber": "S1"}}),
            )
        };
        let pubsub = any(async move |upgrade: WebSocketUpgrade| {
            upgrade.on_upgrade(async move |socket| events(socket, bodies).await)
        });
        let router = Router::new().route("/pubsub", pubsub).fallback(answer);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, requests }
    }
}

/// Sends what is subscribed to, each twice.
async fn events(mut socket: WebSocket, bodies: Bodies) {
    while let Some(Ok(message)) = socket.recv().await {
        let Message::Text(text) = message else { continue };
        let asked: Value = serde_json::from_str(&text).unwrap();
        let Some(body) = asked["Type"].as_str().and_then(bodies) else { continue };
        for _ in 0..2 {
            let frame = json!({"eventName": asked["EventName"], "message": body}).to_string();
            if socket.send(Message::text(frame)).await.is_err() {
                return;
            }
        }
    }
}

async fn probed(args: &[&str]) -> Output {
    let args: Vec<String> = args.iter().map(|it| (*it).to_owned()).collect();
    tokio::task::spawn_blocking(move || run(&args.iter().map(String::as_str).collect::<Vec<_>>()))
        .await
        .unwrap()
}

const BATTERY: &str = r#"{"chargePercent": 0.5, "created": "2026-01-01T00:00:00.000Z", "current": -0.5, "isCharging": false,
    "sensorId": "charge", "state": "Discharging", "voltage": 7.5}"#;

#[tokio::test]
async fn exactly_what_was_doctored_is_found_and_the_robot_is_not_commanded() {
    let robot = Doctored::start(|event| match event {
        "BatteryCharge" => {
            let mut battery: Value = serde_json::from_str(BATTERY).unwrap();
            battery["voltage"] = "high".into();
            Some(battery)
        }
        "BumpSensor" => Some(json!({"created": "2026-01-01T00:00:00.000Z", "sensorId": "bfr"})),
        "HaltCommand" => Some(json!({"created": "2026-01-01T00:00:00.000Z", "gremlin": [1]})),
        _ => None,
    })
    .await;
    let output = probed(&["probe", "misty", &robot.address, "--seconds", "1", "--json"]).await;
    let (found, code) = report(&output);
    let deviations = found
        .deviations
        .iter()
        .map(|it| (it.topic.as_str(), it.fault, it.path.as_str(), it.found.as_deref(), it.count));
    assert_eq!(
        deviations.collect::<Vec<_>>(),
        [
            ("BatteryCharge", ProbeFault::Mistyped, "voltage", Some("\"high\""), 2),
            ("BumpSensor", ProbeFault::Missing, "isContacted", None, 2),
            ("HaltCommand", ProbeFault::Extra, "gremlin", Some("[1]"), 2),
        ],
        "{}",
        stderr(&output)
    );
    assert_eq!(code, Some(1));
    let device = &found.device;
    assert_eq!((device.firmware.as_deref(), device.serial.as_deref()), (Some("9.8.7"), Some("S1")));
    assert!(found.clock.skew_s.is_some_and(|skew_s| skew_s.abs() > 1.0), "{:?}", found.clock);
    let asked = robot.requests.lock().unwrap().clone();
    assert!(!asked.is_empty() && asked.iter().all(|(method, _)| method == Method::GET), "{asked:?}");

    let output = probed(&["probe", "misty", &robot.address, "--seconds", "1"]).await;
    let text = stdout(&output);
    for line in [
        "mistyped: BatteryCharge voltage = \"high\", specified is number, in 2 messages",
        "missing: BumpSensor isContacted (true or false), in 2 messages",
        "extra: HaltCommand gremlin = [1], in 2 messages",
        "3 deviations",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(1), ""));
}

#[tokio::test]
async fn what_may_be_left_out_is_missing_only_if_that_is_asked() {
    let robot = Doctored::start(|event| {
        let mut battery: Value = serde_json::from_str(BATTERY).unwrap();
        battery.as_object_mut().unwrap().remove("voltage");
        (event == "BatteryCharge").then_some(battery)
    })
    .await;
    let args = ["probe", "misty", &robot.address, "--seconds", "1", "--json", "--strict"];
    let (found, code) = report(&probed(&args[..6]).await);
    assert!(found.deviations.is_empty() && code == Some(0), "{:?}", found.deviations);
    assert!(found.topics[0].absent.contains(&"voltage".to_owned()), "{:?}", found.topics);
    let (found, code) = report(&probed(&args).await);
    let missing = found.deviations.iter().find(|it| it.path == "voltage");
    assert!(missing.is_some_and(|it| it.fault == ProbeFault::Missing) && code == Some(1), "{found:?}");
}

#[tokio::test]
async fn a_robot_from_which_nothing_comes_did_not_pass() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let upgrade = async |upgrade: WebSocketUpgrade| {
        upgrade.on_upgrade(async |mut socket| while socket.recv().await.is_some() {})
    };
    let router = Router::new().route("/pubsub", any(upgrade));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let output = probed(&["probe", "misty", &address, "--seconds", "1"]).await;
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    assert!(stderr(&output).contains("nothing came within 1 s"), "{output:?}");
}

#[tokio::test]
async fn an_address_without_such_a_robot_is_named_with_what_is_there() {
    let demo = tokio::task::spawn_blocking(|| Demo::start(&[])).await.unwrap();
    let at = |above: u16| format!("127.0.0.1:{}", demo.port + above);
    for (args, words) in [
        (["misty", &at(20), "x"], "an MQTT broker answers at"),
        (["axbot", &at(30), "x"], "a ROS master answers at"),
        (["miro", &at(1), "rob01"], "an HTTP server answers at"),
        (["pera", &at(1), "1"], "an HTTP server answers at"),
        (["miro", &at(30), "nobody"], "nobody publishes /miro/nobody/platform/sensors"),
        (["pera", &at(20), "77"], "robot 77 said nothing"),
    ] {
        let [dialect, address, robot] = args;
        let mut all = vec!["probe", dialect, address];
        if robot != "x" {
            all.extend(["--robot", robot]);
        }
        let output = probed(&all).await;
        assert!(stderr(&output).contains(words), "{args:?}: {output:?}");
        assert_eq!(output.status.code(), Some(3), "{output:?}");
    }
}

#[test]
fn an_address_at_which_nobody_listens_is_unreachable() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for args in [["misty", &free, ""], ["pera", &free, "--robot=1"], ["miro", &free, "--robot=rob01"]] {
        let args: Vec<&str> = std::iter::once("probe").chain(args).filter(|it| !it.is_empty()).collect();
        let output = run(&args);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert!(stderr(&output).contains(&format!("nobody answers at {free}")), "{output:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_what_to_write() {
    for (args, words) in [
        (&["mistyy", "host"][..], "did you mean `misty`?"),
        (&["pera", "mqtt://host/v1"], "name one with --robot, as `id` of [[pera.connect]] does"),
        (&["pera", "mqtt://host/v1", "--robot", "first"], "pera"),
        (&["misty", "host", "--robot", "a"], "leave --robot out"),
        (&["misty", "host:x"], "misty.connect[0].address"),
        (&["misty", "a\"b"], "is no address"),
        (&["axbot", "host", "--set", "secre=1"], "did you mean `secret`?"),
        (&["misty", "host", "--seconds", "soon"], "--seconds"),
    ] {
        let output = run(&[&["probe"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
    }
}
