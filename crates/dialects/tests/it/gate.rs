//! Users of a gateway that a test plays: each shows its name as its token.

use std::net::IpAddr;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use latimer_core::access::{Caller, Credential, Gate, Grant, Grants, NotLetIn, Role};
use latimer_dialects::listen::Ports;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::rig::Socket;

/// The users.
#[derive(Clone, Debug)]
pub(crate) struct Users(Arc<Vec<Caller>>);

impl Users {
    /// Each with the roles that it has for selections.
    pub(crate) fn new(users: &[(&str, &[(Role, &str)])]) -> Self {
        let caller = |(name, roles): &(&str, &[(Role, &str)])| Caller::new(*name, grants(roles));
        Self(Arc::new(users.iter().map(caller).collect()))
    }

    /// A user by its name.
    pub(crate) fn get(&self, name: &str) -> &Caller {
        self.0.iter().find(|it| **it.name() == *name).expect("there is such a user")
    }

    fn known(&self, shown: Option<Credential<'_>>) -> Result<Caller, NotLetIn> {
        match shown {
            Some(Credential::Token(name)) => Ok(self.get(name).clone()),
            _ => Err(NotLetIn::Nothing),
        }
    }

    /// Ports that let them in; who is called `late` has to wait after attempts that failed.
    pub(crate) fn ports(&self) -> Ports {
        Ports::default().with_gate(Some(Arc::new(self.clone())))
    }
}

pub(crate) fn grants(roles: &[(Role, &str)]) -> Grants {
    let grant = |(role, select): &(Role, &str)| Grant {
        role: *role,
        select: select.parse().unwrap(),
        dialects: vec![],
    };
    Grants::new(roles.iter().map(grant).collect())
}

impl Gate for Users {
    fn enter<'a>(
        &'a self,
        _: IpAddr,
        shown: Option<Credential<'a>>,
    ) -> BoxFuture<'a, Result<Caller, NotLetIn>> {
        Box::pin(async move {
            match shown {
                Some(Credential::Token("late")) => Err(NotLetIn::Later(60)),
                shown => self.known(shown),
            }
        })
    }

    fn enter_to_stop<'a>(
        &'a self,
        _: IpAddr,
        shown: Option<Credential<'a>>,
    ) -> BoxFuture<'a, Result<Caller, NotLetIn>> {
        Box::pin(async move { self.known(shown) })
    }

    fn is_login(&self, _: &str) -> bool {
        false
    }

    fn of_address(&self, address: IpAddr) -> Caller {
        Caller::new(address.to_string(), Grants::default())
    }
}

/// The socket of a user at `host:port/path`.
pub(crate) async fn socket(user: &str, address: &str) -> Socket {
    let mut request = format!("ws://{address}").into_client_request().unwrap();
    request.headers_mut().insert("authorization", format!("Bearer {user}").parse().unwrap());
    Socket::open(request).await
}
