//! Failed TLS handshakes, counted per port. Any client that reaches a port can cause as many as it likes, so that the log has one line a
//! minute.

use std::collections::BTreeMap;
use std::io::Error;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rustls::{CertificateError, Error as Tls};

use crate::connect::tls_error;

/// Looks between two lines of a port.
const LOOKS_BETWEEN: u32 = 30;

/// Those of all ports.
#[derive(Debug, Default)]
pub(super) struct Failures {
    total: AtomicU64,
    by_port: Mutex<BTreeMap<u16, OfPort>>,
}

#[derive(Debug, Default)]
struct OfPort {
    /// Since the line before.
    count: u64,
    last: Option<(SocketAddr, String)>,
    looks_left: u32,
}

/// A line for the log.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    port: u16,
    count: u64,
    peer: SocketAddr,
    reason: String,
}

impl Failures {
    pub(super) fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    pub(super) fn count(&self, port: u16, peer: SocketAddr, reason: &str) {
        self.total.fetch_add(1, Ordering::Relaxed);
        let mut by_port = self.by_port.lock().unwrap_or_else(PoisonError::into_inner);
        let of_port = by_port.entry(port).or_default();
        of_port.count += 1;
        of_port.last = Some((peer, reason.to_owned()));
    }

    /// Warns of those that were not reported yet. To be called at each look at the files.
    pub(super) fn report(&self) {
        for Line { port, count, peer, reason } in self.due() {
            tracing::warn!(
                port, count, last_peer = %peer, reason,
                "TLS handshakes have failed; the level debug has each of them"
            );
        }
    }

    fn due(&self) -> Vec<Line> {
        let mut by_port = self.by_port.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lines = Vec::new();
        for (&port, of_port) in by_port.iter_mut() {
            of_port.looks_left = of_port.looks_left.saturating_sub(1);
            if of_port.looks_left == 0
                && let Some((peer, reason)) = of_port.last.take()
            {
                let count = std::mem::take(&mut of_port.count);
                of_port.looks_left = LOOKS_BETWEEN;
                lines.push(Line { port, count, peer, reason });
            }
        }
        lines
    }
}

/// Why a handshake failed, for people.
pub(super) fn reason(error: &Error) -> String {
    let words = match tls_error(error) {
        Some(Tls::InvalidCertificate(CertificateError::Revoked)) => "the client's certificate is revoked",
        Some(Tls::InvalidCertificate(CertificateError::UnknownRevocationStatus)) => {
            "client_crl has no list of the authority of the client's certificate"
        }
        Some(Tls::InvalidCertificate(
            CertificateError::ExpiredRevocationList | CertificateError::ExpiredRevocationListContext { .. },
        )) => "the list in client_crl has ended by which the client's certificate would be checked",
        Some(Tls::NoCertificatesPresented) => "the client shows no certificate",
        Some(other) => return other.to_string(),
        None => return error.to_string(),
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_a_port_are_one_line_in_thirty_looks_with_their_count() {
        let failures = Failures::default();
        let peer = "192.0.2.1:7".parse().unwrap();
        let line = |port, count, reason: &str| Line { port, count, peer, reason: reason.to_owned() };
        assert_eq!(failures.due(), []);
        failures.count(1, peer, "a");
        assert_eq!(failures.due(), [line(1, 1, "a")], "the first is reported at once");
        for _ in 0..5 {
            failures.count(1, peer, "b");
        }
        failures.count(2, peer, "c");
        assert_eq!(failures.due(), [line(2, 1, "c")], "ports do not wait for each other");
        for _ in 0..LOOKS_BETWEEN - 2 {
            assert_eq!(failures.due(), []);
        }
        assert_eq!(failures.due(), [line(1, 5, "b")]);
        assert_eq!(failures.total(), 7);
        for _ in 0..2 * LOOKS_BETWEEN {
            assert_eq!(failures.due(), [], "there is nothing new");
        }
    }
}
