//! Servers that are spoken to by TLS, and why others are not.

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use http::Method;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::{Doors, Plain, Tls, TlsFiles};

const PATIENCE: Duration = Duration::from_secs(10);

/// A root, and certificates by it in a folder of their own.
struct Lab {
    folder: PathBuf,
    root: CertifiedIssuer<'static, KeyPair>,
}

impl Lab {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("latimer-connect-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let root = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        std::fs::write(folder.join("ca.pem"), root.pem()).unwrap();
        Self { folder, root }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A certificate and its key.
    fn certify(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> (PathBuf, PathBuf) {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        change(&mut params);
        let files = (self.file(&format!("{name}.pem")), self.file(&format!("{name}.key")));
        std::fs::write(&files.0, params.signed_by(&key, &self.root).unwrap().pem()).unwrap();
        std::fs::write(&files.1, key.serialize_pem()).unwrap();
        files
    }

    /// A server that answers each request with `ok`, by TLS.
    async fn server(&self, (certificate, key): (PathBuf, PathBuf), client_ca: Option<PathBuf>) -> u16 {
        let tls = Tls::load(TlsFiles { certificate, key, client_ca }, Plain::Loopback).unwrap();
        let doors = Doors::new(Arc::default(), None, Some(tls));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            loop {
                let (stream, peer) = listener.accept().await.unwrap();
                let doors = doors.clone();
                tokio::spawn(async move {
                    let Ok(mut stream) = doors.secure(stream, peer).await else { return };
                    let _ = stream.read(&mut [0; 4096]).await;
                    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
                    let _ = stream.write_all(answer.as_bytes()).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        port
    }

    fn trust(&self, identity: Option<(PathBuf, PathBuf)>) -> Trust {
        Trust::load(TrustFiles { roots: Some(self.file("ca.pem")), identity }, Named::default()).unwrap()
    }
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
    let port = lab.server(lab.certify("localhost", |_| {}), None).await;
    let trust = lab.trust(None);
    assert_eq!(asked(&trust, &format!("https://localhost:{port}/a b")).await.unwrap(), "ok");
    // Without TLS, too.
    assert_eq!(asked(&Trust::default(), &format!("http://127.0.0.1:{port}/")).await.unwrap(), "ok");

    // Nor if another root has its name.
    for trust in [Trust::default(), Lab::new("another").trust(None)] {
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
    let port = lab.server((lab.file("ca.pem"), lab.file("own.key")), None).await;
    assert_eq!(asked(&lab.trust(None), &format!("https://localhost:{port}/")).await.unwrap(), "ok");
}

#[tokio::test]
async fn a_certificate_is_valid_for_a_time_only() {
    let lab = Lab::new("times");
    let expired =
        lab.server(lab.certify("localhost", |it| it.not_after = rcgen::date_time_ymd(2001, 1, 1)), None);
    let said = refused(&lab.trust(None), &format!("https://localhost:{}/", expired.await)).await;
    assert!(said.contains("has expired"), "{said}");
    let early =
        lab.server(lab.certify("localhost", |it| it.not_before = rcgen::date_time_ymd(3001, 1, 1)), None);
    let said = refused(&lab.trust(None), &format!("https://localhost:{}/", early.await)).await;
    assert!(said.contains("not valid yet"), "{said}");
}

#[tokio::test]
async fn a_server_may_ask_for_a_certificate_which_is_read_again_when_it_changes() {
    let (lab, other) = (Lab::new("clients"), Lab::new("strangers"));
    let port = lab.server(lab.certify("localhost", |_| {}), Some(lab.file("ca.pem"))).await;
    let address = format!("https://localhost:{port}/");
    let said = refused(&lab.trust(None), &address).await;
    assert!(said.contains("wants a certificate") && said.contains("client_certificate"), "{said}");

    let mine = other.certify("anna", |_| {});
    let trust = lab.trust(Some(mine.clone()));
    let said = refused(&trust, &address).await;
    assert!(said.contains("refuses the certificate of this program"), "{said}");
    // Broken files change nothing.
    std::fs::write(&mine.0, "nonsense").unwrap();
    assert_eq!(refused(&trust, &address).await, said);
    let right = lab.certify("anna", |_| {});
    std::fs::copy(right.0, &mine.0).unwrap();
    std::fs::copy(right.1, &mine.1).unwrap();
    assert_eq!(asked(&trust, &address).await.unwrap(), "ok");
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
