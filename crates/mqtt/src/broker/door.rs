//! Who may come in, and how fast.

use std::collections::HashMap;
use std::future::ready;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use latimer_core::{BrokerAddress, Clock};
use mqtt5::Result;
use mqtt5::broker::auth::{AuthProvider, AuthResult};
use mqtt5::packet::connect::ConnectPacket;
use mqtt5::types::ReasonCode;

use super::BrokerConfig;
use super::throttle::Throttle;

/// What the name of the gateway's own login begins with.
const OWN_LOGIN: &str = "latimer-within-";

/// Whether an address leads to a broker within, for links of its own gateway.
pub(crate) fn is_own(address: &BrokerAddress) -> bool {
    address.login.as_ref().is_some_and(|(user, _)| user.starts_with(OWN_LOGIN))
}

/// A future as the broker's library wants it.
type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Knows the users, and the gateway's own links.
pub(super) struct Door {
    users: HashMap<String, String>,
    gateway: (String, String),
    throttle: Arc<Throttle>,
    clock: Clock,
}

impl Door {
    pub(super) fn new(config: &BrokerConfig) -> Self {
        let users = config.users.iter().map(|user| (user.name.clone(), user.password.clone())).collect();
        let secret = || format!("{:032x}", rand::random::<u128>());
        let clock = Clock::system();
        let throttle = Arc::new(Throttle::new(clock, config.limits.max_rate));
        Self { users, gateway: (format!("{OWN_LOGIN}{}", secret()), secret()), throttle, clock }
    }

    /// What the gateway's own links say; nobody else knows it.
    pub(super) fn gateway_login(&self) -> (String, String) {
        self.gateway.clone()
    }

    /// How fast everybody comes in.
    pub(super) fn throttle(&self) -> Arc<Throttle> {
        self.throttle.clone()
    }

    fn lets_in(&self, user: Option<&str>, password: Option<&[u8]>) -> bool {
        let known = match user {
            Some(user) if user == self.gateway.0 => Some(&self.gateway.1),
            _ if self.users.is_empty() => return true,
            Some(user) => self.users.get(user),
            None => None,
        };
        known.zip(password).is_some_and(|(known, given)| is_same(known.as_bytes(), given))
    }
}

/// Takes as long for a wrong password as for the right one.
fn is_same(known: &[u8], given: &[u8]) -> bool {
    let differences = known.iter().zip(given).fold(0, |all, (a, b)| all | (a ^ b));
    known.len() == given.len() && std::hint::black_box(differences) == 0
}

impl AuthProvider for Door {
    fn authenticate<'a>(
        &'a self,
        connect: &'a ConnectPacket,
        _: SocketAddr,
    ) -> Boxed<'a, Result<AuthResult>> {
        let user = connect.username.as_deref();
        let answer = if self.lets_in(user, connect.password.as_deref()) {
            match user {
                Some(user) => AuthResult::success_with_user(user.to_owned()),
                None => AuthResult::success(),
            }
        } else {
            AuthResult::fail(ReasonCode::BadUsernameOrPassword)
        };
        Box::pin(ready(Ok(answer)))
    }

    /// Everybody may publish anything, in time: meanwhile nothing more is read from this client.
    fn authorize_publish<'a>(&'a self, client: &str, user: Option<&'a str>, _: &'a str) -> Boxed<'a, bool> {
        if user == Some(self.gateway.0.as_str()) {
            return Box::pin(ready(true));
        }
        match self.throttle.wait(client) {
            None => Box::pin(ready(true)),
            Some(wait) => Box::pin(async move {
                self.clock.sleep(wait).await;
                true
            }),
        }
    }

    fn authorize_subscribe<'a>(&'a self, _: &str, _: Option<&'a str>, _: &'a str) -> Boxed<'a, bool> {
        Box::pin(ready(true))
    }
}
