//! One connection to a broker, until it drops; it never tries again.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use latimer_core::BrokerAddress;
use latimer_listen::Trust;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::client::{Client, Inbox, Outbox, SessionKind};
use crate::{ConnectionError, LinkEvent, Message, Qos};

/// Address, client identifier and session parameters of a connection.
#[derive(Clone, Debug)]
pub struct Login {
    /// The broker.
    pub address: BrokerAddress,
    /// Client identifier, unique at the broker.
    pub client_id: String,
    /// Topic filters to subscribe to.
    pub subscriptions: Vec<(String, Qos)>,
    /// The will, which the broker publishes when the connection drops without DISCONNECT.
    pub will: Option<Message>,
    /// Keep alive interval.
    pub keep_alive: Duration,
    /// Which brokers are trusted that are spoken to by TLS.
    pub trust: Trust,
}

impl Login {
    /// The same, for a connection that only publishes.
    pub fn publishing(&self) -> Self {
        let client_id = format!("{}-speaks", self.client_id);
        Self { client_id, subscriptions: Vec::new(), will: None, ..self.clone() }
    }
}

/// The connection. Dropping it sends no DISCONNECT; [`Connection::close`] does.
#[derive(Debug)]
pub struct Connection {
    queues: Arc<Queues>,
    disconnect: CancellationToken,
    ended: CancellationToken,
    end_reason: Arc<OnceLock<ConnectionError>>,
    _abandon: DropGuard,
}

#[derive(Debug, Default)]
struct Queues {
    inbox: Inbox,
    outbox: Outbox,
}

impl Connection {
    /// Connects and subscribes; returns when the broker has granted all of it.
    pub async fn open(login: &Login) -> Result<Self, ConnectionError> {
        let queues = Arc::new(Queues::default());
        let mut client = Client::new(login, SessionKind::Clean)?;
        client.connect(&queues.outbox).await?;
        let (disconnect, ended, abandoned) =
            (CancellationToken::new(), CancellationToken::new(), CancellationToken::new());
        let (abandon, end_reason) = (abandoned.clone().drop_guard(), Arc::new(OnceLock::new()));
        let connection = Self {
            queues: queues.clone(),
            disconnect: disconnect.clone(),
            ended: ended.clone(),
            end_reason: end_reason.clone(),
            _abandon: abandon,
        };
        tokio::spawn(async move {
            let _ended = ended.drop_guard();
            let Queues { inbox, outbox } = &*queues;
            tokio::select! {
                () = abandoned.cancelled() => {}
                served = client.serve(outbox, inbox, &disconnect) => {
                    let _ = end_reason.set(served.map_or_else(ConnectionError::from, |()| ConnectionError::Closed));
                }
            }
            inbox.end();
        });
        Ok(connection)
    }

    /// The next message. Cancel safe.
    pub async fn next(&mut self) -> Result<Message, ConnectionError> {
        loop {
            match self.queues.inbox.next().await {
                Some(LinkEvent::Message(message)) => return Ok(message),
                Some(LinkEvent::Lost(lost)) => {
                    tracing::warn!(count = lost.count, reason = %lost.reason, "messages of a connection were lost");
                }
                Some(LinkEvent::Up | LinkEvent::Down(_)) => {}
                None => return Err(self.error()),
            }
        }
    }

    /// Queues a message; waits while the outbox is full.
    pub async fn publish(&mut self, message: Message) -> Result<(), ConnectionError> {
        if self.ended.is_cancelled() {
            return Err(self.error());
        }
        let pushed = tokio::select! {
            pushed = self.queues.outbox.push_when_room(message) => pushed,
            () = self.ended.cancelled() => return Err(self.error()),
        };
        Ok(pushed?)
    }

    /// Sends what is queued, then DISCONNECT, so that the broker does not publish the will.
    pub async fn close(self) {
        self.disconnect.cancel();
        self.ended.cancelled().await;
    }

    fn error(&self) -> ConnectionError {
        self.end_reason.get().cloned().unwrap_or(ConnectionError::Ended)
    }
}
