//! Servers that are spoken to by TLS, and why others are not.

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use http::Method;
use latimer_testing::certificates::Lab;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::{ListenerPolicy, Plain, Tls, TlsFiles};

const PATIENCE: Duration = Duration::from_secs(10);

/// A server that answers each request with `ok`, by TLS.
async fn server((certificate, key): (PathBuf, PathBuf), client_ca: Option<PathBuf>) -> u16 {
    let files = TlsFiles { certificate, key, client_ca, client_crl: None };
    let tls = Tls::load(files, Plain::Loopback).unwrap();
    let policy = ListenerPolicy::new(Arc::default(), None, Some(tls));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, peer) = listener.accept().await.unwrap();
            let policy = policy.clone();
            tokio::spawn(async move {
                let Ok(mut stream) = policy.secure(stream, peer).await else { return };
                let _ = stream.read(&mut [0; 4096]).await;
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = stream.shutdown().await;
            });
        }
    });
    port
}

fn trust_of(lab: &Lab, identity: Option<(PathBuf, PathBuf)>) -> Trust {
    Trust::load(TrustFiles { roots: Some(lab.file("ca.pem")), identity }, Named::default()).unwrap()
}

/// What a server at an address answers.
async fn asked(trust: &Trust, address: &str) -> Result<Bytes, HttpError> {
    let http = Http::new(trust, PATIENCE, PATIENCE);
    http.send(Http::request(Method::GET, address)?, PATIENCE, 1 << 10).await.map(http::Response::into_body)
}

/// Why it cannot be asked.
async fn refused(trust: &Trust, address: &str) -> String {
    asked(trust, address).await.unwrap_err().to_string()
}

#[tokio::test]
async fn a_server_is_spoken_to_if_a_root_that_is_trusted_certifies_the_name_that_it_is_called_by() {
    let lab = Lab::new("names");
    let port = server(lab.certify("localhost"), None).await;
    let trust = trust_of(&lab, None);
    assert_eq!(asked(&trust, &format!("https://localhost:{port}/a b")).await.unwrap(), "ok");
    // Without TLS, too.
    assert_eq!(asked(&Trust::default(), &format!("http://127.0.0.1:{port}/")).await.unwrap(), "ok");

    // Nor if another root has its name.
    for trust in [Trust::default(), trust_of(&Lab::new("another"), None)] {
        let unknown = refused(&trust, &format!("https://localhost:{port}/")).await;
        assert!(unknown.contains("roots of [tls]"), "{unknown}");
    }
    let misnamed = refused(&trust, &format!("https://127.0.0.1:{port}/")).await;
    assert!(misnamed.contains("is for localhost and not for 127.0.0.1"), "{misnamed}");
}

#[tokio::test]
async fn a_certificate_by_itself_is_trusted_if_it_is_among_the_roots() {
    let lab = Lab::new("itself");
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    std::fs::write(lab.file("ca.pem"), made.cert.pem()).unwrap();
    std::fs::write(lab.file("own.key"), made.signing_key.serialize_pem()).unwrap();
    let port = server((lab.file("ca.pem"), lab.file("own.key")), None).await;
    assert_eq!(asked(&trust_of(&lab, None), &format!("https://localhost:{port}/")).await.unwrap(), "ok");
}

#[tokio::test]
async fn a_certificate_is_valid_for_a_time_only() {
    let lab = Lab::new("times");
    let expired =
        server(lab.certify_as("localhost", |it| it.not_after = rcgen::date_time_ymd(2001, 1, 1)), None);
    let said = refused(&trust_of(&lab, None), &format!("https://localhost:{}/", expired.await)).await;
    assert!(said.contains("has expired"), "{said}");
    let early =
        server(lab.certify_as("localhost", |it| it.not_before = rcgen::date_time_ymd(3001, 1, 1)), None);
    let said = refused(&trust_of(&lab, None), &format!("https://localhost:{}/", early.await)).await;
    assert!(said.contains("not valid yet"), "{said}");
}

#[tokio::test]
async fn a_server_may_ask_for_a_certificate_which_is_read_again_when_it_changes() {
    let (lab, other) = (Lab::new("clients"), Lab::new("strangers"));
    let port = server(lab.certify("localhost"), Some(lab.file("ca.pem"))).await;
    let address = format!("https://localhost:{port}/");
    let said = refused(&trust_of(&lab, None), &address).await;
    assert!(said.contains("wants a certificate") && said.contains("client_certificate"), "{said}");

    let mine = other.certify("anna");
    let trust = trust_of(&lab, Some(mine.clone()));
    let said = refused(&trust, &address).await;
    assert!(said.contains("refuses the certificate of this program"), "{said}");
    // Broken files change nothing.
    std::fs::write(&mine.0, "nonsense").unwrap();
    assert_eq!(refused(&trust, &address).await, said);
    let right = lab.certify("anna");
    std::fs::copy(right.0, &mine.0).unwrap();
    std::fs::copy(right.1, &mine.1).unwrap();
    assert_eq!(asked(&trust, &address).await.unwrap(), "ok");
}

/// The server refuses after the handshake, so that its refusal comes before the request is sent, or after.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_certificate_is_the_reason_whenever_the_server_says_so() {
    let lab = Lab::new("whenever");
    let port = server(lab.certify("localhost"), Some(lab.file("ca.pem"))).await;
    let (trust, address) = (trust_of(&lab, None), format!("https://localhost:{port}/"));
    for _ in 0..latimer_testing::rounds(100) {
        let said = refused(&trust, &address).await;
        assert!(said.contains("wants a certificate"), "{said}");
    }
}

#[tokio::test]
async fn what_is_no_server_of_tls_is_named_so() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut connections = Vec::new();
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 4096]).await.unwrap();
            let answer = b"HTTP/1.1 301 Moved\r\nLocation: https://b/\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(answer).await.unwrap();
            connections.push(stream);
        }
    });
    let said = refused(&Trust::default(), &address).await;
    assert!(said.contains("speaks no TLS"), "{said}");
    let said = refused(&Trust::default(), &address.replace("https", "http")).await;
    assert!(said.contains("at https://b/"), "{said}");
}

#[test]
fn files_that_are_missing_or_no_certificates_are_named() {
    let lab = Lab::new("files");
    std::fs::write(lab.file("odd.pem"), "nonsense").unwrap();
    let error = |roots: &str, identity: Option<(&str, &str)>| {
        let roots = Some(lab.file(roots));
        let identity = identity.map(|(certificate, key)| (lab.file(certificate), lab.file(key)));
        Trust::load(TrustFiles { roots, identity }, Named::default()).unwrap_err().to_string()
    };
    assert!(error("nowhere.pem", None).contains("nowhere.pem"));
    assert!(error("odd.pem", None).contains("odd.pem"));
    assert!(error("ca.pem", Some(("ca.pem", "nowhere.key"))).contains("nowhere.key"));
}

#[tokio::test]
async fn a_server_accepts_connections_or_not() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    assert!(super::accepts("127.0.0.1", port).await);
    drop(listener);
    assert!(!super::accepts("[::ffff:127.0.0.1]", port).await);
    assert!(!super::accepts("no.such.host.invalid", port).await);
}
