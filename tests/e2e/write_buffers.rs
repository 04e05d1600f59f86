//! Clients and robots that send pings as fast as they can and never read: the answers must not pile up in the gateway.

use std::time::Duration;

use latimer_e2e::{Gateway, MistyClient, handshake};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How long pings come.
const FLOOD: Duration = Duration::from_secs(4);
/// How much more memory the gateway may use meanwhile, bytes.
const MEMORY: u64 = 32 << 20;
/// Largest payload of a ping.
const PAYLOAD: usize = 125;
/// Pings of one write.
const AT_ONCE: usize = 512;

/// Pings back to back; those of clients are masked, here by zeros.
fn pings(from_client: bool) -> Vec<u8> {
    let mut ping = vec![0x89, PAYLOAD as u8];
    if from_client {
        ping[1] |= 0x80;
        ping.extend([0; 4]);
    }
    ping.extend([b'x'; PAYLOAD]);
    ping.repeat(AT_ONCE)
}

/// Writes pings until the other side closes or the time is over.
async fn flood(socket: &mut TcpStream, from_client: bool) {
    let pings = pings(from_client);
    let writing = async { while socket.write_all(&pings).await.is_ok() {} };
    let _ = tokio::time::timeout(FLOOD, writing).await;
}

/// The most memory that the gateway uses beyond what it used, until `work` is done.
async fn growth<T>(gateway: &Gateway, work: impl Future<Output = T>) -> (u64, T) {
    let before = gateway.resident_bytes();
    let mut most = before;
    tokio::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return (most.max(gateway.resident_bytes()) - before, done),
            () = tokio::time::sleep(Duration::from_millis(50)) => most = most.max(gateway.resident_bytes()),
        }
    }
}

fn assert_small(grown: u64, what: &str) {
    eprintln!("{what}: {} KiB more", grown >> 10);
    assert!(grown < MEMORY, "{what}: {} MiB more", grown >> 20);
}

/// Floods one WebSocket of the demo; another client must get its events all the same.
async fn client_floods(port: u16, path: &str, headers: &[(&str, &str)]) {
    let gateway = Gateway::demo().await;
    let mut other = MistyClient::connect(&gateway.misty()).await;
    other.subscribe("IMU", "other", json!({"DebounceMs": 0})).await;
    // What is made once, at the first events, is no growth.
    other.event("other").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (status, mut socket) = handshake(&gateway.port(port), path, None, headers).await;
    assert_eq!(status, 101, "{path}");
    let others = async {
        loop {
            other.event("other").await;
        }
    };
    let both = async {
        tokio::select! {
            () = flood(&mut socket, true) => {}
            () = others => {}
        }
    };
    let (grown, ()) = growth(&gateway, both).await;
    assert_small(grown, path);
    MistyClient::connect(&gateway.misty()).await.subscribe("IMU", "later", json!({})).await;
}

#[tokio::test]
async fn pings_to_the_api_s_stream_pile_up_nowhere() {
    // Nothing else is written to it.
    client_floods(0, "/api/v1/stream?select=nobody/battery", &[]).await;
}

#[tokio::test]
async fn pings_to_the_world_s_stream_pile_up_nowhere() {
    client_floods(0, "/api/v1/world/stream?every=60s", &[]).await;
}

#[tokio::test]
async fn pings_to_a_misty_on_the_common_port_pile_up_nowhere() {
    client_floods(0, "/robots/misty-1/misty/pubsub", &[]).await;
}

#[tokio::test]
async fn pings_to_a_chassis_on_the_common_port_pile_up_nowhere() {
    client_floods(0, "/robots/axbot-1/axbot/ws/v2/topics", &[]).await;
}

#[tokio::test]
async fn pings_to_a_misty_s_own_port_pile_up_nowhere() {
    client_floods(1, "/pubsub", &[]).await;
}

#[tokio::test]
async fn pings_to_a_chassis_s_own_port_pile_up_nowhere() {
    client_floods(10, "/ws/v2/topics", &[]).await;
}

#[tokio::test]
async fn pings_to_the_broker_pile_up_nowhere() {
    client_floods(21, "/mqtt", &[("Sec-WebSocket-Protocol", "mqtt")]).await;
}

/// A robot that answers every request with `answer` and every WebSocket with pings.
async fn robot_floods(dialect: &str, answer: &'static str) {
    let robot = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = robot.local_addr().expect("it is bound");
    let served = tokio::spawn(async move {
        loop {
            let (socket, _) = robot.accept().await.expect("it takes connections");
            tokio::spawn(serve(socket, answer));
        }
    });
    let gateway = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[{dialect}.connect]]\nrobot = 'r'\naddress = '{address}'\n"
    ))
    .await;
    gateway.until_up("r").await;
    let (grown, ()) = growth(&gateway, tokio::time::sleep(FLOOD)).await;
    assert_small(grown, dialect);
    served.abort();
}

async fn serve(mut socket: TcpStream, answer: &str) {
    let mut head = vec![0; 4096];
    loop {
        let read = socket.peek(&mut head).await.unwrap_or(0);
        let text = String::from_utf8_lossy(&head[..read]).to_ascii_lowercase();
        if read == 0 || text.contains("upgrade: websocket") {
            break;
        }
        // Requests of the gateway's are short, and come in one piece or are waited for.
        if text.contains("\r\n\r\n") {
            let _ = socket.read(&mut head).await;
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{answer}",
                answer.len()
            );
            let _ = socket.write_all(answer.as_bytes()).await;
        }
    }
    if let Ok(mut accepted) = tokio_tungstenite::accept_async(socket).await {
        // For longer than anybody looks; nothing is read in between.
        for _ in 0..2 {
            flood(accepted.get_mut(), false).await;
        }
    }
}

#[tokio::test]
async fn pings_of_a_misty_pile_up_nowhere() {
    robot_floods("misty", r#"{"result":{"sku":"x"},"status":"Success"}"#).await;
}

#[tokio::test]
async fn pings_of_a_chassis_pile_up_nowhere() {
    robot_floods("axbot", r#"{"axbot_version":"2.9.0","caps":{"supportsEnableTopicList":true}}"#).await;
}
