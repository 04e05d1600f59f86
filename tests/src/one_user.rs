//! A gateway with one user.

use std::net::IpAddr;

use futures_util::future::BoxFuture;
use latimer_core::access::{Caller, Credential, Gate, NotLetIn};

/// Lets everybody in as one user, whose roles a test changes.
#[derive(Debug)]
pub struct OneUser(pub Caller);

impl Gate for OneUser {
    fn enter<'a>(&'a self, _: IpAddr, _: Option<Credential<'a>>) -> BoxFuture<'a, Result<Caller, NotLetIn>> {
        Box::pin(async move { Ok(self.0.clone()) })
    }

    fn enter_to_stop<'a>(
        &'a self,
        _: IpAddr,
        _: Option<Credential<'a>>,
    ) -> BoxFuture<'a, Result<Caller, NotLetIn>> {
        Box::pin(async move { Ok(self.0.clone()) })
    }

    fn is_login(&self, _: &str) -> bool {
        false
    }

    fn of_address(&self, _: IpAddr) -> Caller {
        self.0.clone()
    }
}
