use std::fs;
use std::time::Duration;

use latimer_testing::PATIENCE;
use latimer_testing::certificates::{Lab, ROOT};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use super::*;
use crate::pem;
use crate::{Listener, ListenerPolicy, Named, Trust, TrustFiles};

const HERE: &str = "127.0.0.1:1";
const ELSEWHERE: &str = "192.0.2.1:1";

/// A certificate and a key in a folder.
fn files(name: &str) -> TlsFiles {
    let folder = std::env::temp_dir().join(format!("latimer-listen-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let (certificate, key) = (folder.join("a.pem"), folder.join("a.key"));
    let files = TlsFiles { certificate, key, client_ca: None, client_crl: None };
    std::fs::write(&files.certificate, made.cert.pem()).unwrap();
    std::fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
    files
}

/// What a client that speaks HTTP reads from a gateway that takes it for one at `peer`.
async fn asked(plain: Plain, peer: &str) -> Result<String, NotSecured> {
    let tls = Tls::load(files("asked"), plain).unwrap();
    let policy = ListenerPolicy::new(Arc::default(), None, Some(tls));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    client.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
    let (stream, _) = listener.accept().await.unwrap();
    let peer = peer.parse().unwrap();
    let secured = policy.secure(stream, peer).await;
    assert_eq!(policy.address(peer).is_tls(), secured.is_err(), "what is written fits what is taken");
    match secured {
        Ok(Stream::Plain(mut stream)) => {
            // The byte that was looked at is still there.
            let mut request = [0; 3];
            stream.read_exact(&mut request).await.unwrap();
            Ok(String::from_utf8_lossy(&request).into_owned())
        }
        Ok(Stream::Tls(_)) => panic!("nobody spoke TLS"),
        Err(error) => {
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("https://"), "{answer}");
            Err(error)
        }
    }
}

#[tokio::test]
async fn who_speaks_no_tls_is_served_on_this_machine_alone_unless_configured() {
    assert_eq!(asked(Plain::Loopback, HERE).await.unwrap(), "GET");
    assert_eq!(asked(Plain::Loopback, "[::ffff:127.0.0.1]:1").await.unwrap(), "GET");
    assert!(matches!(asked(Plain::Loopback, ELSEWHERE).await, Err(NotSecured::Plain)));
    assert_eq!(asked(Plain::Anywhere, ELSEWHERE).await.unwrap(), "GET");
    assert!(matches!(asked(Plain::Nowhere, HERE).await, Err(NotSecured::Plain)));
}

#[test]
fn files_that_are_no_certificates_are_named_and_change_nothing() {
    let files = files("wrong");
    let tls = Tls::load(files.clone(), Plain::Loopback).unwrap();
    let before = Arc::as_ptr(&tls.0.credentials.load());
    std::fs::write(&files.certificate, "nonsense").unwrap();
    let error = tls.reload().unwrap_err().to_string();
    assert!(error.contains("a.pem"), "{error}");
    assert_eq!(Arc::as_ptr(&tls.0.credentials.load()), before);
    let missing = TlsFiles { key: "nowhere.key".into(), ..self::files("missing") };
    let error = Tls::load(missing, Plain::Loopback).unwrap_err().to_string();
    assert!(error.contains("nowhere.key"), "{error}");
}

/// A lab with certificates for the listener and for some clients, of whom these are revoked.
fn lab(name: &str, revoked: &[&str]) -> (Lab, TlsFiles) {
    let lab = Lab::new(name);
    let (certificate, key) = lab.certify("localhost");
    lab.certify("anna");
    lab.certify("bob");
    let client_crl = Some(lab.revoke(revoked));
    let files = TlsFiles { certificate, key, client_ca: Some(lab.file("ca.pem")), client_crl };
    (lab, files)
}

/// Serves clients by answering each byte, until the test ends.
async fn echo(tls: &Tls) -> u16 {
    let policy = ListenerPolicy::new(Arc::default(), None, Some(tls.clone()));
    let listener: Listener =
        policy.listener(TcpListener::bind("127.0.0.1:0").await.unwrap(), "test", usize::MAX);
    let port = listener.address().unwrap().port();
    tokio::spawn(listener.serve(CancellationToken::new(), |mut stream, _| async move {
        let (mut byte, mut goes_on) = ([0], true);
        while goes_on {
            goes_on = stream.read_exact(&mut byte).await.is_ok() && stream.write_all(&byte).await.is_ok();
        }
    }));
    port
}

/// This client's side of connections.
fn trust(lab: &Lab, client: &str) -> Trust {
    let identity = Some((lab.file(&format!("{client}.pem")), lab.file(&format!("{client}.key"))));
    Trust::load(TrustFiles { roots: Some(lab.file("ca.pem")), identity }, Named::default()).unwrap()
}

/// Whether a byte comes back.
async fn answers(stream: &mut Stream) -> bool {
    let mut byte = [7];
    let asked = async {
        stream.write_all(&byte).await?;
        stream.read_exact(&mut byte).await
    };
    timeout(PATIENCE, asked).await.expect("it neither answers nor ends").is_ok()
}

/// Whether a client is served. With TLS 1.3 it learns that it is refused when it reads.
async fn served(trust: &Trust, port: u16) -> Option<Stream> {
    let mut stream = trust.connect("localhost", port, true).await.ok()?;
    answers(&mut stream).await.then_some(stream)
}

/// Waits until a client that says nothing is closed.
async fn closed(stream: &mut Stream) {
    let end = timeout(PATIENCE, stream.read(&mut [0])).await.expect("it stays open");
    assert!(!matches!(end, Ok(1..)));
}

#[tokio::test]
async fn a_certificate_that_is_revoked_lets_nobody_in_and_others_do() {
    let (lab, files) = lab("revoked", &["anna"]);
    let tls = Tls::load(files, Plain::Loopback).unwrap();
    let port = echo(&tls).await;
    assert!(served(&trust(&lab, "anna"), port).await.is_none());
    assert_eq!(tls.failed_handshakes(), 1);
    assert!(served(&trust(&lab, "bob"), port).await.is_some());
    assert_eq!(tls.failed_handshakes(), 1);
}

#[tokio::test]
async fn a_list_that_changes_ends_who_is_connected_and_refuses_whoever_comes_with_that_certificate() {
    let (lab, files) = lab("changes", &[]);
    let tls = Tls::load(files, Plain::Loopback).unwrap();
    let stop = CancellationToken::new();
    let watch = tokio::spawn(tls.clone().watch(stop.clone()));
    let port = echo(&tls).await;
    let (anna, bob) = (trust(&lab, "anna"), trust(&lab, "bob"));
    let mut of_anna = [served(&anna, port).await.unwrap(), served(&anna, port).await.unwrap()];
    let mut of_bob = served(&bob, port).await.unwrap();
    assert_eq!(tls.0.clients.open(), 3);

    lab.revoke(&["anna"]);
    for stream in &mut of_anna {
        closed(stream).await;
    }
    // Nor by the session that it had, which TLS would resume.
    assert!(served(&anna, port).await.is_none());
    assert!(answers(&mut of_bob).await && served(&bob, port).await.is_some());

    drop(of_bob);
    let left = async {
        while tls.0.clients.open() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, left).await.expect("who has gone is forgotten");
    stop.cancel();
    watch.await.unwrap();
}

#[tokio::test]
async fn a_client_that_is_never_read_from_is_closed_too() {
    let (lab, files) = lab("unread", &[]);
    let tls = Tls::load(files, Plain::Loopback).unwrap();
    let policy = ListenerPolicy::new(Arc::default(), None, Some(tls.clone()));
    let listener = policy.listener(TcpListener::bind("127.0.0.1:0").await.unwrap(), "test", usize::MAX);
    let port = listener.address().unwrap().port();
    tokio::spawn(listener.serve(CancellationToken::new(), |mut stream, _| async move {
        let _ = stream.write_all(b"a").await;
        std::future::pending::<()>().await;
    }));
    let mut stream = trust(&lab, "anna").connect("localhost", port, true).await.unwrap();
    assert_eq!(stream.read_u8().await.unwrap(), b'a');
    lab.revoke(&["anna"]);
    assert!(tls.reload().unwrap());
    closed(&mut stream).await;
}

#[tokio::test]
async fn a_certificate_that_has_expired_since_is_revoked_like_others() {
    let (lab, files) = lab("expired", &[]);
    lab.certify_as("old", |it| it.not_after = rcgen::date_time_ymd(2001, 1, 1));
    let tls = Tls::load(files, Plain::Loopback).unwrap();
    let chain = pem::certificates(&lab.file("old.pem")).unwrap();
    let since = UnixTime::since_unix_epoch(Duration::from_secs(900_000_000));
    let is_revoked = || tls.0.credentials.load().revocation.as_ref().unwrap().revokes(&chain, since);
    assert!(!is_revoked());
    lab.revoke(&["old"]);
    assert!(tls.reload().unwrap() && is_revoked());
}

#[test]
fn files_that_hold_what_they_held_are_no_change() {
    let (lab, files) = lab("same", &["anna"]);
    let tls = Tls::load(files.clone(), Plain::Loopback).unwrap();
    fs::write(&files.key, fs::read(&files.key).unwrap()).unwrap();
    assert!(!tls.reload().unwrap());
    lab.revoke(&["bob"]);
    assert!(tls.reload().unwrap() && !tls.reload().unwrap());
}

#[tokio::test]
async fn a_list_that_cannot_be_used_is_refused_with_the_reason_and_the_former_one_stays() {
    let (lab, files) = lab("wrong", &["anna"]);
    let path = files.client_crl.clone().unwrap();
    let good = fs::read_to_string(&path).unwrap();
    let tls = Tls::load(files.clone(), Plain::Loopback).unwrap();
    let port = echo(&tls).await;
    let other = Lab::new("wrong-root");
    other.certify("anna");
    let of_another_root = fs::read_to_string(other.revoke(&["anna"])).unwrap();
    let ended = fs::read_to_string(lab.revoke_as(&["anna"], |it| {
        it.this_update = rcgen::date_time_ymd(2001, 1, 1);
        it.next_update = rcgen::date_time_ymd(2002, 2, 3);
    }));
    let ended = ended.unwrap();
    // A byte in the middle of the signature.
    let at = good.rfind("-----END").unwrap() - 20;
    let letter = if good.as_bytes()[at] == b'A' { "B" } else { "A" };
    let damaged = format!("{}{letter}{}", &good[..at], &good[at + 1..]);
    let empty_section = "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n";
    let cases: [(&str, &[&str]); 9] = [
        ("", &["no revocation list", "latimer cert --revoke"]),
        ("nonsense\n", &["no revocation list"]),
        (&fs::read_to_string(&files.certificate).unwrap(), &["no revocation list"]),
        (&good[..good.len() / 2], &["write it again"]),
        (&format!("{good}-----BEGIN X5"), &["in the middle of a line"]),
        (&format!("{good}{empty_section}"), &["revocation list 2", "again"]),
        (&ended, &[ROOT, "2002-02-03 00:00:00 UTC", "latimer cert --revoke"]),
        (&of_another_root, &[ROOT, "not signed by the root"]),
        (&damaged, &[ROOT, "not signed by the root"]),
    ];
    for (text, words) in cases {
        fs::write(&path, text).unwrap();
        for error in [tls.reload().map(drop), Tls::load(files.clone(), Plain::Loopback).map(drop)] {
            let error = error.expect_err(text).to_string();
            assert!(
                error.contains("crl.pem") && words.iter().all(|it| error.contains(it)),
                "{error}\n{text}"
            );
        }
        assert!(served(&trust(&lab, "anna"), port).await.is_none(), "the former list stays:\n{text}");
    }
    assert!(served(&trust(&lab, "bob"), port).await.is_some());
    fs::remove_file(&path).unwrap();
    assert!(tls.reload().unwrap_err().to_string().contains("crl.pem"));
    let no_ca = TlsFiles { client_ca: None, ..files };
    fs::write(&path, good).unwrap();
    assert!(Tls::load(no_ca, Plain::Loopback).unwrap_err().to_string().contains("client_ca"));
}

#[tokio::test]
async fn of_several_lists_of_an_authority_the_newest_holds() {
    let (lab, files) = lab("newest", &[]);
    let old = fs::read_to_string(lab.revoke(&[])).unwrap();
    let newer = lab.revoke_as(&["anna"], |it| it.this_update = rcgen::date_time_ymd(2021, 1, 1));
    let newer = fs::read_to_string(newer).unwrap();
    for text in [format!("{old}{newer}"), format!("{newer}{old}")] {
        fs::write(files.client_crl.as_ref().unwrap(), text).unwrap();
        let tls = Tls::load(files.clone(), Plain::Loopback).unwrap();
        let port = echo(&tls).await;
        assert!(served(&trust(&lab, "anna"), port).await.is_none());
        assert!(served(&trust(&lab, "bob"), port).await.is_some());
    }
}

#[tokio::test]
async fn clients_of_a_root_without_a_list_are_refused() {
    let (lab, files) = lab("unlisted", &[]);
    let other = Lab::named("unlisted-other", "Other root");
    other.certify("carol");
    let both = [lab.file("ca.pem"), other.file("ca.pem")].map(|it| fs::read_to_string(it).unwrap()).concat();
    fs::write(files.client_ca.as_ref().unwrap(), both).unwrap();
    let tls = Tls::load(files.clone(), Plain::Loopback).unwrap();
    assert_eq!(tls.0.credentials.load().revocation.as_ref().unwrap().unlisted, ["\"Other root\""]);
    let port = echo(&tls).await;
    assert!(served(&trust(&lab, "anna"), port).await.is_some());
    let identity = Some((other.file("carol.pem"), other.file("carol.key")));
    let carol = TrustFiles { roots: Some(lab.file("ca.pem")), identity };
    let carol = Trust::load(carol, Named::default()).unwrap();
    assert!(served(&carol, port).await.is_none());

    // Until it has one.
    let lists = [lab.revoke(&[]), other.revoke(&[])].map(|it| fs::read_to_string(it).unwrap()).concat();
    fs::write(files.client_crl.as_ref().unwrap(), lists).unwrap();
    assert!(tls.reload().unwrap());
    assert!(served(&carol, port).await.is_some());
}

#[tokio::test]
async fn a_list_that_ends_meanwhile_lets_nobody_in_and_the_log_can_tell() {
    let (lab, files) = lab("ends", &[]);
    let ends = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(UnixTime::now().as_secs() + 2);
    lab.revoke_as(&[], |it| it.next_update = ends.into());
    let tls = Tls::load(files, Plain::Loopback).unwrap();
    let port = echo(&tls).await;
    let anna = trust(&lab, "anna");
    let mut open = served(&anna, port).await;
    let refused = async {
        while let Some(stream) = served(&anna, port).await {
            open = Some(stream);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, refused).await.expect("it is let in for ever");
    // Sessions that began before go on.
    if let Some(stream) = &mut open {
        assert!(answers(stream).await);
    }
    assert_eq!(tls.0.credentials.load().validity(UnixTime::now()), Validity::Over);
}
