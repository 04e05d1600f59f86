//! Clients of an HTTP port whose certificates are revoked while they are connected.

use std::sync::Arc;

use axum::Router;
use axum::extract::WebSocketUpgrade;
use axum::routing::get;
use futures_util::StreamExt;
use latimer_core::Clock;
use latimer_dialects::listen::{HttpPort, Ports};
use latimer_listen::{ListenerPolicy, Named, Plain, Stream, Tls, TlsFiles, Trust, TrustFiles};
use latimer_testing::PATIENCE;
use latimer_testing::certificates::Lab;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_util::sync::CancellationToken;

async fn connect(lab: &Lab, client: &str, port: u16) -> Stream {
    let identity = Some((lab.file(&format!("{client}.pem")), lab.file(&format!("{client}.key"))));
    let files = TrustFiles { roots: Some(lab.file("ca.pem")), identity };
    Trust::load(files, Named::default()).unwrap().connect("localhost", port, true).await.unwrap()
}

/// Asks for something, and reads until the answer has this.
async fn asks(stream: &mut Stream, path: &str, until: &str) {
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    while !answer.contains(until) {
        let byte = tokio::time::timeout(PATIENCE, stream.read_u8()).await.expect("an answer").unwrap();
        answer.push(char::from(byte));
    }
}

/// Waits until a connection is closed.
async fn ends(stream: &mut Stream) {
    let end = tokio::time::timeout(PATIENCE, stream.read(&mut [0])).await.expect("it stays connected");
    assert!(!matches!(end, Ok(1..)));
}

#[tokio::test]
async fn whatever_they_have_open_is_closed_and_others_go_on() {
    let lab = Lab::new("http-revoked");
    let (certificate, key) = lab.certify("localhost");
    lab.certify("anna");
    lab.certify("bob");
    let (client_ca, client_crl) = (Some(lab.file("ca.pem")), Some(lab.revoke(&[])));
    let tls = Tls::load(TlsFiles { certificate, key, client_ca, client_crl }, Plain::Loopback).unwrap();
    let policy = ListenerPolicy::new(Arc::default(), None, Some(tls.clone()));
    let ports = Ports::new(policy, Clock::system(), 0);
    let port = HttpPort::bind("127.0.0.1:0".parse().unwrap(), "http", 100, &ports).await.unwrap();
    let at = port.address().unwrap().port();
    let (asked, mut was_asked) = tokio::sync::mpsc::channel(2);
    let never = move || {
        let asked = asked.clone();
        async move {
            asked.send(()).await.unwrap();
            std::future::pending::<()>().await;
        }
    };
    let socket = |upgrade: WebSocketUpgrade| async {
        upgrade.on_upgrade(|mut socket| async move { while let Some(Ok(_)) = socket.next().await {} })
    };
    let router = Router::new()
        .route("/", get(|| async { "hello" }))
        .route("/never", get(never))
        .route("/socket", get(socket));
    let stop = CancellationToken::new();
    let _stop = stop.clone().drop_guard();
    tokio::spawn(port.serve(router, stop));

    let (mut idle, mut waits) = (connect(&lab, "anna", at).await, connect(&lab, "anna", at).await);
    asks(&mut idle, "/", "hello").await;
    let waiting = b"GET /never HTTP/1.1\r\nHost: localhost\r\n\r\n";
    // A second request waits behind it, so that nothing more is read.
    waits.write_all(&[waiting.as_slice(), waiting].concat()).await.unwrap();
    tokio::time::timeout(PATIENCE, was_asked.recv()).await.expect("it is asked").unwrap();
    let (mut socket, _) =
        client_async("ws://localhost/socket", connect(&lab, "anna", at).await).await.unwrap();
    let mut of_bob = connect(&lab, "bob", at).await;
    asks(&mut of_bob, "/", "hello").await;

    lab.revoke(&["anna"]);
    assert!(tls.reload().unwrap());
    ends(&mut idle).await;
    ends(&mut waits).await;
    let end = tokio::time::timeout(PATIENCE, socket.next()).await.expect("it stays connected");
    assert!(matches!(end, None | Some(Err(_) | Ok(Message::Close(_)))), "{end:?}");
    asks(&mut of_bob, "/", "hello").await;
    assert_eq!(ports.policy.failed_handshakes(), 0);
}
