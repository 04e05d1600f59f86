//! Clients whose certificates are revoked while they are connected.

use std::sync::Arc;

use futures_util::{SinkExt, StreamExt};
use latimer_listen::{ListenerPolicy, Named, Plain, Stream, Tls, TlsFiles, Trust, TrustFiles};
use latimer_mqtt::Qos;
use latimer_testing::certificates::Lab;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use super::support::{PATIENCE, Running, config, connect, next};

/// MQTT 3.1.1, clean session, a client identifier of four letters, whose will is "gone" to "a/b".
fn connect_as(id: &str) -> Vec<u8> {
    assert_eq!(id.len(), 4);
    [&b"\x10\x1b\x00\x04MQTT\x04\x06\x00\x3c\x00\x04"[..], id.as_bytes(), b"\x00\x03a/b\x00\x04gone"].concat()
}
const CONNACK: [u8; 4] = *b"\x20\x02\x00\x00";
const PING: [u8; 2] = *b"\xc0\x00";
const PONG: [u8; 2] = *b"\xd0\x00";

async fn stream(lab: &Lab, client: &str, port: u16) -> Stream {
    let identity = Some((lab.file(&format!("{client}.pem")), lab.file(&format!("{client}.key"))));
    let files = TrustFiles { roots: Some(lab.file("ca.pem")), identity };
    Trust::load(files, Named::default()).unwrap().connect("localhost", port, true).await.unwrap()
}

async fn mqtt(lab: &Lab, client: &str, port: u16) -> Stream {
    let mut stream = stream(lab, client, port).await;
    stream.write_all(&connect_as(&format!("{client:1<4}"))).await.unwrap();
    let mut answer = [0; 4];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, CONNACK);
    stream
}

async fn page(lab: &Lab, client: &str, port: u16) -> WebSocketStream<Stream> {
    let address = format!("ws://localhost:{port}/mqtt");
    let (mut page, _) = client_async(address, stream(lab, client, port).await).await.unwrap();
    page.send(Message::binary(connect_as(&format!("{client:2<4}")))).await.unwrap();
    assert_eq!(page.next().await.unwrap().unwrap().into_data(), CONNACK.as_slice());
    page
}

#[tokio::test]
async fn who_comes_by_tls_or_a_page_is_disconnected_and_the_will_is_published() {
    let lab = Lab::new("mqtt-revoked");
    let (certificate, key) = lab.certify("localhost");
    lab.certify("ann");
    lab.certify("bob");
    let files =
        TlsFiles { certificate, key, client_ca: Some(lab.file("ca.pem")), client_crl: Some(lab.revoke(&[])) };
    let tls = Tls::load(files, Plain::Loopback).unwrap();
    let all =
        "listen = \"127.0.0.1:0\"\ntls_listen = \"127.0.0.1:0\"\nwebsocket = { listen = \"127.0.0.1:0\" }";
    let broker =
        Running::behind(config(all), ListenerPolicy::new(Arc::default(), None, Some(tls.clone()))).await;
    let mut wills = connect(&broker.stranger(), "wills", &[("a/b", Qos::AtMostOnce)]).await;
    let (mqtts, websocket) = (broker.tls.unwrap().port(), broker.websocket.unwrap().port());
    let (mut anna, mut bob) = (mqtt(&lab, "ann", mqtts).await, mqtt(&lab, "bob", mqtts).await);
    let (mut anna_s, mut bob_s) = (page(&lab, "ann", websocket).await, page(&lab, "bob", websocket).await);

    lab.revoke(&["ann"]);
    assert!(tls.reload().unwrap());
    let end = tokio::time::timeout(PATIENCE, anna.read(&mut [0])).await.expect("it stays connected");
    assert!(!matches!(end, Ok(1..)));
    let end = tokio::time::timeout(PATIENCE, anna_s.next()).await.expect("it stays connected");
    assert!(!matches!(end, Some(Ok(Message::Binary(_)))), "{end:?}");
    assert_eq!(next(&mut wills).await.payload, "gone");

    bob.write_all(&PING).await.unwrap();
    let mut answer = [0; 2];
    bob.read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, PONG);
    bob_s.send(Message::binary(PING.to_vec())).await.unwrap();
    assert_eq!(bob_s.next().await.unwrap().unwrap().into_data(), PONG.as_slice());
}
