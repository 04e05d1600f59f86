//! Connections to servers: which of them are trusted, and who this program is to them.

mod address;
mod client;
mod explain;
#[cfg(test)]
mod tests;

use std::io::{Error, ErrorKind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

pub use address::{Address, AddressError, Login, from_here};
pub use client::{Http, HttpError};

pub(crate) use explain::tls_error;

use crate::limits::PROBE_TIMEOUT;
use crate::pem::{self, Stamps, stamps};
use crate::stream::Encrypted;
use crate::{Stream, TlsError};

/// Where the client's side of TLS has its files, in PEM.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustFiles {
    /// Roots of servers' certificates, beside those of the system.
    pub roots: Option<PathBuf>,
    /// This program's certificate, then those between it and its root, and its private key, for servers that ask for one.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// How a person names these files, for advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Roots.
    pub roots: &'static str,
    /// The certificate and its key.
    pub identity: &'static str,
}

/// In a config file.
impl Default for Named {
    fn default() -> Self {
        Self { roots: "roots of [tls]", identity: "client_certificate and client_key of [tls]" }
    }
}

/// A server that ends a handshake without a word.
const NO_TLS: &str = "it ends the TLS handshake; check that it speaks TLS at this port";

/// Which servers are trusted, and who this program is to them. The system's roots are read when TLS is needed first.
#[derive(Clone, Debug, Default)]
pub struct Trust(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    files: TrustFiles,
    named: Named,
    loaded: Mutex<Option<Loaded>>,
}

#[derive(Debug)]
struct Loaded {
    stamps: Stamps,
    config: Arc<ClientConfig>,
}

/// Whether a server accepts connections: one is opened and closed at once. An IPv6 address may stand in brackets.
pub async fn accepts(host: &str, port: u16) -> bool {
    // A resolver cannot be interrupted, so that one that hangs must not be asked again meanwhile.
    let Ok(addresses) = tokio::net::lookup_host((bare(host), port)).await else { return false };
    let connecting = async {
        for address in addresses {
            if TcpStream::connect(address).await.is_ok() {
                return true;
            }
        }
        false
    };
    tokio::time::timeout(PROBE_TIMEOUT, connecting).await.unwrap_or(false)
}

/// A host without the brackets of an IPv6 address.
fn bare(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

impl Trust {
    /// Reads the files, if there are any.
    pub fn load(files: TrustFiles, named: Named) -> Result<Self, TlsError> {
        let is_needed = files != TrustFiles::default();
        let trust = Self(Arc::new(Inner { files, named, loaded: Mutex::default() }));
        if is_needed {
            trust.config()?;
        }
        Ok(trust)
    }

    /// Connects to a server, by TLS or plainly. An IPv6 address may stand in brackets. How long it may take is for the caller
    /// to say; [`Trust::explain`] says what an error means.
    pub async fn connect(&self, host: &str, port: u16, is_tls: bool) -> std::io::Result<Stream> {
        let host = bare(host);
        let tcp = TcpStream::connect((host, port)).await?;
        // Commands and telemetry are small messages that must not wait for each other.
        tcp.set_nodelay(true)?;
        if !is_tls {
            return Ok(Stream::Plain(tcp));
        }
        let name = ServerName::try_from(host.to_owned());
        let name = name.map_err(|error| Error::new(ErrorKind::InvalidInput, error))?;
        let connector = TlsConnector::from(self.config().map_err(Error::other)?);
        let stream = connector.connect(name, tcp).await.map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => Error::new(ErrorKind::UnexpectedEof, NO_TLS),
            _ => error,
        })?;
        Ok(Stream::Tls(Box::new(Encrypted::to_server(stream.into()))))
    }

    /// What the next connection goes by. Files that have changed are read again; what is wrong with them leaves everything as
    /// it was.
    fn config(&self) -> Result<Arc<ClientConfig>, TlsError> {
        let Inner { files, named, loaded } = &*self.0;
        let now = files.stamps();
        let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let former = match &*loaded {
            Some(loaded) if loaded.stamps == now => return Ok(loaded.config.clone()),
            former => former.as_ref().map(|former| former.config.clone()),
        };
        let config = match (files.load(), former) {
            (Ok(config), _) => Arc::new(config),
            (Err(error), Some(former)) => {
                let Named { roots, identity } = named;
                tracing::warn!(%error, "the files of {roots}, {identity} have changed; the former ones stay in use");
                former
            }
            (Err(error), None) => return Err(error),
        };
        *loaded = Some(Loaded { stamps: now, config: config.clone() });
        Ok(config)
    }
}

impl TrustFiles {
    fn load(&self) -> Result<ClientConfig, TlsError> {
        let mut roots = RootCertStore::empty();
        // A system may have odd ones, or none: then those of the config are all there are.
        let (_, _) = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if let Some(path) = &self.roots {
            for root in pem::certificates(path)? {
                let problem = |error: rustls::Error| TlsError::File {
                    path: path.clone(),
                    problem: format!("it has a certificate that can be no root: {error}"),
                };
                roots.add(root).map_err(problem)?;
            }
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots);
        Ok(match &self.identity {
            Some((certificate, key)) => {
                builder.with_client_auth_cert(pem::certificates(certificate)?, pem::key(key)?)?
            }
            None => builder.with_no_client_auth(),
        })
    }

    fn stamps(&self) -> Stamps {
        let identity = self.identity.iter().flat_map(|(certificate, key)| [certificate, key]);
        stamps(self.roots.iter().chain(identity))
    }
}
