//! TLS: certificates from files, read again when they change, and the first byte that tells who speaks it.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use rustls::RootCertStore;
use rustls::ServerConfig;
use rustls::server::WebPkiClientVerifier;
use serde::Deserialize;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use crate::Stream;
use crate::pem::{self, Stamps, certificates, key, stamps};

/// How long a client may take for its first byte, and again for the handshake.
const HANDSHAKE_WITHIN: Duration = Duration::from_secs(10);

/// Between two looks at the files.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The first byte of a client that speaks TLS: a record of type handshake. No request of HTTP begins with it.
const HANDSHAKE_RECORD: u8 = 0x16;

/// What a client reads that speaks HTTP where it must not.
const SPEAK_TLS: &str = "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n\
    other machines reach this port by TLS alone: call it by https:// or wss://, or let the config say tls.plain = \"anywhere\"\n";

/// Where certificates are, in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The listener's certificate, then those between it and the root.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// Roots of clients' certificates; clients show none if not given.
    pub client_ca: Option<PathBuf>,
}

/// Who may come without TLS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plain {
    /// Programs of this machine.
    #[default]
    Loopback,
    /// Everybody.
    Anywhere,
    /// Nobody.
    Nowhere,
}

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or holds nothing of what it should.
    #[error("{path}: {problem}")]
    File {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The files do not fit each other.
    #[error("the certificate and the key cannot be used: {0}")]
    Wrong(#[from] rustls::Error),
    /// The roots of clients' certificates cannot be used.
    #[error("the roots of clients' certificates cannot be used: {0}")]
    Roots(#[from] rustls::server::VerifierBuilderError),
}

/// Why a connection ends before it began.
#[derive(Debug, thiserror::Error)]
pub enum NotSecured {
    /// It broke, or its handshake failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It speaks no TLS, and comes from where it must.
    #[error("it speaks no TLS, which it must from where it is")]
    Plain,
}

/// Certificates, ready for handshakes.
#[derive(Clone, Debug)]
pub struct Tls(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    files: TlsFiles,
    plain: Plain,
    config: ArcSwap<ServerConfig>,
}

impl Tls {
    /// Reads the files.
    pub fn load(files: TlsFiles, plain: Plain) -> Result<Self, TlsError> {
        let config = ArcSwap::from_pointee(files.load()?);
        Ok(Self(Arc::new(Inner { files, plain, config })))
    }

    /// Reads the files again; what is wrong leaves everything as it was. Connections that are there go on.
    pub fn reload(&self) -> Result<(), TlsError> {
        self.0.config.store(Arc::new(self.0.files.load()?));
        Ok(())
    }

    /// Reads the files again whenever one of them has changed, until `shutdown`.
    pub async fn watch(self, shutdown: CancellationToken) {
        let mut known = self.0.files.stamps();
        while shutdown.run_until_cancelled(tokio::time::sleep(LOOK_EVERY)).await.is_some() {
            let stamps = self.0.files.stamps();
            if stamps == known {
                continue;
            }
            match self.reload() {
                Ok(()) => tracing::info!("the certificates of [tls] have changed and are used from now on"),
                // The key may come a moment after its certificate.
                Err(error) => {
                    tracing::warn!(%error, "the files of [tls] have changed; the former ones stay in use")
                }
            }
            known = stamps;
        }
    }

    /// Does the TLS handshake if the client begins one; refuses plain text where the config does.
    pub(crate) async fn accept(&self, stream: TcpStream, peer: SocketAddr) -> Result<Stream, NotSecured> {
        let late = |_| std::io::Error::new(ErrorKind::TimedOut, "no handshake came");
        let mut first = [0];
        timeout(HANDSHAKE_WITHIN, stream.peek(&mut first)).await.map_err(late)??;
        if first == [HANDSHAKE_RECORD] {
            let acceptor = TlsAcceptor::from(self.0.config.load_full());
            let stream = timeout(HANDSHAKE_WITHIN, acceptor.accept(stream)).await.map_err(late)??;
            return Ok(Stream::Tls(Box::new(stream.into())));
        }
        let may = match self.0.plain {
            Plain::Loopback => peer.ip().to_canonical().is_loopback(),
            Plain::Anywhere => true,
            Plain::Nowhere => false,
        };
        if may {
            return Ok(Stream::Plain(stream));
        }
        refuse(stream).await;
        Err(NotSecured::Plain)
    }
}

/// Says so, in the words that most clients have.
async fn refuse(mut stream: TcpStream) {
    let refusal = async {
        stream.write_all(SPEAK_TLS.as_bytes()).await?;
        stream.shutdown().await
    };
    // It may be gone already.
    let _ = timeout(HANDSHAKE_WITHIN, refusal).await;
}

impl TlsFiles {
    fn load(&self) -> Result<ServerConfig, TlsError> {
        let certificates = certificates(&self.certificate)?;
        let key = key(&self.key)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder =
            ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions()?;
        let builder = match &self.client_ca {
            Some(path) => {
                let mut roots = RootCertStore::empty();
                for root in pem::certificates(path)? {
                    roots.add(root)?;
                }
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?;
                builder.with_client_cert_verifier(verifier)
            }
            None => builder.with_no_client_auth(),
        };
        Ok(builder.with_single_cert(certificates, key)?)
    }

    fn stamps(&self) -> Stamps {
        stamps([&self.certificate, &self.key].into_iter().chain(&self.client_ca))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use super::*;
    use crate::Doors;

    const HERE: &str = "127.0.0.1:1";
    const ELSEWHERE: &str = "192.0.2.1:1";

    /// A certificate and a key in a folder.
    fn files(name: &str) -> TlsFiles {
        let folder = std::env::temp_dir().join(format!("latimer-listen-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let files =
            TlsFiles { certificate: folder.join("a.pem"), key: folder.join("a.key"), client_ca: None };
        std::fs::write(&files.certificate, made.cert.pem()).unwrap();
        std::fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
        files
    }

    /// What a client that speaks HTTP reads from a gateway that takes it for one at `peer`.
    async fn asked(plain: Plain, peer: &str) -> Result<String, NotSecured> {
        let tls = Tls::load(files("asked"), plain).unwrap();
        let doors = Doors::new(Arc::default(), None, Some(tls));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        match doors.secure(stream, peer.parse().unwrap()).await {
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
        let before = Arc::as_ptr(&tls.0.config.load());
        std::fs::write(&files.certificate, "nonsense").unwrap();
        let error = tls.reload().unwrap_err().to_string();
        assert!(error.contains("a.pem"), "{error}");
        assert_eq!(Arc::as_ptr(&tls.0.config.load()), before);
        let missing = TlsFiles { key: "nowhere.key".into(), ..self::files("missing") };
        let error = Tls::load(missing, Plain::Loopback).unwrap_err().to_string();
        assert!(error.contains("nowhere.key"), "{error}");
    }
}
