//! What clients have open at a gateway, over every protocol: connections and logins, listed, and ended by an admin.
//!
//! ```text
//! port ──Sessions::open──▶ ClientSession, held while the client is served
//!                             ▲ ended(): its user is gone, its login is over, or Sessions::end
//! ```
//!
//! A client that asks by single requests has none: each request is let in by itself.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::access::Caller;
use crate::clock::{Clock, Timestamp};
use crate::model::Author;

/// What is listed of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInfo {
    /// Of this run of the gateway, never given twice.
    pub id: u64,
    /// A dialect, `mqtt`, `api`, `page`, `cli`, or `login` for a login by itself.
    pub protocol: &'static str,
    /// Its user; `None` for a client that was let in by its address, or by a gateway without users.
    pub user: Option<Arc<str>>,
    /// Where it comes from.
    pub address: IpAddr,
    /// From which port; a login has none.
    pub port: Option<u16>,
    /// What the client calls itself, where its protocol has a word for it, such as the client identifier of MQTT.
    pub client: Option<Arc<str>>,
    /// Since when.
    pub since: Timestamp,
    /// When it ends by itself, if that is known.
    pub until: Option<Timestamp>,
}

#[derive(Debug, Default)]
struct All {
    next: u64,
    open: BTreeMap<u64, (SessionInfo, CancellationToken)>,
}

/// The sessions of one gateway; clones are the same list.
///
/// ```
/// use latimer_core::Clock;
/// use latimer_core::sessions::Sessions;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let sessions = Sessions::new(Clock::system());
/// let session = sessions.open("mqtt", "127.0.0.1:40312".parse()?, None);
/// assert_eq!(sessions.list()[0].protocol, "mqtt");
/// sessions.end(sessions.list()[0].id);
/// session.ended().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Sessions {
    clock: Clock,
    all: Arc<Mutex<All>>,
}

impl Sessions {
    /// None.
    pub fn new(clock: Clock) -> Self {
        Self { clock, all: Arc::default() }
    }

    /// The clock that stamps them.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// A connection of a client.
    pub fn open(&self, protocol: &'static str, peer: SocketAddr, caller: Option<&Caller>) -> ClientSession {
        self.add(protocol, (peer.ip(), Some(peer.port())), caller, None)
    }

    /// A connection of an author of commands.
    pub fn of(&self, author: &Author, peer: SocketAddr) -> ClientSession {
        self.open(author.dialect, peer, author.caller())
    }

    /// A login, which holds until then.
    pub fn login(&self, address: IpAddr, caller: &Caller, until: Timestamp) -> ClientSession {
        self.add("login", (address, None), Some(caller), Some(until))
    }

    fn add(
        &self,
        protocol: &'static str,
        (address, port): (IpAddr, Option<u16>),
        caller: Option<&Caller>,
        until: Option<Timestamp>,
    ) -> ClientSession {
        let user = caller.and_then(Caller::user).cloned();
        let (address, since) = (address.to_canonical(), self.clock.now());
        let mut all = self.all();
        all.next += 1;
        let id = all.next;
        let info = SessionInfo { id, protocol, user, address, port, client: None, since, until };
        let end = CancellationToken::new();
        all.open.insert(id, (info, end.clone()));
        ClientSession { sessions: self.clone(), id, caller: caller.cloned(), end }
    }

    /// All of them, the oldest first.
    pub fn list(&self) -> Vec<SessionInfo> {
        self.all().open.values().map(|(info, _)| info.clone()).collect()
    }

    /// Ends one; `None` if it is not there.
    pub fn end(&self, id: u64) -> Option<SessionInfo> {
        let (info, end) = self.all().open.remove(&id)?;
        end.cancel();
        Some(info)
    }

    /// Ends all of a user; how many there were.
    pub fn end_all_of(&self, user: &str) -> usize {
        let its: Vec<u64> = {
            let all = self.all();
            all.open
                .iter()
                .filter(|(_, (info, _))| info.user.as_deref() == Some(user))
                .map(|it| *it.0)
                .collect()
        };
        its.into_iter().filter_map(|id| self.end(id)).count()
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client that is connected, or a login; gone from the list when this is dropped, and over for all that it let in.
pub struct ClientSession {
    sessions: Sessions,
    id: u64,
    caller: Option<Caller>,
    end: CancellationToken,
}

impl ClientSession {
    /// The same with what its client calls itself.
    #[must_use]
    pub fn called(self, client: Arc<str>) -> Self {
        if let Some((info, _)) = self.sessions.all().open.get_mut(&self.id) {
            info.client = Some(client);
        }
        self
    }

    /// Waits until it may not go on: its user, password, key, token or login is not valid any more, or an admin has ended it.
    pub async fn ended(&self) {
        match &self.caller {
            Some(caller) => tokio::select! {
                () = caller.ended() => {}
                () = self.end.cancelled() => {}
            },
            None => self.end.cancelled().await,
        }
    }

    /// Its end, for what it lets in.
    pub fn token(&self) -> CancellationToken {
        self.end.clone()
    }
}

impl Drop for ClientSession {
    fn drop(&mut self) {
        self.sessions.all().open.remove(&self.id);
        self.end.cancel();
    }
}

impl fmt::Debug for ClientSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientSession")
            .field("id", &self.id)
            .field("caller", &self.caller)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Grants;

    fn is_over(session: &ClientSession) -> bool {
        session.end.is_cancelled() || session.caller.as_ref().is_some_and(Caller::is_ended)
    }

    #[test]
    fn a_session_ends_by_itself_with_its_user_or_by_an_admin() {
        let sessions = Sessions::new(Clock::system());
        let (ada, bob) = (Caller::new("ada", Grants::default()), Caller::new("bob", Grants::default()));
        let peer = "127.0.0.1:7".parse().unwrap();
        let open = |caller| sessions.open("mqtt", peer, caller).called("c".into());
        let (one, two, other, unknown) = (open(Some(&ada)), open(Some(&ada)), open(Some(&bob)), open(None));
        let listed = sessions.list();
        assert_eq!(listed.iter().filter(|it| it.user.as_deref() == Some("ada")).count(), 2, "{listed:?}");
        assert_eq!(listed[3].client.as_deref(), Some("c"));
        assert_eq!(sessions.end(listed[0].id).map(|it| it.id), Some(listed[0].id));
        assert!(is_over(&one) && !is_over(&two) && sessions.end(listed[0].id).is_none());
        assert_eq!((sessions.end_all_of("ada"), sessions.end_all_of("ada")), (1, 0));
        assert!(is_over(&two) && !is_over(&other) && !is_over(&unknown));
        bob.end();
        assert!(is_over(&other) && !is_over(&unknown));
        drop(other);
        assert_eq!(sessions.list().len(), 1);
    }

    #[test]
    fn what_a_login_let_in_ends_with_it() {
        let sessions = Sessions::new(Clock::system());
        let ada = Caller::new("ada", Grants::default());
        let until = sessions.clock().now();
        let login = sessions.login("::ffff:10.0.0.1".parse().unwrap(), &ada, until);
        let stream = sessions.open("page", "10.0.0.1:7".parse().unwrap(), Some(&ada.by_login(login.token())));
        let other = sessions.open("page", "10.0.0.1:8".parse().unwrap(), Some(&ada));
        assert_eq!(sessions.list()[0].address, sessions.list()[1].address);
        drop(login);
        assert!(is_over(&stream) && !is_over(&other));
    }
}
