//! A connection that is kept: it tries again, subscribes again, and what is published meanwhile waits.
//!
//! ```text
//!          ┌──────────── connecting ◀──wait (backoff)──┐
//!  publish ▼ queue, bounded        │ up                │ dropped
//!  ───▶ [waiting] ──────────────▶ connected ───────────┘
//! ```

use std::sync::Arc;
use std::time::Duration;

use latimer_core::supervisor::{Backoff, Disposition, Next, next};
use latimer_core::{Clock, Timestamp};
use tokio_util::sync::CancellationToken;

use crate::client::{Inbox, OpenError, Outbox, open, serve};
use crate::{LinkError, Login, LossReason, Message, PublishError};

/// How long a link waits before it tries again.
const BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(100),
    cap: Duration::from_secs(10),
    healthy: Duration::from_secs(10),
};

/// Between two lines of the log on what was lost.
const LOG_EVERY: Duration = Duration::from_secs(10);

/// What a link tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The broker is there, and everything is subscribed.
    Up,
    /// It is not, and why. Told once until it is there again, or the reason is another.
    Down(LinkError),
    /// Somebody published.
    Message(Message),
    /// Messages that did not get through, since the last time.
    Lost(Lost),
}

/// What did not get through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Lost {
    /// How many messages.
    pub count: u64,
    /// Why.
    pub reason: LossReason,
}

/// How many messages were ever published on a link, and how many of them the broker has confirmed, which it does about
/// in their order. One of [`Qos::AtMostOnce`](crate::Qos) counts as confirmed when it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Ever published.
    pub published: u64,
    /// Of these, confirmed.
    pub confirmed: u64,
}

impl Progress {
    /// How many the broker has not confirmed.
    pub const fn unconfirmed(self) -> u64 {
        self.published.saturating_sub(self.confirmed)
    }

    /// How many more may be published for so many at most to be unconfirmed.
    pub(crate) fn room(self, most: usize) -> usize {
        most.saturating_sub(usize::try_from(self.unconfirmed()).unwrap_or(usize::MAX))
    }
}

/// Hears; one task runs the future of [`Link::new`], another one reads.
#[derive(Debug)]
pub struct Link {
    queues: Arc<Queues>,
    client_id: String,
    clock: Clock,
    losses: Losses,
}

/// What was lost, told in the log now and then.
#[derive(Debug, Default)]
struct Losses {
    untold: u64,
    told: Option<Timestamp>,
}

/// Publishes; cheap to clone.
#[derive(Clone, Debug)]
pub struct Publisher {
    queues: Arc<Queues>,
}

#[derive(Debug, Default)]
struct Queues {
    inbox: Inbox,
    outbox: Outbox,
}

impl Link {
    /// A link that is not running yet, and the future that runs it until the token is cancelled.
    pub fn new(
        login: Login,
        clock: Clock,
        stop: CancellationToken,
    ) -> (Self, Publisher, impl Future<Output = ()> + Send + use<>) {
        let queues = Arc::new(Queues::default());
        let running = queues.clone();
        let client_id = login.client_id.clone();
        let link = Self { queues: queues.clone(), client_id, clock, losses: Losses::default() };
        let run = async move {
            keep(&login, clock, &running, &stop).await;
            running.inbox.end();
        };
        (link, Publisher { queues }, run)
    }

    /// What is heard next; `None` when the link has ended. Cancel safe.
    pub async fn next(&mut self) -> Option<Heard> {
        let heard = self.queues.inbox.next().await;
        self.log_losses(heard.as_slice());
        heard
    }

    /// Waits for something, then takes all that is there, at most `most`. Cancel safe; 0 when the link has ended.
    pub async fn next_many(&mut self, into: &mut Vec<Heard>, most: usize) -> usize {
        let before = into.len();
        let taken = self.queues.inbox.next_many(into, most).await;
        self.log_losses(into.get(before..).unwrap_or_default());
        taken
    }

    fn log_losses(&mut self, heard: &[Heard]) {
        for heard in heard {
            let Heard::Lost(Lost { count, reason }) = heard else { continue };
            let (now, losses) = (self.clock.now(), &mut self.losses);
            losses.untold = losses.untold.saturating_add(*count);
            if losses.told.is_none_or(|told| now.since(told) >= LOG_EVERY) {
                let count = std::mem::take(&mut losses.untold);
                losses.told = Some(now);
                tracing::warn!(client = %self.client_id, count, %reason, "messages of a link were lost");
            }
        }
    }
}

impl Publisher {
    /// Queues a message; while the broker is away it waits. The link reports a message that is not queued, too.
    pub fn publish(&self, message: Message) -> Result<(), PublishError> {
        self.queues.outbox.push(message).inspect_err(|error| {
            let reason = LossReason::Publish(error.clone());
            self.queues.inbox.news(Heard::Lost(Lost { count: 1, reason }));
        })
    }

    /// How far it is with what was ever published.
    pub fn progress(&self) -> Progress {
        self.queues.outbox.progress()
    }

    /// Waits until more than so many messages are confirmed; one task at a time may. Cancel safe.
    pub async fn confirmed_beyond(&self, count: u64) {
        self.queues.outbox.confirmed_beyond(count).await;
    }
}

async fn keep(login: &Login, clock: Clock, queues: &Queues, stop: &CancellationToken) {
    let client = &login.client_id;
    let mut failures = 0;
    let mut reported: Option<LinkError> = None;
    loop {
        let began = clock.now();
        let error = tokio::select! {
            () = stop.cancelled() => return,
            opened = open(login) => match opened {
                Ok(opened) => {
                    tracing::info!(%client, broker = %login.address, "the link to the broker is up");
                    queues.inbox.news(Heard::Up);
                    reported = None;
                    match serve(opened, &queues.outbox, &queues.inbox, stop).await {
                        Ok(()) => return,
                        Err(reason) => {
                            let cause = OpenError::Dropped(reason);
                            LinkError { address: login.address.clone(), cause }
                        }
                    }
                }
                Err(error) => error,
            }
        };
        if reported.as_ref() != Some(&error) {
            tracing::warn!(%client, reason = %error, "the link to the broker is down; it tries again");
            queues.inbox.news(Heard::Down(error.clone()));
            reported = Some(error);
        }
        let lived = clock.now().since(began);
        let (decision, now) = next(&BACKOFF, failures, Disposition::Retry, lived, rand::random());
        failures = now;
        let Next::RetryIn(wait) = decision else { return };
        tokio::select! {
            () = stop.cancelled() => return,
            () = clock.sleep(wait) => {}
        }
    }
}
