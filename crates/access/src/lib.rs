//! Who may use a gateway: users with passwords, signed tokens, and addresses, at one authority that every port asks.
//!
//! ```text
//! port ──address, credential──▶ Access::enter ──┬─ proven lately: the same caller at once
//!                                               ├─ a token of a login or signed by a key of the file
//!                                               ├─ a user's password, by argon2, beside the workers, two at a time
//!                                               └─ wrong: counted by address; the next attempts wait ever longer
//! users.toml ──Access::reload──▶ what each Caller may do from now on
//! ```
//!
//! What a caller may do is for [`latimer_core::access`] to say.

mod attempts;
mod file;
#[doc(hidden)]
pub mod fuzzing;
mod token;

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use argon2::Argon2;
use argon2::password_hash::rand_core::OsRng;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use latimer_core::access::{Caller, Credential, Gate, Grants, NotLetIn};
use latimer_core::{Clock, Timestamp};
use ring::hmac;
use tokio::sync::Semaphore;

use attempts::Attempts;
pub use file::{AccessError, GrantText, RoleWord, UsersFile};

/// How long a credential that was proven is taken without another proof.
const PROVEN_FOR: Duration = Duration::from_secs(10 * 60);

/// How long a login lasts.
pub const LOGIN_LASTS: Duration = Duration::from_secs(12 * 60 * 60);

/// Between two looks at the file.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Passwords that are checked at a time; each takes 19 MiB and a core.
const CHECKS: usize = 2;

/// Proven credentials and logins that are kept; of more, those that end first are forgotten.
const MOST_PROVEN: usize = 10_000;

/// Prefix of the tokens of logins; signed tokens never have it.
const LOGIN: &str = "latimer-";

/// A credential that was proven, by its keyed digest, which is all that is kept of it.
type Digest = [u8; 32];

/// Who was let in, and until when that holds.
#[derive(Debug)]
struct Proven {
    caller: Caller,
    until: Timestamp,
    /// It is the token of a login, which holds whatever becomes of the password.
    is_login: bool,
}

/// The authority of a gateway that has users.
pub struct Access {
    path: PathBuf,
    /// What a grant can name.
    dialects: Vec<&'static str>,
    clock: Clock,
    users: ArcSwap<UsersFile>,
    /// Of each user one, so that what it may do changes for all that it has connected.
    callers: Mutex<HashMap<String, Caller>>,
    proven: Mutex<HashMap<Digest, Proven>>,
    attempts: Attempts,
    checks: Semaphore,
    /// Of this process alone.
    key: hmac::Key,
    /// Of a password that nobody has, so that unknown users take as long as known ones.
    nobody: String,
}

impl Access {
    /// Reads the users, whose grants can name these dialects.
    pub fn load(path: &Path, dialects: Vec<&'static str>, clock: Clock) -> Result<Self, AccessError> {
        let users = UsersFile::read(path, &dialects)?;
        let secret: [u8; 32] = rand::random();
        Ok(Self {
            path: path.to_owned(),
            dialects,
            clock,
            users: ArcSwap::from_pointee(users),
            callers: Mutex::default(),
            proven: Mutex::default(),
            attempts: Attempts::new(clock),
            checks: Semaphore::new(CHECKS),
            key: hmac::Key::new(hmac::HMAC_SHA256, &secret),
            nobody: hash("nobody")?,
        })
    }

    /// The users' file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the users again. Who is connected may do from now on what the file says, which is nothing for those whom it
    /// names no more. An error changes nothing. Whether anything changed.
    pub fn reload(&self) -> Result<bool, AccessError> {
        let users = UsersFile::read(&self.path, &self.dialects)?;
        if users == **self.users.load() {
            return Ok(false);
        }
        let users = Arc::new(users);
        // Proven anew, since passwords and keys may have changed; logins stay.
        self.proven().retain(|_, it| it.caller_is_user(&users));
        self.users.store(users.clone());
        for (name, caller) in callers(&self.callers).iter() {
            let grants = users.users.get(name).map(|user| user.grants.clone());
            let of_address = || name.parse().ok().map(|address| users.grants_of(address));
            caller.set_grants(grants.or_else(of_address).unwrap_or_default());
        }
        Ok(true)
    }

    /// Reads the users again whenever their file has changed, until `shutdown`.
    pub async fn watch(self: Arc<Self>, shutdown: impl Future<Output = ()>) {
        tokio::pin!(shutdown);
        let mut seen = self.modified().await;
        loop {
            tokio::select! {
                () = &mut shutdown => return,
                () = self.clock.sleep(LOOK_EVERY) => {}
            }
            let now = self.modified().await;
            // An editor may be writing; it is looked at again when it was left alone since.
            if now == seen {
                continue;
            }
            seen = now;
            let access = self.clone();
            match tokio::task::spawn_blocking(move || access.reload()).await {
                Ok(Ok(true)) => tracing::info!(file = %self.path.display(), "the users were read again"),
                Ok(Ok(false)) | Err(_) => {}
                Ok(Err(error)) => {
                    tracing::error!(%error, "the users were not read again, and stay as they are")
                }
            }
        }
    }

    /// When the file, or the link to it, was written last.
    async fn modified(&self) -> Option<std::time::SystemTime> {
        tokio::fs::metadata(&self.path).await.and_then(|it| it.modified()).ok()
    }

    /// Gives a token for a name and a password, which holds for [`LOGIN_LASTS`] or until [`Self::log_out`].
    pub async fn log_in(
        &self,
        address: IpAddr,
        user: &str,
        password: &[u8],
    ) -> Result<(String, Caller), NotLetIn> {
        let caller = self.enter(address, Some(Credential::Password { user, password })).await?;
        let token = format!("{LOGIN}{:032x}{:032x}", rand::random::<u128>(), rand::random::<u128>());
        self.prove(Credential::Token(&token), caller.clone(), LOGIN_LASTS);
        Ok((token, caller))
    }

    /// Ends a login.
    pub fn log_out(&self, token: &str) {
        self.proven().remove(&self.digest(Credential::Token(token)));
    }

    /// How many attempts failed.
    pub fn failed(&self) -> u64 {
        self.attempts.failed()
    }

    fn proven(&self) -> MutexGuard<'_, HashMap<Digest, Proven>> {
        self.proven.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn digest(&self, shown: Credential<'_>) -> Digest {
        let mut context = hmac::Context::with_key(&self.key);
        match shown {
            Credential::Password { user, password } => {
                context.update(b"password");
                context.update(&user.len().to_be_bytes());
                context.update(user.as_bytes());
                context.update(password);
            }
            Credential::Token(token) => {
                context.update(b"token");
                context.update(token.as_bytes());
            }
        }
        let mut digest = Digest::default();
        digest.copy_from_slice(context.sign().as_ref());
        digest
    }

    fn prove(&self, shown: Credential<'_>, caller: Caller, lasts: Duration) {
        let is_login = matches!(shown, Credential::Token(token) if token.starts_with(LOGIN));
        let now = self.clock.now();
        let mut proven = self.proven();
        if proven.len() >= MOST_PROVEN {
            proven.retain(|_, it| now < it.until);
            if proven.len() >= MOST_PROVEN
                && let Some(first) = proven.iter().min_by_key(|(_, it)| it.until).map(|(digest, _)| *digest)
            {
                proven.remove(&first);
            }
        }
        proven.insert(self.digest(shown), Proven { caller, until: now.after(lasts), is_login });
    }

    /// The one caller of a name, with what it may do by now.
    fn caller(&self, name: &str, grants: Grants) -> Caller {
        let mut callers = callers(&self.callers);
        // Those of addresses that left.
        if callers.len() >= MOST_PROVEN {
            callers.retain(|_, caller| caller.is_held());
        }
        let caller = callers.entry(name.to_owned()).or_insert_with(|| Caller::new(name, Grants::default()));
        caller.set_grants(grants);
        caller.clone()
    }

    async fn check(&self, shown: Credential<'_>) -> Option<(Caller, Duration)> {
        let users = self.users.load_full();
        match shown {
            Credential::Password { user, password } => {
                let known = users.users.get(user);
                let (hash, password) =
                    (known.map_or(&self.nobody, |it| &it.password).clone(), password.to_owned());
                let _turn = self.checks.acquire().await.ok()?;
                let checked = tokio::task::spawn_blocking(move || is_right(&hash, &password)).await;
                let known = known.filter(|_| checked.unwrap_or(false))?;
                Some((self.caller(user, known.grants.clone()), PROVEN_FOR))
            }
            Credential::Token(token) if token.starts_with(LOGIN) => None,
            Credential::Token(token) => {
                let claims = token::verify(token, &users.keys)?;
                let lasts = claims.lasts(self.clock.now());
                let caller = match claims.grants() {
                    Some(grants) => Caller::new(claims.user(), grants),
                    None => self.caller(claims.user(), users.users.get(claims.user())?.grants.clone()),
                };
                Some((caller, lasts.min(PROVEN_FOR)))
            }
        }
    }
}

impl Proven {
    /// Whether it is of a login of a user that is there still.
    fn caller_is_user(&self, users: &UsersFile) -> bool {
        users.users.contains_key(&**self.caller.name()) && self.is_login
    }
}

fn callers(callers: &Mutex<HashMap<String, Caller>>) -> MutexGuard<'_, HashMap<String, Caller>> {
    callers.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait::async_trait]
impl Gate for Access {
    async fn enter(&self, address: IpAddr, shown: Option<Credential<'_>>) -> Result<Caller, NotLetIn> {
        let address = address.to_canonical();
        let Some(shown) = shown else {
            return Some(self.of_address(address)).filter(Caller::may_anything).ok_or(NotLetIn::Nothing);
        };
        let digest = self.digest(shown);
        let now = self.clock.now();
        if let Some(proven) = self.proven().get(&digest).filter(|it| now < it.until) {
            return Ok(proven.caller.clone());
        }
        if let Some(wait) = self.attempts.wait(address) {
            return Err(NotLetIn::Later(wait.as_secs().max(1)));
        }
        match self.check(shown).await {
            Some((caller, lasts)) => {
                self.prove(shown, caller.clone(), lasts);
                Ok(caller)
            }
            None => {
                self.attempts.count(address, shown);
                Err(NotLetIn::Wrong)
            }
        }
    }

    fn is_login(&self, token: &str) -> bool {
        token.starts_with(LOGIN)
    }

    fn of_address(&self, address: IpAddr) -> Caller {
        let address = address.to_canonical();
        let grants = self.users.load().grants_of(address);
        self.caller(&address.to_string(), grants)
    }
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The hash of a password, for the file.
pub fn hash(password: &str) -> Result<String, AccessError> {
    let salt = SaltString::generate(&mut OsRng);
    let hashed = Argon2::default().hash_password(password.as_bytes(), &salt);
    hashed.map(|hash| hash.to_string()).map_err(|error| AccessError::Hash(error.to_string()))
}

/// A number that nobody can guess.
pub fn random() -> u128 {
    rand::random()
}

fn is_right(hash: &str, password: &[u8]) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| Argon2::default().verify_password(password, &hash).is_ok())
}

#[cfg(test)]
mod tests;
