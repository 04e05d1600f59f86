//! Who may use a gateway: users with passwords, signed tokens, and addresses, at one authority that every port asks.
//!
//! ```text
//! port ──address, credential──▶ Access::enter ──┬─ proven lately: the same caller at once
//!                                               ├─ a token of a login or signed by a key of the file
//!                                               ├─ a user's password, by argon2, beside the workers, two at a time
//!                                               └─ wrong: counted by address and name; the next attempts wait ever longer
//! users.toml ──Access::reload──▶ what each Caller may do from now on; whose user, password or key is gone has ended
//! ```
//!
//! What a caller may do is for [`latimer_core::access`] to say.

mod attempts;
mod file;
#[doc(hidden)]
pub mod fuzzing;
mod gate;
pub mod limits;
mod token;

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use argon2::Argon2;
use argon2::password_hash::rand_core::OsRng;
use argon2::password_hash::{PasswordHasher, SaltString};
use latimer_core::access::{Caller, Credential, Gate, Grants, NotLetIn};
use latimer_core::sessions::{ClientSession, Sessions};
use latimer_core::{Clock, Timestamp};
use ring::hmac;
use tokio::sync::Semaphore;

use attempts::Attempts;
pub use file::{AccessError, GrantText, RoleWord, UsersFile};
use token::Key;

use crate::limits::LOGIN_TIME;
use crate::limits::{CONCURRENT_PASSWORD_CHECKS, MAX_CACHED_CREDENTIALS, USERS_FILE_LOOK_INTERVAL};

/// Prefix of the tokens of logins; signed tokens never have it.
const LOGIN: &str = "latimer-";

/// A credential that was proven, by its keyed digest, which is all that is kept of it.
type Digest = [u8; 32];

/// Who was let in, and until when that holds.
#[derive(Debug)]
struct Proven {
    caller: Caller,
    until: Timestamp,
    by: Proof,
}

/// What proved a credential.
#[derive(Debug)]
enum Proof {
    /// A user's password.
    Password,
    /// A login with a user's password; what came in by it ends with it.
    Login { _session: ClientSession },
    /// A key that signed a token.
    Key(Key),
}

/// The bearer of a signed token, whose connections end with it.
#[derive(Debug)]
struct Bearer {
    caller: Caller,
    until: Timestamp,
    key: Key,
    /// It may do what the user of its name may do.
    is_user: bool,
}

/// Who is known, and who came in. Under one lock, so that nobody comes in by a file that has just been replaced.
#[derive(Debug)]
struct State {
    users: Arc<UsersFile>,
    /// Of each user and address one, so that what it may do changes for all that it has connected.
    callers: HashMap<String, Caller>,
    bearers: Vec<Bearer>,
    proven: HashMap<Digest, Proven>,
}

/// The authority of a gateway that has users.
pub struct Access {
    path: PathBuf,
    /// What a grant can name.
    dialects: Vec<&'static str>,
    clock: Clock,
    sessions: Sessions,
    state: Mutex<State>,
    attempts: Attempts,
    checks: Semaphore,
    /// Of this process alone.
    key: hmac::Key,
    /// Of a password that nobody has, so that unknown users take as long as known ones.
    nobody: String,
}

impl Access {
    /// Reads the users, whose grants can name these dialects; logins are listed among the sessions.
    pub fn load(path: &Path, dialects: Vec<&'static str>, sessions: &Sessions) -> Result<Self, AccessError> {
        let clock = sessions.clock();
        let users = UsersFile::read(path, &dialects)?;
        let secret: [u8; 32] = rand::random();
        Ok(Self {
            path: path.to_owned(),
            dialects,
            clock,
            sessions: sessions.clone(),
            state: Mutex::new(State {
                users: Arc::new(users),
                callers: HashMap::new(),
                bearers: Vec::new(),
                proven: HashMap::new(),
            }),
            attempts: Attempts::new(clock),
            checks: Semaphore::new(CONCURRENT_PASSWORD_CHECKS),
            key: hmac::Key::new(hmac::HMAC_SHA256, &secret),
            nobody: hash("nobody")?,
        })
    }

    /// The users' file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the users again. Who is connected may do from now on what the file says; whose user, password or key is not there any
    /// more is disconnected, and logins of it are over. An error changes nothing. Whether anything changed.
    pub async fn reload(&self) -> Result<bool, AccessError> {
        let (path, dialects) = (self.path.clone(), self.dialects.clone());
        let read = move || UsersFile::read(&path, &dialects);
        let users = latimer_panics::blocking("reading the users' file", read).await??;
        let mut state = self.state();
        if users == *state.users {
            return Ok(false);
        }
        state.apply(Arc::new(users));
        Ok(true)
    }

    /// Reads the users again whenever their file has changed, until `shutdown`.
    pub async fn watch(self: Arc<Self>, shutdown: impl Future<Output = ()>) {
        tokio::pin!(shutdown);
        let mut seen = self.modified().await;
        loop {
            tokio::select! {
                () = &mut shutdown => return,
                () = self.clock.sleep(USERS_FILE_LOOK_INTERVAL) => {}
            }
            self.state().end_over(self.clock.now());
            let now = self.modified().await;
            // An editor may be writing; it is looked at again when it was left alone since.
            if now == seen {
                continue;
            }
            seen = now;
            match self.reload().await {
                Ok(true) => tracing::info!(file = %self.path.display(), "the users were read again"),
                Ok(false) => {}
                Err(error) => tracing::error!(%error, "the users were not read again, and stay as they are"),
            }
        }
    }

    /// When the file, or the link to it, was written last.
    async fn modified(&self) -> Option<std::time::SystemTime> {
        tokio::fs::metadata(&self.path).await.and_then(|it| it.modified()).ok()
    }

    /// Gives a token for a name and a password, which holds for [`LOGIN_TIME`] or until [`Self::log_out`].
    pub async fn log_in(
        &self,
        address: IpAddr,
        user: &str,
        password: &[u8],
    ) -> Result<(String, Caller), NotLetIn> {
        let caller = self.enter(address, Some(Credential::Password { user, password })).await?;
        let token = format!("{LOGIN}{:032x}{:032x}", rand::random::<u128>(), rand::random::<u128>());
        let digest = self.digest(Credential::Token(&token));
        let until = self.clock.now().after(LOGIN_TIME);
        let mut state = self.state();
        // The user may be gone since.
        if caller.is_ended() {
            return Err(NotLetIn::Wrong);
        }
        let login = self.sessions.login(address, &caller, until);
        let caller = caller.by_login(login.token());
        state.prove(
            digest,
            Proven { caller: caller.clone(), until, by: Proof::Login { _session: login } },
            self.clock.now(),
        );
        Ok((token, caller))
    }

    /// Ends a login, and what came in by it.
    pub fn log_out(&self, token: &str) {
        self.state().proven.remove(&self.digest(Credential::Token(token)));
    }

    /// How many attempts failed.
    pub fn failed(&self) -> u64 {
        self.attempts.failed()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
}

impl State {
    /// Takes other users.
    fn apply(&mut self, users: Arc<UsersFile>) {
        let before = std::mem::replace(&mut self.users, users);
        let users = &self.users;
        let is_same = |name: &str| {
            let password = |file: &UsersFile| file.users.get(name).map(|user| user.password.clone());
            password(users).is_some_and(|now| Some(now) == password(&before))
        };
        self.proven.retain(|_, it| match &it.by {
            Proof::Password | Proof::Login { .. } => is_same(it.caller.name()),
            Proof::Key(key) => users.keys.contains(key),
        });
        self.callers.retain(|name, caller| {
            let grants = match name.parse() {
                Ok(address) => Some(users.grants_of(address)),
                Err(_) if is_same(name) => users.users.get(name).map(|user| user.grants.clone()),
                Err(_) => None,
            };
            match grants {
                Some(grants) => caller.set_grants(grants),
                None => caller.end(),
            }
            !caller.is_ended()
        });
        self.bearers.retain(|it| {
            let grants = users.users.get(&**it.caller.name()).map(|user| user.grants.clone());
            match grants {
                _ if !users.keys.contains(&it.key) => it.caller.end(),
                None if it.is_user => it.caller.end(),
                Some(grants) if it.is_user => it.caller.set_grants(grants),
                _ => {}
            }
            !it.caller.is_ended()
        });
        self.proven.retain(|_, it| !it.caller.is_ended());
    }

    /// Ends the bearers of tokens and the logins that are over, and forgets those that are gone.
    fn end_over(&mut self, now: Timestamp) {
        self.proven.retain(|_, it| {
            !matches!(it.by, Proof::Login { .. }) || (now < it.until && !it.caller.is_ended())
        });
        self.bearers.retain(|it| {
            if it.until <= now {
                it.caller.end();
            }
            it.until > now && it.caller.is_held()
        });
    }

    fn prove(&mut self, digest: Digest, proven: Proven, now: Timestamp) {
        if self.proven.len() >= MAX_CACHED_CREDENTIALS {
            self.proven.retain(|_, it| now < it.until);
            let first = self.proven.iter().min_by_key(|(_, it)| it.until).map(|(digest, _)| *digest);
            if let Some(first) = first.filter(|_| self.proven.len() >= MAX_CACHED_CREDENTIALS) {
                self.proven.remove(&first);
            }
        }
        self.proven.insert(digest, proven);
    }

    /// The one caller of a name, with what it may do by now.
    fn caller(&mut self, name: &str, grants: Grants) -> Caller {
        // Those of addresses that left.
        if self.callers.len() >= MAX_CACHED_CREDENTIALS {
            self.callers.retain(|_, caller| caller.is_held());
        }
        let caller =
            self.callers.entry(name.to_owned()).or_insert_with(|| Caller::new(name, Grants::default()));
        caller.set_grants(grants);
        caller.clone()
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

#[cfg(test)]
mod tests;
