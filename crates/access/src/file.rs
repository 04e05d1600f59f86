//! The users' file.
//!
//! ```toml
//! [[user]]
//! name = "ada"
//! password = "$argon2id$…"          # `latimer user ada` prints it
//! grants = [{ role = "drive", select = "pera-*" }, { role = "see", select = "*/battery", dialects = ["api"] }]
//!
//! [[address]]                        # clients that can show nothing, such as those of ROS
//! network = "192.168.1.0/24"
//! grants = [{ role = "see", select = "*" }]
//!
//! [[key]]                            # who signs tokens
//! algorithm = "EdDSA"
//! file = "lab.pub.pem"
//! audience = "latimer"               # who a token must be for, who it must be from, and how long it may hold at most
//! issuer = "https://id.lab.example"
//! max_days = 90
//! ```

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use argon2::password_hash::PasswordHash;
use ipnet::IpNet;
use latimer_core::access::{Grant, Grants, Role};
use latimer_core::hub::{Selection, SelectionError};
use serde::Deserialize;

use crate::limits::USERS_FILE_MAX_BYTES;
use crate::token::{Algorithm, Key, Terms};

/// A role in files and tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoleWord {
    /// [`Role::See`].
    See,
    /// [`Role::Drive`].
    Drive,
    /// [`Role::Admin`].
    Admin,
}

impl RoleWord {
    /// A role by its word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::See, Self::Drive, Self::Admin].into_iter().find(|it| it.word() == word)
    }

    /// Its word.
    pub const fn word(self) -> &'static str {
        self.role().word()
    }

    const fn role(self) -> Role {
        match self {
            Self::See => Role::See,
            Self::Drive => Role::Drive,
            Self::Admin => Role::Admin,
        }
    }
}

/// A grant as files and tokens have it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantText {
    /// What may be done.
    pub role: RoleWord,
    /// With what, as `?select=` of the API has it; everything if not given.
    #[serde(default = "everything")]
    pub select: String,
    /// Through which dialects; all if not given.
    #[serde(default)]
    pub dialects: Vec<String>,
}

fn everything() -> String {
    "*".to_owned()
}

/// Why there are no users.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// A file cannot be read.
    #[error("cannot read {path}: {source}; check the path, and who may read it")]
    File {
        /// Which one.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file is no TOML, or has other keys.
    #[error("{path}: {source}")]
    Toml {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it, and where.
        source: Box<toml::de::Error>,
    },
    /// Something in a file cannot be meant.
    #[error("{path}: {place}: {problem}; {advice}")]
    Wrong {
        /// Which file.
        path: PathBuf,
        /// Where in it.
        place: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        advice: &'static str,
    },
    /// A password has no hash.
    #[error("the password cannot be hashed: {0}")]
    Hash(String),
    /// The program failed at reading them.
    #[error(transparent)]
    Panic(#[from] latimer_panics::Panic),
}

/// A user.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct User {
    pub(crate) password: String,
    pub(crate) grants: Grants,
}

/// Users, addresses and keys that were read and checked.
#[derive(Debug, PartialEq)]
pub struct UsersFile {
    pub(crate) users: BTreeMap<String, User>,
    pub(crate) addresses: Vec<(IpNet, Vec<Grant>)>,
    pub(crate) keys: Vec<Key>,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
#[derive(Default)]
struct Tables {
    user: Vec<UserTable>,
    address: Vec<AddressTable>,
    key: Vec<KeyTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UserTable {
    name: String,
    password: String,
    grants: Vec<GrantText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AddressTable {
    network: String,
    grants: Vec<GrantText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyTable {
    algorithm: Algorithm,
    file: PathBuf,
    audience: Option<String>,
    issuer: Option<String>,
    #[serde(default = "longest_days")]
    max_days: u32,
}

/// A hundred years: more is no date that anybody means.
const fn longest_days() -> u32 {
    36_525
}

impl UsersFile {
    /// Reads and checks a file, and the keys that it names.
    pub fn read(path: &Path, dialects: &[&str]) -> Result<Self, AccessError> {
        let file = |path: &Path| {
            let path = path.to_owned();
            move |source| AccessError::File { path, source }
        };
        let bytes = std::fs::metadata(path).map_err(file(path))?.len();
        if bytes > USERS_FILE_MAX_BYTES {
            return Err(AccessError::Wrong {
                path: path.to_owned(),
                place: "the file".to_owned(),
                problem: format!("it has {bytes} bytes"),
                advice: "16 MiB are the most",
            });
        }
        let text = std::fs::read_to_string(path).map_err(file(path))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(path, &text, dialects, |key| {
            let key = folder.join(key);
            std::fs::read(&key).map_err(file(&key))
        })
    }

    pub(crate) fn parse(
        path: &Path,
        text: &str,
        dialects: &[&str],
        read_key: impl Fn(&Path) -> Result<Vec<u8>, AccessError>,
    ) -> Result<Self, AccessError> {
        let Tables { user, address, key } = toml::from_str(text)
            .map_err(|error| AccessError::Toml { path: path.to_owned(), source: Box::new(error) })?;
        let wrong = |place: String, problem: String, advice| AccessError::Wrong {
            path: path.to_owned(),
            place,
            problem,
            advice,
        };
        let grants = |place: &str, texts: Vec<GrantText>| {
            let grants = texts.iter().enumerate().map(|(i, text)| {
                let place = format!("{place}.grants[{i}]");
                if let Some(other) = text.dialects.iter().find(|it| !dialects.contains(&it.as_str())) {
                    let problem = format!("{other:?} is no dialect; there are {}", dialects.join(", "));
                    return Err(wrong(
                        format!("{place}.dialects"),
                        problem,
                        "write some of them, or leave it out",
                    ));
                }
                text.read().map_err(|(problem, advice)| wrong(place, problem, advice))
            });
            grants.collect::<Result<Vec<Grant>, _>>()
        };
        let mut users = BTreeMap::new();
        for (i, UserTable { name, password, grants: texts }) in user.into_iter().enumerate() {
            let place = format!("user[{i}]");
            if name.is_empty() || name.parse::<IpAddr>().is_ok() || name.contains([':', ' ']) {
                let problem = format!("{name:?} is no name of a user");
                return Err(wrong(format!("{place}.name"), problem, "write one without a colon or a space"));
            }
            if PasswordHash::new(&password).is_err() {
                let problem = "it is no argon2 hash".to_owned();
                return Err(wrong(
                    format!("{place}.password"),
                    problem,
                    "write what `latimer user NAME` prints",
                ));
            }
            let user = User { password, grants: Grants::new(grants(&place, texts)?) };
            if users.insert(name.clone(), user).is_some() {
                return Err(wrong(
                    format!("{place}.name"),
                    format!("{name:?} is there twice"),
                    "keep one of them",
                ));
            }
        }
        let mut addresses = Vec::new();
        for (i, AddressTable { network, grants: texts }) in address.into_iter().enumerate() {
            let place = format!("address[{i}]");
            let read =
                network.parse::<IpNet>().ok().or_else(|| network.parse::<IpAddr>().ok().map(IpNet::from));
            let Some(read) = read else {
                let problem = format!("{network:?} is no network");
                return Err(wrong(
                    format!("{place}.network"),
                    problem,
                    "write such as 192.168.1.0/24 or 127.0.0.1",
                ));
            };
            addresses.push((read, grants(&place, texts)?));
        }
        let mut keys = Vec::new();
        for (i, KeyTable { algorithm, file, audience, issuer, max_days }) in key.into_iter().enumerate() {
            let bytes = read_key(&file)?;
            let longest = Duration::from_secs(u64::from(max_days) * 86_400);
            let read = Key::new(algorithm, &bytes, Terms { audience, issuer, longest }).map_err(
                |(problem, advice)| wrong(format!("key[{i}], {}", file.display()), problem, advice),
            )?;
            keys.push(read);
        }
        Ok(Self { users, addresses, keys })
    }

    /// What clients of an address may do that show nothing: all that its networks have.
    pub(crate) fn grants_of(&self, address: IpAddr) -> Grants {
        let networks = self.addresses.iter().filter(|(network, _)| network.contains(&address));
        Grants::new(networks.flat_map(|(_, grants)| grants.iter().cloned()).collect())
    }
}

impl GrantText {
    /// What it means; else what is wrong with it, and what to do.
    pub fn read(&self) -> Result<Grant, (String, &'static str)> {
        let role = self.role.role();
        let select: Selection = self
            .select
            .parse()
            .map_err(|error: SelectionError| (error.to_string(), "write robots, such as \"pera-*\""))?;
        if role > Role::See && !select.is_of_whole_robots() {
            let problem = format!("{} is of kinds, and who commands a robot commands all of it", self.select);
            return Err((problem, "write robots, such as \"pera-*\""));
        }
        Ok(Grant { role, select, dialects: self.dialects.clone() })
    }
}
