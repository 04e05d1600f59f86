//! `[tls]`: certificates for ports that other machines reach, and which servers are trusted.

use std::path::{Path, PathBuf};

use latimer_core::service::ConfigError;
use latimer_listen::{Named, Plain, Tls, TlsError, TlsFiles, Trust, TrustFiles};
use serde::Deserialize;

/// Certificates, all in PEM.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TlsSettings {
    /// The gateway's certificate, then those between it and its root; there is no TLS without it.
    pub certificate: Option<PathBuf>,
    /// Its private key.
    pub key: Option<PathBuf>,
    /// Roots of clients' certificates; clients show none if not given.
    pub client_ca: Option<PathBuf>,
    /// Lists of clients' certificates that are revoked, one of each of those roots; none is if not given.
    pub client_crl: Option<PathBuf>,
    /// Who may come without TLS.
    pub plain: Plain,
    /// Roots of the certificates of robots and brokers, beside the system's.
    pub roots: Option<PathBuf>,
    /// The gateway's certificate towards robots and brokers that ask for one.
    pub client_certificate: Option<PathBuf>,
    /// Its private key.
    pub client_key: Option<PathBuf>,
}

impl TlsSettings {
    /// Whether clients can come by TLS.
    pub fn is_on(&self) -> bool {
        self.certificate.is_some()
    }

    /// Whether other machines need a certificate.
    pub fn needs_client_certificates(&self) -> bool {
        self.is_on() && self.client_ca.is_some() && self.plain != Plain::Anywhere
    }

    /// Checks what can be checked without I/O.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let advice = "write both, or neither; `latimer cert` makes them for a lab";
        let (key, problem) = match (&self.client_certificate, &self.client_key) {
            (Some(_), None) => ("tls.client_certificate", "there is no key for it"),
            (None, Some(_)) => ("tls.client_key", "there is no certificate for it"),
            _ => ("", ""),
        };
        if !key.is_empty() {
            return Err(ConfigError::new(key, problem, advice));
        }
        if self.client_crl.is_some() && self.client_ca.is_none() {
            let problem = "there is no client_ca whose certificates it could revoke";
            return Err(ConfigError::new("tls.client_crl", problem, "write both, or client_ca alone"));
        }
        match (&self.certificate, &self.key) {
            (Some(_), None) => Err(ConfigError::new("tls.certificate", "there is no key for it", advice)),
            (None, Some(_)) => Err(ConfigError::new("tls.key", "there is no certificate for it", advice)),
            (None, None) if self.client_ca.is_some() => {
                Err(ConfigError::new("tls.client_ca", "there is no certificate of the gateway", advice))
            }
            _ => Ok(()),
        }
    }

    /// Paths from a folder become paths from here.
    pub(super) fn within(self, folder: &Path) -> Self {
        let Self { certificate, key, client_ca, client_crl, plain, roots, client_certificate, client_key } =
            self;
        let within = |path: Option<PathBuf>| path.map(|path| folder.join(path));
        Self {
            certificate: within(certificate),
            key: within(key),
            client_ca: within(client_ca),
            client_crl: within(client_crl),
            plain,
            roots: within(roots),
            client_certificate: within(client_certificate),
            client_key: within(client_key),
        }
    }

    /// Reads the files of the client's side: which servers are trusted.
    pub fn trust(&self) -> Result<Trust, TlsError> {
        let identity = self.client_certificate.clone().zip(self.client_key.clone());
        Trust::load(TrustFiles { roots: self.roots.clone(), identity }, Named::default())
    }

    /// Reads the files of the server's side.
    pub fn load(&self) -> Result<Option<Tls>, TlsError> {
        let Some((certificate, key)) = self.certificate.clone().zip(self.key.clone()) else {
            return Ok(None);
        };
        let (client_ca, client_crl) = (self.client_ca.clone(), self.client_crl.clone());
        let files = TlsFiles { certificate, key, client_ca, client_crl };
        Tls::load(files, self.plain).map(Some)
    }
}
