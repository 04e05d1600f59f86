//! One connection to a broker, until it drops; it never tries again.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use latimer_core::BrokerAddress;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::client::{Inbox, Outbox, open, serve};
use crate::{ConnectionError, Heard, Message, Qos};

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

impl Login {
    /// The same, for a connection that only publishes.
    pub fn speaking(&self) -> Self {
        let client_id = format!("{}-speaks", self.client_id);
        Self { client_id, subscriptions: Vec::new(), will: None, ..self.clone() }
    }
}

/// The connection. Dropped, it is gone without a word; [`Connection::close`] says goodbye.
#[derive(Debug)]
pub struct Connection {
    queues: Arc<Queues>,
    goodbye: CancellationToken,
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
        let opened = open(login).await?;
        let queues = Arc::new(Queues::default());
        let (goodbye, ended, abandoned) =
            (CancellationToken::new(), CancellationToken::new(), CancellationToken::new());
        let (abandon, end_reason) = (abandoned.clone().drop_guard(), Arc::new(OnceLock::new()));
        let connection = Self {
            queues: queues.clone(),
            goodbye: goodbye.clone(),
            ended: ended.clone(),
            end_reason: end_reason.clone(),
            _abandon: abandon,
        };
        tokio::spawn(async move {
            let _ended = ended.drop_guard();
            let Queues { inbox, outbox } = &*queues;
            tokio::select! {
                () = abandoned.cancelled() => {}
                served = serve(opened, outbox, inbox, &goodbye) => {
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
                Some(Heard::Message(message)) => return Ok(message),
                Some(Heard::Lost(lost)) => {
                    tracing::warn!(count = lost.count, reason = %lost.reason, "messages of a connection were lost");
                }
                Some(Heard::Up | Heard::Down(_)) => {}
                None => return Err(self.error()),
            }
        }
    }

    /// Publishes; returns when it is on its way, which is at once unless very much waits.
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

    /// Says goodbye, so that the will is not said; what was published before goes first.
    pub async fn close(self) {
        self.goodbye.cancel();
        self.ended.cancelled().await;
    }

    fn error(&self) -> ConnectionError {
        self.end_reason.get().cloned().unwrap_or(ConnectionError::Ended)
    }
}
