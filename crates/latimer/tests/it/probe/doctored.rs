//! Robots that deviate from their description: each deviation is found, and nothing else.

use std::process::Stdio;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::{Method, Uri};
use axum::routing::any;
use latimer_dialects::miro::Layouts;
use latimer_dialects::miro::topic::Topic;
use latimer_dialects::miro::types::Types;
use latimer_e2e::mqtt::MqttClient;
use latimer_e2e::ros::{PYTHON, Ros, RosMaster};
use latimer_mqtt::BrokerConfig;
use latimer_wire::v1::{Probe, ProbeFault};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio_util::sync::CancellationToken;

use super::{BETWEEN, begin, probed, report};
use crate::program::{Demo, finish, stderr, stdout};

/// A server that is a robot as far as it answers what comes on its socket, and what else it was asked.
struct Doctored {
    address: String,
    requests: Arc<Mutex<Vec<(Method, Uri)>>>,
}

/// The frames that answer one.
type Answer = fn(&Value) -> Vec<Value>;

impl Doctored {
    async fn start(path: &str, answer: Answer) -> Self {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let asked = requests.clone();
        let rest = async move |method: Method, uri: Uri| {
            asked.lock().unwrap().push((method, uri));
            let device = json!({"robotVersion": "9.8.7", "serialNumber": "S1"});
            axum::Json(json!({"status": "Success", "result": device}))
        };
        let socket = any(async move |upgrade: WebSocketUpgrade| {
            upgrade.on_upgrade(async move |socket| speak(socket, answer).await)
        });
        let router = Router::new().route(path, socket).fallback(rest);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, requests }
    }
}

/// Answers each frame, twice.
async fn speak(mut socket: WebSocket, answer: Answer) {
    while let Some(Ok(message)) = socket.recv().await {
        let Message::Text(text) = message else { continue };
        let frames = answer(&serde_json::from_str(&text).unwrap());
        for frame in frames.iter().chain(&frames) {
            if socket.send(Message::text(frame.to_string())).await.is_err() {
                return;
            }
        }
    }
}

/// An event that was subscribed to.
fn event(asked: &Value, body: Option<Value>) -> Vec<Value> {
    body.map(|body| json!({"eventName": asked["EventName"], "message": body})).into_iter().collect()
}

/// The deviations of a report: topic, fault, path and value.
fn deviations(found: &Probe) -> Vec<(&str, ProbeFault, &str, Option<&str>)> {
    let deviations = found.deviations.iter();
    deviations.map(|it| (it.topic.as_str(), it.fault, it.path.as_str(), it.found.as_deref())).collect()
}

const BATTERY: &str = r#"{"chargePercent": 0.5, "created": "2026-01-01T00:00:00.000Z", "current": -0.5, "isCharging": false,
    "sensorId": "charge", "state": "Discharging", "voltage": 7.5}"#;

#[tokio::test]
async fn exactly_what_was_doctored_is_found_and_the_robot_is_not_commanded() {
    let robot = Doctored::start("/pubsub", |asked| {
        let created = "2026-01-01T00:00:00.000Z";
        let body = match asked["Type"].as_str() {
            Some("BatteryCharge") => {
                let mut battery: Value = serde_json::from_str(BATTERY).unwrap();
                battery["voltage"] = "high".into();
                battery
            }
            Some("BumpSensor") => json!({"created": created, "sensorId": "bfr"}),
            Some("HaltCommand") => json!({"created": created, "gremlin": [1]}),
            _ => return Vec::new(),
        };
        event(asked, Some(body))
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
    assert!(found.clock.skew_max_s.is_some_and(|skew_s| skew_s.abs() > 1.0), "{:?}", found.clock);
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
async fn a_doctored_chassis_and_a_doctored_bridge_are_found_out() {
    let chassis = Doctored::start("/ws/v2/topics", |asked| match asked["enable_topic"].as_str() {
        Some("/battery_state") => vec![json!({"topic": "/battery_state", "secs": 1, "voltage": "high"})],
        Some("/tracked_pose") => vec![json!({"topic": "/tracked_pose", "ori": 1.0})],
        Some("/alerts") => vec![json!({"topic": "/alerts", "alerts": [], "gremlin": null})],
        _ => Vec::new(),
    })
    .await;
    let (found, code) =
        report(&probed(&["probe", "axbot", &chassis.address, "--seconds", "1", "--json"]).await);
    let expected = [
        ("/alerts", ProbeFault::Extra, "gremlin", Some("null")),
        ("/battery_state", ProbeFault::Mistyped, "voltage", Some("\"high\"")),
        ("/tracked_pose", ProbeFault::Missing, "pos", None),
    ];
    assert_eq!((deviations(&found), code), (expected.to_vec(), Some(1)));

    let bridge = Doctored::start("/", |asked| {
        let message = |msg: Value| vec![json!({"op": "publish", "topic": asked["topic"], "msg": msg})];
        match (asked["op"].as_str(), asked["topic"].as_str()) {
            (Some("call_service"), _) => {
                let topics = ["/battery", "/imu", "/scan"];
                let types = ["sensor_msgs/BatteryState", "sensor_msgs/Imu", "sensor_msgs/LaserScan"];
                let values = json!({"topics": topics, "types": types});
                vec![json!({"op": "service_response", "id": asked["id"], "values": values, "result": true})]
            }
            (Some("subscribe"), Some("/battery")) => message(json!({"voltage": "high"})),
            (Some("subscribe"), Some("/scan")) => message(json!({"angle_min": 0.0, "angle_increment": 0.1})),
            // The covariance is one of its type, though this program has no use for it.
            (Some("subscribe"), Some("/imu")) => {
                message(json!({"orientation_covariance": [0.0], "gremlin": 1}))
            }
            _ => Vec::new(),
        }
    })
    .await;
    let address = format!("ws://{}", bridge.address);
    let (found, code) = report(&probed(&["probe", "rosbridge", &address, "--seconds", "1", "--json"]).await);
    let expected = [
        ("/battery", ProbeFault::Mistyped, "voltage", Some("\"high\"")),
        ("/imu", ProbeFault::Extra, "gremlin", Some("1")),
        ("/scan", ProbeFault::Missing, "ranges", None),
    ];
    assert_eq!((deviations(&found), code), (expected.to_vec(), Some(1)));
}

#[tokio::test]
async fn doctored_robots_at_a_broker_are_found_out() {
    let listen = Some("127.0.0.1:0".parse().unwrap());
    let config = BrokerConfig { listen, ..BrokerConfig::default() };
    let broker = config.build(Default::default()).await.unwrap().unwrap();
    let (address, end) = (broker.address().authority(), CancellationToken::new());
    let running = tokio::spawn(broker.run(end.clone()));
    let household = json!({
        "source_id": "R_9", "timestamp": 1_552_481_472, "type": "progress",
        "parameter": {"performed_actions": [{"action": 7, "target": null}], "gremlin": 1},
    });
    let swarm = [
        ("v1/robot/live", json!({"id": 9, "reality": "V"})),
        ("v1/sensor/compass/", json!({"id": 9, "compass": "north"})),
        ("v1/sensor/distance", json!({"id": 9, "dist": [1]})),
        ("v1/robot/log", json!({"id": "9"})),
        ("v1/output/neopixel", json!({"id": 9, "R": "1", "G": 2, "B": 3, "gremlin": 1})),
        // Of another one.
        ("v1/robot/log", json!({"id": 8, "gremlin": 1})),
    ];
    let household = [("/robots/status", household)];
    let status = "/robots/status";
    for (dialect, url, robot, messages, expected) in [
        (
            "robotkoop",
            format!("mqtt://{address}"),
            "R_9",
            &household[..],
            &[
                (status, ProbeFault::Extra, "parameter.gremlin", Some("1")),
                (status, ProbeFault::Mistyped, "parameter.performed_actions[].action", Some("7")),
                (status, ProbeFault::Missing, "task_id", None),
            ][..],
        ),
        (
            "pera",
            format!("mqtt://{address}/v1"),
            "9",
            &swarm,
            &[
                ("output/neopixel", ProbeFault::Extra, "gremlin", Some("1")),
                ("robot/log", ProbeFault::Missing, "msg", None),
                ("sensor/compass/", ProbeFault::Mistyped, "compass", Some("\"north\"")),
                ("sensor/distance", ProbeFault::Mistyped, "dist", Some("[1]")),
            ],
        ),
    ] {
        let mut robots = MqttClient::connect(&address, dialect, true).await;
        let mut probe = begin(&["probe", dialect, &url, "--robot", robot, "--seconds", "2", "--json"]);
        while probe.0.try_wait().unwrap().is_none() {
            for (topic, message) in messages {
                robots.publish(topic, message.to_string().as_bytes(), 0, false).await;
            }
            robots.settled().await;
            tokio::time::sleep(BETWEEN).await;
        }
        let (found, code) = report(&finish(probe));
        assert_eq!((deviations(&found), code), (expected.to_vec(), Some(1)), "{dialect}");
        robots.disconnect().await;
    }
    end.cancel();
    running.await.unwrap();
}

/// A publisher of rospy with a build of the messages of its own: another type, a field less and a field more.
const OTHER_BUILD: &str = r"
import sys, rospy, genpy.dynamic
definition = sys.stdin.read()
for usual, other in [('float32 battery_voltage', 'float64 battery_voltage'), ('uint8 dip_state_phys', 'int32 gremlin')]:
    assert usual in definition
    definition = definition.replace(usual, other)
name = 'miro_msgs/platform_sensors'
message = genpy.dynamic.generate_dynamic(name, definition)[name]
rospy.init_node('bridge')
publisher = rospy.Publisher('/miro/rob01/platform/sensors', message, queue_size=4)
rate = rospy.Rate(50)
while not rospy.is_shutdown():
    publisher.publish(message())
    rate.sleep()
";

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_publisher_with_other_messages_is_found_out_at_a_foreign_master() {
    assert!(RosMaster::is_installed(), "rosmaster is missing: run `make ros`");
    let master = RosMaster::start().await;
    let layout = Types::load(Layouts::Maker, None).unwrap().of(Topic::Sensors);
    let uri = master.uri();
    let ros = Ros::at(&uri).await;
    let mut publisher = ros.command(PYTHON).args(["-c", OTHER_BUILD]).stdin(Stdio::piped()).spawn().unwrap();
    publisher.stdin.take().unwrap().write_all(layout.definition().as_bytes()).await.unwrap();
    // It may take a moment until the master knows it.
    let mut output = None;
    for _ in 0..5 {
        let probe = probed(&["probe", "miro", &uri, "--robot", "rob01", "--seconds", "2", "--json"]).await;
        if output.insert(probe).status.code() != Some(3) {
            break;
        }
    }
    let (found, code) = report(&output.unwrap());
    let expected = [
        ("platform/sensors", ProbeFault::Mistyped, "battery_voltage", Some("float64")),
        ("platform/sensors", ProbeFault::Missing, "dip_state_phys", None),
        ("platform/sensors", ProbeFault::Extra, "gremlin", Some("int32")),
    ];
    assert_eq!((deviations(&found), code), (expected.to_vec(), Some(1)));
    publisher.kill().await.unwrap();
}

#[tokio::test]
async fn what_may_be_left_out_is_missing_only_if_that_is_asked() {
    let robot = Doctored::start("/pubsub", |asked| {
        let mut battery: Value = serde_json::from_str(BATTERY).unwrap();
        battery.as_object_mut().unwrap().remove("voltage");
        event(asked, (asked["Type"] == "BatteryCharge").then_some(battery))
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
    // It has no device either.
    let robot = Doctored::start("/", |_| Vec::new()).await;
    let bridge = format!("ws://{}", robot.address);
    let output = probed(&["probe", "rosbridge", &bridge, "--seconds", "1"]).await;
    assert_eq!(output.status.code(), Some(3), "a bridge that never lists its topics: {output:?}");
    let robot = Doctored::start("/", |asked| match asked["op"].as_str() {
        Some("call_service") => vec![json!({
            "op": "service_response", "id": asked["id"], "values": {"topics": [], "types": []}, "result": true,
        })],
        _ => Vec::new(),
    })
    .await;
    let bridge = format!("ws://{}", robot.address);
    let output = probed(&["probe", "rosbridge", &bridge, "--seconds", "1"]).await;
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    assert!(stderr(&output).contains("nothing came within 1 s"), "{output:?}");
}

#[tokio::test]
async fn an_address_without_such_a_robot_is_named_with_what_is_there() {
    let demo = latimer_panics::blocking("starting a demo", || Demo::start(&[])).await.unwrap();
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
