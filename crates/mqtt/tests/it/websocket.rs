//! MQTT over WebSocket, spoken by hand.

use futures_util::{SinkExt, StreamExt};
use latimer_mqtt::{Message, Qos};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{self};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::support::{PATIENCE, Running, config, connect};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn broker() -> Running {
    Running::of(config("listen = \"127.0.0.1:0\"\nwebsocket = { listen = \"127.0.0.1:0\" }")).await
}

/// A socket, and the protocol that was agreed to.
async fn open(broker: &Running, path: &str, protocols: &str) -> (Socket, Option<HeaderValue>) {
    let mut request = format!("ws://{}{path}", broker.websocket.unwrap()).into_client_request().unwrap();
    request.headers_mut().insert("Sec-WebSocket-Protocol", protocols.parse().unwrap());
    let (socket, response) = tokio_tungstenite::connect_async(request).await.unwrap();
    (socket, response.headers().get("Sec-WebSocket-Protocol").cloned())
}

async fn next_frame(socket: &mut Socket) -> Option<Vec<u8>> {
    let received = tokio::time::timeout(PATIENCE, socket.next()).await.expect("nothing came");
    received
        .and_then(Result::ok)
        .filter(tungstenite::Message::is_binary)
        .map(|message| message.into_data().to_vec())
}

/// MQTT 3.1.1, clean session, a minute of silence allowed, client "page".
const CONNECT: &[u8] = b"\x10\x10\x00\x04MQTT\x04\x02\x00\x3c\x00\x04page";
const CONNACK: &[u8] = b"\x20\x02\x00\x00";
/// To "a/b", at QoS 0.
const SUBSCRIBE: &[u8] = b"\x82\x08\x00\x01\x00\x03a/b\x00";
const SUBACK: &[u8] = b"\x90\x03\x00\x01\x00";

#[tokio::test]
async fn a_page_receives_messages_at_every_path() {
    let broker = broker().await;
    for (path, protocol) in [("/mqtt", "mqtt"), ("/", "mqttv3.1"), ("/ws?x=1", "other, mqtt")] {
        let (mut page, agreed) = open(&broker, path, protocol).await;
        assert!(protocol.ends_with(agreed.unwrap().to_str().unwrap()));
        // A packet may come in pieces.
        for piece in CONNECT.chunks(3) {
            page.send(tungstenite::Message::binary(piece.to_vec())).await.unwrap();
        }
        assert_eq!(next_frame(&mut page).await.as_deref(), Some(CONNACK));
        page.send(tungstenite::Message::binary(SUBSCRIBE)).await.unwrap();
        assert_eq!(next_frame(&mut page).await.as_deref(), Some(SUBACK));
        let mut sender = connect(&broker.stranger(), "sender", &[]).await;
        sender.publish(Message::new("a/b", "hello", Qos::AtMostOnce)).await.unwrap();
        assert_eq!(next_frame(&mut page).await.as_deref(), Some(&b"\x30\x0a\x00\x03a/bhello"[..]));
    }
}

#[tokio::test]
async fn slow_handshakes_do_not_delay_other_clients() {
    let broker = broker().await;
    let mut idle = Vec::new();
    for _ in 0..50 {
        idle.push(TcpStream::connect(broker.websocket.unwrap()).await.unwrap());
    }
    let (mut page, _) = open(&broker, "/mqtt", "mqtt").await;
    page.send(tungstenite::Message::binary(CONNECT)).await.unwrap();
    assert_eq!(next_frame(&mut page).await.as_deref(), Some(CONNACK));
}

#[tokio::test]
async fn text_and_oversized_messages_end_only_their_socket() {
    let broker = broker().await;
    let (mut other, _) = open(&broker, "/mqtt", "mqtt").await;
    for wrong in [tungstenite::Message::text("hello"), tungstenite::Message::binary(vec![0x30; 4 << 20])] {
        let (mut page, _) = open(&broker, "/mqtt", "mqtt").await;
        // The far end may be gone before all is sent.
        let _ = page.send(wrong).await;
        assert_eq!(next_frame(&mut page).await, None);
    }
    other.send(tungstenite::Message::binary(CONNECT)).await.unwrap();
    assert_eq!(next_frame(&mut other).await.as_deref(), Some(CONNACK));
}

#[tokio::test]
async fn a_wrong_password_is_answered_before_the_socket_is_closed() {
    let users =
        "websocket = { listen = \"127.0.0.1:0\" }\nusers = [{ name = \"swarm\", password = \"right\" }]";
    let broker = Running::of(config(&format!("listen = \"127.0.0.1:0\"\n{users}"))).await;
    // The same as above for a user "a" with the password "b".
    let with_password = b"\x10\x16\x00\x04MQTT\x04\xc2\x00\x3c\x00\x04page\x00\x01a\x00\x01b";
    // What pages try next: version 3.1.
    let mqtt31 = b"\x10\x12\x00\x06MQIsdp\x03\x02\x00\x3c\x00\x04page";
    for connect in [&with_password[..], CONNECT, mqtt31] {
        let (mut page, _) = open(&broker, "/mqtt", "mqtt").await;
        page.send(tungstenite::Message::binary(connect.to_vec())).await.unwrap();
        assert_eq!(
            next_frame(&mut page).await.as_deref(),
            Some(&b"\x20\x02\x00\x04"[..]),
            "bad user name or password"
        );
        let end = tokio::time::timeout(PATIENCE, page.next()).await.expect("it is closed");
        assert!(matches!(end, Some(Ok(tungstenite::Message::Close(_)))), "{end:?}");
    }
}
