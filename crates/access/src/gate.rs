//! How a client comes in: by what it shows, or by its address.

use std::net::IpAddr;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordVerifier};
use futures_util::future::BoxFuture;
use latimer_core::access::{Caller, Credential, Gate, NotLetIn};

use crate::attempts::Purpose;
use crate::limits::CREDENTIAL_CACHE_TIME;
use crate::{Access, Bearer, Digest, LOGIN, Proof, Proven, token};

impl Gate for Access {
    fn enter<'a>(
        &'a self,
        address: IpAddr,
        shown: Option<Credential<'a>>,
    ) -> BoxFuture<'a, Result<Caller, NotLetIn>> {
        Box::pin(async move { self.enter_for(Purpose::Any, address, shown).await })
    }

    fn enter_to_stop<'a>(
        &'a self,
        address: IpAddr,
        shown: Option<Credential<'a>>,
    ) -> BoxFuture<'a, Result<Caller, NotLetIn>> {
        Box::pin(async move { self.enter_for(Purpose::Stop, address, shown).await })
    }

    fn is_login(&self, token: &str) -> bool {
        token.starts_with(LOGIN)
    }

    fn of_address(&self, address: IpAddr) -> Caller {
        let address = address.to_canonical();
        let mut state = self.state();
        let grants = state.users.grants_of(address);
        state.caller(&address.to_string(), grants)
    }
}

impl Access {
    async fn enter_for(
        &self,
        purpose: Purpose,
        address: IpAddr,
        shown: Option<Credential<'_>>,
    ) -> Result<Caller, NotLetIn> {
        let address = address.to_canonical();
        let Some(shown) = shown else {
            return Some(self.of_address(address)).filter(Caller::may_anything).ok_or(NotLetIn::Nothing);
        };
        let digest = self.digest(shown);
        // A password that was right lately, and has to be proven anew, waits for nobody: only who knows it shows it.
        let was_right = match self.state().proven.get(&digest) {
            Some(proven) if self.clock.now() < proven.until && !proven.caller.is_ended() => {
                return Ok(proven.caller.clone());
            }
            proven => proven.is_some(),
        };
        match shown {
            // Nobody guesses a token, so that a wrong one makes nobody wait; one of a login that is over is no guess at all.
            Credential::Token(token) if self.is_login(token) => Err(NotLetIn::Wrong),
            Credential::Token(token) => self.check_token(token, digest).ok_or_else(|| {
                self.attempts.count();
                NotLetIn::Wrong
            }),
            Credential::Password { user, password } => {
                if !was_right {
                    let later = |wait: Duration| NotLetIn::Later(wait.as_secs().max(1));
                    self.attempts.begin(address, purpose, user).map_err(later)?;
                }
                let entered = self.check_password(user, password, digest).await;
                match &entered {
                    Ok(_) if !was_right => self.attempts.succeeded(address, purpose, user),
                    Err(NotLetIn::Wrong) => self.attempts.failed_once(address, purpose, user),
                    Ok(_) | Err(_) => {}
                }
                entered
            }
        }
    }

    /// Checks a password that was not proven lately.
    async fn check_password(&self, user: &str, password: &[u8], digest: Digest) -> Result<Caller, NotLetIn> {
        let hash = self.state().users.users.get(user).map_or(&self.nobody, |it| &it.password).clone();
        let (checked, password) = (hash.clone(), password.to_owned());
        let _turn = self.checks.acquire().await.map_err(|_| NotLetIn::Wrong)?;
        let check = latimer_panics::blocking("checking a password", move || is_right(&checked, &password));
        if !check.await.map_err(|_| NotLetIn::Fault)? {
            return Err(NotLetIn::Wrong);
        }
        // The file may have been read again since.
        let mut state = self.state();
        let known = state.users.users.get(user).filter(|known| known.password == hash);
        let known = known.ok_or(NotLetIn::Wrong)?;
        let grants = known.grants.clone();
        let caller = state.caller(user, grants);
        let now = self.clock.now();
        let until = now.after(CREDENTIAL_CACHE_TIME);
        state.prove(digest, Proven { caller: caller.clone(), until, by: Proof::Password }, now);
        Ok(caller)
    }

    /// Checks a signed token.
    fn check_token(&self, token: &str, digest: Digest) -> Option<Caller> {
        let now = self.clock.now();
        let mut state = self.state();
        let users = state.users.clone();
        let (claims, key) = token::verify(token, &users.keys, now)?;
        let (own, until) = (claims.grants(), now.after(claims.lasts(now)));
        let is_user = own.is_none();
        let grants = own.or_else(|| Some(users.users.get(claims.user())?.grants.clone()))?;
        let caller = Caller::new(claims.user(), grants);
        state.bearers.push(Bearer { caller: caller.clone(), until, key: key.clone(), is_user });
        let proven = Proven { caller: caller.clone(), until, by: Proof::Key(key.clone()) };
        state.prove(digest, proven, now);
        Some(caller)
    }
}

fn is_right(hash: &str, password: &[u8]) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| Argon2::default().verify_password(password, &hash).is_ok())
}
