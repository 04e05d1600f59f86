//! TLS: certificates from files, read again when they change, and the first byte that tells who speaks it.
//!
//! ```text
//! TlsFiles ──read──▶ Contents ──load──▶ Credentials: what handshakes go by, exchanged when files have changed
//!                                          └── Revocation ──▶ Clients::end_revoked: who is connected with a certificate that is revoked
//! ```

mod clients;
mod der;
mod failures;
mod files;
mod revocation;
#[cfg(test)]
mod tests;

use std::io::{Error, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use rustls::HandshakeKind;
use rustls::pki_types::UnixTime;
use serde::Deserialize;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::sync::CancellationToken;

use crate::limits::{HANDSHAKE_TIMEOUT, TLS_FILES_LOOK_INTERVAL};

use crate::Stream;
use crate::pem::Stamps;
use crate::stream::Encrypted;
use clients::Clients;
pub(crate) use clients::KnownClient;
use failures::{Failures, reason};
pub(crate) use files::Contents;
use files::Credentials;
pub use files::TlsFiles;
pub(crate) use revocation::RevocationList;
use revocation::Validity;

/// The first byte of a client that speaks TLS: a record of type handshake. No request of HTTP begins with it.
const HANDSHAKE_RECORD: u8 = 0x16;

/// What a client reads that speaks HTTP where it must not.
const SPEAK_TLS: &str = "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n\
    other machines reach this port by TLS alone: call it by https:// or wss://, or let the config say tls.plain = \"anywhere\"\n";

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
    /// It broke.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Its handshake failed, which is counted.
    #[error("the TLS handshake failed: {0}")]
    Handshake(String),
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
    /// Of the files as they were read first.
    stamps: Stamps,
    credentials: ArcSwap<Credentials>,
    /// Held while files are read again, so that of two readers the later one has the newer files.
    reloads: Mutex<()>,
    clients: Clients,
    failures: Failures,
}

impl Tls {
    /// Reads the files.
    pub fn load(files: TlsFiles, plain: Plain) -> Result<Self, TlsError> {
        // Before the files, so that none changes unnoticed.
        let stamps = files.stamps();
        let credentials = files.read()?.load(UnixTime::now())?;
        credentials.warn_of_unlisted();
        Ok(Self(Arc::new(Inner {
            files,
            plain,
            stamps,
            credentials: ArcSwap::from_pointee(credentials),
            reloads: Mutex::default(),
            clients: Clients::default(),
            failures: Failures::default(),
        })))
    }

    /// Reads the files again, and tells whether they have changed; what is wrong leaves everything as it was. Connections that are there go on, but
    /// for those of clients whose certificates are revoked by now. It blocks.
    pub fn reload(&self) -> Result<bool, TlsError> {
        let Inner { files, credentials, reloads, clients, .. } = &*self.0;
        let _alone = reloads.lock().unwrap_or_else(PoisonError::into_inner);
        let contents = files.read()?;
        if contents.digest() == credentials.load().digest {
            return Ok(false);
        }
        let changed = Arc::new(contents.load(UnixTime::now())?);
        changed.warn_of_unlisted();
        // Stored before open connections are checked, so that a handshake that ends meanwhile uses the new list.
        credentials.store(changed.clone());
        if let Some(revocation) = &changed.revocation {
            clients.end_revoked(revocation);
        }
        Ok(true)
    }

    /// Reads the files again whenever one of them has changed, and has the log tell of handshakes that fail, until `shutdown`.
    pub async fn watch(self, shutdown: CancellationToken) {
        let mut known = self.0.stamps.clone();
        let mut validity = Validity::Good;
        while shutdown.run_until_cancelled(tokio::time::sleep(TLS_FILES_LOOK_INTERVAL)).await.is_some() {
            self.0.failures.report();
            let stamps = self.0.files.stamps();
            if stamps != known {
                let tls = self.clone();
                match latimer_panics::blocking("reading the files of [tls]", move || tls.reload()).await {
                    Ok(Ok(true)) => {
                        tracing::info!("the certificates of [tls] have changed and are used from now on");
                    }
                    Ok(Ok(false)) => {}
                    // The key may come a moment after its certificate.
                    Ok(Err(error)) => {
                        tracing::warn!(%error, "the files of [tls] have changed; the former ones stay in use");
                    }
                    Err(error) => tracing::error!(%error, "the files of [tls] cannot be read again"),
                }
                known = stamps;
            }
            let now = self.0.credentials.load().validity(UnixTime::now());
            if now != validity {
                self.0.credentials.load().warn_of_end(now);
                validity = now;
            }
        }
    }

    /// How many handshakes failed, at all ports.
    pub fn failed_handshakes(&self) -> u64 {
        self.0.failures.total()
    }

    /// Does the TLS handshake if the client begins one; refuses plain text where the config does.
    pub(crate) async fn accept(&self, stream: TcpStream, peer: SocketAddr) -> Result<Stream, NotSecured> {
        let mut first = [0];
        timeout(HANDSHAKE_TIMEOUT, stream.peek(&mut first)).await.map_err(|_| late())??;
        if first == [HANDSHAKE_RECORD] {
            let port = stream.local_addr().map_or(0, |it| it.port());
            return match self.shake_hands(stream, peer).await {
                Ok(encrypted) => Ok(Stream::Tls(Box::new(encrypted))),
                Err(error) => {
                    let reason = reason(&error);
                    self.0.failures.count(port, peer, &reason);
                    Err(NotSecured::Handshake(reason))
                }
            };
        }
        if self.takes_plain(peer.ip()) {
            return Ok(Stream::Plain(stream));
        }
        refuse(stream).await;
        Err(NotSecured::Plain)
    }

    /// Whether a client at an IP address may connect without TLS. Clients of a loopback address have one themselves.
    pub(crate) fn takes_plain(&self, from: IpAddr) -> bool {
        match self.0.plain {
            Plain::Loopback => from.to_canonical().is_loopback(),
            Plain::Anywhere => true,
            Plain::Nowhere => false,
        }
    }

    async fn shake_hands(&self, stream: TcpStream, peer: SocketAddr) -> Result<Encrypted, Error> {
        let credentials = self.0.credentials.load_full();
        let acceptor = TlsAcceptor::from(credentials.server.clone());
        let stream = timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)).await.map_err(|_| late())??;
        let client = match credentials.revocation {
            Some(_) => self.known(&credentials, &stream, peer)?,
            None => None,
        };
        Ok(Encrypted::new(stream.into(), client))
    }

    /// Notes who has come. Lists may have changed since the handshake began, and a session that is resumed was checked when it was new.
    fn known(
        &self,
        began_with: &Arc<Credentials>,
        stream: &TlsStream<TcpStream>,
        peer: SocketAddr,
    ) -> Result<Option<KnownClient>, Error> {
        let (_, tls) = stream.get_ref();
        let Some(chain) = tls.peer_certificates() else { return Ok(None) };
        let client = self.0.clients.enter(peer, chain);
        let credentials = self.0.credentials.load();
        let is_checked =
            Arc::ptr_eq(&credentials, began_with) && tls.handshake_kind() != Some(HandshakeKind::Resumed);
        if let Some(revocation) = credentials.revocation.as_ref().filter(|_| !is_checked) {
            let checked = revocation.check(chain, UnixTime::now());
            checked.map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
        }
        Ok(Some(client))
    }
}

fn late() -> Error {
    Error::new(ErrorKind::TimedOut, "no handshake came")
}

/// Says so, in the words that most clients have.
async fn refuse(mut stream: TcpStream) {
    let refusal = async {
        stream.write_all(SPEAK_TLS.as_bytes()).await?;
        stream.shutdown().await
    };
    // It may be gone already.
    let _ = timeout(HANDSHAKE_TIMEOUT, refusal).await;
}

impl Credentials {
    fn lists(&self) -> &[RevocationList] {
        self.revocation.as_ref().map_or(&[], |it| &it.lists)
    }

    fn warn_of_unlisted(&self) {
        for authority in self.revocation.iter().flat_map(|it| &it.unlisted) {
            tracing::warn!(
                authority,
                "client_crl has no list of this root of client_ca: nobody is let in by its certificates"
            );
        }
    }

    /// That of the list that ends first.
    fn validity(&self, now: UnixTime) -> Validity {
        self.lists().iter().map(|list| list.validity(now)).max().unwrap_or_default()
    }

    fn warn_of_end(&self, validity: Validity) {
        let now = UnixTime::now();
        for list in self.lists().iter().filter(|list| list.validity(now) == validity) {
            let (authority, ends) = (list.authority(), list.ends());
            match validity {
                Validity::Good => {}
                Validity::EndsSoon => tracing::warn!(
                    authority,
                    ends,
                    "a list of client_crl ends soon, and nobody is let in by certificates of its authority then; get a newer one"
                ),
                Validity::Over => tracing::error!(
                    authority,
                    ends,
                    "a list of client_crl has ended: nobody is let in by certificates of its authority until there is a newer one"
                ),
            }
        }
    }
}
