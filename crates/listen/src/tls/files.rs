//! What handshakes go by, from files.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{VerifierBuilderError, WebPkiClientVerifier};
use rustls::{CertificateError, Error, RootCertStore, ServerConfig};

use super::TlsError;
use super::revocation::{self, RevocationList, lists};
use crate::pem::{PemFile, Stamps, stamps};

/// Where certificates are, in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The listener's certificate, then those between it and the root.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// Roots of clients' certificates; clients show none if not given.
    pub client_ca: Option<PathBuf>,
    /// Lists of clients' certificates that are revoked, of each authority one; none is if not given.
    pub client_crl: Option<PathBuf>,
}

/// What the files hold.
pub(crate) struct Contents {
    pub(crate) certificate: PemFile,
    pub(crate) key: PemFile,
    pub(crate) client_ca: Option<PemFile>,
    pub(crate) client_crl: Option<PemFile>,
}

/// What handshakes go by.
#[derive(Debug)]
pub(crate) struct Credentials {
    pub(super) server: Arc<ServerConfig>,
    /// How clients' certificates are looked up in lists, if there are any.
    pub(crate) revocation: Option<Revocation>,
    /// Of the files' bytes.
    pub(super) digest: u64,
}

/// How clients' certificates are looked up.
pub(crate) struct Revocation {
    verifier: Arc<dyn ClientCertVerifier>,
    pub(super) lists: Vec<RevocationList>,
    /// Roots without a list.
    pub(super) unlisted: Vec<String>,
}

impl fmt::Debug for Revocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Revocation").field("lists", &self.lists.len()).finish_non_exhaustive()
    }
}

impl TlsFiles {
    pub(super) fn read(&self) -> Result<Contents, TlsError> {
        let Self { certificate, key, client_ca, client_crl } = self;
        Ok(Contents {
            certificate: PemFile::read(certificate)?,
            key: PemFile::read(key)?,
            client_ca: client_ca.as_deref().map(PemFile::read).transpose()?,
            client_crl: client_crl.as_deref().map(PemFile::read).transpose()?,
        })
    }

    pub(super) fn stamps(&self) -> Stamps {
        stamps([&self.certificate, &self.key].into_iter().chain(&self.client_ca).chain(&self.client_crl))
    }
}

impl Contents {
    /// Two that differ have different ones, but for a rare chance.
    pub(super) fn digest(&self) -> u64 {
        let Self { certificate, key, client_ca, client_crl } = self;
        let mut hasher = DefaultHasher::new();
        let files = [Some(certificate), Some(key), client_ca.as_ref(), client_crl.as_ref()];
        files.map(|file| file.map(PemFile::bytes)).hash(&mut hasher);
        hasher.finish()
    }

    /// `now` is for the ends of lists.
    pub(crate) fn load(&self, now: UnixTime) -> Result<Credentials, TlsError> {
        let certificates = self.certificate.certificates()?;
        let key = self.key.key()?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let algorithms = provider.signature_verification_algorithms;
        let builder =
            ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions()?;
        let mut revocation = None;
        let builder = match (&self.client_ca, &self.client_crl) {
            (Some(file), _) => {
                let mut roots = RootCertStore::empty();
                for root in file.certificates()? {
                    roots.add(root)?;
                }
                let roots = Arc::new(roots);
                let mut verifier = WebPkiClientVerifier::builder_with_provider(roots.clone(), provider);
                let mut listed = None;
                if let Some(file) = &self.client_crl {
                    let lists = lists(file, &roots, &algorithms, now)?;
                    // What no list tells of is refused, as is what a list tells that has ended.
                    verifier = verifier
                        .with_crls(lists.iter().map(|list| list.der.clone()))
                        .enforce_revocation_expiration();
                    let unlisted = revocation::unlisted(&roots, &lists);
                    listed = Some((lists, unlisted));
                }
                let verifier = verifier.build().map_err(|error| match (&self.client_crl, error) {
                    (Some(file), VerifierBuilderError::InvalidCrl(problem)) => {
                        file.error(format_args!("a revocation list of it cannot be used: {problem:?}"))
                    }
                    (_, error) => error.into(),
                })?;
                revocation = listed.map(|(lists, unlisted)| Revocation {
                    verifier: verifier.clone(),
                    lists,
                    unlisted,
                });
                builder.with_client_cert_verifier(verifier)
            }
            (None, Some(file)) => {
                return Err(file.error("there is no client_ca whose certificates it could revoke"));
            }
            (None, None) => builder.with_no_client_auth(),
        };
        let server = Arc::new(builder.with_single_cert(certificates, key)?);
        Ok(Credentials { server, revocation, digest: self.digest() })
    }
}

impl Revocation {
    /// Whether a client may come with these certificates, its own first.
    pub(crate) fn check(&self, chain: &[CertificateDer<'_>], at: UnixTime) -> Result<(), Error> {
        let (own, between) = chain.split_first().ok_or(Error::NoCertificatesPresented)?;
        self.verifier.verify_client_cert(own, between, at).map(|_| ())
    }

    /// Whether one of these certificates, which were good at a time, is revoked by now.
    pub(crate) fn revokes(&self, chain: &[CertificateDer<'_>], since: UnixTime) -> bool {
        // By the time at which they were good, so that one that has expired since is found, too.
        self.check(chain, since) == Err(Error::InvalidCertificate(CertificateError::Revoked))
    }
}
