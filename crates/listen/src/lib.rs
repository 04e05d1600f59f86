//! What all TCP listeners of a gateway share, and what all connections to servers do.
//!
//! ```text
//! Listener::accept ──▶ Accepted { stream, peer, seat }     Listener::serve does all of this
//!     no file handle: one line in the log, again after a moment
//!     seat: None if this address has as many connections as it may have
//! ListenerPolicy::secure(stream) ──▶ Stream::Plain | Stream::Tls     by the first byte of the client; fails from when its certificate is revoked
//!
//! Trust::connect(host) ──▶ Stream::Plain | Stream::Tls      by the server's address
//!     ▲ Http, WebSockets, MQTT
//! ```

mod connect;
#[doc(hidden)]
pub mod fuzzing;
pub mod limits;
mod pem;
mod permits;
mod serve;
mod stream;
mod tls;

use std::fmt;
use std::future::{Future, pending};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use tokio::net::{TcpListener, TcpStream};

pub use connect::{
    Address, AddressError, Http, HttpError, Login, Named, Trust, TrustFiles, accepts, from_here,
};
pub use permits::AddressPermit;
use permits::Seats;
pub use stream::{Encrypted, Stream};
pub use tls::{NotSecured, Plain, Tls, TlsError, TlsFiles};

use crate::limits::{ACCEPT_RETRY_DELAY, ADMISSION_CHECK_INTERVAL};

/// Errors of the system that mean that no file handle is free: `EMFILE` for the process, `ENFILE` for the machine.
const NO_HANDLE: [i32; 2] = [24, 23];

/// What the config says of all listeners, and what they count.
#[derive(Clone, Default)]
pub struct ListenerPolicy(Arc<Shared>, Option<Arc<dyn Reception>>);

/// Decides about clients that are known by their addresses alone, and lists those that are connected.
pub trait Reception: Send + Sync {
    /// Whether an address may connect.
    fn admits(&self, address: IpAddr) -> bool;

    /// Lists a connected client under what it calls itself.
    fn list(&self, _peer: SocketAddr, _client: &str) -> Listed {
        Box::pin(pending())
    }
}

/// Lists none.
impl<F: Fn(IpAddr) -> bool + Send + Sync> Reception for F {
    fn admits(&self, address: IpAddr) -> bool {
        self(address)
    }
}

/// A connected client, in the list until this is dropped; comes to its end when somebody has ended the client's connection.
pub type Listed = Pin<Box<dyn Future<Output = ()> + Send>>;

#[derive(Debug, Default)]
struct Shared {
    /// Names by which other machines may call HTTP ports.
    names: Arc<[String]>,
    /// Connections of an address to a listener; 0 if that is not given.
    per_address: AtomicUsize,
    tls: Option<Tls>,
    refused: AtomicU64,
    refused_registrations: AtomicU64,
}

impl ListenerPolicy {
    /// `per_address` bounds the connections of an address to a listener. If not given, other machines have half of those that
    /// the listener takes, and this one has all: a proxy may run here, and a program that stops a robot must get a connection.
    pub fn new(names: Arc<[String]>, per_address: Option<usize>, tls: Option<Tls>) -> Self {
        let per_address = AtomicUsize::new(per_address.unwrap_or(0));
        Self(Arc::new(Shared { names, per_address, tls, ..Shared::default() }), None)
    }

    /// Another bound of the connections of an address for those that come from now on.
    pub fn set_per_address(&self, per_address: Option<usize>) {
        self.0.per_address.store(per_address.unwrap_or(0), Ordering::Relaxed);
    }

    /// The same for listeners whose clients are known by their addresses alone; others are closed at once.
    #[must_use]
    pub fn only(&self, reception: impl Reception + 'static) -> Self {
        Self(self.0.clone(), Some(Arc::new(reception)))
    }

    /// Lists a connected client under what it calls itself, where there is a list ([`Self::only`]).
    pub fn list(&self, peer: SocketAddr, client: &str) -> Listed {
        self.1
            .as_ref()
            .map_or_else(|| Box::pin(pending()) as Listed, |reception| reception.list(peer, client))
    }

    /// Waits until clients of an IP address are let in no more ([`Self::only`]), within seconds.
    pub async fn dismissed(&self, address: IpAddr) {
        let Some(reception) = &self.1 else { return pending().await };
        while reception.admits(address) {
            tokio::time::sleep(ADMISSION_CHECK_INTERVAL).await;
        }
    }

    /// Names by which other machines may call HTTP ports.
    pub fn names(&self) -> Arc<[String]> {
        self.0.names.clone()
    }

    /// How clients write where a listener is: by TLS if those that reach it there have to speak it.
    pub fn address(&self, listens: SocketAddr) -> Address {
        Address::of(self.tls().is_some_and(|tls| !tls.takes_plain(listens.ip())), listens)
    }

    /// Certificates, if clients can come by TLS.
    pub fn tls(&self) -> Option<&Tls> {
        self.0.tls.as_ref()
    }

    /// How many connections were refused, since an address had too many.
    pub fn refused(&self) -> u64 {
        self.0.refused.load(Ordering::Relaxed)
    }

    /// How many TLS handshakes failed.
    pub fn failed_handshakes(&self) -> u64 {
        self.tls().map_or(0, Tls::failed_handshakes)
    }

    /// Counts a node that a ROS master refused a registration.
    pub fn count_refused_registration(&self) {
        self.0.refused_registrations.fetch_add(1, Ordering::Relaxed);
    }

    /// How many registrations ROS masters refused.
    pub fn refused_registrations(&self) -> u64 {
        self.0.refused_registrations.load(Ordering::Relaxed)
    }

    /// A listener that takes `max_connections` at a time; `key` is where the config has its address.
    pub fn listener(&self, tcp: TcpListener, key: impl Into<String>, max_connections: usize) -> Listener {
        let (key, policy, seats) = (key.into(), self.clone(), Seats::default());
        Listener { tcp, key, max_connections, seats, policy, troubled: AtomicBool::default() }
    }

    /// Finds out whether a client speaks TLS, and does so then. To be waited for in the connection's own task, which drops what it serves when
    /// [`Stream::overdue`] comes.
    pub async fn secure(&self, stream: TcpStream, peer: SocketAddr) -> Result<Stream, NotSecured> {
        match &self.0.tls {
            Some(tls) => tls.accept(stream, peer).await,
            None => Ok(Stream::Plain(stream)),
        }
    }
}

impl fmt::Debug for ListenerPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ListenerPolicy").field(&self.0).finish()
    }
}

/// A TCP listener.
#[derive(Debug)]
pub struct Listener {
    tcp: TcpListener,
    key: String,
    max_connections: usize,
    seats: Seats,
    policy: ListenerPolicy,
    /// The system gives no connections, which the log has.
    troubled: AtomicBool,
}

/// One that shares nothing, and bounds nothing.
impl From<TcpListener> for Listener {
    fn from(tcp: TcpListener) -> Self {
        ListenerPolicy::default().listener(tcp, "a listener", usize::MAX)
    }
}

/// A connection.
#[derive(Debug)]
pub struct Accepted {
    /// As it came.
    pub stream: TcpStream,
    /// Who it is.
    pub peer: SocketAddr,
    /// Its seat among those of its address, to be kept as long as the connection; `None` if there is none left.
    pub seat: Option<AddressPermit>,
}

impl Listener {
    /// Where it really listens.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.tcp.local_addr()
    }

    /// What all listeners share.
    pub const fn policy(&self) -> &ListenerPolicy {
        &self.policy
    }

    /// Waits for a connection, past all errors of the system. Cancel safe.
    pub async fn accept(&self) -> Accepted {
        loop {
            let (stream, peer) = match self.tcp.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    self.report(&error);
                    tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                    continue;
                }
            };
            if self.troubled.swap(false, Ordering::Relaxed) {
                tracing::info!(listener = self.key, "connections are taken again");
            }
            if self.policy.1.as_ref().is_some_and(|reception| !reception.admits(peer.ip())) {
                self.policy.0.refused.fetch_add(1, Ordering::Relaxed);
                if self.seats.is_news(peer.ip()) {
                    let address = peer.ip();
                    tracing::warn!(listener = self.key, %address, "a connection is refused, since the users' file has nothing for this address");
                }
                return Accepted { stream, peer, seat: None };
            }
            let seat = self.seats.take(peer.ip(), self.most(peer.ip()));
            if seat.is_none() {
                self.policy.0.refused.fetch_add(1, Ordering::Relaxed);
                if self.seats.is_news(peer.ip()) {
                    let (address, most) = (peer.ip(), self.most(peer.ip()));
                    tracing::warn!(
                        listener = self.key, %address, most,
                        "connections are refused, since this address has as many as it may have; raise limits.connections_per_address if they are meant"
                    );
                }
            }
            return Accepted { stream, peer, seat };
        }
    }

    /// How many connections an address may have.
    fn most(&self, address: IpAddr) -> usize {
        match self.policy.0.per_address.load(Ordering::Relaxed) {
            0 if address.to_canonical().is_loopback() => usize::MAX,
            0 => self.max_connections.div_ceil(2),
            most => most,
        }
    }

    /// Once until connections come again.
    fn report(&self, error: &std::io::Error) {
        if self.troubled.swap(true, Ordering::Relaxed) {
            return;
        }
        let listener = &self.key;
        match error.raw_os_error() {
            Some(code) if NO_HANDLE.contains(&code) => tracing::error!(
                listener, %error,
                "no connection can be taken, since no file handle is free; raise `ulimit -n`, or lower the connections that are allowed"
            ),
            _ => tracing::warn!(listener, %error, "a connection cannot be taken; it is tried again"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_has_as_many_connections_as_are_configured() {
        for most in [1, 3] {
            let policy = ListenerPolicy::new(Arc::default(), Some(most), None);
            let tcp = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let listener = policy.listener(tcp, "x.listen", 4);
            let address = listener.address().unwrap();
            let mut held = Vec::new();
            for _ in 0..most {
                let client = TcpStream::connect(address).await.unwrap();
                let accepted = listener.accept().await;
                assert!(accepted.seat.is_some());
                held.push((client, accepted));
            }
            let _more = TcpStream::connect(address).await.unwrap();
            assert!(listener.accept().await.seat.is_none());
            assert_eq!(policy.refused(), 1);
            held.pop();
            let _again = TcpStream::connect(address).await.unwrap();
            assert!(listener.accept().await.seat.is_some());
        }
    }
}
