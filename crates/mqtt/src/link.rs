//! A connection that is kept: it tries again, subscribes again, and what is published meanwhile waits.
//!
//! ```text
//!          ┌──────────── connecting ◀──wait (backoff)──┐
//!  publish ▼ queue, bounded        │ up                │ dropped
//!  ───▶ [waiting] ──────────────▶ connected ───────────┘
//! ```

use latimer_core::Clock;
use tokio_util::sync::CancellationToken;

use crate::{Login, Message};

/// What a link tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The broker is there, and everything is subscribed.
    Up,
    /// It is not, and why.
    Down(String),
    /// Somebody published.
    Message(Message),
    /// Published messages that did not get through, since the last time.
    Lost(Lost),
}

/// What did not get through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// How many messages.
    pub count: u64,
    /// Why.
    pub reason: String,
}

/// Hears; one task runs [`Link::run`], another one reads.
#[derive(Debug)]
pub struct Link {}

/// Publishes; cheap to clone.
#[derive(Clone, Debug)]
pub struct Publisher {}

impl Link {
    /// A link that is not running yet, and the future that runs it until the token is cancelled.
    pub fn new(
        _login: Login,
        _clock: Clock,
        _stop: CancellationToken,
    ) -> (Self, Publisher, impl Future<Output = ()> + Send + use<>) {
        (Self {}, Publisher {}, async move { _stop.cancelled().await })
    }

    /// What is heard next; `None` when the link has ended. Cancel safe.
    pub async fn next(&mut self) -> Option<Heard> {
        std::future::pending().await
    }

    /// Waits for something, then takes all that is there, at most `most`. Cancel safe; 0 when the link has ended.
    pub async fn next_many(&mut self, _into: &mut Vec<Heard>, _most: usize) -> usize {
        std::future::pending().await
    }
}

impl Publisher {
    /// Hands a message over; while the broker is away it waits. Says why it was not taken, which is counted, too.
    pub fn publish(&self, _message: Message) -> Result<(), Lost> {
        Err(Lost { count: 1, reason: "not connected".to_owned() })
    }
}
