//! The broker within: the config table `[broker]`, bound by `build`, served by `run`.
//!
//! ```text
//! BrokerConfig ──validate()──▶ ok ──build()──▶ Broker, ports bound ──run(shutdown)──▶ stopped
//! ```

mod authenticator;
mod backlog;
pub mod config;
mod connections;
mod figures;
#[doc(hidden)]
pub mod fuzzing;
mod mqtt31;
mod qos0;
mod retained;
mod sessions;
mod tls;
mod watchers;
mod websocket;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use latimer_core::memory::Budget;
use latimer_core::service::BuildError;
use latimer_core::{BrokerAddress, Clock};
use latimer_http_guard::{AllowedOrigin, Guard};
use latimer_listen::Doors;
use mqtt5::broker::config::{StorageBackend, StorageConfig};
use mqtt5::broker::{BrokerConfig as Mqtt5Config, MqttBroker};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use authenticator::Authenticator;
pub(crate) use authenticator::is_own;
pub use authenticator::{TopicRoles, Users};
use config::{ALLOW_ORIGINS, TLS_LISTEN};
pub use config::{BrokerConfig, Limits, User, WebSocket};
use connections::Connections;
pub use figures::{Figures, Meter};
use sessions::Sessions;
use tls::TlsPort;
pub use watchers::{Watcher, Watchers};
use websocket::WebSockets;

/// How long the broker may take to send DISCONNECT to its clients.
const GOODBYE: Duration = Duration::from_millis(400);

/// Messages of QoS 0 that wait for a client, and those of any QoS for a link of the gateway's own. Each takes some hundred bytes
/// beside its payload.
const CHANNEL_MESSAGES: usize = 4_096;

/// Most bytes of a packet beside its payload.
const MAX_HEADER_BYTES: usize = 1 << 17;

/// A broker that holds its ports, or the address of another.
pub struct Broker {
    address: BrokerAddress,
    /// On the heap: it is big.
    within: Option<Box<Within>>,
}

struct Within {
    broker: MqttBroker,
    listen: SocketAddr,
    needs_login: bool,
    websockets: Option<WebSockets>,
    tls: Option<TlsPort>,
    meter: Meter,
    connections: Arc<Connections>,
}

impl BrokerConfig {
    /// Binds; `None` if neither a broker within nor another one is asked for. `doors` is what it shares with other listeners.
    pub async fn build(self, doors: Doors) -> Result<Option<Broker>, BuildError> {
        self.build_with(doors, &Budget::new(Clock::system()), None).await
    }

    /// The same; what its clients keep in it comes from this budget, and who they are is for the gateway's users to say.
    pub async fn build_with(
        self,
        doors: Doors,
        memory: &Budget,
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
                let guard = guard(asked, doors.names())?;
                let key = "broker.websocket.listen";
                let listener = bind(asked.listen, key).await?;
                Some((doors.listener(listener, key, self.limits.max_clients), guard))
            }
            None => None,
        };
        let tls = match self.tls_listen {
            Some(listen) => {
                Some(doors.listener(bind(listen, TLS_LISTEN).await?, TLS_LISTEN, self.limits.max_clients))
            }
            None => None,
        };
        // The library binds for itself, and does not report which port was taken.
        drop(bind(listen, "broker.listen").await?);
        let sessions = Arc::new(Sessions::new(memory, Clock::system(), &self.limits));
        let authenticator = Authenticator::new(&self, sessions.clone(), users);
        let origins = authenticator.origins();
        let (login, rate_limit) = (authenticator.gateway_login(), authenticator.rate_limit());
        let failed = |error| BuildError::Other(format!("broker: {error}"));
        let connections = Arc::new(Connections::new(login.0.clone(), memory, sessions));
        let config = mqtt5_config(&self.limits, listen).with_event_handler(connections.clone());
        let broker = Box::pin(MqttBroker::with_config(config)).await.map_err(failed)?;
        connections.set_router(&broker.router(), broker.storage().as_ref());
        let broker = broker.with_auth_provider(Arc::new(authenticator));
        let listen = broker.local_addr().unwrap_or(listen);
        let reached = reached_at(listen);
        let host = if reached.is_ipv6() { format!("[{}]", reached.ip()) } else { reached.ip().to_string() };
        let address = BrokerAddress { login: Some(login), ..BrokerAddress::new(host, reached.port()) };
        let websockets = websocket.map(|(listener, guard)| WebSockets {
            listener,
            guard,
            broker: reached,
            origins: origins.clone(),
            max_message_bytes: self.limits.max_packet_bytes + MAX_HEADER_BYTES,
        });
        let tls = tls.map(|listener| TlsPort { listener, broker: reached, origins });
        let meter = Meter::new(broker.stats(), connections.clone(), rate_limit);
        let within = Box::new(Within { broker, listen, needs_login, websockets, tls, meter, connections });
        Ok(Some(Broker { address, within: Some(within) }))
    }
}

impl Broker {
    /// Where links of this gateway connect to, with a login of their own.
    pub fn address(&self) -> &BrokerAddress {
        &self.address
    }

    /// Where this machine reaches the broker within; `None` for another broker.
    pub fn reached_at(&self) -> Option<SocketAddr> {
        self.within.as_ref().map(|within| reached_at(within.listen))
    }

    /// Where to learn who sends what at the broker within; `None` for another broker.
    pub fn watchers(&self) -> Option<Watchers> {
        self.within.as_ref().map(|within| within.connections.watchers())
    }

    /// Counters of the broker within; `None` for another broker.
    pub fn meter(&self) -> Option<Meter> {
        self.within.as_ref().map(|within| within.meter.clone())
    }

    /// Whether the broker within requires a login.
    pub fn needs_login(&self) -> bool {
        self.within.as_ref().is_some_and(|within| within.needs_login)
    }

    /// Where this machine reaches it over WebSockets, at any path.
    pub fn websocket_reached_at(&self) -> Option<SocketAddr> {
        let websockets = self.within.as_ref()?.websockets.as_ref()?;
        websockets.listener.address().ok().map(reached_at)
    }

    /// Where this machine reaches it over TLS.
    pub fn tls_reached_at(&self) -> Option<SocketAddr> {
        let port = self.within.as_ref()?.tls.as_ref()?;
        port.listener.address().ok().map(reached_at)
    }

    /// Serves until `shutdown`.
    pub async fn run(self, shutdown: CancellationToken) {
        let Some(mut within) = self.within else {
            return shutdown.cancelled().await;
        };
        let (websockets, tls) = (within.websockets.take(), within.tls.take());
        let end = within.broker.shutdown_handle();
        let pages = async {
            match websockets {
                Some(websockets) => websockets.run(shutdown.clone()).await,
                None => shutdown.cancelled().await,
            }
        };
        let encrypted = async {
            match tls {
                Some(port) => port.run(shutdown.clone()).await,
                None => shutdown.cancelled().await,
            }
        };
        let goodbye = async {
            tokio::join!(pages, encrypted);
            end.shutdown();
            tokio::time::sleep(GOODBYE).await;
        };
        tokio::select! {
            ended = Box::pin(within.broker.run()) => if let Err(error) = ended {
                tracing::error!(%error, "the broker ended");
            },
            () = within.connections.tidy(&shutdown) => {}
            () = goodbye => tracing::warn!("clients of the broker were cut off"),
        }
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

/// Where a socket that listens everywhere is reached from here.
fn reached_at(bound: SocketAddr) -> SocketAddr {
    let ip = match bound.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, bound.port())
}

fn mqtt5_config(limits: &Limits, listen: SocketAddr) -> Mqtt5Config {
    let mut wanted = Mqtt5Config::default()
        .with_bind_address(listen)
        .with_max_clients(limits.max_clients)
        .with_max_packet_size(limits.max_packet_bytes)
        .with_client_channel_capacity(limits.max_queued.min(CHANNEL_MESSAGES))
        .with_max_subscriptions_per_client(limits.max_subscriptions)
        .with_max_retained_messages(limits.max_retained)
        .with_session_expiry(Duration::from_secs(limits.session_expiry_s))
        .with_storage(
            // Without a store it keeps no sessions. In memory: a restart of the gateway forgets them.
            StorageConfig::default()
                .with_backend(StorageBackend::Memory)
                .with_max_queued_messages_per_client(limits.max_queued)
                .with_max_queued_bytes_per_client(limits.max_queued_bytes),
        )
        .with_sys_topics_enabled(false);
    wanted.server_receive_maximum = Some(limits.max_inflight);
    wanted
}
