//! The broker within: the config table `[broker]`, bound by `build`, served by `run`.
//!
//! ```text
//! BrokerConfig ──validate()──▶ ok ──build()──▶ Broker, ports bound ──run(shutdown)──▶ stopped
//! ```

pub mod config;
mod door;
mod throttle;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use latimer_core::BrokerAddress;
use latimer_core::dialect::BuildError;
use mqtt5::broker::config::{StorageConfig, WebSocketConfig};
use mqtt5::broker::{BrokerConfig as Mqtt5Config, MqttBroker};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use config::{BrokerConfig, Limits, User, WebSocket};
use door::Door;

/// How long clients have to be told goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

/// A broker that holds its ports, or the address of another.
pub struct Broker {
    address: BrokerAddress,
    within: Option<Within>,
}

struct Within {
    broker: MqttBroker,
    listen: SocketAddr,
    websocket: Option<SocketAddr>,
}

impl BrokerConfig {
    /// Binds; `None` if neither a broker within nor another one is asked for.
    pub async fn build(self) -> Result<Option<Broker>, BuildError> {
        if let Some(url) = &self.url {
            let address = url.parse().map_err(|error| BuildError::Other(format!("broker.url: {error}")))?;
            return Ok(Some(Broker { address, within: None }));
        }
        let Some(listen) = self.listen else { return Ok(None) };
        check_free(listen, "broker.listen").await?;
        if let Some(websocket) = &self.websocket {
            check_free(websocket.listen, "broker.websocket.listen").await?;
        }
        let door = Door::new(&self);
        let login = door.gateway_login();
        let failed = |error| BuildError::Other(format!("broker: {error}"));
        let broker = MqttBroker::with_config(mqtt5_config(&self, listen)).await.map_err(failed)?;
        let broker = broker.with_auth_provider(Arc::new(door));
        let bound = broker.local_addr().ok_or_else(|| taken(listen, "broker.listen"))?;
        let websocket = match &self.websocket {
            Some(asked) => {
                Some(broker.ws_local_addr().ok_or_else(|| taken(asked.listen, "broker.websocket.listen"))?)
            }
            None => None,
        };
        let reached = reached_at(bound);
        let host = if reached.is_ipv6() { format!("[{}]", reached.ip()) } else { reached.ip().to_string() };
        let address = BrokerAddress { login: Some(login), ..BrokerAddress::new(host, reached.port()) };
        Ok(Some(Broker { address, within: Some(Within { broker, listen: bound, websocket }) }))
    }
}

impl Broker {
    /// Where links of this gateway connect to, with a login of their own.
    pub fn address(&self) -> &BrokerAddress {
        &self.address
    }

    /// Where the broker within listens; `None` for another broker.
    pub fn listen(&self) -> Option<SocketAddr> {
        self.within.as_ref().map(|within| within.listen)
    }

    /// Where it listens for WebSockets, at the path `/mqtt`.
    pub fn websocket(&self) -> Option<SocketAddr> {
        self.within.as_ref().and_then(|within| within.websocket)
    }

    /// Serves until `shutdown`.
    pub async fn run(self, shutdown: CancellationToken) {
        let Some(Within { mut broker, .. }) = self.within else { return shutdown.cancelled().await };
        let end = broker.shutdown_handle();
        let run = broker.run();
        tokio::pin!(run);
        let stopped = tokio::select! {
            stopped = &mut run => Some(stopped),
            () = shutdown.cancelled() => None,
        };
        match stopped {
            Some(Err(error)) => tracing::error!(%error, "the broker ended"),
            Some(Ok(())) => {}
            None => {
                end.shutdown();
                if tokio::time::timeout(GOODBYE, run).await.is_err() {
                    tracing::warn!("clients of the broker were cut off");
                }
            }
        }
    }
}

impl std::fmt::Debug for Broker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Broker").field("address", &self.address).finish_non_exhaustive()
    }
}

/// The broker's library does not say which port was taken, and goes on without a WebSocket.
async fn check_free(address: SocketAddr, key: &str) -> Result<(), BuildError> {
    match TcpListener::bind(address).await {
        Ok(_) => Ok(()),
        Err(source) => Err(BuildError::Bind { address, key: key.to_owned(), source }),
    }
}

fn taken(address: SocketAddr, key: &str) -> BuildError {
    BuildError::Bind { address, key: key.to_owned(), source: std::io::ErrorKind::AddrInUse.into() }
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

fn mqtt5_config(config: &BrokerConfig, listen: SocketAddr) -> Mqtt5Config {
    let limits = &config.limits;
    let mut wanted = Mqtt5Config::default()
        .with_bind_address(listen)
        .with_max_clients(limits.max_clients)
        .with_max_packet_size(limits.max_packet_bytes)
        .with_client_channel_capacity(limits.max_queued)
        .with_max_subscriptions_per_client(limits.max_subscriptions)
        .with_max_retained_messages(limits.max_retained)
        .with_session_expiry(Duration::from_secs(limits.session_expiry_s))
        .with_storage(
            // In memory: a restart of the gateway forgets sessions and retained messages.
            StorageConfig::default()
                .with_persistence(false)
                .with_max_queued_messages_per_client(limits.max_queued)
                .with_max_queued_bytes_per_client(limits.max_queued_bytes),
        )
        .with_sys_topics_enabled(false);
    wanted.server_receive_maximum = Some(limits.max_inflight);
    if let Some(websocket) = &config.websocket {
        wanted = wanted.with_websocket(WebSocketConfig {
            bind_addresses: vec![websocket.listen],
            ..WebSocketConfig::default()
        });
    }
    wanted
}
