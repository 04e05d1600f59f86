//! Users, their roles, and every port that asks for them.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures_util::{SinkExt, StreamExt};
use latimer_e2e::PATIENCE;
use latimer_e2e::standing::{CHASSIS, MISTY, MQTT, MQTT_PAGES, ROBOTS, STANDING};
use latimer_e2e::{Gateway, handshake, users};
use reqwest::{Client, Method, RequestBuilder, StatusCode, header};
use serde_json::{Value, json};
use tokio::process::Command;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Users and what they may do, by the words of `latimer user`. Each has its name as its password.
const USERS: [(&str, &[&str]); 4] = [
    ("viewer", &["see"]),
    ("driver", &["drive"]),
    ("admin", &["admin"]),
    ("student", &["drive:misty-1", "see:axbot-1/battery"]),
];

/// A users' file, gone when this is dropped.
struct Users(PathBuf);

impl Users {
    async fn new(name: &str) -> Self {
        let users =
            Self(std::env::temp_dir().join(format!("latimer-users-{}-{name}.toml", std::process::id())));
        let mut text = String::new();
        for (user, grants) in USERS {
            text += &users::entry(user, grants).await;
        }
        users.write(&text);
        users
    }

    fn read(&self) -> String {
        std::fs::read_to_string(&self.0).expect("the file is there")
    }

    fn write(&self, text: &str) {
        std::fs::write(&self.0, text).expect("the temporary folder can be written");
    }

    async fn gateway(&self) -> Gateway {
        self.gateway_with(STANDING).await
    }

    async fn gateway_with(&self, text: &str) -> Gateway {
        Gateway::with_text(&format!("[access]\nusers = '{}'\n{text}", self.0.display())).await
    }
}

impl Drop for Users {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn basic(user: &str) -> String {
    format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{user}")))
}

/// A request of a user; of nobody if the name is empty.
fn request(method: Method, url: String, user: &str) -> RequestBuilder {
    let request = Client::new().request(method, url).timeout(PATIENCE);
    if user.is_empty() { request } else { request.header(header::AUTHORIZATION, basic(user)) }
}

async fn get(gateway: &Gateway, path: &str, user: &str) -> Value {
    let answer = request(Method::GET, format!("http://{}{path}", gateway.http()), user).send().await;
    let answer = answer.expect("it answers").error_for_status().expect("it is let in");
    answer.json().await.expect("it is JSON")
}

/// The least that a route of the API asks for: nothing, or a role by its place in [`ASKERS`].
fn needs(method: &str, path: &str) -> usize {
    match (method, path) {
        (_, "/api/v1/health" | "/api/v1/ready" | "/api/v1/me" | "/api/v1/login" | "/api/v1/logout") => 0,
        // What is wrong with the config is for those who may change it.
        (_, "/api/v1/reload") => 3,
        // Who sees a robot may stop it.
        ("get", _) | (_, "/api/v1/estop") => 1,
        (_, "/api/v1/robots/{robot}/commands" | "/api/v1/robots/{robot}/stands") => 2,
        _ => 3,
    }
}

/// Who asks, the least first.
const ASKERS: [&str; 4] = ["", "viewer", "driver", "admin"];

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
        "/api/v1/login" => json!({"user": "admin", "password": "admin"}),
        _ => json!({}),
    }
}

#[tokio::test]
async fn every_route_of_the_api_asks_for_its_role() {
    let users = Users::new("routes").await;
    let gateway = users.gateway().await;
    let routes = get(&gateway, "/api/v1/openapi.json", "viewer").await;
    let paths = routes["paths"].as_object().expect("it has paths");
    let mut asked = 0;
    for (path, methods) in paths {
        for method in methods.as_object().expect("it has methods").keys() {
            for (rank, user) in ASKERS.into_iter().enumerate() {
                let url = format!("http://{}{}", gateway.http(), path.replace("{robot}", "misty-1"));
                let wanted = Method::from_bytes(method.to_uppercase().as_bytes()).expect("it is a method");
                let mut request = request(wanted, url, user);
                if method == "post" {
                    request = request.json(&body(path));
                }
                let status = request.send().await.expect("it answers").status();
                let refused = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
                assert_eq!(refused, rank < needs(method, path), "{method} {path} by {user:?}: {status}");
                assert!(rank > 0 || !refused || status == StatusCode::UNAUTHORIZED, "{path}: {status}");
                asked += 1;
            }
        }
    }
    assert!(asked >= 4 * 30, "{asked}");
    // The page's files are for everybody; each robot in each dialect is not.
    for (path, open) in
        [("/", true), ("/favicon.svg", true), ("/map", true), ("/robots/misty-1/misty/api/battery", false)]
    {
        let status = request(Method::GET, format!("http://{}{path}", gateway.http()), "").send().await;
        assert_eq!(status.expect("it answers").status() != StatusCode::UNAUTHORIZED, open, "{path}");
    }
}

/// Where robots stand by their wheels, and what the world holds.
async fn places(gateway: &Gateway) -> String {
    let last = get(gateway, "/api/v1/world", "admin").await;
    let mut seen = Vec::new();
    for robot in ROBOTS {
        let body = last["now"]["robots"].as_array().into_iter().flatten().find(|it| it["robot"] == robot);
        let body = body.unwrap_or_else(|| panic!("{robot} is not in {}", last["now"]));
        seen.push(format!("{robot} {:.3} {:.3}", body["x_m"], body["y_m"]));
    }
    seen.push(last["revision"].to_string());
    seen.join(", ")
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

/// Publishes at the broker; whether the broker took it.
async fn publish(gateway: &Gateway, user: &str, topic: &str, payload: &str) -> bool {
    let port = gateway.port(MQTT);
    let (_, port) = port.split_once(':').expect("host and port");
    let published = Command::new("mosquitto_pub")
        .args(["-V", "5", "-p", port, "-u", user, "-P", user, "-q", "1", "-t", topic, "-m", payload])
        .stdin(Stdio::null())
        .output()
        .await
        .expect("mosquitto's clients are installed: run `make mosquitto`");
    published.status.success() && published.stderr.is_empty()
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
    // The same of somebody who drives: so what was refused would have moved.
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

#[tokio::test]
async fn every_port_asks_who_comes() {
    let users = Users::new("ports").await;
    let gateway = users.gateway().await;
    // Before somebody guesses, after which the next one of this address waits.
    assert!(publish(&gateway, "driver", "weather", "x").await);
    for (port, path) in [
        (0, "/api/v1/stream"),
        (0, "/api/v1/world/stream"),
        (0, "/robots/misty-1/misty/pubsub"),
        (0, "/robots/axbot-1/axbot/ws/v2/topics"),
        (0, "/rosbridge"),
        (MISTY, "/pubsub"),
        (CHASSIS, "/ws/v2/topics"),
    ] {
        assert_eq!(handshake(&gateway.port(port), path, None, &[]).await.0, 401, "{path}");
        let wrong = [("Authorization", "Basic dmlld2VyOndyb25n")];
        assert!(matches!(handshake(&gateway.port(port), path, None, &wrong).await.0, 401 | 429), "{path}");
        let right = basic("viewer");
        assert_eq!(
            handshake(&gateway.port(port), path, None, &[("Authorization", &right)]).await.0,
            101,
            "{path}"
        );
    }
    // A chassis' program shows its secret.
    let secret = [("Secret", "viewer:viewer")];
    assert_eq!(handshake(&gateway.port(CHASSIS), "/ws/v2/topics", None, &secret).await.0, 101);
    // The broker, by both of its ports; the socket is not the client yet.
    assert!(!publish(&gateway, "nobody", "weather", "x").await);
    assert!(publish(&gateway, "driver", "weather", "x").await);
    assert_eq!(handshake(&gateway.port(MQTT_PAGES), "/mqtt", None, &[]).await.0, 101);
    let said = gateway.said();
    assert!(said.contains("an attempt to come in failed") && said.contains("127.0.0.1"), "{said}");
}

#[tokio::test]
async fn a_page_that_the_config_allows_asks_first_and_shows_its_credential_then() {
    const PAGE: &str = "https://app.example";
    let users = Users::new("pages").await;
    let allow = |text: &str, port: &str| {
        text.replace(&format!("listen = '{port}'"), &format!("listen = '{port}'\nallow_origins = ['{PAGE}']"))
    };
    let text = allow(&allow(STANDING, "127.0.0.1:8081"), "127.0.0.1:8090");
    let gateway = users.gateway_with(&text).await;
    for (port, path, body) in [
        (MISTY, "/api/led", json!({"Red": 1, "Green": 2, "Blue": 3})),
        (CHASSIS, "/services/wheel_control/set_control_mode", json!({"control_mode": "manual"})),
    ] {
        let url = format!("http://{}{path}", gateway.port(port));
        let preflight = Client::new()
            .request(Method::OPTIONS, &url)
            .header(header::ORIGIN, PAGE)
            .header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST")
            .header(header::ACCESS_CONTROL_REQUEST_HEADERS, "authorization,content-type");
        let answer = preflight.send().await.expect("it answers");
        assert!(answer.status().is_success(), "{url}: {}", answer.status());
        let headers = answer.headers();
        assert!([PAGE, "*"].contains(&headers["access-control-allow-origin"].to_str().expect("text")));
        let allowed = headers["access-control-allow-headers"].to_str().expect("text").to_ascii_lowercase();
        assert!(allowed.contains("authorization"), "{url}: {allowed}");
        for (user, lets_in) in [("", false), ("driver", true)] {
            let post = request(Method::POST, url.clone(), user).header(header::ORIGIN, PAGE).json(&body);
            let status = post.send().await.expect("it answers").status();
            assert_eq!(status != StatusCode::UNAUTHORIZED, lets_in, "{url} by {user:?}: {status}");
        }
        // Without the question of a browser, OPTIONS needs a credential as everything does.
        let bare = Client::new().request(Method::OPTIONS, &url).send().await.expect("it answers");
        assert_eq!(bare.status(), StatusCode::UNAUTHORIZED, "{url}");
    }
}

#[tokio::test]
async fn another_gateway_comes_in_with_the_login_of_its_address() {
    let users = Users::new("second").await;
    let first = users.gateway().await;
    let second = async |login: &str| {
        let (misty, chassis) = (first.port(MISTY), first.port(CHASSIS));
        Gateway::with_text(&format!(
            "[http]\nlisten = '127.0.0.1:8080'\n[[misty.connect]]\nrobot = 'far-misty'\naddress = 'http://{login}@{misty}'\n\
             [[axbot.connect]]\nrobot = 'far-axbot'\naddress = 'http://{login}@{chassis}'\n"
        ))
        .await
    };
    let driver = second("driver:driver").await;
    driver.until_up("far-misty").await;
    driver.until_up("far-axbot").await;
    let before = places(&first).await;
    driver.cli_ok(&["send", "far-misty", "drive", "0.2", "0", "--for", "500ms"]).await;
    assert_ne!(places(&first).await, before);
    let wrong = second("driver:wrong").await;
    let told = async {
        let is_logged = |robot: &str| {
            wrong.said().contains(&format!("the link is down; it tries again robot={robot} reason="))
        };
        while !is_logged("far-misty") || !is_logged("far-axbot") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, told).await.expect("the log tells why there is no link");
    assert!(!wrong.said().contains("driver:wrong"), "{}", wrong.said());
}

#[tokio::test]
async fn a_student_sees_and_drives_what_the_file_says() {
    let users = Users::new("student").await;
    let gateway = users.gateway().await;
    let robots = get(&gateway, "/api/v1/robots", "student").await;
    let names: Vec<_> =
        robots["robots"].as_array().expect("robots").iter().map(|it| it["robot"].clone()).collect();
    assert_eq!(names, ["axbot-1", "misty-1"]);
    let last = get(&gateway, "/api/v1/last", "student").await;
    for update in last["updates"].as_array().expect("updates") {
        assert!(update["robot"] == "misty-1" || update["kind"] == "battery", "{update}");
    }
    let me = get(&gateway, "/api/v1/me", "student").await;
    assert_eq!(
        (&me["name"], &me["drives"], &me["is_admin"]),
        (&json!("student"), &json!(["misty-1"]), &json!(false))
    );
    let drive = json!({"command": "drive", "linear_mps": 0.1, "duration_s": 0.2});
    for (robot, expected) in
        [("misty-1", StatusCode::OK), ("axbot-1", StatusCode::FORBIDDEN), ("pera-1", StatusCode::NOT_FOUND)]
    {
        let url = format!("http://{}/api/v1/robots/{robot}/commands", gateway.http());
        let status =
            request(Method::POST, url, "student").json(&drive).send().await.expect("it answers").status();
        assert_eq!(status, expected, "{robot}");
    }
    // A chassis' own words hold more than the battery.
    let url = format!("http://{}/robots/axbot-1/axbot/device/info", gateway.http());
    assert_eq!(
        request(Method::GET, url, "student").send().await.expect("it answers").status(),
        StatusCode::FORBIDDEN
    );
    let url = format!("http://{}/api/v1/last?select=axbot-1/battery&native=true", gateway.http());
    assert_eq!(
        request(Method::GET, url, "student").send().await.expect("it answers").status(),
        StatusCode::FORBIDDEN
    );
    let given = get(&gateway, "/api/v1/commands", "admin").await;
    assert!(
        given["commands"].as_array().expect("commands").iter().any(|it| it["author"]["name"] == "student"),
        "{given}"
    );
    // The command line.
    let listed = gateway.cli_ok(&["robots", "--token", "student:student"]).await;
    assert!(listed.contains("misty-1") && !listed.contains("pera-1"), "{listed}");
    gateway.cli_ok(&["echo", "misty-1/battery", "-n", "1", "--token", "student:student"]).await;
    let refused = gateway.cli(&["robots"]).await;
    assert!(String::from_utf8_lossy(&refused.stderr).contains("LATIMER_TOKEN"), "{refused:?}");
}

#[tokio::test]
async fn a_file_that_changes_applies_to_who_is_connected() {
    let users = Users::new("reload").await;
    let gateway = users.gateway().await;
    let mut asked = format!("ws://{}/api/v1/stream?select=*/pose&every=50ms", gateway.http())
        .into_client_request()
        .expect("it is an address");
    asked.headers_mut().insert(header::AUTHORIZATION, basic("viewer").parse().expect("a header"));
    let (mut stream, _) = connect_async(asked).await.expect("it is let in");
    let mut robots_within = async |most: Duration| {
        let mut robots = std::collections::BTreeSet::new();
        let reading = async {
            while let Some(Ok(message)) = stream.next().await {
                let frame: Value =
                    serde_json::from_str(message.to_text().unwrap_or_default()).unwrap_or_default();
                if let Some(robot) = frame["robot"].as_str() {
                    robots.insert(robot.to_owned());
                }
            }
        };
        let _ = tokio::time::timeout(most, reading).await;
        robots
    };
    assert!(robots_within(Duration::from_secs(1)).await.len() > 2);
    let text = users.read();
    let (head, tail) = text.split_once("\"viewer\"").expect("there is a viewer");
    users.write(&format!("{head}\"viewer\"{}", tail.replacen("select = \"*\"", "select = \"axbot-1\"", 1)));
    let until = tokio::time::timeout(PATIENCE, async {
        while !gateway.said().contains("the users were read again") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    until.await.expect("the file is read again");
    // What was under way comes still.
    robots_within(Duration::from_millis(300)).await;
    let robots = robots_within(Duration::from_secs(1)).await;
    assert!(robots.iter().all(|robot| robot == "axbot-1"), "{robots:?}");
    // A file that is wrong changes nothing, and the log has why.
    users.write("[[user]]\n");
    let told = tokio::time::timeout(PATIENCE, async {
        while !gateway.said().contains("the users were not read again") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    told.await.expect("the log tells");
    get(&gateway, "/api/v1/robots", "driver").await;
}

#[tokio::test]
async fn whatever_is_open_ends_with_its_user() {
    let users = Users::new("gone").await;
    let gateway = users.gateway().await;
    let open = async |url: String| {
        let mut asked = url.as_str().into_client_request().expect("it is an address");
        asked.headers_mut().insert(header::AUTHORIZATION, basic("viewer").parse().expect("a header"));
        connect_async(asked).await.unwrap_or_else(|error| panic!("{url}: {error}")).0
    };
    let (common, chassis, misty) = (gateway.http(), gateway.port(CHASSIS), gateway.port(MISTY));
    let mut sockets = Vec::new();
    for url in [
        format!("ws://{common}/api/v1/stream?select=*/pose"),
        format!("ws://{common}/rosbridge"),
        format!("ws://{chassis}/ws/v2/topics"),
        format!("ws://{misty}/pubsub"),
    ] {
        let socket = open(url.clone()).await;
        sockets.push((url, socket));
    }
    let events = request(Method::GET, format!("http://{common}/api/v1/stream?select=*/pose"), "viewer");
    let mut events = events.send().await.expect("it answers").error_for_status().expect("it is let in");
    let port = gateway.port(MQTT);
    let (_, port) = port.split_once(':').expect("host and port");
    let mut subscriber = Command::new("mosquitto_sub")
        .args(["-p", port, "-u", "viewer", "-P", "viewer", "-t", "#"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("mosquitto's clients are installed: run `make mosquitto`");
    let (head, rest) = {
        let text = users.read();
        let (head, rest) = text.split_once("[[user]]\nname = \"driver\"").expect("the driver comes next");
        (head.to_owned(), rest.to_owned())
    };
    assert!(head.contains("\"viewer\"") && !rest.contains("\"viewer\""), "{head}");
    users.write(&format!("[[user]]\nname = \"driver\"{rest}"));
    let ends = async {
        for (_, socket) in &mut sockets {
            while socket.next().await.is_some_and(|message| message.is_ok()) {}
        }
        while events.chunk().await.is_ok_and(|chunk| chunk.is_some()) {}
        subscriber.wait().await.expect("it ends")
    };
    tokio::time::timeout(PATIENCE, ends).await.expect("all of them end");
    get(&gateway, "/api/v1/robots", "driver").await;
}

#[tokio::test]
async fn a_login_holds_until_it_ends_and_guesses_wait() {
    let users = Users::new("login").await;
    let gateway = users.gateway().await;
    let url = |path: &str| format!("http://{}/api/v1{path}", gateway.http());
    let login = |password: &str| {
        Client::new().post(url("/login")).json(&json!({"user": "viewer", "password": password})).send()
    };
    let me: Value =
        Client::new().get(url("/me")).send().await.expect("it answers").json().await.expect("JSON");
    assert_eq!((&me["has_users"], &me["name"]), (&json!(true), &Value::Null));
    let answer = login("viewer").await.expect("it answers");
    let cookie = answer.headers()[header::SET_COOKIE].to_str().expect("text").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let token = cookie.split(';').next().expect("a pair").to_owned();
    let with_cookie = async |path: &str| {
        let asked = Client::new().get(url(path)).header(header::COOKIE, &token).send().await;
        asked.expect("it answers").status()
    };
    assert_eq!(with_cookie("/robots").await, StatusCode::OK);
    let out =
        Client::new().post(url("/logout")).header(header::COOKIE, &token).send().await.expect("it answers");
    assert_eq!(out.status(), StatusCode::NO_CONTENT);
    assert_eq!(with_cookie("/robots").await, StatusCode::UNAUTHORIZED);
    // Who came in a moment ago does so again, though somebody guesses from the same address.
    get(&gateway, "/api/v1/robots", "viewer").await;
    let mut waited = false;
    for _ in 0..6 {
        let answer = login("wrong").await.expect("it answers");
        waited |= answer.status() == StatusCode::TOO_MANY_REQUESTS
            && answer.headers().contains_key(header::RETRY_AFTER);
    }
    assert!(waited);
    get(&gateway, "/api/v1/robots", "viewer").await;
}
