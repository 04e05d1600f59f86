//! Clients that die, stall, lie and flood: a clear answer or a close, bounded memory, and others go on.

use std::process::Stdio;

use futures_util::{SinkExt, StreamExt, future};
use latimer_e2e::PATIENCE;
use latimer_e2e::{Gateway, MistyClient, gateway};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use crate::python;
use crate::watcher::Watcher;

/// What a hostile client may cost in memory at most, bytes.
const MEMORY: u64 = 64 << 20;

const REGISTERED: &str = "Registration Status: API event registered.";

/// Watches a gateway while something bad happens to it, then tells whether anybody else noticed.
struct Scene {
    gateway: Gateway,
    watcher: Watcher,
    before_bytes: u64,
}

impl Scene {
    async fn begin() -> Self {
        let gateway = Gateway::with_config("still.toml").await;
        let watcher = Watcher::begin(&gateway.misty()).await;
        let before_bytes = gateway.resident_bytes();
        Self { gateway, watcher, before_bytes }
    }

    async fn end(self) {
        let grown = self.gateway.resident_bytes().saturating_sub(self.before_bytes);
        assert!(grown < MEMORY, "{} MiB of memory went away", grown >> 20);
        self.watcher.end().await;
        let health = reqwest::get(format!("http://{}/api/v1/health", self.gateway.http())).await;
        assert_eq!(health.expect("the gateway answers").status(), 200);
    }
}

#[tokio::test]
async fn a_killed_client_leaves_nothing_behind() {
    let scene = Scene::begin().await;
    let address = scene.gateway.misty();
    let mut client = python::script("sdk", "hold.py", &[&address, "held"]);
    let mut client = client.stdout(Stdio::piped()).spawn().expect("Python starts");
    let mut lines = BufReader::new(client.stdout.take().expect("stdout is piped")).lines();
    let line = tokio::time::timeout(PATIENCE, lines.next_line()).await;
    let line = line.expect("the client subscribes in time").expect("its output is text").unwrap_or_default();
    assert!(line.contains(REGISTERED), "{line}");

    let mut other = MistyClient::connect(&address).await;
    let answer = other.subscribe("IMU", "held", json!({})).await;
    assert!(answer.contains("same name (held)"), "{answer}");
    gateway::signal(client.id().expect("the client runs"), "KILL").await;
    client.wait().await.expect("a child can be awaited");
    scene.gateway.until_sinks_are(1, PATIENCE).await;
    assert_eq!(other.subscribe("IMU", "held", json!({})).await, REGISTERED);
    drop(other);
    scene.end().await;
}

#[tokio::test]
async fn half_open_sockets_go_away_by_themselves() {
    let scene = Scene::begin().await;
    let mut silent = Vec::new();
    for address in [scene.gateway.misty(), scene.gateway.http()] {
        for start in [
            "",
            "GET /pubsub HTTP/1.1\r\nHost: x\r\nConnec",
            "POST /api/drive HTTP/1.1\r\nContent-Le",
            "POST /api/drive HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
        ] {
            for _ in 0..50 {
                let mut socket = TcpStream::connect(&address).await.expect("the port takes connections");
                socket.write_all(start.as_bytes()).await.expect("the socket is open");
                silent.push(socket);
            }
        }
    }
    // Half a frame, and then nothing.
    let mut stuck = Vec::new();
    for _ in 0..50 {
        let url = format!("ws://{}/pubsub", scene.gateway.misty());
        let (mut socket, _) = connect_async(url).await.expect("the facade takes connections");
        let half = [0x81, 0xfe, 0x01];
        match socket.get_mut() {
            tokio_tungstenite::MaybeTlsStream::Plain(tcp) => tcp.write_all(&half).await.expect("it is open"),
            _ => unreachable!("no TLS here"),
        }
        stuck.push(socket);
    }
    // Each is closed by the gateway, with an answer or without.
    let closed = future::join_all(silent.iter_mut().map(|socket| async {
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer).await;
    }));
    tokio::time::timeout(PATIENCE, closed).await.expect("half-open sockets are closed");
    drop(stuck);
    scene.end().await;
}

#[tokio::test]
async fn a_mebibyte_of_garbage_is_refused() {
    let scene = Scene::begin().await;
    let address = scene.gateway.misty();
    let garbage: Vec<u8> = (0_u32..1 << 20).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let text: String = garbage.iter().map(|byte| char::from(byte & 0x7f)).collect();

    // As one message: too long, so the socket is closed with the code that says so.
    let mut client = MistyClient::connect(&address).await;
    let _ = client.send(text.clone()).await;
    let close = client.closed(PATIENCE).await;
    assert!(close.as_ref().is_none_or(|frame| frame.code == CloseCode::Size), "{close:?}");

    // In pieces that may be read: each is answered, and the socket stays.
    let mut client = MistyClient::connect(&address).await;
    for piece in text.as_bytes().chunks(128 * 1024) {
        client.send(String::from_utf8_lossy(piece)).await.expect("the socket stays open");
        let answer = client.status("").await;
        assert!(answer.starts_with("Registration Status: "), "{answer}");
    }
    assert_eq!(client.subscribe("IMU", "after", json!({})).await, REGISTERED);

    // Where a frame should begin.
    let (mut socket, _) = connect_async(format!("ws://{address}/pubsub")).await.expect("the facade is up");
    if let tokio_tungstenite::MaybeTlsStream::Plain(tcp) = socket.get_mut() {
        let _ = tcp.write_all(&garbage).await;
        expect_end(tcp).await;
    }

    // Where a request should begin, on both ports.
    for port in [&address, &scene.gateway.http()] {
        let mut socket = TcpStream::connect(port).await.expect("the port takes connections");
        let _ = socket.write_all(&garbage).await;
        expect_end(&mut socket).await;
    }

    // As the body of a call.
    let urls = [
        format!("http://{address}/api/drive"),
        format!("http://{}/api/v1/robots/misty-1/commands", scene.gateway.http()),
    ];
    for url in urls {
        let answer = reqwest::Client::new().post(&url).body(garbage.clone()).send().await;
        // The gateway may close before all is sent; the client then sees a broken connection.
        assert!(answer.as_ref().map_or(true, |answer| answer.status().is_client_error()), "{answer:?}");
    }
    scene.end().await;
}

/// Reads until the other side has closed.
async fn expect_end(socket: &mut TcpStream) {
    let mut rest = Vec::new();
    let reading = tokio::time::timeout(PATIENCE, socket.read_to_end(&mut rest)).await;
    assert!(reading.is_ok(), "the gateway still listens to garbage");
}

#[tokio::test]
async fn a_million_deep_nest_costs_no_stack() {
    let scene = Scene::begin().await;
    let address = scene.gateway.misty();
    let deep = "[".repeat(1_000_000);
    let mut client = MistyClient::connect(&address).await;
    let _ = client.send(deep.clone()).await;
    client.closed(PATIENCE).await;

    // As deep as the limits on length let it be: answered, in any place of a request.
    let mut client = MistyClient::connect(&address).await;
    for nest in
        ["[".repeat(60_000), "{a:".repeat(20_000), format!("{{'EventConditions':{}", "[".repeat(60_000))]
    {
        client.send(nest).await.expect("the socket stays open");
        let answer = client.status("").await;
        assert!(answer.contains("deep"), "{answer}");
    }
    assert_eq!(client.subscribe("IMU", "after", json!({})).await, REGISTERED);

    for url in [
        format!("http://{address}/api/drive"),
        format!("http://{}/api/v1/robots/misty-1/commands", scene.gateway.http()),
    ] {
        for body in [deep.clone(), "[".repeat(60_000)] {
            let answer = reqwest::Client::new().post(&url).body(body).send().await;
            assert!(answer.as_ref().map_or(true, |answer| answer.status().is_client_error()), "{answer:?}");
        }
    }
    scene.end().await;
}

#[tokio::test]
async fn ten_thousand_subscriptions_on_one_socket_meet_a_limit() {
    const ASKED: usize = 10_000;
    let scene = Scene::begin().await;
    let url = format!("ws://{}/pubsub", scene.gateway.misty());
    let (socket, _) = connect_async(url).await.expect("the facade takes connections");
    let (mut write, mut read) = socket.split();
    let asking = async {
        for i in 0..ASKED {
            let request =
                json!({"Operation": "subscribe", "Type": "BumpSensor", "EventName": format!("{i}")});
            write.feed(Message::text(request.to_string())).await.expect("the socket stays open");
            // Reads in between: a client that reads nothing for 10 s is disconnected.
            tokio::task::yield_now().await;
        }
        write.flush().await.expect("the socket stays open");
    };
    let hearing = async {
        let (mut registered, mut refused) = (0, 0);
        while registered + refused < ASKED {
            let Some(Ok(Message::Text(text))) = read.next().await else {
                panic!("closed after {registered}")
            };
            match text.as_str() {
                text if text.contains(REGISTERED) => registered += 1,
                text if text.contains("limit") => refused += 1,
                text => panic!("{text}"),
            }
        }
        (registered, refused)
    };
    let both = tokio::time::timeout(PATIENCE, future::join(asking, hearing)).await;
    let ((), (registered, refused)) = both.expect("all are answered in time");
    assert!(registered >= 100 && refused > 0, "{registered} registered, {refused} refused");
    drop((read, write));
    scene.gateway.until_sinks_are(1, PATIENCE).await;
    scene.end().await;
}

#[tokio::test]
async fn a_frozen_subscriber_is_dropped_and_moves_nobody() {
    let scene = Scene::begin().await;
    let mut frozen = MistyClient::connect(&scene.gateway.misty()).await;
    assert_eq!(frozen.subscribe("IMU", "first", json!({"DebounceMs": 0})).await, REGISTERED);
    // Many times the same event, so that the buffers of the system are full within seconds.
    for i in 0..400 {
        let request =
            json!({"Operation": "subscribe", "Type": "IMU", "EventName": format!("{i}"), "DebounceMs": 0});
        frozen.send(request.to_string()).await.expect("the socket is open");
    }
    // From here on nothing is read.
    scene.gateway.until_sinks_are(1, PATIENCE).await;
    drop(frozen);
    scene.end().await;
}
