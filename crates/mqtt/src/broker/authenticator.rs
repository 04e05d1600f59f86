//! Authentication of clients, and what they may publish and subscribe to.
//!
//! A gateway with users has one authority for all its ports, which is asked here with the name and password of a client, or
//! with its address. A password that is a token counts as one, whatever the name.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use latimer_core::BrokerAddress;
use latimer_core::access::{Caller, Credential, Gate, NotLetIn};

use super::BrokerConfig;
use super::wire::{Connect, Reason};

/// Prefix of the gateway's own user name.
const OWN_LOGIN: &str = "latimer-within-";

/// Whether an address has the gateway's own login at the broker within.
pub(crate) fn is_own(address: &BrokerAddress) -> bool {
    address.login.as_ref().is_some_and(|(user, _)| user.starts_with(OWN_LOGIN))
}

/// Which roles topics need, for a broker whose gateway has users.
pub trait TopicRoles: Send + Sync {
    /// Whether a client may publish to a topic.
    fn may_publish(&self, caller: &Caller, topic: &str) -> bool;

    /// Whether a client may see all that a filter matches.
    fn may_subscribe(&self, caller: &Caller, filter: &str) -> bool;
}

/// The users of the gateway.
#[derive(Clone)]
pub struct Users {
    /// Who is let in.
    pub gate: Arc<dyn Gate>,
    /// What they may do.
    pub topics: Arc<dyn TopicRoles>,
}

/// A client that is let in.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    /// The user to whom its session belongs; `None` if anybody may connect.
    pub(super) owner: Option<Arc<str>>,
    /// A link of the gateway itself.
    pub(super) is_own: bool,
    /// What it may do, if the gateway has users.
    caller: Option<Caller>,
}

impl Identity {
    /// Who was let in, if the gateway has users.
    pub(super) const fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }
}

/// The users, and the login of the gateway's own links.
pub(super) struct Authenticator {
    users: HashMap<String, String>,
    gateway: (String, String),
    /// The gateway's users, if it has some.
    access: Option<Users>,
}

impl Authenticator {
    pub(super) fn new(config: &BrokerConfig, access: Option<Users>) -> Self {
        let users = config.users.iter().map(|user| (user.name.clone(), user.password.clone())).collect();
        let secret = || format!("{:032x}", rand::random::<u128>());
        let gateway = (format!("{OWN_LOGIN}{}", secret()), secret());
        Self { users, gateway, access }
    }

    /// User and password of the gateway's own links; random, and kept in memory only.
    pub(super) fn gateway_login(&self) -> (String, String) {
        self.gateway.clone()
    }

    /// Lets a client in, or refuses it.
    pub(super) async fn enter(&self, connect: &Connect, peer: IpAddr) -> Result<Identity, Reason> {
        let (user, password) = (connect.user.as_deref(), connect.password.as_deref());
        if user == Some(self.gateway.0.as_str()) {
            return match password.is_some_and(|given| is_same(self.gateway.1.as_bytes(), given)) {
                true => Ok(Identity { owner: user.map(Arc::from), is_own: true, caller: None }),
                false => Err(Reason::BAD_USER_NAME_OR_PASSWORD),
            };
        }
        if let Some(access) = &self.access {
            return self.enter_users(access, connect, peer).await;
        }
        if self.users.is_empty() {
            return Ok(Identity { owner: None, is_own: false, caller: None });
        }
        let known = user.and_then(|user| self.users.get(user)).zip(password);
        match known.is_some_and(|(known, given)| is_same(known.as_bytes(), given)) {
            true => Ok(Identity { owner: user.map(Arc::from), is_own: false, caller: None }),
            false => Err(Reason::BAD_USER_NAME_OR_PASSWORD),
        }
    }

    async fn enter_users(&self, access: &Users, connect: &Connect, peer: IpAddr) -> Result<Identity, Reason> {
        let password = connect.password.as_deref();
        let token = password.and_then(|it| std::str::from_utf8(it).ok()).filter(|it| is_token(it));
        let shown = match (token, &connect.user, password) {
            (Some(token), ..) => Some(Credential::Token(token)),
            (None, Some(user), Some(password)) => Some(Credential::Password { user, password }),
            _ => None,
        };
        let caller = access.gate.enter(peer, shown).await.map_err(|refusal| match refusal {
            NotLetIn::Later(_) => Reason::CONNECTION_RATE_EXCEEDED,
            NotLetIn::Fault => Reason::SERVER_UNAVAILABLE,
            NotLetIn::Nothing | NotLetIn::Wrong => Reason::BAD_USER_NAME_OR_PASSWORD,
        })?;
        let will = connect.will.as_ref();
        if will.is_some_and(|will| !access.topics.may_publish(&caller, &will.topic)) {
            return Err(Reason::NOT_AUTHORIZED);
        }
        Ok(Identity { owner: Some(caller.name().clone()), is_own: false, caller: Some(caller) })
    }

    /// Whether a client may publish to a topic.
    pub(super) fn may_publish(&self, identity: &Identity, topic: &str) -> bool {
        self.may(identity, |access, caller| access.topics.may_publish(caller, topic))
    }

    /// Whether a client may see all that a filter matches.
    pub(super) fn may_subscribe(&self, identity: &Identity, filter: &str) -> bool {
        self.may(identity, |access, caller| access.topics.may_subscribe(caller, filter))
    }

    fn may(&self, identity: &Identity, may: impl Fn(&Users, &Caller) -> bool) -> bool {
        let Some(access) = self.access.as_ref().filter(|_| !identity.is_own) else { return true };
        identity.caller.as_ref().is_some_and(|caller| may(access, caller))
    }
}

/// Whether a password is a token: of a login, or signed.
fn is_token(password: &str) -> bool {
    password.starts_with("latimer-") || (password.starts_with("eyJ") && password.matches('.').count() == 2)
}

/// Compares in constant time.
fn is_same(known: &[u8], given: &[u8]) -> bool {
    let differences = known.iter().zip(given).fold(0, |all, (a, b)| all | (a ^ b));
    known.len() == given.len() && std::hint::black_box(differences) == 0
}
