//! Files in PEM.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::TlsError;

/// All certificates of a file, of which there must be one.
pub(crate) fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let read = CertificateDer::pem_file_iter(path).map_err(|error| bad(path, &error))?;
    let certificates: Vec<_> = read.collect::<Result<_, _>>().map_err(|error| bad(path, &error))?;
    if certificates.is_empty() {
        return Err(TlsError::File {
            path: path.to_owned(),
            problem: "it has no certificate in PEM".to_owned(),
        });
    }
    Ok(certificates)
}

/// The private key of a file.
pub(crate) fn key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    PrivateKeyDer::from_pem_file(path).map_err(|error| bad(path, &error))
}

fn bad(path: &Path, error: &rustls::pki_types::pem::Error) -> TlsError {
    TlsError::File { path: path.to_owned(), problem: error.to_string() }
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
