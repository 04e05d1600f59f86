//! A connection that is kept: it reconnects, and queues what is published meanwhile. So does the broker: the link's session lasts
//! until the link ends, so that messages of QoS 1 and 2 are not lost in between. Those that may have waited at the broker are marked.
//!
//! ```text
//!          ┌──────────── connecting ◀──wait────────────┐
//!  publish ▼ queue, bounded        │ up                │ dropped
//!  ───▶ [waiting] ──────────────▶ connected ───────────┘
//! ```
//!
//! After a drop it connects again at once, then each second; it backs off from a broker that refuses it, and waits until one that is
//! away accepts connections.

use std::sync::Arc;
use std::time::Duration;

use latimer_core::limits::LOG_INTERVAL;
use latimer_core::supervisor::{Attempt, Backoff, Disposition, Next, Probe, Reach, next, until_attempt};
use latimer_core::{BrokerAddress, Clock, Timestamp};
use tokio_util::sync::CancellationToken;

use crate::broker::is_own;
use crate::client::{Client, DropReason, Inbox, OpenError, Outbox, SessionKind};
use crate::limits::MAX_PROTOCOL_BREACHES;
use crate::{LinkError, Login, LossReason, Message, PublishError};

/// Delays between attempts to connect after a drop.
const RECONNECT: Backoff = Backoff {
    first: Duration::from_millis(20),
    cap: Duration::from_secs(1),
    healthy: Duration::from_secs(1),
};

/// The same at a broker that refuses.
const BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(100),
    cap: Duration::from_secs(10),
    healthy: Duration::from_secs(10),
};

/// What happens on a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkEvent {
    /// The link is connected and subscribed.
    Up,
    /// The link is down. Reported again only after it was up, or for another reason.
    Down(LinkError),
    /// A received message.
    Message(Message),
    /// Messages that were lost.
    Lost(Lost),
}

/// Lost messages.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Lost {
    /// How many messages.
    pub count: u64,
    /// Why they were lost.
    pub reason: LossReason,
}

/// How many messages were ever published on a link, and how many of them the broker has confirmed, roughly in their
/// order. A message of [`Qos::AtMostOnce`](crate::Qos) counts as confirmed when it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Ever published.
    pub published: u64,
    /// Of these, confirmed.
    pub confirmed: u64,
}

impl Progress {
    /// How many messages the broker has not confirmed.
    pub const fn unconfirmed(self) -> u64 {
        self.published.saturating_sub(self.confirmed)
    }

    /// How many more messages fit below a limit of unconfirmed ones.
    pub(crate) fn room(self, most: usize) -> usize {
        most.saturating_sub(usize::try_from(self.unconfirmed()).unwrap_or(usize::MAX))
    }
}

/// The receiving half; one task runs the future of [`Link::new`], another one reads.
#[derive(Debug)]
pub struct Link {
    queues: Arc<Queues>,
    client_id: String,
    clock: Clock,
    losses: Losses,
}

/// Losses, logged at most every [`LOG_INTERVAL`].
#[derive(Debug, Default)]
struct Losses {
    unreported: u64,
    reported: Option<Timestamp>,
}

/// The publishing half; cheap to clone.
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

    /// The next event; `None` when the link has ended. Cancel safe.
    pub async fn next(&mut self) -> Option<LinkEvent> {
        let event = self.queues.inbox.next().await;
        self.log_losses(event.as_slice());
        event
    }

    /// Waits for an event, then takes all that are queued, at most `most`; 0 when the link has ended. Cancel safe.
    pub async fn next_many(&mut self, into: &mut Vec<LinkEvent>, most: usize) -> usize {
        let before = into.len();
        let taken = self.queues.inbox.next_many(into, most).await;
        self.log_losses(into.get(before..).unwrap_or_default());
        taken
    }

    fn log_losses(&mut self, events: &[LinkEvent]) {
        for event in events {
            let LinkEvent::Lost(Lost { count, reason }) = event else { continue };
            let (now, losses) = (self.clock.now(), &mut self.losses);
            losses.unreported = losses.unreported.saturating_add(*count);
            if losses.reported.is_none_or(|reported| now.since(reported) >= LOG_INTERVAL) {
                let count = std::mem::take(&mut losses.unreported);
                losses.reported = Some(now);
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
            self.queues.inbox.link_event(LinkEvent::Lost(Lost { count: 1, reason }));
        })
    }

    /// How many messages were ever published and confirmed.
    pub fn progress(&self) -> Progress {
        self.queues.outbox.progress()
    }

    /// Waits until more than `count` messages are confirmed; for one task at a time. Cancel safe.
    pub async fn confirmed_beyond(&self, count: u64) {
        self.queues.outbox.confirmed_beyond(count).await;
    }
}

/// A broker's port.
struct Port<'a>(&'a BrokerAddress);

impl Probe for Port<'_> {
    async fn probe(&mut self) -> Option<Reach> {
        Some(reach(self.0).await)
    }
}

/// Whether a broker accepts connections.
pub async fn reach(broker: &BrokerAddress) -> Reach {
    match latimer_listen::accepts(&broker.host, broker.port).await {
        true => Reach::Accepts,
        false => Reach::Away,
    }
}

/// Whether a broker answers that it does not want the link.
fn refuses(error: &Option<LinkError>) -> bool {
    let cause = error.as_ref().map(|error| &error.cause);
    match cause {
        Some(OpenError::Dropped(reason)) => match reason {
            DropReason::BadCredentials | DropReason::NotAuthorized | DropReason::Refused(_) => true,
            DropReason::NotListening
            | DropReason::NoAnswer
            | DropReason::Tls(_)
            | DropReason::Protocol(_)
            | DropReason::Io(_)
            | DropReason::Library(_) => false,
        },
        Some(OpenError::SubscriptionRefused { .. }) => true,
        Some(
            OpenError::TimedOut { .. } | OpenError::InvalidWill { .. } | OpenError::InvalidFilters { .. },
        )
        | None => false,
    }
}

async fn keep(login: &Login, clock: Clock, queues: &Queues, stop: &CancellationToken) {
    // The broker within ends with the gateway: it has nothing to keep a session for.
    let kind = if is_own(&login.address) { SessionKind::Clean } else { SessionKind::Kept(clock) };
    match Client::new(login, kind) {
        Ok(mut client) => {
            reconnect(&mut client, login, clock, queues, stop).await;
            client.end().await;
        }
        Err(error) => {
            tracing::error!(client = %login.client_id, reason = %error, "there is no link to the broker");
            queues.inbox.link_event(LinkEvent::Down(error));
            stop.cancelled().await;
        }
    }
}

/// Connections in a row that the protocol's state machine ended.
#[derive(Debug, Default)]
struct Breaches {
    last: Option<LinkError>,
    count: u32,
}

impl Breaches {
    /// Whether the session is to be given up, with what it guarantees: it ends each time that it is resumed. Once is no reason, since a
    /// broker answers what is sent again after a drop as well as what it had open (Mosquitto sends PUBREC twice then, which the
    /// library takes for a breach), and the next connection of the session goes on from there.
    fn is_given_up(&mut self, error: &LinkError, lived: Duration) -> bool {
        if lived >= BACKOFF.healthy {
            *self = Self::default();
        }
        if !matches!(error.cause, OpenError::Dropped(DropReason::Protocol(_))) {
            return false;
        }
        self.count += 1;
        let is_same = self.last.replace(error.clone()).as_ref() == Some(error);
        let is_given_up = is_same || self.count == MAX_PROTOCOL_BREACHES;
        if is_given_up {
            *self = Self::default();
        }
        is_given_up
    }
}

async fn reconnect(
    client: &mut Client,
    login: &Login,
    clock: Clock,
    queues: &Queues,
    stop: &CancellationToken,
) {
    let (id, broker) = (&login.client_id, &login.address);
    let mut port = Port(broker);
    let mut failures = 0;
    let mut reported: Option<LinkError> = None;
    let mut breaches = Breaches::default();
    loop {
        let began = clock.now();
        let connected = tokio::select! {
            () = stop.cancelled() => return,
            connected = client.connect(&queues.outbox) => connected,
        };
        let error = match connected {
            Ok(()) => {
                tracing::info!(client = %id, %broker, "the link to the broker is up");
                queues.inbox.link_event(LinkEvent::Up);
                reported = None;
                match client.serve(&queues.outbox, &queues.inbox, stop).await {
                    Ok(()) => return,
                    Err(reason) => LinkError { address: broker.clone(), cause: OpenError::Dropped(reason) },
                }
            }
            Err(error) => error,
        };
        let lived = clock.now().since(began);
        if breaches.is_given_up(&error, lived) {
            client.renew(&queues.outbox).await;
        }
        if reported.as_ref() != Some(&error) {
            tracing::warn!(client = %id, reason = %error, "the link to the broker is down; it tries again");
            queues.inbox.link_event(LinkEvent::Down(error.clone()));
            reported = Some(error);
        }
        let backoff = if refuses(&reported) { &BACKOFF } else { &RECONNECT };
        let (decision, now) = next(backoff, failures, Disposition::Retry, lived, rand::random());
        failures = now;
        let Next::RetryIn(wait) = decision else { return };
        tokio::select! {
            () = stop.cancelled() => return,
            attempt = until_attempt(clock, wait, &mut port) => if attempt == Attempt::Back {
                failures = 0;
            }
        }
    }
}
