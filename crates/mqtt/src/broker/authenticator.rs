//! Authentication of clients, and the rate limit of their publications.

use std::collections::HashMap;
use std::future::ready;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

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

/// The users, and the login of the gateway's own links.
pub(super) struct Authenticator {
    users: HashMap<String, String>,
    gateway: (String, String),
    rate_limit: Arc<RateLimit<String>>,
    sessions: Arc<Sessions>,
    clock: Clock,
}

impl Authenticator {
    pub(super) fn new(config: &BrokerConfig, sessions: Arc<Sessions>) -> Self {
        let users = config.users.iter().map(|user| (user.name.clone(), user.password.clone())).collect();
        let secret = || format!("{:032x}", rand::random::<u128>());
        let clock = Clock::system();
        let rate_limit = Arc::new(RateLimit::new(clock, config.limits.max_rate, "broker.limits.max_rate"));
        Self { users, gateway: (format!("{OWN_LOGIN}{}", secret()), secret()), rate_limit, sessions, clock }
    }

    /// User and password of the gateway's own links; random, and kept in memory only.
    pub(super) fn gateway_login(&self) -> (String, String) {
        self.gateway.clone()
    }

    /// The rate limit of all clients.
    pub(super) fn rate_limit(&self) -> Arc<RateLimit<String>> {
        self.rate_limit.clone()
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

/// Compares in constant time.
fn is_same(known: &[u8], given: &[u8]) -> bool {
    let differences = known.iter().zip(given).fold(0, |all, (a, b)| all | (a ^ b));
    known.len() == given.len() && std::hint::black_box(differences) == 0
}

impl AuthProvider for Authenticator {
    fn authenticate<'a>(
        &'a self,
        connect: &'a ConnectPacket,
        _: SocketAddr,
    ) -> Boxed<'a, Result<AuthResult>> {
        let user = connect.username.as_deref();
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

    /// Allows every topic, after the delay of the rate limit; the library reads nothing more of this client meanwhile.
    fn authorize_publish<'a>(&'a self, client: &str, user: Option<&'a str>, _: &'a str) -> Boxed<'a, bool> {
        if user == Some(self.gateway.0.as_str()) {
            return Box::pin(ready(true));
        }
        match self.rate_limit.wait(client) {
            None => Box::pin(ready(true)),
            Some(wait) => Box::pin(async move {
                self.clock.sleep(wait).await;
                true
            }),
        }
    }

    /// Allows every filter for which there is memory.
    fn authorize_subscribe<'a>(
        &'a self,
        client: &str,
        user: Option<&'a str>,
        filter: &'a str,
    ) -> Boxed<'a, bool> {
        let is_own = user == Some(self.gateway.0.as_str());
        Box::pin(ready(is_own || self.sessions.has_room_for_filter(client, filter)))
    }
}
