//! The broker within: the config table `[broker]`, bound by `build`, served by `run`.
//!
//! ```text
//! BrokerConfig ──validate()──▶ ok ──build()──▶ Broker, ports bound ──run(shutdown)──▶ stopped
//! ```

mod authenticator;
pub mod config;
mod connection;
mod figures;
#[doc(hidden)]
pub mod fuzzing;
mod message;
mod outbound;
mod retained;
mod router;
mod session;
mod subscriptions;
mod sys;
mod watchers;
mod websocket;
mod wire;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use latimer_core::memory::Budget;
use latimer_core::service::BuildError;
use latimer_core::sessions::Sessions;
use latimer_core::{BrokerAddress, Clock};
use latimer_http_guard::{AllowedOrigin, Guard};
use latimer_listen::{Address, Listener, ListenerPolicy, Stream, from_here};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use authenticator::Authenticator;
pub(crate) use authenticator::is_own;
pub use authenticator::{TopicRoles, Users};
use config::{ALLOW_ORIGINS, LISTEN, TLS_LISTEN};
pub use config::{BrokerConfig, Limits, User, WebSocket};
use connection::{Server, Turns};
pub use figures::{Figures, Meter};
use router::Router;
pub use watchers::{Watcher, Watchers};
use websocket::WebSockets;

use crate::limits::BROKER_DISCONNECT_TIMEOUT;

const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A broker that holds its ports, or the address of another.
pub struct Broker {
    address: BrokerAddress,
    /// On the heap: it is big.
    within: Option<Box<Within>>,
}

struct Within {
    server: Server,
    plain: Listener,
    tls: Option<Listener>,
    websockets: Option<WebSockets>,
    needs_login: bool,
}

impl BrokerConfig {
    /// Binds; `None` if neither a broker within nor another one is asked for. `policy` is what it shares with other listeners.
    pub async fn build(self, policy: ListenerPolicy) -> Result<Option<Broker>, BuildError> {
        let clock = Clock::system();
        self.build_with(policy, &Budget::new(clock), &Sessions::new(clock), None).await
    }

    /// The same; what its clients keep in it comes from this budget, they are listed there, and who they are is for the gateway's users to say.
    pub async fn build_with(
        self,
        policy: ListenerPolicy,
        memory: &Budget,
        sessions: &Sessions,
        users: Option<Users>,
    ) -> Result<Option<Broker>, BuildError> {
        let needs_login = users.is_some() || !self.users.is_empty();
        if let Some(url) = &self.url {
            let address = url.parse().map_err(|error| BuildError::Other(format!("broker.url: {error}")))?;
            return Ok(Some(Broker { address, within: None }));
        }
        let Some(listen) = self.listen else { return Ok(None) };
        let websocket = match &self.websocket {
            Some(asked) => {
                let guard = guard(asked, policy.names())?;
                let key = "broker.websocket.listen";
                let listener = bind(asked.listen, key).await?;
                Some((policy.listener(listener, key, self.limits.max_clients), guard))
            }
            None => None,
        };
        let tls = match self.tls_listen {
            Some(listen) => {
                Some(policy.listener(bind(listen, TLS_LISTEN).await?, TLS_LISTEN, self.limits.max_clients))
            }
            None => None,
        };
        let plain = bind(listen, LISTEN).await?;
        let plain = policy.listener(plain, LISTEN, self.limits.max_clients);
        let listen = plain.address().unwrap_or(listen);
        let authenticator = Arc::new(Authenticator::new(&self, users));
        let reached = Address::of(false, SocketAddr::new(from_here(listen.ip()), listen.port()));
        let login = Some(authenticator.gateway_login());
        let address = BrokerAddress { login, ..BrokerAddress::new(reached.host(), listen.port()) };
        let router = Arc::new(Router::new(self.limits, memory, Clock::system()));
        let server = Server { router, authenticator, sessions: sessions.clone(), turns: Turns::spawn() };
        let websockets =
            websocket.map(|(listener, guard)| WebSockets { listener, guard, server: server.clone() });
        let within = Box::new(Within { server, plain, tls, websockets, needs_login });
        Ok(Some(Broker { address, within: Some(within) }))
    }
}

impl Broker {
    /// Where links of this gateway connect to, with a login of their own.
    pub fn address(&self) -> &BrokerAddress {
        &self.address
    }

    /// Where the broker within listens; `None` for another broker.
    pub fn listens(&self) -> Option<SocketAddr> {
        self.within.as_ref()?.plain.address().ok()
    }

    /// Where to learn who sends what at the broker within; `None` for another broker.
    pub fn watchers(&self) -> Option<Watchers> {
        self.within.as_ref().map(|within| within.server.router.watchers.clone())
    }

    /// Counters of the broker within; `None` for another broker.
    pub fn meter(&self) -> Option<Meter> {
        self.within.as_ref().map(|within| Meter::new(within.server.router.clone()))
    }

    /// Whether the broker within requires a login.
    pub fn needs_login(&self) -> bool {
        self.within.as_ref().is_some_and(|within| within.needs_login)
    }

    /// Where it listens for WebSockets, at any path.
    pub fn websocket_listens(&self) -> Option<SocketAddr> {
        self.within.as_ref()?.websockets.as_ref()?.listener.address().ok()
    }

    /// Where it listens for TLS.
    pub fn tls_listens(&self) -> Option<SocketAddr> {
        self.within.as_ref()?.tls.as_ref()?.address().ok()
    }

    /// Serves until `shutdown`.
    pub async fn run(self, shutdown: CancellationToken) {
        let Some(within) = self.within else {
            return shutdown.cancelled().await;
        };
        let Within { server, plain, tls, websockets, .. } = *within;
        let router = server.router.clone();
        // Ports are closed when clients have had time to read that the broker ends.
        let closed = CancellationToken::new();
        let serve = move |stream: Stream, peer| server.clone().serve(stream, peer);
        let pages = async {
            if let Some(websockets) = websockets {
                websockets.run(closed.clone()).await;
            }
        };
        let goodbye = async {
            shutdown.cancelled().await;
            router.end_all(wire::Reason::SERVER_SHUTTING_DOWN);
            let clock = Clock::system();
            let (began, gone) = (clock.now(), || router.counters.clients().0 == 0);
            while !gone() && clock.now().since(began) < BROKER_DISCONNECT_TIMEOUT {
                clock.sleep(LOOK_EVERY).await;
            }
            closed.cancel();
        };
        tokio::join!(
            plain.serve_plain(closed.clone(), serve.clone()),
            serve_tls(tls, closed.clone(), serve),
            pages,
            router.tidy(&shutdown),
            sys::publish(&router, &shutdown),
            goodbye,
        );
    }
}

impl std::fmt::Debug for Broker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Broker").field("address", &self.address).finish_non_exhaustive()
    }
}

fn guard(asked: &WebSocket, names: Arc<[String]>) -> Result<Guard, BuildError> {
    let allowed = AllowedOrigin::parse_all(&asked.allow_origins)
        .map_err(|(at, error)| BuildError::Other(format!("{ALLOW_ORIGINS}[{at}]: {error}")))?;
    Ok(Guard::new(asked.listen.ip(), names).allow_origins(ALLOW_ORIGINS, allowed))
}

async fn bind(address: SocketAddr, key: &str) -> Result<TcpListener, BuildError> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|source| BuildError::Bind { address, key: key.to_owned(), source })
}

/// Serves MQTT over TLS, if it is asked for.
async fn serve_tls<F>(
    listener: Option<Listener>,
    closed: CancellationToken,
    serve: impl Fn(Stream, SocketAddr) -> F + Clone + Send + Sync + 'static,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let Some(listener) = listener else { return };
    let serve = move |stream: Stream, peer| {
        // Who speaks no TLS has another port for that.
        let serving = stream.is_tls().then(|| serve(stream, peer));
        async move {
            if let Some(serving) = serving {
                serving.await;
            }
        }
    };
    listener.serve(closed, serve).await;
}
