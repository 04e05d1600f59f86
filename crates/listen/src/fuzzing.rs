//! For the fuzz targets: files of certificates without the files.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, UnixTime};

use crate::pem::PemFile;
use crate::tls::{Contents, RevocationList};

/// What of an error a person reads.
const MAX_ERROR_BYTES: usize = 1000;

/// Takes four files for those of `[tls]`, so many seconds after 1970, and looks their own certificates up in their lists.
///
/// # Panics
/// If an error is longer than a person reads.
pub fn tls_files([certificate, key, client_ca, client_crl]: [&[u8]; 4], unix_s: u64) {
    let now = UnixTime::since_unix_epoch(std::time::Duration::from_secs(unix_s));
    let file = |name: &str, bytes: &[u8]| PemFile::new(name, bytes.to_vec());
    let contents = Contents {
        certificate: file("certificate", certificate),
        key: file("key", key),
        client_ca: Some(file("client_ca", client_ca)),
        client_crl: Some(file("client_crl", client_crl)),
    };
    match contents.load(now) {
        Ok(credentials) => {
            let chains = [certificate, client_ca].map(|it| {
                CertificateDer::pem_slice_iter(it).filter_map(Result::ok).collect::<Vec<CertificateDer<'_>>>()
            });
            for chain in chains {
                let _ = credentials.revocation.as_ref().map(|it| it.check(&chain, now));
            }
        }
        Err(error) => {
            let error = error.to_string();
            assert!(!error.is_empty() && error.len() <= MAX_ERROR_BYTES, "{} bytes: {error}", error.len());
        }
    }
    // A list that is damaged beyond its armour.
    let _ = RevocationList::parse(CertificateRevocationListDer::from(client_crl.to_vec()));
}
