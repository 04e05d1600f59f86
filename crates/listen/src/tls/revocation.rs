//! Revocation lists: what they say of themselves. Which certificates they revoke is for rustls to find.
//!
//! ```text
//! CertificateList ::= SEQUENCE { signed SEQUENCE, algorithm SEQUENCE, signature BIT STRING }       RFC 5280, 5.1
//!     signed: version INTEGER OPTIONAL, algorithm SEQUENCE, issuer SEQUENCE, thisUpdate, nextUpdate, …
//! ```

use std::cmp::Reverse;

use rustls::RootCertStore;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::{AlgorithmIdentifier, CertificateRevocationListDer, TrustAnchor, UnixTime};

use super::der::{BIT_STRING, Element, INTEGER, SEQUENCE, Time, common_name, next, next_of};
use crate::TlsError;
use crate::limits::REVOCATION_LIST_WARNING_TIME;
use crate::pem::PemFile;

/// A list of one authority.
#[derive(Clone, Debug)]
pub(crate) struct RevocationList {
    pub(super) der: CertificateRevocationListDer<'static>,
    /// The authority's name as it is written.
    issuer: Vec<u8>,
    made: Time,
    ends: Time,
}

/// How long a list holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Validity {
    /// Longer than a week.
    #[default]
    Good,
    /// Less.
    EndsSoon,
    /// No longer: no certificate of its authority is let in.
    Over,
}

impl RevocationList {
    /// Reads what a list says of itself; `None` if it is none.
    pub(crate) fn parse(der: CertificateRevocationListDer<'static>) -> Option<Self> {
        let mut fields = Signed::of(&der)?.fields;
        if fields.first() == Some(&INTEGER) {
            next(&mut fields)?;
        }
        next_of(SEQUENCE, &mut fields)?;
        let issuer = next_of(SEQUENCE, &mut fields)?.value.to_vec();
        let (made, ends) = (Time::of(&next(&mut fields)?)?, Time::of(&next(&mut fields)?)?);
        Some(Self { der, issuer, made, ends })
    }

    /// Its authority's name.
    pub(super) fn authority(&self) -> String {
        common_name(&self.issuer)
    }

    /// When it ends, for people.
    pub(super) fn ends(&self) -> &str {
        &self.ends.text
    }

    /// How long it holds.
    pub(super) fn validity(&self, now: UnixTime) -> Validity {
        match self.ends.unix_s {
            ends if ends <= now.as_secs() => Validity::Over,
            ends if ends <= now.as_secs().saturating_add(REVOCATION_LIST_WARNING_TIME.as_secs()) => {
                Validity::EndsSoon
            }
            _ => Validity::Good,
        }
    }

    fn is_of(&self, root: &TrustAnchor<'_>) -> bool {
        root.subject.as_ref() == self.issuer
    }

    /// Whether a root has signed it.
    fn is_signed_by(&self, root: &TrustAnchor<'_>, algorithms: &WebPkiSupportedAlgorithms) -> bool {
        let verify = || {
            let signed = Signed::of(&self.der)?;
            let mut info = root.subject_public_key_info.as_ref();
            let of_key = next_of(SEQUENCE, &mut info)?.value;
            let key = next_of(BIT_STRING, &mut info)?.value.strip_prefix(&[0])?;
            let is = |id: AlgorithmIdentifier, found: &[u8]| id.as_ref() == found;
            let fitting = algorithms.all.iter().filter(|it| {
                is(it.signature_alg_id(), signed.algorithm) && is(it.public_key_alg_id(), of_key)
            });
            let mut verified =
                fitting.map(|it| it.verify_signature(key, signed.whole, signed.signature).is_ok());
            Some(verified.any(|it| it))
        };
        verify().unwrap_or(false)
    }
}

/// What is signed of a list, and how.
struct Signed<'a> {
    whole: &'a [u8],
    fields: &'a [u8],
    algorithm: &'a [u8],
    signature: &'a [u8],
}

impl<'a> Signed<'a> {
    fn of(der: &'a CertificateRevocationListDer<'_>) -> Option<Self> {
        let mut list = next_of(SEQUENCE, &mut der.as_ref())?.value;
        let Element { whole, value: fields, .. } = next_of(SEQUENCE, &mut list)?;
        let algorithm = next_of(SEQUENCE, &mut list)?.value;
        let signature = next_of(BIT_STRING, &mut list)?.value.strip_prefix(&[0])?;
        Some(Self { whole, fields, algorithm, signature })
    }
}

/// The lists of a file, the newest first: of several of one authority rustls takes the first. One that is no list, that has ended, or that
/// a root of its name has not signed is an error.
pub(super) fn lists(
    file: &PemFile,
    roots: &RootCertStore,
    algorithms: &WebPkiSupportedAlgorithms,
    now: UnixTime,
) -> Result<Vec<RevocationList>, TlsError> {
    let mut lists = Vec::new();
    for (at, der) in file.revocation_lists()?.into_iter().enumerate() {
        let list = RevocationList::parse(der).ok_or_else(|| {
            file.error(format_args!(
                "revocation list {} of it cannot be read; get it from its authority again",
                at + 1
            ))
        })?;
        let authority = list.authority();
        let mut of_its_name = roots.roots.iter().filter(|root| list.is_of(root)).peekable();
        if of_its_name.peek().is_some() && !of_its_name.any(|root| list.is_signed_by(root, algorithms)) {
            return Err(file.error(format_args!(
                "the revocation list of {authority} is not signed by the root of that name in client_ca; \
                 get it from its authority again"
            )));
        }
        if list.validity(now) == Validity::Over {
            return Err(file.error(format_args!(
                "the revocation list of {authority} has ended at {}; get a newer one from its authority, \
                 or for a lab by `latimer cert --revoke`",
                list.ends()
            )));
        }
        lists.push(list);
    }
    lists.sort_by_key(|list| Reverse(list.made.unix_s));
    Ok(lists)
}

/// Roots without a list, by their names: nobody is let in by their certificates.
pub(super) fn unlisted(roots: &RootCertStore, lists: &[RevocationList]) -> Vec<String> {
    let unlisted = roots.roots.iter().filter(|root| !lists.iter().any(|list| list.is_of(root)));
    unlisted.map(|root| common_name(root.subject.as_ref())).collect()
}
