//! Files in PEM.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustls::pki_types::pem::{Error, PemObject};
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};

use crate::TlsError;
use crate::limits::PEM_FILE_MAX_BYTES;

/// Longest error message of the PEM parser that is passed on, characters: the library quotes whole lines of the file.
const MAX_CHARS: usize = 200;

/// All certificates of a file, of which there must be one.
pub(crate) fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    PemFile::read(path)?.certificates()
}

/// The private key of a file.
pub(crate) fn key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    PemFile::read(path)?.key()
}

/// What a file holds.
pub(crate) struct PemFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl PemFile {
    /// A file that holds these bytes.
    pub(crate) fn new(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        Self { path: path.into(), bytes }
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, TlsError> {
        let mut file = Self::new(path, Vec::new());
        let read =
            File::open(path).and_then(|it| it.take(PEM_FILE_MAX_BYTES + 1).read_to_end(&mut file.bytes));
        match read {
            Err(error) => Err(file.error(&error)),
            Ok(count) if count as u64 > PEM_FILE_MAX_BYTES => {
                Err(file.error(format_args!("it has more than {} MiB", PEM_FILE_MAX_BYTES >> 20)))
            }
            Ok(_) => Ok(file),
        }
    }

    /// What it holds.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A problem of this file.
    pub(crate) fn error(&self, problem: impl std::fmt::Display) -> TlsError {
        let problem: String = problem.to_string().chars().take(MAX_CHARS).collect();
        TlsError::File { path: self.path.clone(), problem }
    }

    /// All certificates, of which there must be one.
    pub(crate) fn certificates(&self) -> Result<Vec<CertificateDer<'static>>, TlsError> {
        let certificates = self.all::<CertificateDer<'static>>().map_err(|error| self.error(error))?;
        if certificates.is_empty() {
            return Err(self.error("it has no certificate in PEM"));
        }
        Ok(certificates)
    }

    /// The private key.
    pub(crate) fn key(&self) -> Result<PrivateKeyDer<'static>, TlsError> {
        PrivateKeyDer::from_pem_slice(&self.bytes).map_err(|error| self.error(error))
    }

    /// All revocation lists, of which there must be one.
    pub(crate) fn revocation_lists(&self) -> Result<Vec<CertificateRevocationListDer<'static>>, TlsError> {
        if self.is_cut_off() {
            return Err(self.error("it ends in the middle of a line; write it again, whole"));
        }
        let lists = self.all::<CertificateRevocationListDer<'static>>();
        let lists = lists.map_err(|error| {
            self.error(format_args!("it is no revocation list in PEM; write it again, whole: {error}"))
        })?;
        if lists.is_empty() {
            return Err(self.error(
                "it has no revocation list in PEM (BEGIN X509 CRL); get one from the authority of the clients' certificates, \
                 or for a lab by `latimer cert --revoke`",
            ));
        }
        Ok(lists)
    }

    fn all<T: PemObject>(&self) -> Result<Vec<T>, Error> {
        T::pem_slice_iter(&self.bytes).collect()
    }

    /// Whether its last line is the beginning of one that begins or ends a section.
    fn is_cut_off(&self) -> bool {
        let lines = self.bytes.rsplit(|&it| matches!(it, b'\n' | b'\r'));
        let last = lines.map(<[u8]>::trim_ascii).find(|line| !line.is_empty());
        last.is_some_and(|line| line.starts_with(b"-") && !line.ends_with(b"-----"))
    }
}

/// When each file was written, and its size: they change with what is in it.
pub(crate) type Stamps = Vec<Option<(SystemTime, u64)>>;

/// Those of files as they are now.
pub(crate) fn stamps<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> Stamps {
    let stamp = |path: &PathBuf| {
        let file = std::fs::metadata(path).ok()?;
        Some((file.modified().ok()?, file.len()))
    };
    files.into_iter().map(stamp).collect()
}
