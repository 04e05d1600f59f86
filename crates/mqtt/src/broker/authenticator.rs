//! Authentication of clients, what they may publish and subscribe to, and the rate limit of their publications.
//!
//! A gateway with users has one authority for all its ports, which is asked here with the name and password of a client, or
//! with its address. A password that is a token counts as one, whatever the name.

use std::collections::HashMap;
use std::future::ready;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_core::access::{Caller, Credential, Gate, NotLetIn};
use latimer_core::{BrokerAddress, Clock, RateLimit};
use mqtt5::Result;
use mqtt5::broker::auth::{AuthProvider, AuthResult};
use mqtt5::packet::connect::ConnectPacket;
use mqtt5::types::{ReasonCode, WillMessage};

use super::BrokerConfig;
use super::sessions::Sessions;

/// Prefix of the gateway's own user name.
const OWN_LOGIN: &str = "latimer-within-";

/// Whether an address has the gateway's own login at the broker within.
pub(crate) fn is_own(address: &BrokerAddress) -> bool {
    address.login.as_ref().is_some_and(|(user, _)| user.starts_with(OWN_LOGIN))
}

/// A future of the type that the broker's library expects.
type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

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

/// Where clients come from that reach the broker through a port of this gateway, by the address of the connection within.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins(Arc<Mutex<HashMap<SocketAddr, IpAddr>>>);

/// A client that comes through a port of this gateway.
pub(super) struct FromElsewhere {
    origins: Origins,
    within: SocketAddr,
}

impl Origins {
    /// Remembers where a client comes from, as long as the value lives; before anything is written to the broker.
    pub(super) fn note(&self, within: SocketAddr, from: IpAddr) -> FromElsewhere {
        self.all().insert(within, from);
        FromElsewhere { origins: self.clone(), within }
    }

    fn of(&self, peer: SocketAddr) -> IpAddr {
        self.all().get(&peer).copied().unwrap_or(peer.ip())
    }

    fn all(&self) -> MutexGuard<'_, HashMap<SocketAddr, IpAddr>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for FromElsewhere {
    fn drop(&mut self) {
        self.origins.all().remove(&self.within);
    }
}

/// The users, and the login of the gateway's own links.
pub(super) struct Authenticator {
    users: HashMap<String, String>,
    gateway: (String, String),
    rate_limit: Arc<RateLimit<String>>,
    sessions: Arc<Sessions>,
    clock: Clock,
    /// The gateway's users, if it has some.
    access: Option<Users>,
    /// Its clients, by the names that the library has for them.
    callers: Mutex<HashMap<String, Caller>>,
    origins: Origins,
}

/// Clients' names that are kept; those that are in are always.
const MANY: usize = 4_096;

impl Authenticator {
    pub(super) fn new(config: &BrokerConfig, sessions: Arc<Sessions>, access: Option<Users>) -> Self {
        let users = config.users.iter().map(|user| (user.name.clone(), user.password.clone())).collect();
        let secret = || format!("{:032x}", rand::random::<u128>());
        let clock = Clock::system();
        let rate_limit = Arc::new(RateLimit::new(clock, config.limits.max_rate, "broker.limits.max_rate"));
        let gateway = (format!("{OWN_LOGIN}{}", secret()), secret());
        let (callers, origins) = (Mutex::default(), Origins::default());
        Self { users, gateway, rate_limit, sessions, clock, access, callers, origins }
    }

    /// User and password of the gateway's own links; random, and kept in memory only.
    pub(super) fn gateway_login(&self) -> (String, String) {
        self.gateway.clone()
    }

    /// The rate limit of all clients.
    pub(super) fn rate_limit(&self) -> Arc<RateLimit<String>> {
        self.rate_limit.clone()
    }

    /// Where clients come from that reach it through other ports.
    pub(super) fn origins(&self) -> Origins {
        self.origins.clone()
    }

    fn is_gateway(&self, user: Option<&str>) -> bool {
        user == Some(self.gateway.0.as_str())
    }

    /// Lets a client of a gateway with users in.
    async fn enter(&self, access: &Users, connect: &ConnectPacket, peer: SocketAddr) -> AuthResult {
        let address = self.origins.of(peer);
        let password = connect.password.as_deref();
        let token = password.and_then(|it| std::str::from_utf8(it).ok()).filter(|it| is_token(it));
        let shown = match (token, &connect.username, password) {
            (Some(token), ..) => Some(Credential::Token(token)),
            (None, Some(user), Some(password)) => Some(Credential::Password { user, password }),
            _ => None,
        };
        let caller = match access.gate.enter(address, shown).await {
            Ok(caller) => caller,
            Err(NotLetIn::Later(_)) => return AuthResult::fail(ReasonCode::ConnectionRateExceeded),
            Err(NotLetIn::Nothing | NotLetIn::Wrong) => {
                return AuthResult::fail(ReasonCode::BadUsernameOrPassword);
            }
        };
        let will = connect.will.as_ref();
        if will.is_some_and(|will| !access.topics.may_publish(&caller, &will.topic)) {
            return AuthResult::fail(ReasonCode::NotAuthorized);
        }
        // Two tokens of one name may allow different things.
        let name = match token {
            Some(token) => {
                let mut hasher = DefaultHasher::new();
                token.hash(&mut hasher);
                format!("{}#{:016x}", caller.name(), hasher.finish())
            }
            None => caller.name().to_string(),
        };
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        if callers.len() >= MANY {
            callers.retain(|_, caller| caller.is_held());
        }
        callers.insert(name.clone(), caller);
        AuthResult::success_with_user(name)
    }

    /// Whether a client may do something, if the gateway has users.
    fn may(&self, user: Option<&str>, may: impl Fn(&Users, &Caller) -> bool) -> bool {
        let Some(access) = &self.access else { return true };
        let callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        let caller = user.and_then(|user| callers.get(user)).cloned();
        drop(callers);
        caller.is_some_and(|caller| may(access, &caller))
    }

    fn is_allowed(&self, user: Option<&str>, password: Option<&[u8]>) -> bool {
        let known = match user {
            Some(user) if user == self.gateway.0 => Some(&self.gateway.1),
            _ if self.users.is_empty() => return true,
            Some(user) => self.users.get(user),
            None => None,
        };
        known.zip(password).is_some_and(|(known, given)| is_same(known.as_bytes(), given))
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

impl AuthProvider for Authenticator {
    fn authenticate<'a>(
        &'a self,
        connect: &'a ConnectPacket,
        peer: SocketAddr,
    ) -> Boxed<'a, Result<AuthResult>> {
        let user = connect.username.as_deref();
        if let Some(access) = self.access.as_ref().filter(|_| !self.is_gateway(user)) {
            let full = connect.will.as_ref().is_some_and(|will| {
                !self.sessions.has_room_for_will(&connect.client_id, &will.topic, will.payload.len())
            });
            return Box::pin(async move {
                Ok(match full {
                    true => AuthResult::fail(ReasonCode::QuotaExceeded),
                    false => self.enter(access, connect, peer).await,
                })
            });
        }
        let has_room = |will: &WillMessage| {
            self.sessions.has_room_for_will(&connect.client_id, &will.topic, will.payload.len())
        };
        let answer = if self.is_allowed(user, connect.password.as_deref()) {
            match user {
                _ if !connect.will.as_ref().is_none_or(has_room) => {
                    AuthResult::fail(ReasonCode::QuotaExceeded)
                }
                Some(user) => AuthResult::success_with_user(user.to_owned()),
                None => AuthResult::success(),
            }
        } else {
            AuthResult::fail(ReasonCode::BadUsernameOrPassword)
        };
        Box::pin(ready(Ok(answer)))
    }

    /// Allows topics after the delay of the rate limit; the library reads nothing more of this client meanwhile.
    fn authorize_publish<'a>(
        &'a self,
        client: &str,
        user: Option<&'a str>,
        topic: &'a str,
    ) -> Boxed<'a, bool> {
        if self.is_gateway(user) {
            return Box::pin(ready(true));
        }
        let may = self.may(user, |access, caller| access.topics.may_publish(caller, topic));
        match self.rate_limit.wait(client) {
            None => Box::pin(ready(may)),
            Some(wait) => Box::pin(async move {
                self.clock.sleep(wait).await;
                may
            }),
        }
    }

    /// Allows filters for which there is memory.
    fn authorize_subscribe<'a>(
        &'a self,
        client: &str,
        user: Option<&'a str>,
        filter: &'a str,
    ) -> Boxed<'a, bool> {
        let may = || self.may(user, |access, caller| access.topics.may_subscribe(caller, filter));
        let allowed = self.is_gateway(user) || (may() && self.sessions.has_room_for_filter(client, filter));
        Box::pin(ready(allowed))
    }
}
