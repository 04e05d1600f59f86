//! Brokers that can be restarted on the same port, and clients for the tests.

use std::net::SocketAddr;
use std::time::Duration;

use latimer_core::{BrokerAddress, Clock};
pub(crate) use latimer_e2e::PATIENCE;
use latimer_listen::ListenerPolicy;
use latimer_mqtt::broker::Meter;
use latimer_mqtt::{Broker, BrokerConfig, Connection, Link, LinkEvent, Login, Message, Publisher, Qos};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A broker within that runs.
pub(crate) struct Running {
    pub(crate) address: BrokerAddress,
    pub(crate) listen: SocketAddr,
    pub(crate) websocket: Option<SocketAddr>,
    pub(crate) tls: Option<SocketAddr>,
    pub(crate) meter: Meter,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Running {
    pub(crate) async fn start() -> Self {
        Self::of(config("listen = \"127.0.0.1:0\"")).await
    }

    pub(crate) async fn of(config: BrokerConfig) -> Self {
        config.validate(&latimer_core::service::Rules::default()).unwrap();
        Self::behind(config, ListenerPolicy::default()).await
    }

    /// With what all listeners share.
    pub(crate) async fn behind(config: BrokerConfig, policy: ListenerPolicy) -> Self {
        let broker: Broker = config.build(policy).await.unwrap().unwrap();
        let tls = broker.tls_listens();
        let (listen, websocket) = (broker.listens().unwrap(), broker.websocket_listens());
        let meter = broker.meter().unwrap();
        let (address, stop) = (broker.address().clone(), CancellationToken::new());
        let task = tokio::spawn(broker.run(stop.clone()));
        Self { address, listen, websocket, tls, meter, stop, task }
    }

    /// The address without the gateway's login.
    pub(crate) fn stranger(&self) -> BrokerAddress {
        BrokerAddress::new("127.0.0.1", self.listen.port())
    }

    /// Ends it, and gives the config that starts it again at the same port.
    pub(crate) async fn stop(self) -> BrokerConfig {
        self.stop.cancel();
        tokio::time::timeout(PATIENCE, self.task).await.expect("the broker does not end").unwrap();
        config(&format!("listen = \"{}\"", self.listen))
    }
}

pub(crate) fn config(text: &str) -> BrokerConfig {
    toml::from_str(text).unwrap()
}

pub(crate) fn login(address: &BrokerAddress, client_id: &str, filters: &[(&str, Qos)]) -> Login {
    Login {
        address: address.clone(),
        client_id: client_id.to_owned(),
        subscriptions: filters.iter().map(|(filter, qos)| ((*filter).to_owned(), *qos)).collect(),
        will: None,
        keep_alive: Duration::from_secs(30),
        trust: Default::default(),
    }
}

pub(crate) async fn connect(address: &BrokerAddress, client_id: &str, filters: &[(&str, Qos)]) -> Connection {
    Connection::open(&login(address, client_id, filters)).await.unwrap()
}

pub(crate) async fn next(connection: &mut Connection) -> Message {
    tokio::time::timeout(PATIENCE, connection.next()).await.expect("nothing came").unwrap()
}

/// A link that runs until its token is cancelled.
pub(crate) fn link(login: Login) -> (Link, Publisher, CancellationToken, JoinHandle<()>) {
    let stop = CancellationToken::new();
    let (link, publisher, run) = Link::new(login, Clock::system(), stop.clone());
    (link, publisher, stop, tokio::spawn(run))
}

pub(crate) async fn next_event(link: &mut Link) -> LinkEvent {
    tokio::time::timeout(PATIENCE, link.next()).await.expect("nothing was received").expect("the link ended")
}

/// The next message; skips other events.
pub(crate) async fn next_message(link: &mut Link) -> Message {
    loop {
        if let LinkEvent::Message(message) = next_event(link).await {
            return message;
        }
    }
}
