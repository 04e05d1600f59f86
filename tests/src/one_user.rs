//! A gateway with one user.

use std::net::IpAddr;

use latimer_core::access::{Caller, Credential, Gate, NotLetIn};

/// Lets everybody in as one user, whose roles a test changes.
#[derive(Debug)]
pub struct OneUser(pub Caller);

#[async_trait::async_trait]
impl Gate for OneUser {
    async fn enter(&self, _: IpAddr, _: Option<Credential<'_>>) -> Result<Caller, NotLetIn> {
        Ok(self.0.clone())
    }

    async fn enter_to_stop(&self, _: IpAddr, _: Option<Credential<'_>>) -> Result<Caller, NotLetIn> {
        Ok(self.0.clone())
    }

    fn is_login(&self, _: &str) -> bool {
        false
    }

    fn of_address(&self, _: IpAddr) -> Caller {
        self.0.clone()
    }
}
