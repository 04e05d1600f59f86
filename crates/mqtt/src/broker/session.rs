//! A client's session: its subscriptions, what goes to it, and the messages of QoS 2 that it has begun.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use bytes::BytesMut;
use latimer_core::Timestamp;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::message::Published;
use super::outbound::Outbound;
use super::retained::Position;
use super::wire::{Options, Reason, Will};

/// Bytes of a session without subscriptions.
const SESSION_BYTES: u64 = 1 << 10;

/// Bytes of a subscription beside its filter, which is there twice and once for each of its levels.
const FILTER_BYTES: u64 = 256;

/// A session, for as long as it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SessionKey(pub(super) u64);

/// The connection of a session: what its tasks and the router share.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) number: u64,
    /// Acknowledgements and answers, encoded.
    responses: Mutex<BytesMut>,
    /// Pings to be answered, after what was published before them.
    pings: AtomicU32,
    /// There is something to write.
    wake: Notify,
    end_reason: OnceLock<Reason>,
    ends: CancellationToken,
}

impl Connection {
    pub(super) fn new(number: u64) -> Arc<Self> {
        Arc::new(Self {
            number,
            responses: Mutex::default(),
            pings: AtomicU32::new(0),
            wake: Notify::new(),
            end_reason: OnceLock::new(),
            ends: CancellationToken::new(),
        })
    }

    /// Ends it; the client learns why, if its version has words for that.
    pub(super) fn end(&self, reason: Reason) {
        let _ = self.end_reason.set(reason);
        self.ends.cancel();
    }

    /// Waits until the broker ends it.
    pub(super) async fn ended(&self) -> Reason {
        self.ends.cancelled().await;
        self.end_reason.get().copied().unwrap_or(Reason::SERVER_SHUTTING_DOWN)
    }

    pub(super) fn wake(&self) {
        self.wake.notify_one();
    }

    pub(super) async fn woken(&self) {
        self.wake.notified().await;
    }

    /// Appends answers.
    pub(super) fn respond(&self, write: impl FnOnce(&mut BytesMut)) {
        write(&mut self.responses.lock().unwrap_or_else(PoisonError::into_inner));
        self.wake();
    }

    /// A ping came.
    pub(super) fn ping(&self) {
        self.pings.fetch_add(1, Ordering::Relaxed);
        self.wake();
    }

    /// Takes the pings that came.
    pub(super) fn take_pings(&self) -> u32 {
        self.pings.swap(0, Ordering::Relaxed)
    }

    /// Takes the answers that wait.
    pub(super) fn take_responses(&self, out: &mut BytesMut) {
        let mut responses = self.responses.lock().unwrap_or_else(PoisonError::into_inner);
        out.extend_from_slice(&responses);
        responses.clear();
    }

    /// Bytes of answers that wait.
    pub(super) fn response_bytes(&self) -> usize {
        self.responses.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// A session.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) client_id: Arc<str>,
    /// The user whose it is; `None` if anybody may connect.
    pub(super) owner: Option<Arc<str>>,
    /// Of a link of the gateway itself.
    pub(super) is_own: bool,
    /// `None` while the client is away.
    pub(super) connection: Option<Arc<Connection>>,
    pub(super) away_since: Option<Timestamp>,
    /// How long it is kept while the client is away.
    pub(super) expiry: Duration,
    pub(super) filters: HashMap<Arc<str>, Options>,
    pub(super) filter_bytes: u64,
    pub(super) outbound: Outbound,
    /// Retained messages that are still to be queued, by filter.
    pub(super) replays: Vec<Replay>,
    /// Identifiers of messages of QoS 2 that came and are not released.
    pub(super) begun: HashSet<u16>,
    pub(super) will: Option<Will>,
    /// When the will is published, though the session lives.
    pub(super) will_due: Option<Timestamp>,
    pub(super) published: Published,
}

/// Retained messages of a new subscription.
#[derive(Debug)]
pub(super) struct Replay {
    pub(super) filter: Arc<str>,
    pub(super) options: Options,
    pub(super) position: Option<Position>,
    /// The last message before it: those that came later were delivered as they came.
    pub(super) until: u64,
}

/// Bytes of a subscription.
pub(super) fn filter_cost(filter: &str) -> u64 {
    FILTER_BYTES + 3 * filter.len() as u64
}

/// Bytes of a will.
pub(super) fn will_cost(will: Option<&Will>) -> u64 {
    will.map_or(0, |will| (will.topic.len() + will.payload.len() + will.passed_on.len()) as u64)
}

impl Session {
    /// Bytes that it takes beside messages.
    pub(super) fn fixed_bytes(&self) -> u64 {
        SESSION_BYTES + self.filter_bytes + will_cost(self.will.as_ref())
    }

    /// Bytes that would be free without it, if nobody else has its messages.
    pub(super) fn bytes(&self) -> u64 {
        self.fixed_bytes() + self.outbound.bytes()
    }

    /// When it is over, if the client stays away.
    pub(super) fn expires(&self) -> Option<Timestamp> {
        self.away_since.map(|since| since.after(self.expiry))
    }
}
