//! One connection to a broker, until it drops; it never tries again.

use std::time::Duration;

use latimer_core::BrokerAddress;

use crate::{Message, Qos};

/// How to introduce oneself.
#[derive(Clone, Debug)]
pub struct Login {
    /// Where.
    pub address: BrokerAddress,
    /// The client's name; each at a broker has its own.
    pub client_id: String,
    /// What to hear, as topic filters.
    pub subscriptions: Vec<(String, Qos)>,
    /// What the broker says when this client is gone without a word.
    pub will: Option<Message>,
    /// Between signs of life.
    pub keep_alive: Duration,
}

/// Why there is no connection, or none any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConnectionError(pub String);

/// The connection.
#[derive(Debug)]
pub struct Connection {}

impl Connection {
    /// Connects and subscribes; returns when the broker has granted all of it.
    pub async fn open(_login: &Login) -> Result<Self, ConnectionError> {
        Err(ConnectionError("not connected".to_owned()))
    }

    /// The next message. Cancel safe.
    pub async fn next(&mut self) -> Result<Message, ConnectionError> {
        Err(ConnectionError("not connected".to_owned()))
    }

    /// Publishes; returns when it is on its way, which is at once unless very much waits.
    pub async fn publish(&mut self, _message: Message) -> Result<(), ConnectionError> {
        Err(ConnectionError("not connected".to_owned()))
    }

    /// Says goodbye, so that the will is not said.
    pub async fn close(self) {}
}
