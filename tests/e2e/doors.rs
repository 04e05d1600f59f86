//! Web pages of others at every HTTP, WebSocket and XML-RPC port: nothing moves, nothing is heard, nothing is registered.

use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::standing::{CHASSIS, MASTER, MISTY, MQTT_PAGES, STANDING};
use latimer_e2e::{Gateway, handshake};
use reqwest::{Client, StatusCode, header};
use serde_json::Value;

/// The page that attacks, and the name that its owner points at this machine.
const PAGE: &str = "https://evil.example";
const NAME: &str = "evil.example";

/// Calls that have an effect: port, path and body. Plain text is what a page can send anywhere without asking first.
const CALLS: [(u16, &str, &str); 6] = [
    (MISTY, "/api/drive/time", DRIVE),
    (0, "/robots/misty-1/misty/api/drive/time", DRIVE),
    (CHASSIS, "/chassis/moves", MOVE),
    (0, "/robots/axbot-1/axbot/chassis/moves", MOVE),
    (CHASSIS, "/services/wheel_control/set_control_mode", MANUAL),
    (0, "/robots/axbot-1/axbot/services/wheel_control/set_control_mode", MANUAL),
];
const DRIVE: &str = r#"{"LinearVelocity":20,"AngularVelocity":0,"TimeMs":1000}"#;
const MOVE: &str = r#"{"creator":"page","type":"standard","target_x":1.0,"target_y":0.0,"target_ori":0.0}"#;
const MANUAL: &str = r#"{"control_mode":"manual"}"#;

/// WebSockets: port, path and subprotocol.
const SOCKETS: [(u16, &str, &str); 8] = [
    (0, "/api/v1/stream", ""),
    (0, "/api/v1/world/stream", ""),
    (0, "/robots/misty-1/misty/pubsub", ""),
    (0, "/robots/axbot-1/axbot/ws/v2/topics", ""),
    (MISTY, "/pubsub", ""),
    (CHASSIS, "/ws/v2/topics", ""),
    (MQTT_PAGES, "/mqtt", "mqtt"),
    (MQTT_PAGES, "/", ""),
];

/// Who asks: as a page says so itself, or by a name that was pointed here.
#[derive(Clone, Copy, Debug)]
enum Asker {
    Page,
    Rebound,
    Program,
}

impl Asker {
    fn headers(self) -> Vec<(header::HeaderName, &'static str)> {
        match self {
            Self::Page => vec![(header::ORIGIN, PAGE)],
            Self::Rebound => vec![(header::HOST, NAME)],
            Self::Program => Vec::new(),
        }
    }
}

async fn post(url: &str, asker: Asker, content_type: &str, body: String) -> (StatusCode, String) {
    let mut request = Client::new().post(url).header(header::CONTENT_TYPE, content_type).body(body);
    for (name, value) in asker.headers() {
        request = request.header(name, value);
    }
    let answer = request.send().await.expect("it answers");
    (answer.status(), answer.text().await.expect("the answer is text"))
}

async fn open(gateway: &Gateway, asker: Asker, (port, path, protocol): (u16, &str, &str)) -> u16 {
    let mut headers = Vec::new();
    if !protocol.is_empty() {
        headers.push(("Sec-WebSocket-Protocol", protocol));
    }
    let mut host = None;
    match asker {
        Asker::Page => headers.push(("Origin", PAGE)),
        Asker::Rebound => host = Some(NAME),
        Asker::Program => {}
    }
    handshake(&gateway.port(port), path, host, &headers).await.0
}

/// Where a robot stands, as text; it may not have said so yet.
async fn place(gateway: &Gateway, robot: &str) -> String {
    let url = format!("http://{}/api/v1/last?select={robot}/pose", gateway.http());
    let asking = async {
        loop {
            let last: Value = reqwest::get(&url).await.expect("it answers").json().await.expect("it is JSON");
            // By its wheels: where a chassis believes to be on its map is never quite still.
            let poses = last["updates"].as_array().into_iter().flatten();
            if let Some(pose) = poses.map(|update| &update["data"]).find(|pose| pose["frame"] == "odom") {
                assert!(pose["x_m"].is_number(), "{last}");
                return pose.to_string();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asking).await.expect("the robot says where it stands")
}

async fn moves(gateway: &Gateway) -> usize {
    let url = format!("http://{}/chassis/moves", gateway.port(CHASSIS));
    let list: Value = reqwest::get(url).await.expect("it answers").json().await.expect("it is JSON");
    list.as_array().unwrap_or_else(|| panic!("{list}")).len()
}

#[tokio::test]
async fn no_foreign_page_moves_a_robot_at_any_port() {
    let gateway = Gateway::with_text(STANDING).await;
    let before = (place(&gateway, "misty-1").await, place(&gateway, "axbot-1").await);
    for asker in [Asker::Page, Asker::Rebound] {
        for (port, path, body) in CALLS {
            let url = format!("http://{}{path}", gateway.port(port));
            let (status, text) = post(&url, asker, "text/plain", body.to_owned()).await;
            assert_eq!(status, StatusCode::FORBIDDEN, "{asker:?} {path}: {text}");
            assert!(text.contains(NAME), "{text}");
        }
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!((place(&gateway, "misty-1").await, place(&gateway, "axbot-1").await), before);
    assert_eq!(moves(&gateway).await, 0);
    // The same calls of a program: they move, so that what was refused would have moved.
    for (port, path, body) in CALLS {
        let url = format!("http://{}{path}", gateway.port(port));
        let (status, text) = post(&url, Asker::Program, "application/json", body.to_owned()).await;
        assert!(status.is_success(), "{path}: {status} {text}");
    }
    let moved = async {
        while place(&gateway, "misty-1").await == before.0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, moved).await.expect("a program's call moves the Misty");
    assert_eq!(moves(&gateway).await, 2);
}

#[tokio::test]
async fn no_foreign_page_opens_a_socket_at_any_port() {
    let gateway = Gateway::with_text(STANDING).await;
    for socket in SOCKETS {
        for asker in [Asker::Page, Asker::Rebound] {
            assert_eq!(open(&gateway, asker, socket).await, 403, "{asker:?} {socket:?}");
        }
        assert_eq!(open(&gateway, Asker::Program, socket).await, 101, "{socket:?}");
    }
}

/// A call of XML-RPC with parameters that are texts, and lists of them.
fn call(method: &str, texts: &[&str], list: &[&str]) -> String {
    let text = |text: &&str| format!("<value><string>{text}</string></value>");
    let mut params: Vec<String> = texts.iter().map(text).collect();
    if method == "publisherUpdate" {
        let list: String = list.iter().map(text).collect();
        params.push(format!("<value><array><data>{list}</data></array></value>"));
    }
    let params: String = params.iter().map(|value| format!("<param>{value}</param>")).collect();
    format!(
        "<?xml version=\"1.0\"?><methodCall><methodName>{method}</methodName><params>{params}</params></methodCall>"
    )
}

#[tokio::test]
async fn no_foreign_page_calls_the_ros_master_or_a_node() {
    const TOPIC: &str = "/miro/misty_1/control/cmd_vel";
    let gateway = Gateway::with_text(STANDING).await;
    let master = format!("http://{}/", gateway.port(MASTER));
    let ask = async |url: &str, asker: Asker, content_type: &str, body: &str| {
        post(url, asker, content_type, body.to_owned()).await
    };
    let register = call(
        "registerPublisher",
        &["/evil", TOPIC, "geometry_msgs/TwistStamped", "http://127.0.0.1:9/"],
        &[],
    );
    let state = call("getSystemState", &["/test"], &[]);
    // The gateway's node registers a moment after the gateway serves.
    let registered = async {
        loop {
            let lookup = call("lookupNode", &["/test", "/latimer"], &[]);
            let (_, answer) = ask(&master, Asker::Program, "text/xml", &lookup).await;
            if let Some(begin) = answer.find("http://") {
                return answer[begin..].split('<').next().expect("there is a first part").to_owned();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let slave = tokio::time::timeout(PATIENCE, registered).await.expect("the node registers");
    let update = call("publisherUpdate", &["/master", TOPIC], &["http://127.0.0.1:9/"]);

    for (url, body) in [(&master, &register), (&slave, &update)] {
        for asker in [Asker::Page, Asker::Rebound] {
            for content_type in ["text/plain", "text/xml"] {
                let (status, text) = ask(url, asker, content_type, body).await;
                assert_eq!(status, StatusCode::FORBIDDEN, "{asker:?} {content_type}: {text}");
            }
        }
        let (status, text) = ask(url, Asker::Program, "text/plain", body).await;
        assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{text}");
    }
    let (status, known) = ask(&master, Asker::Program, "text/xml", &state).await;
    assert!(status.is_success() && known.contains("/latimer") && !known.contains("/evil"), "{known}");

    for (url, body) in [(&slave, &update), (&master, &register)] {
        let (status, text) = ask(url, Asker::Program, "text/xml; charset=utf-8", body).await;
        assert!(status.is_success() && !text.contains("fault"), "{text}");
    }
    let (_, known) = ask(&master, Asker::Program, "text/xml", &state).await;
    assert!(known.contains("/evil"), "{known}");
}

#[tokio::test]
async fn a_page_that_the_config_allows_may_call_that_port_and_no_other() {
    const APP: &str = "https://app.example";
    let config = STANDING
        .replace(
            "listen = '127.0.0.1:8081'",
            &format!("listen = '127.0.0.1:8081'\nallow_origins = ['{APP}']"),
        )
        .replace(
            "listen = '127.0.0.1:8090'",
            &format!("listen = '127.0.0.1:8090'\nallow_origins = ['{APP}']"),
        )
        .replace(
            "listen = '127.0.0.1:9001'",
            &format!("listen = '127.0.0.1:9001'\nallow_origins = ['{APP}']"),
        );
    let gateway = Gateway::with_text(&config).await;
    let client = Client::new();
    for (port, path) in [(MISTY, "/api/battery"), (CHASSIS, "/device/info")] {
        let url = format!("http://{}{path}", gateway.port(port));
        let answer = client.get(&url).header(header::ORIGIN, APP).send().await.expect("it answers");
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert_eq!(answer.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN], APP);
        assert_eq!(answer.headers()[header::VARY], "Origin");
        let preflight = client
            .request(reqwest::Method::OPTIONS, &url)
            .header(header::ORIGIN, APP)
            .header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST");
        let preflight = preflight.send().await.expect("it answers");
        assert!(preflight.status().is_success(), "{path}");
        assert_eq!(preflight.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN], APP);
        assert!(preflight.headers().contains_key(header::ACCESS_CONTROL_ALLOW_METHODS));
        let refused = client.get(&url).header(header::ORIGIN, PAGE).send().await.expect("it answers");
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{path}");
        assert!(!refused.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN));
        let why = refused.text().await.expect("it is text");
        assert!(why.contains(PAGE) && why.contains(".serve[0].allow_origins"), "{why}");
    }
    for (port, path, allowed) in [
        (MISTY, "/pubsub", 101),
        (CHASSIS, "/ws/v2/topics", 101),
        (MQTT_PAGES, "/mqtt", 101),
        (0, "/api/v1/stream", 403),
    ] {
        for (origin, status) in [(APP, allowed), (PAGE, 403), ("http://app.example", 403)] {
            let headers = [("Origin", origin), ("Sec-WebSocket-Protocol", "mqtt")];
            let headers = if port == MQTT_PAGES { &headers[..] } else { &headers[..1] };
            assert_eq!(
                handshake(&gateway.port(port), path, None, headers).await.0,
                status,
                "{path} {origin}"
            );
        }
    }
}

#[tokio::test]
async fn a_page_of_this_machine_reads_robots_on_the_common_port() {
    const LOCAL: &str = "http://localhost:5173";
    let gateway = Gateway::with_text(STANDING).await;
    for path in ["/robots/misty-1/misty/api/battery", "/robots/axbot-1/axbot/device/info"] {
        let url = format!("http://{}{path}", gateway.http());
        let answer = Client::new().get(&url).header(header::ORIGIN, LOCAL).send().await.expect("it answers");
        assert_eq!(answer.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN], LOCAL, "{path}");
        let answer = reqwest::get(&url).await.expect("it answers");
        assert!(!answer.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN), "{path}");
    }
}
