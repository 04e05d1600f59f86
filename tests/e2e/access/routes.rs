//! Which role each route of the API needs, and that nobody moves anything in any dialect without one.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_e2e::Gateway;
use latimer_e2e::PATIENCE;
use latimer_e2e::standing::{CHASSIS, MISTY, ROBOTS};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use super::{Users, basic, get, places, publish, request};

/// What a route asks for.
#[derive(Clone, Copy, Debug)]
enum Needs {
    Nothing,
    /// To see anything.
    Something,
    /// A role for misty-1.
    Misty(Role),
    /// A role for every robot.
    All(Role),
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Role {
    See,
    Drive,
    Admin,
}

impl Needs {
    fn of(method: &str, path: &str) -> Self {
        match (method, path.strip_prefix("/api/v1").unwrap_or(path)) {
            (_, "/health" | "/ready" | "/me" | "/login" | "/logout") => Self::Nothing,
            ("get", "/metrics") => Self::All(Role::See),
            // What is wrong with the config, and who is connected, is for those who may change it.
            (_, "/reload" | "/sessions" | "/sessions/{id}") => Self::All(Role::Admin),
            // Who sees a robot may stop it.
            (_, "/estop") => Self::Misty(Role::See),
            (_, "/robots/{robot}/commands" | "/robots/{robot}/stands") => Self::Misty(Role::Drive),
            (_, "/robots/{robot}/poke") => Self::Misty(Role::Admin),
            ("get", "/world" | "/world/stream") => Self::All(Role::See),
            ("get", "/robots/{robot}" | "/lines") => Self::Misty(Role::See),
            ("get", _) => Self::Something,
            _ => Self::All(Role::Admin),
        }
    }
}

/// Clients, with the roles that each has for misty-1 and for every robot.
const ASKERS: [(&str, Option<Role>, Option<Role>); 7] = [
    ("", None, None),
    ("elsewhere", None, None),
    ("student", Some(Role::Drive), None),
    ("owner", Some(Role::Admin), None),
    ("viewer", Some(Role::See), Some(Role::See)),
    ("driver", Some(Role::Drive), Some(Role::Drive)),
    ("admin", Some(Role::Admin), Some(Role::Admin)),
];

/// A body that makes sense to a route.
fn body(path: &str) -> Value {
    match path {
        "/api/v1/robots/{robot}/commands" => {
            json!({"command": "drive", "linear_mps": 0.1, "duration_s": 0.1})
        }
        "/api/v1/robots/{robot}/poke" => json!({"stimulus": "battery", "charge_ratio": 0.5}),
        "/api/v1/world/poke" => {
            json!({"happening": "put_obstacle", "name": "crate", "box": {"length_m": 0.4, "width_m": 0.3}, "x_m": 8.0, "y_m": 1.5})
        }
        "/api/v1/world/pace" => json!({"pace": "speed", "speed": 1}),
        "/api/v1/world/scenario" => json!({"events": []}),
        "/api/v1/estop" => json!({"pressed": true, "robots": ["misty-1"]}),
        "/api/v1/login" => json!({"user": "admin", "password": "admin"}),
        _ => json!({}),
    }
}

/// Asks as a user; the status, and what the answer begins with.
async fn ask(gateway: &Gateway, method: &str, path: &str, user: &str) -> (StatusCode, String) {
    let path_of_one = path.replace("{robot}", "misty-1").replace("{id}", "1000000");
    let query = match path {
        "/api/v1/lines" => "?key=misty-1/pose",
        "/api/v1/sessions" if method == "delete" => "?user=nobody",
        _ => "",
    };
    let wanted = Method::from_bytes(method.to_uppercase().as_bytes()).expect("it is a method");
    let mut request = request(wanted, format!("http://{}{path_of_one}{query}", gateway.http()), user);
    if method == "post" {
        request = request.json(&body(path));
    }
    let mut answer = request.send().await.expect("it answers");
    let status = answer.status();
    // A stream that is let in has no end.
    let text = if status.is_success() { None } else { answer.chunk().await.expect("it comes") };
    (status, String::from_utf8_lossy(&text.unwrap_or_default()).into_owned())
}

#[tokio::test]
async fn every_route_of_the_api_asks_for_its_role() {
    let users = Users::new("routes").await;
    let gateway = users.gateway().await;
    let routes = get(&gateway, "/api/v1/openapi.json", "viewer").await;
    let paths = routes["paths"].as_object().expect("it has paths");
    let (mut asked, mut wrong) = (0, Vec::new());
    for (path, methods) in paths {
        for method in methods.as_object().expect("it has methods").keys() {
            for (user, misty, all) in ASKERS {
                let may = match Needs::of(method, path) {
                    Needs::Nothing => true,
                    Needs::Something => !user.is_empty(),
                    Needs::Misty(role) => misty.is_some_and(|has| has >= role),
                    Needs::All(role) => all.is_some_and(|has| has >= role),
                };
                let (status, text) = ask(&gateway, method, path, user).await;
                // A robot of which a user sees nothing is not there for it.
                let unknown = status == StatusCode::NOT_FOUND && text.contains("there is no robot");
                let refused = unknown || matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
                if refused == may || (user.is_empty() && refused && status != StatusCode::UNAUTHORIZED) {
                    wrong.push(format!("{method} {path} by {user:?}: {status} {text}"));
                }
                asked += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(asked >= ASKERS.len() * 30, "{asked}");
    // The page's files are for everybody; each robot in each dialect is not.
    for (path, open) in
        [("/", true), ("/favicon.svg", true), ("/map", true), ("/robots/misty-1/misty/api/battery", false)]
    {
        let status = request(Method::GET, format!("http://{}{path}", gateway.http()), "").send().await;
        assert_eq!(status.expect("it answers").status() != StatusCode::UNAUTHORIZED, open, "{path}");
    }
}

/// A WebSocket of a user that says something and waits a moment for what comes.
async fn say(url: String, user: &str, texts: &[String]) {
    let mut asked = url.as_str().into_client_request().expect("it is an address");
    asked.headers_mut().insert(header::AUTHORIZATION, basic(user).parse().expect("it is a header"));
    let (mut socket, _) = connect_async(asked).await.expect("it is let in");
    for text in texts {
        socket.send(Message::text(text)).await.expect("it is open");
    }
    let _ =
        tokio::time::timeout(Duration::from_millis(500), async { while socket.next().await.is_some() {} })
            .await;
}

/// Says and posts everything that moves a robot or changes something, in every dialect.
async fn try_everything(gateway: &Gateway, user: &str) {
    // Misty: every call.
    let help = format!("http://{}/api/help", gateway.port(MISTY));
    let help: Value =
        request(Method::GET, help, "admin").send().await.expect("it answers").json().await.expect("JSON");
    let mut calls = 0;
    for (method, listed) in help["result"].as_object().expect("methods") {
        let Ok(method) = Method::from_bytes(method.to_uppercase().as_bytes()) else { continue };
        for call in listed.as_array().into_iter().flatten().filter(|_| !method.is_safe()) {
            let endpoint = call["endpoint"].as_str().expect("an endpoint").trim_start_matches('/');
            let endpoint = endpoint.trim_start_matches("api/");
            let url = format!("http://{}/api/{endpoint}", gateway.port(MISTY));
            let parameters = match endpoint {
                "drive" => json!({"LinearVelocity": 20, "AngularVelocity": 0}),
                "drive/time" => json!({"LinearVelocity": 20, "AngularVelocity": 0, "TimeMs": 1000}),
                "head" => json!({"Pitch": 10, "Roll": 0, "Yaw": 10, "Velocity": 50}),
                "led" => json!({"Red": 1, "Green": 2, "Blue": 3}),
                _ => json!({}),
            };
            let sent = request(method.clone(), url, user).json(&parameters).send().await;
            sent.expect("it answers");
            calls += 1;
        }
    }
    assert!(calls > 20, "{help}");
    // AutoXing: requests, and topics of the socket.
    for (method, path, body) in [
        (
            "POST",
            "/chassis/moves",
            json!({"creator": "x", "type": "standard", "target_x": 1.0, "target_y": 0.0, "target_ori": 0.0}),
        ),
        ("PATCH", "/chassis/moves/current", json!({"state": "cancelled"})),
        ("POST", "/chassis/pose", json!({"position": [1.0, 1.0, 0.0], "ori": 0.0})),
        ("POST", "/services/wheel_control/set_control_mode", json!({"control_mode": "manual"})),
        ("POST", "/robot-params", json!({"/wheel_control/max_forward_velocity": 0.3})),
        ("PATCH", "/system/settings/user", json!({})),
        ("POST", "/mappings/", json!({"continue_mapping": false})),
        ("POST", "/maps/", json!({"map_name": "x"})),
        ("DELETE", "/maps/1", json!({})),
    ] {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let sent =
            request(method, format!("http://{}{path}", gateway.port(CHASSIS)), user).json(&body).send().await;
        sent.expect("it answers");
    }
    let twist = json!({"topic": "/twist", "linear_velocity": 0.3, "angular_velocity": 0.0}).to_string();
    for address in [
        format!("ws://{}/ws/v2/topics", gateway.port(CHASSIS)),
        format!("ws://{}/robots/misty-1/axbot/ws/v2/topics", gateway.http()),
    ] {
        say(address, user, &[twist.clone(), twist.clone()]).await;
    }
    // ROS by WebSocket.
    let drive = |robot: &str| {
        json!({"op": "publish", "topic": format!("/{robot}/cmd_vel"), "msg": {"linear": {"x": 0.2}}})
            .to_string()
    };
    say(
        format!("ws://{}/rosbridge", gateway.http()),
        user,
        &["misty_1", "miro_1", "pera_1", "axbot_1"].map(drive),
    )
    .await;
    // MQTT: every topic that the gateway takes.
    let topics = get(gateway, "/api/v1/asyncapi.json", "admin").await;
    let operations = topics["operations"].as_object().expect("operations");
    for operation in operations.values().filter(|it| it["action"] == "receive") {
        let name =
            operation["channel"]["$ref"].as_str().and_then(|it| it.rsplit('/').next()).expect("a channel");
        let channel = &topics["channels"][name];
        let topic = channel["address"].as_str().expect("an address");
        let topic = topic.replace("{channel}", "v1").replace("{id}", "1");
        for payload in ["START -1", r#"{"id": 77, "x": 10, "y": 10, "heading": 0.0, "reality": "V"}"#] {
            assert_eq!(publish(gateway, user, &topic, payload).await, user != "viewer", "{topic}");
        }
    }
    let task = json!({"target_id": "R_1", "source_id": "SI_1", "timestamp": 1552481472, "task_id": "T1", "priority": 3,
        "type": "goto", "parameter": {"to": "Kitchen"}});
    publish(gateway, user, "/dialogue/task", &task.to_string()).await;
}

#[tokio::test]
async fn a_viewer_moves_nothing_in_any_dialect() {
    let users = Users::new("viewer").await;
    let gateway = users.gateway().await;
    let before = places(&gateway).await;
    try_everything(&gateway, "viewer").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(places(&gateway).await, before);
    let given = get(&gateway, "/api/v1/commands?n=1000", "admin").await;
    for record in given["commands"].as_array().expect("commands") {
        let (refused, command) =
            (record["code"] == "forbidden", record["command"].as_str().unwrap_or_default());
        let harmless = ["stop", "halt", "sense", "drive_limits"].contains(&command);
        assert!(
            refused || (harmless && command != "drive_limits") || record["author"]["dialect"] == "gateway",
            "{record}"
        );
    }
    let robots = get(&gateway, "/api/v1/robots", "admin").await;
    assert_eq!(robots["robots"].as_array().map(Vec::len), Some(ROBOTS.len()), "{robots}");
    // The same from a user with the role: so what was refused would have moved.
    try_everything(&gateway, "driver").await;
    let given = get(&gateway, "/api/v1/commands?n=1000", "admin").await;
    let given = given["commands"].as_array().expect("commands").clone();
    for dialect in ["misty", "axbot", "rosbridge"] {
        let by = |it: &&Value| it["author"]["dialect"] == dialect && it["author"]["name"] == "driver";
        assert!(given.iter().filter(by).any(|it| it["outcome"] != "refused"), "{dialect}: {given:?}");
    }
    let moved = async {
        while places(&gateway).await == before {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, moved).await.expect("the same of a driver moves robots");
}
