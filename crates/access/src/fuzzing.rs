//! The users' file and tokens without files, for the fuzz targets.

use std::path::Path;
use std::time::Duration;

use latimer_core::Timestamp;

use crate::file::{AccessError, UsersFile};
use crate::token::{Algorithm, Key, Terms, verify};

const ED: &[u8] = include_bytes!("testdata/eddsa.pub.pem");
const EC: &[u8] = include_bytes!("testdata/es256.pub.pem");
const RSA: &[u8] = include_bytes!("testdata/rs256.pub.pem");

/// Tokens that the keys here have signed.
pub const SIGNED: [&str; 3] = [
    include_str!("testdata/eddsa.jwt"),
    include_str!("testdata/es256.jwt"),
    include_str!("testdata/rs256.jwt"),
];

/// Reads a users' file, whose keys all have one content.
pub fn users(text: &str) -> Result<UsersFile, AccessError> {
    UsersFile::parse(Path::new("users.toml"), text, &["api", "misty"], |_| Ok(ED.to_owned()))
}

/// Who bears a token, if one of the keys here has signed it.
pub fn bearer(token: &str) -> Option<String> {
    let keys = [(Algorithm::EdDsa, ED), (Algorithm::Es256, EC), (Algorithm::Rs256, RSA)];
    let terms = Terms { audience: None, issuer: None, longest: Duration::MAX };
    let key = |(algorithm, pem)| Key::new(algorithm, pem, terms.clone()).ok();
    let keys: Vec<Key> = keys.into_iter().filter_map(key).collect();
    let (claims, _) = verify(token, &keys, Timestamp::default())?;
    Some(claims.user().to_owned())
}
