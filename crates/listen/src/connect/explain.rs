//! What an error of a connection means to a person: with TLS, why, and what to do.

use std::error::Error;

use rustls::{AlertDescription, CertificateError, Error as Tls};

use super::{Named, Trust};

impl Trust {
    /// What went wrong and what to do, if TLS did; anything else in the words of the cause. The host is for the caller to name.
    pub fn explain(&self, error: &(dyn Error + 'static)) -> String {
        self.explain_tls(error).unwrap_or_else(|| cause(error).to_string())
    }

    /// The same if TLS went wrong.
    pub fn explain_tls(&self, error: &(dyn Error + 'static)) -> Option<String> {
        let Named { roots, identity } = self.0.named;
        Some(match tls_error(error)? {
            // A bad signature is by a root of the same name as one that is trusted, such as that of another lab.
            Tls::InvalidCertificate(CertificateError::UnknownIssuer | CertificateError::BadSignature) => {
                format!(
                    "its certificate is by a root that is not trusted; if it should be, name the root's file by {roots}"
                )
            }
            Tls::InvalidCertificate(CertificateError::NotValidForNameContext { expected, presented }) => {
                let names: Vec<&str> = presented.iter().map(|name| bare(name)).collect();
                let names = if names.is_empty() { "no name".to_owned() } else { names.join(", ") };
                let expected = expected.to_str();
                format!(
                    "its certificate is for {names} and not for {expected}; call it by a name of its certificate, \
                     or give it one for {expected}"
                )
            }
            Tls::InvalidCertificate(CertificateError::Expired | CertificateError::ExpiredContext { .. }) => {
                "its certificate has expired; renew it there, or set this machine's clock".to_owned()
            }
            Tls::InvalidCertificate(
                CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. },
            ) => {
                "its certificate is not valid yet; set the clock of this machine, or of the one that made it"
                    .to_owned()
            }
            Tls::AlertReceived(alert) if is_about_certificate(*alert) => match self.0.files.identity {
                None => format!("it wants a certificate of this program; name one by {identity}"),
                Some(_) => {
                    format!(
                        "it refuses the certificate of this program ({alert:?}); name one that it trusts by {identity}"
                    )
                }
            },
            Tls::InvalidMessage(_) => {
                "it speaks no TLS at this port; check the port, or call it without TLS".to_owned()
            }
            other => format!("TLS: {other}"),
        })
    }
}

/// Whether a server ends a handshake so for want of a certificate that it trusts. TLS 1.2 has no word of its own for one that is missing.
fn is_about_certificate(alert: AlertDescription) -> bool {
    matches!(
        alert,
        AlertDescription::AccessDenied
            | AlertDescription::BadCertificate
            | AlertDescription::CertificateExpired
            | AlertDescription::CertificateRequired
            | AlertDescription::CertificateRevoked
            | AlertDescription::CertificateUnknown
            | AlertDescription::DecryptError
            | AlertDescription::HandshakeFailure
            | AlertDescription::UnknownCA
            | AlertDescription::UnsupportedCertificate
    )
}

/// `DnsName("gateway.lab")` is `gateway.lab`.
fn bare(name: &str) -> &str {
    let inner = name.split_once('(').and_then(|(_, inner)| inner.strip_suffix(')'));
    inner.unwrap_or(name).trim_matches('"')
}

/// The error of TLS in a chain; one within the system's is no source of it.
pub(crate) fn tls_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a Tls> {
    let mut next = Some(error);
    while let Some(error) = next {
        let within = error.downcast_ref::<std::io::Error>().and_then(|error| error.get_ref());
        if let Some(found) = within.and_then(|within| tls_error(within)) {
            return Some(found);
        }
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = error.source();
    }
    None
}

/// The end of a chain, which says more than "error sending request".
fn cause<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last
}
