//! A broker, and somebody at it who is no gateway: a simulator, a screen, a robot.

use std::time::Duration;

use latimer_core::BrokerAddress;
pub(crate) use latimer_e2e::PATIENCE;
use latimer_mqtt::{BrokerConfig, Connection, Login, Message, Qos};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A broker that runs.
pub(crate) struct Broker {
    pub(crate) address: BrokerAddress,
    stop: CancellationToken,
    running: JoinHandle<()>,
}

impl Broker {
    pub(crate) async fn start() -> Self {
        Self::at("127.0.0.1:0").await
    }

    async fn at(listen: &str) -> Self {
        let config: BrokerConfig = toml::from_str(&format!("listen = \"{listen}\"")).unwrap();
        let broker = config.build(Default::default()).await.unwrap().unwrap();
        let (address, stop) = (broker.address().clone(), CancellationToken::new());
        let running = tokio::spawn(broker.run(stop.clone()));
        Self { address, stop, running }
    }

    /// The same broker again, at the same port.
    pub(crate) async fn restarted(self) -> Self {
        self.stop.cancel();
        self.running.await.unwrap();
        Self::at(&self.address.authority()).await
    }
}

/// Somebody at a broker.
pub(crate) struct Peer {
    connection: Connection,
}

impl Peer {
    /// Hears what filters match; they have no channel.
    pub(crate) async fn at(address: &BrokerAddress, filters: &[&str]) -> Self {
        let join = |filter: &&str| (format!("v1/{filter}"), Qos::AtLeastOnce);
        let login = Login {
            address: address.clone(),
            client_id: format!("peer-{:08x}", rand::random::<u32>()),
            subscriptions: filters.iter().map(join).collect(),
            will: None,
            keep_alive: Duration::from_secs(30),
            trust: Default::default(),
        };
        Self { connection: Connection::open(&login).await.unwrap() }
    }

    pub(crate) async fn publish(&mut self, topic: &str, text: impl Into<Vec<u8>>) {
        let message = Message::new(format!("v1/{topic}"), text.into(), Qos::AtLeastOnce);
        self.connection.publish(message).await.unwrap();
    }

    /// The next message, as its topic and text.
    pub(crate) async fn receive(&mut self) -> (String, String) {
        let incoming = tokio::time::timeout(PATIENCE, self.connection.next()).await;
        let message = incoming.expect("what must come, comes").unwrap();
        let topic = message.topic.strip_prefix("v1/").unwrap().to_owned();
        (topic, String::from_utf8(message.payload.to_vec()).unwrap())
    }

    /// The text of the next message of a topic; others are passed over.
    pub(crate) async fn hear_of(&mut self, topic: &str) -> String {
        loop {
            let (incoming, text) = self.receive().await;
            if incoming == topic {
                return text;
            }
        }
    }
}
