//! Which robot a name is: below its own on the port of all, at the root on a port or a path of one robot.

use axum::Router;
use latimer_core::access::Role;
use latimer_core::hub::Source;
use latimer_core::model::Outcome;
use latimer_core::model::signal::{Battery, Velocity};
use latimer_core::{Clock, Command, Hub};
use latimer_dialects::BuildContext;
use latimer_dialects::listen::Ports;
use serde_json::{Value, json};

use crate::gate::{self, Users};
use crate::rig::{Running, Socket, answer, checked, play, publish};

const ENTRY: &latimer_dialects::Entry = &latimer_dialects::rosbridge::ENTRY;

/// A bridge by a table of the config, and where its ports are: that of all last.
pub(super) async fn bridge(hub: &Hub, table: &str, ports: Ports) -> (Vec<String>, Running) {
    let dialect = checked(ENTRY, &format!("listen = '127.0.0.1:0'\n{table}")).unwrap();
    let running = Running::start(dialect, BuildContext { ports, ..BuildContext::new(hub) }).await;
    let host = |url: &str| url["ws://".len()..].trim_end_matches('/').to_owned();
    (running.endpoints.iter().map(|it| host(&it.url)).collect(), running)
}

/// The address of what a bridge has on the common port.
async fn common(hub: &Hub, ports: Ports) -> (String, Running) {
    let dialect = checked(ENTRY, "").unwrap();
    let mut built =
        dialect.build(BuildContext { ports: ports.clone(), ..BuildContext::new(hub) }).await.unwrap();
    let address = mounted(built.mount.take().unwrap(), ports).await;
    (address, Running::of(built.whole()))
}

async fn mounted(router: Router, ports: Ports) -> String {
    let port =
        latimer_dialects::listen::HttpPort::bind("127.0.0.1:0".parse().unwrap(), "http.listen", 10, &ports)
            .await
            .unwrap();
    let address = port.address().unwrap().to_string();
    tokio::spawn(port.serve(router, tokio_util::sync::CancellationToken::new()));
    address
}

/// A socket of a client that wants to be told what is refused.
async fn open(address: &str) -> Socket {
    let mut socket = Socket::open(format!("ws://{address}")).await;
    socket.send(json!({"op": "set_level", "level": "error"})).await;
    socket
}

pub(super) async fn call(socket: &mut Socket, service: &str, args: Value) -> Value {
    socket.send(json!({"op": "call_service", "service": service, "args": args, "id": service})).await;
    loop {
        let frame = socket.json().await;
        if frame["id"] == service {
            return frame;
        }
    }
}

pub(super) async fn topics(socket: &mut Socket) -> Vec<String> {
    let answer = call(socket, "/rosapi/topics", json!({})).await;
    serde_json::from_value(answer["values"]["topics"].clone()).unwrap()
}

fn twist(mps: f64) -> Value {
    json!({"linear": {"x": mps, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0}})
}

async fn drive(socket: &mut Socket, topic: &str, mps: f64) {
    socket.send(json!({"op": "publish", "topic": topic, "msg": twist(mps)})).await;
}

async fn driven(robot: &mut Source) -> f64 {
    match answer(robot, Outcome::Done).await {
        Command::Drive { linear_mps, .. } => linear_mps,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn programs_for_one_robot_run_on_its_port_and_on_its_path() {
    let hub = Hub::new(Clock::system());
    let (mut rover, mut other) = (play(&hub, "rover", "test"), play(&hub, "other", "test"));
    publish(&rover, None, Battery { charge_ratio: Some(0.5), ..Battery::UNKNOWN });
    let own = "[[serve]]\nrobot = 'rover'\nlisten = '127.0.0.1:0'\n";
    let (ports, _running) = bridge(&hub, own, Ports::default()).await;
    let (common, _common) = common(&hub, Ports::default()).await;
    let [shared, own] = &ports[..] else { panic!("{ports:?}") };
    for address in [own.clone(), format!("{common}/robots/rover/rosbridge")] {
        let mut socket = open(&address).await;
        let names = topics(&mut socket).await;
        assert!(
            names.contains(&"/cmd_vel".to_owned()) && names.contains(&"/battery".to_owned()),
            "{names:?}"
        );
        assert!(names.iter().all(|it| !it.contains("rover") && !it.contains("other")), "{names:?}");
        drive(&mut socket, "/cmd_vel", 0.25).await;
        assert_eq!(driven(&mut rover).await, 0.25);
        drive(&mut socket, "cmd_vel", 0.5).await;
        assert_eq!(driven(&mut rover).await, 0.5);
        socket.send(json!({"op": "subscribe", "topic": "/odom"})).await;
        publish(&rover, Some(Velocity::MEASURED), Velocity::of(0.5, 0.0));
        let frame = socket.json().await;
        assert_eq!(
            (&frame["topic"], &frame["msg"]["twist"]["twist"]["linear"]["x"]),
            (&json!("/odom"), &json!(0.5))
        );
        let services = call(&mut socket, "/rosapi/services", json!({})).await["values"]["services"].clone();
        assert!(services.as_array().unwrap().contains(&json!("/stop")), "{services}");
        // The other robot is not there.
        drive(&mut socket, "/other/cmd_vel", 0.75).await;
        assert!(socket.json().await["msg"].as_str().unwrap().contains("/other/cmd_vel"));
    }
    let mut socket = open(shared).await;
    drive(&mut socket, "/other/cmd_vel", 1.0).await;
    assert_eq!(driven(&mut other).await, 1.0);
    drive(&mut socket, "/cmd_vel", 1.0).await;
    assert_eq!(socket.json().await["op"], "status");
}

#[tokio::test]
async fn a_path_shows_the_robots_that_its_user_may_see() {
    let hub = Hub::new(Clock::system());
    let _robots = [play(&hub, "rover", "test"), play(&hub, "other", "test")];
    let users = Users::new(&[("ada", &[(Role::See, "rover")])]);
    let (common, _running) = common(&hub, users.ports()).await;
    gate::socket("ada", &format!("{common}/robots/rover/rosbridge")).await;
    for absent in ["other", "nobody"] {
        let answer = handshake(&format!("{common}/robots/{absent}/rosbridge")).await;
        assert!(answer.contains("404") && answer.contains("/api/v1/robots"), "{answer}");
    }
}

/// What a handshake of `ada` is answered.
async fn handshake(address: &str) -> String {
    use tokio_tungstenite::tungstenite::client::IntoClientRequest;
    let mut request = format!("ws://{address}").into_client_request().unwrap();
    request.headers_mut().insert("authorization", "Bearer ada".parse().unwrap());
    match tokio_tungstenite::connect_async(request).await {
        Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => {
            format!(
                "{} {}",
                answer.status(),
                String::from_utf8_lossy(answer.body().as_deref().unwrap_or_default())
            )
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
}

#[tokio::test]
async fn of_two_robots_of_one_name_the_first_keeps_it() {
    let hub = Hub::new(Clock::system());
    let mut first = play(&hub, "a.b", "test");
    let (ports, _running) = bridge(&hub, "[[serve]]\nrobot = 'c'\nname = 'mine'\n", Ports::default()).await;
    let mut socket = open(&ports[0]).await;
    assert!(topics(&mut socket).await.contains(&"/a_b/cmd_vel".to_owned()));
    let (mut second, _third) = (play(&hub, "a-b", "test"), play(&hub, "mine", "test"));
    let names = topics(&mut socket).await;
    assert_eq!(
        names.iter().filter(|it| it.ends_with("/cmd_vel")).collect::<Vec<_>>(),
        ["/a_b/cmd_vel"],
        "{names:?}"
    );
    drive(&mut socket, "/a_b/cmd_vel", 0.25).await;
    assert_eq!(driven(&mut first).await, 0.25);
    for (name, other, robot) in [("a-b", "a.b", "a-b"), ("mine", "c", "mine")] {
        drive(&mut socket, &format!("/{name}/cmd_vel"), 1.0).await;
        let told = socket.json().await["msg"].as_str().unwrap().to_owned();
        assert!(
            told.contains(&format!("is {other} here"))
                && told.contains(&format!("/robots/{robot}/rosbridge")),
            "{told}"
        );
    }
    // What was published for the first does not move the second when the first goes.
    drop(first);
    drive(&mut socket, "/a_b/cmd_vel", 0.5).await;
    assert_eq!(socket.json().await["op"], "status");
    let mut again = play(&hub, "a.b", "test");
    drive(&mut socket, "/a_b/cmd_vel", 0.75).await;
    assert_eq!(driven(&mut again).await, 0.75);
    // One that comes while the name is free has it.
    drop((again, second));
    second = play(&hub, "a-b", "test");
    drive(&mut socket, "/a_b/cmd_vel", 1.0).await;
    assert_eq!(driven(&mut second).await, 1.0);
}

#[test]
fn the_config_tells_which_robots_have_one_name_and_what_a_root_name_needs() {
    let dialect = checked(ENTRY, "[[serve]]\nrobot = 'a.b'\nname = 'first'\n").unwrap();
    let robots = |names: &[&str]| names.iter().map(|it| it.parse().unwrap()).collect::<Vec<_>>();
    dialect.check_robots(&robots(&["a.b", "a_b"])).unwrap();
    let error = dialect.check_robots(&robots(&["a_b", "a-b"])).unwrap_err().to_string();
    assert!(error.contains("a_b and a-b would both be /a_b/"), "{error}");
    let error = checked(ENTRY, "[[serve]]\nrobot = 'a'\nname = ''\n").unwrap_err().to_string();
    assert!(error.contains("listen") && error.contains("/robots/a/rosbridge"), "{error}");
}
