//! What a client may see and command: roles over selections of robots and kinds.
//!
//! ```text
//! credentials ──Gate──▶ Caller ──┬─▶ Author::of  ──▶ Hub::driver: drive, per robot
//!  (a password, a token,         ├─▶ Hub::seen_by ──▶ lists, last values and sinks: see, per key
//!   an address)                  └─▶ a port's own check: see, drive or admin, per robot
//! ```
//!
//! Without users in the config nobody has a [`Caller`], and everybody who reaches a port may do everything. With users, each
//! port asks the gateway's [`Gate`] once, and what the caller may do is asked of [`Caller`] alone. Its grants can change
//! while it is connected.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::key_expression::{Key, KeyExpression};
use arc_swap::ArcSwap;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::hub::Selection;
use crate::model::RobotId;

/// What a client may do with what a grant selects. Each role may do what those before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// It reads.
    See,
    /// It commands robots.
    Drive,
    /// It changes the simulated world and the gateway.
    Admin,
}

impl Role {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::See, Self::Drive, Self::Admin];

    /// The word in configs and tokens.
    pub const fn word(self) -> &'static str {
        match self {
            Self::See => "see",
            Self::Drive => "drive",
            Self::Admin => "admin",
        }
    }
}

/// A role for some robots.
#[derive(Clone, Debug, PartialEq)]
pub struct Grant {
    /// What may be done.
    pub role: Role,
    /// With which robots and, for [`Role::See`], which kinds.
    pub select: Selection,
    /// Through which dialects, `api` for the gateway's own API; all if empty.
    pub dialects: Vec<String>,
}

/// What one client may do; an empty list is nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grants(Vec<Grant>);

impl Grants {
    /// Those of a user.
    pub fn new(grants: Vec<Grant>) -> Self {
        Self(grants)
    }

    fn of(&self, role: Role, dialect: &str) -> impl Iterator<Item = &Grant> {
        let through = move |grant: &&Grant| {
            grant.role >= role && (grant.dialects.is_empty() || grant.dialects.iter().any(|it| it == dialect))
        };
        self.0.iter().filter(through)
    }
}

/// A client that was let in, and what it may do. Clones are the same client.
///
/// ```
/// use latimer_core::access::{Caller, Grant, Grants, Role};
/// use latimer_core::{Author, Clock, Hub, RobotId};
///
/// let robot: RobotId = "rover-1".parse()?;
/// let grant = Grant { role: Role::See, select: "rover-*/battery".parse()?, dialects: Vec::new() };
/// let ada = Author::of("api", &Caller::new("ada", Grants::new(vec![grant])));
/// assert!(!ada.may(Role::Drive, &robot));
/// let hub = Hub::new(Clock::system()).seen_by(&ada);
/// assert!(hub.shows_kind(&robot, latimer_core::model::Kind::Battery));
/// assert!(!hub.shows_kind(&robot, latimer_core::model::Kind::Pose));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Caller {
    inner: Arc<Inner>,
    /// The end of the login by which it came, if it came by one.
    login: Option<CancellationToken>,
}

struct Inner {
    name: Arc<str>,
    grants: ArcSwap<Grants>,
    changes: watch::Sender<()>,
    ended: CancellationToken,
}

impl Caller {
    /// A client by the name of its user or, without one, its address.
    pub fn new(name: impl Into<Arc<str>>, grants: Grants) -> Self {
        let ended = CancellationToken::new();
        let (grants, changes) = (ArcSwap::from_pointee(grants), watch::Sender::new(()));
        let inner = Inner { name: name.into(), grants, changes, ended };
        Self { inner: Arc::new(inner), login: None }
    }

    /// The same by a login, with which it ends.
    #[must_use]
    pub fn by_login(&self, login: CancellationToken) -> Self {
        Self { inner: self.inner.clone(), login: Some(login) }
    }

    /// Its user, if it is one: others are called by their address.
    pub fn user(&self) -> Option<&Arc<str>> {
        Some(self.name()).filter(|name| name.parse::<IpAddr>().is_err())
    }

    /// Its user, or its address.
    pub fn name(&self) -> &Arc<str> {
        &self.inner.name
    }

    /// Changes what it may do from now on, also for what is connected.
    pub fn set_grants(&self, grants: Grants) {
        if **self.inner.grants.load() != grants {
            self.inner.grants.store(Arc::new(grants));
            self.inner.changes.send_replace(());
        }
    }

    /// Changes of what it may do from now on, for what asked once and goes on.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.inner.changes.subscribe()
    }

    /// Ends what it has connected, and lets it do nothing any more: its user is gone, its password has changed, or its token is over.
    pub fn end(&self) {
        self.set_grants(Grants::default());
        self.inner.ended.cancel();
    }

    /// Waits for [`Self::end`], or the end of its login, which closes its connections.
    pub async fn ended(&self) {
        match &self.login {
            Some(login) => tokio::select! {
                () = self.inner.ended.cancelled() => {}
                () = login.cancelled() => {}
            },
            None => self.inner.ended.cancelled().await,
        }
    }

    /// Whether it has ended.
    pub fn is_ended(&self) -> bool {
        self.inner.ended.is_cancelled() || self.login.as_ref().is_some_and(CancellationToken::is_cancelled)
    }

    /// Whether anybody else has it.
    pub fn is_held(&self) -> bool {
        Arc::strong_count(&self.inner) > 1
    }

    /// What it may do at the moment; another pointer after a change.
    pub(crate) fn grants(&self) -> Arc<Grants> {
        self.inner.grants.load_full()
    }

    /// Whether it may see what is published at a key.
    pub(crate) fn sees(&self, dialect: &str, key: Key<'_>) -> bool {
        self.inner.grants.load().of(Role::See, dialect).any(|grant| grant.select.includes(key))
    }

    /// Whether it may know that a robot is there: it sees something of it.
    pub fn knows(&self, dialect: &str, robot: &RobotId) -> bool {
        below(robot.as_str()).is_some_and(|below| self.sees_below(dialect, below.as_key()))
    }

    /// Whether it has a role for all of a robot.
    pub fn may(&self, role: Role, dialect: &str, robot: &RobotId) -> bool {
        below(robot.as_str()).is_some_and(|below| self.may_all(role, dialect, below.as_key()))
    }

    /// Whether it has a role for every robot, those that may come included.
    pub fn may_everywhere(&self, role: Role, dialect: &str) -> bool {
        below("*").is_some_and(|below| self.may_all(role, dialect, below.as_key()))
    }

    /// Whether it may do anything at all.
    pub fn may_anything(&self) -> bool {
        !self.inner.grants.load().0.is_empty()
    }

    /// Whether it has a role for any robot.
    pub fn may_somewhere(&self, role: Role, dialect: &str) -> bool {
        self.inner.grants.load().of(role, dialect).next().is_some()
    }

    /// Whether it may see anything below a key expression.
    pub(crate) fn sees_below(&self, dialect: &str, below: Key<'_>) -> bool {
        self.inner.grants.load().of(Role::See, dialect).any(|grant| grant.select.touches(below))
    }

    /// Whether it sees whole robots, and of none a few kinds.
    pub(crate) fn sees_whole_robots(&self, dialect: &str) -> bool {
        self.inner.grants.load().of(Role::See, dialect).all(|grant| grant.select.is_of_whole_robots())
    }

    fn may_all(&self, role: Role, dialect: &str, below: Key<'_>) -> bool {
        self.inner.grants.load().of(role, dialect).any(|grant| grant.select.includes(below))
    }
}

fn below(robot: &str) -> Option<KeyExpression> {
    KeyExpression::new(format!("{robot}/**")).ok()
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Caller").field(&self.inner.name).finish()
    }
}

/// What a client shows to prove who it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Credential<'a> {
    /// A user's name and password.
    Password {
        /// Its name.
        user: &'a str,
        /// Its password, in plain text.
        password: &'a [u8],
    },
    /// A signed token, or one that a login gave.
    Token(&'a str),
}

impl fmt::Debug for Credential<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Password { user, .. } => {
                f.debug_struct("Password").field("user", user).finish_non_exhaustive()
            }
            Self::Token(_) => f.write_str("Token"),
        }
    }
}

/// Why a client is not let in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotLetIn {
    /// It shows nothing, and its address has no grants.
    #[error("this gateway has users; come with a password or a token")]
    Nothing,
    /// What it shows is wrong; which part of it is not told.
    #[error("the user is not known here, or the password or token is wrong or over")]
    Wrong,
    /// It has tried so often that its next attempt has to wait.
    #[error("too many attempts that failed came from your address; try again in {0} s")]
    Later(u64),
    /// Its password could not be checked.
    #[error("the password cannot be checked because of a fault in the gateway, which its log has")]
    Fault,
}

/// Who is let in: the one authority that every port asks.
pub trait Gate: fmt::Debug + Send + Sync {
    /// The client that comes from an address with a credential, or with none.
    fn enter<'a>(
        &'a self,
        address: IpAddr,
        shown: Option<Credential<'a>>,
    ) -> BoxFuture<'a, Result<Caller, NotLetIn>>;

    /// The same of a client that comes to stop a robot: what failed of its other attempts does not make it wait.
    fn enter_to_stop<'a>(
        &'a self,
        address: IpAddr,
        shown: Option<Credential<'a>>,
    ) -> BoxFuture<'a, Result<Caller, NotLetIn>>;

    /// Whether a token is one that a login gave.
    fn is_login(&self, token: &str) -> bool;

    /// The client of an address that can show nothing; it may do nothing if the config has nothing for it.
    fn of_address(&self, address: IpAddr) -> Caller;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(grants: &[(Role, &str, &[&str])]) -> Caller {
        let grant = |(role, select, dialects): &(Role, &str, &[&str])| Grant {
            role: *role,
            select: select.parse().unwrap(),
            dialects: dialects.iter().map(|&it| it.to_owned()).collect(),
        };
        Caller::new("ada", Grants::new(grants.iter().map(grant).collect()))
    }

    fn sees(caller: &Caller, key: &str) -> bool {
        caller.sees("api", Key::new(key).unwrap())
    }

    #[test]
    fn grants_are_by_role_robot_dialect_and_kind() {
        let (one, two): (RobotId, RobotId) = ("rover-1".parse().unwrap(), "cart-1".parse().unwrap());
        let ada = caller(&[(Role::Drive, "rover-*", &[]), (Role::See, "*/battery", &["api"])]);
        assert!(ada.may(Role::See, "test", &one) && ada.may(Role::Drive, "test", &one));
        assert!(!ada.may(Role::Admin, "test", &one) && !ada.may(Role::See, "api", &two));
        assert!(ada.knows("api", &two) && !ada.knows("test", &two));
        assert!(sees(&ada, "rover-1/pose") && sees(&ada, "cart-1/battery") && !sees(&ada, "cart-1/pose"));
        assert!(ada.may_somewhere(Role::Drive, "api") && !ada.may_everywhere(Role::See, "api"));
        assert!(caller(&[(Role::Admin, "*", &[])]).may_everywhere(Role::See, "api"));
        assert!(caller(&[(Role::See, "**", &[])]).may_everywhere(Role::See, "api"));
        let changes = ada.changes();
        ada.clone().set_grants(Grants::default());
        assert!(changes.has_changed().unwrap());
        assert!(!ada.knows("api", &one) && !sees(&ada, "rover-1/pose"));
    }
}
