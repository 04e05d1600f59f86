//! Signed tokens (JWT, RFC 7519), checked by ring.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result as JwtResult};
use jsonwebtoken::{Algorithm as Jwt, DecodingKey, Validation};
use latimer_core::Timestamp;
use latimer_core::access::Grants;
use ring::{hmac, signature as sign};
use serde::Deserialize;
use signature::{Error, Verifier};
use std::time::Duration;

use crate::file::GrantText;

/// Fewest bytes of a shared secret, as RFC 7518 has it.
const SECRET_BYTES: usize = 32;

/// How a token is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum Algorithm {
    /// Ed25519, by a public key in PEM.
    #[serde(rename = "EdDSA")]
    EdDsa,
    /// ECDSA with P-256, by a public key in PEM.
    #[serde(rename = "ES256")]
    Es256,
    /// RSA with SHA-256, by a public key in PEM.
    #[serde(rename = "RS256")]
    Rs256,
    /// HMAC with SHA-256, by a secret that both sides have.
    #[serde(rename = "HS256")]
    Hs256,
}

impl Algorithm {
    const fn jwt(self) -> Jwt {
        match self {
            Self::EdDsa => Jwt::EdDSA,
            Self::Es256 => Jwt::ES256,
            Self::Rs256 => Jwt::RS256,
            Self::Hs256 => Jwt::HS256,
        }
    }
}

/// For whom a token of a key has to be, from whom, and how long it may hold at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    /// Without one, tokens that name an audience are refused: they are for somebody else.
    pub(crate) audience: Option<String>,
    pub(crate) issuer: Option<String>,
    pub(crate) longest: Duration,
}

/// A key that tokens can be signed by.
#[derive(Clone)]
pub(crate) struct Key {
    algorithm: Algorithm,
    bytes: Vec<u8>,
    key: DecodingKey,
    terms: Terms,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        (self.algorithm, &self.bytes, &self.terms) == (other.algorithm, &other.bytes, &other.terms)
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Key").field(&self.algorithm).finish()
    }
}

impl Key {
    /// Reads a key; else what is wrong with it, and what to do.
    pub(crate) fn new(
        algorithm: Algorithm,
        bytes: &[u8],
        terms: Terms,
    ) -> Result<Self, (String, &'static str)> {
        let secret = bytes.trim_ascii_end();
        let key = match algorithm {
            Algorithm::Hs256 if secret.len() < SECRET_BYTES => {
                let problem = format!("{} bytes are too few for a secret", secret.len());
                return Err((problem, "write 32 or more that nobody can guess"));
            }
            Algorithm::Hs256 => Ok(DecodingKey::from_secret(secret)),
            Algorithm::EdDsa => DecodingKey::from_ed_pem(bytes),
            Algorithm::Es256 => DecodingKey::from_ec_pem(bytes),
            Algorithm::Rs256 => DecodingKey::from_rsa_pem(bytes),
        };
        let key =
            key.map_err(|error| (format!("it is no such key: {error}"), "write a public key in PEM"))?;
        Ok(Self { algorithm, bytes: bytes.to_owned(), key, terms })
    }
}

/// What a token claims.
#[derive(Debug, Deserialize)]
pub(crate) struct Claims {
    sub: String,
    exp: u64,
    /// What its bearer may do; as the user of that name if it claims nothing.
    grants: Option<Vec<GrantText>>,
}

impl Claims {
    /// Who bears the token.
    pub(crate) fn user(&self) -> &str {
        &self.sub
    }

    /// What its bearer may do, if the token says so; a grant that cannot be read is none.
    pub(crate) fn grants(&self) -> Option<Grants> {
        let grants = self.grants.as_ref()?;
        Some(Grants::new(grants.iter().filter_map(|grant| grant.read().ok()).collect()))
    }

    /// How long it holds.
    pub(crate) fn lasts(&self, now: Timestamp) -> Duration {
        let until = i64::try_from(self.exp).unwrap_or(i64::MAX).saturating_mul(1_000_000_000);
        Timestamp::from_nanos(until).since(now)
    }
}

/// What a token claims and the key that signed it, if it is one of these, its terms are met, and it is not over.
pub(crate) fn verify<'a>(token: &str, keys: &'a [Key], now: Timestamp) -> Option<(Claims, &'a Key)> {
    let algorithm = jsonwebtoken::decode_header(token).ok()?.alg;
    // Another provider can only be there if another part of the program installed it.
    let _ = PROVIDER.install_default();
    keys.iter().filter(|key| key.algorithm.jwt() == algorithm).find_map(|key| {
        let Terms { audience, issuer, longest } = &key.terms;
        let mut validation = Validation::new(algorithm);
        let mut required = vec!["exp", "sub"];
        if let Some(audience) = audience {
            validation.set_audience(&[audience]);
            required.push("aud");
        }
        if let Some(issuer) = issuer {
            validation.set_issuer(&[issuer]);
            required.push("iss");
        }
        validation.set_required_spec_claims(&required);
        validation.validate_nbf = true;
        let claims = jsonwebtoken::decode::<Claims>(token, &key.key, &validation).ok()?.claims;
        (claims.lasts(now) <= *longest).then_some((claims, key))
    })
}

/// ring, which the gateway has for TLS. It signs nothing here.
static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::InvalidAlgorithm.into()),
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

fn verifier(algorithm: &Jwt, key: &DecodingKey) -> JwtResult<Box<dyn JwtVerifier>> {
    let bytes = key.try_get_as_bytes()?.to_vec();
    Ok(Box::new(Checked { algorithm: *algorithm, bytes }))
}

struct Checked {
    algorithm: Jwt,
    bytes: Vec<u8>,
}

impl Verifier<Vec<u8>> for Checked {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), Error> {
        let public: &'static dyn sign::VerificationAlgorithm = match self.algorithm {
            Jwt::HS256 => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, &self.bytes);
                return hmac::verify(&key, message, signature).map_err(|_| Error::new());
            }
            Jwt::EdDSA => &sign::ED25519,
            Jwt::ES256 => &sign::ECDSA_P256_SHA256_FIXED,
            Jwt::RS256 => &sign::RSA_PKCS1_2048_8192_SHA256,
            _ => return Err(Error::new()),
        };
        let key = sign::UnparsedPublicKey::new(public, &self.bytes);
        key.verify(message, signature).map_err(|_| Error::new())
    }
}

impl JwtVerifier for Checked {
    fn algorithm(&self) -> Jwt {
        self.algorithm
    }
}
