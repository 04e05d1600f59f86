//! A broker, and somebody at it who is no gateway: a simulator, a screen, a robot.

use std::time::Duration;

use latimer_core::BrokerAddress;
use latimer_mqtt::{Connection, Login, Message, Qos};

use crate::rig::in_time;
pub(crate) use crate::rig::{Broker, PATIENCE};

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

    /// The same retained by the broker.
    pub(crate) async fn publish_retained(&mut self, topic: &str, text: &str) {
        let message = Message::new(format!("v1/{topic}"), text.to_owned(), Qos::AtLeastOnce).retained();
        self.connection.publish(message).await.unwrap();
    }

    /// The next message, as its topic and text.
    pub(crate) async fn receive(&mut self) -> (String, String) {
        let message = in_time(self.connection.next()).await.unwrap();
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
