//! The memory that clients can fill: one budget, of which each purpose has a share.
//!
//! ```text
//! limits.memory ──┬─ bodies    requests while they are read
//!                 ├─ sockets   what clients of sockets and streams have not read yet
//!                 ├─ maps      maps that clients gave
//!                 ├─ pictures  pictures that are made for one client
//!                 ├─ sessions  MQTT: messages of QoS 1 and 2 that wait for clients, and sessions of those that are away
//!                 ├─ qos0      MQTT: messages of QoS 0 that wait for clients
//!                 ├─ retained  MQTT: retained messages
//!                 └─ journal   what happened lately
//! ```
//!
//! Who would exceed a share is refused, which the log and `/metrics` show; the other shares do not notice. Pictures and maps are
//! decoded beside the tasks that serve clients, a few of each at a time.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use latimer_panics::Panic;
use tokio::sync::Semaphore;

use crate::clock::{Clock, Timestamp};
use crate::limits::{DECODE_QUEUE_TIMEOUT, LOG_INTERVAL};

/// The whole budget, unless it is configured: 512 MiB.
pub const DEFAULT_BYTES: u64 = 512 << 20;

/// The least that a budget can be: a map or a picture of the usual size fits.
pub const LEAST_BYTES: u64 = 16 << 20;

/// What a part of the budget is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Requests while they are read.
    Bodies,
    /// What clients of sockets and streams have not read yet.
    Sockets,
    /// Maps that clients gave.
    Maps,
    /// Pictures that are made for one client.
    Pictures,
    /// MQTT: messages of QoS 1 and 2 that wait for clients, and sessions of clients that are away.
    Sessions,
    /// MQTT: messages of QoS 0 that wait for clients.
    Qos0,
    /// MQTT: retained messages.
    Retained,
    /// What happened lately.
    Journal,
}

/// Each share, its name, and how many of [`PARTS`] it has.
const SHARES: [(Share, &str, u64); 8] = [
    (Share::Bodies, "bodies", 10),
    (Share::Sockets, "sockets", 6),
    (Share::Maps, "maps", 11),
    (Share::Pictures, "pictures", 10),
    (Share::Sessions, "sessions", 10),
    (Share::Qos0, "qos0", 5),
    (Share::Retained, "retained", 8),
    (Share::Journal, "journal", 4),
];

/// Parts of the budget.
const PARTS: u64 = 64;

impl Share {
    /// Every share.
    pub fn all() -> impl Iterator<Item = Self> {
        SHARES.into_iter().map(|(share, ..)| share)
    }

    /// Its name in the log and in `/metrics`.
    pub const fn name(self) -> &'static str {
        SHARES[self as usize].1
    }

    /// Its part of a budget, bytes.
    pub const fn of(self, total: u64) -> u64 {
        total / PARTS * SHARES[self as usize].2
    }
}

/// The budget; cheap to clone, all clones are the same.
///
/// ```
/// use latimer_core::Clock;
/// use latimer_core::memory::{Budget, LEAST_BYTES, Share};
///
/// let budget = Budget::new(Clock::system());
/// budget.set_total(LEAST_BYTES);
/// let map = budget.reserve(Share::Maps, 1 << 20, "ada")?;
/// assert!(budget.reserve(Share::Maps, LEAST_BYTES, "bob").is_err(), "no share is the whole");
/// drop(map);
/// assert!(budget.report().all(|share| share.used == 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Budget(Arc<Inner>);

struct Inner {
    clock: Clock,
    total: AtomicU64,
    states: [State; SHARES.len()],
}

struct State {
    used: AtomicU64,
    refused: AtomicU64,
    /// When the log showed it last, and how many were refused until then.
    logged: Mutex<Option<(Timestamp, u64)>>,
    /// How many more can be decoded now.
    decoders: Arc<Semaphore>,
}

/// There is no memory left for something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no memory left for it: {} of {} are in use; try again later, or raise limits.memory",
    Mebibytes(*.used), Mebibytes(*.limit)
)]
pub struct Exceeded {
    /// Bytes of the share that are in use.
    pub used: u64,
    /// Bytes of the share.
    pub limit: u64,
}

/// Something was not decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Too many others came first.
    #[error("too many others are being decoded; try again later")]
    Busy,
    /// The decoder failed.
    #[error(transparent)]
    Panic(Panic),
}

/// How a share stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareReport {
    /// Which one.
    pub share: Share,
    /// Bytes in use.
    pub used: u64,
    /// Bytes that it has.
    pub limit: u64,
    /// How often somebody was refused, or lost something.
    pub refused: u64,
}

impl Budget {
    /// The default budget.
    pub fn new(clock: Clock) -> Self {
        Self(Arc::new(Inner {
            clock,
            total: AtomicU64::new(DEFAULT_BYTES),
            states: std::array::from_fn(|_| State {
                used: AtomicU64::new(0),
                refused: AtomicU64::new(0),
                logged: Mutex::default(),
                decoders: Arc::new(Semaphore::new(decoders())),
            }),
        }))
    }

    /// Sets how many bytes there are in all.
    pub fn set_total(&self, bytes: u64) {
        self.0.total.store(bytes, Ordering::Relaxed);
    }

    /// Bytes of a share.
    pub fn limit(&self, share: Share) -> u64 {
        share.of(self.0.total.load(Ordering::Relaxed))
    }

    /// Reserves bytes for a client until the reservation is dropped.
    pub fn reserve(
        &self,
        share: Share,
        bytes: u64,
        client: impl fmt::Display,
    ) -> Result<Reservation, Exceeded> {
        let mut reservation = self.hold(share);
        reservation.grow(bytes, client)?;
        Ok(reservation)
    }

    /// A reservation of nothing yet.
    pub fn hold(&self, share: Share) -> Reservation {
        Reservation { budget: self.clone(), share, bytes: 0 }
    }

    /// Counts a client that was refused or lost something, and logs it, if the share was not in the log just now.
    pub fn refused(&self, share: Share, client: impl fmt::Display) {
        let state = self.0.state(share);
        let refused = state.refused.fetch_add(1, Ordering::Relaxed) + 1;
        let now = self.0.clock.now();
        let mut logged = state.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.is_some_and(|(at, _)| now.since(at) < LOG_INTERVAL) {
            return;
        }
        let before = logged.replace((now, refused)).map_or(0, |(_, before)| before);
        drop(logged);
        tracing::warn!(
            share = share.name(),
            %client,
            count = refused - before,
            limit = %Mebibytes(self.limit(share)),
            "a client exceeds what limits.memory leaves for this, and is refused or loses the oldest of it"
        );
    }

    /// How every share stands.
    pub fn report(&self) -> impl Iterator<Item = ShareReport> {
        Share::all().map(|share| {
            let state = self.0.state(share);
            ShareReport {
                share,
                used: state.used.load(Ordering::Relaxed),
                limit: self.limit(share),
                refused: state.refused.load(Ordering::Relaxed),
            }
        })
    }

    /// Decodes or encodes something for a client beside the tasks that serve clients, a few of each share at a time.
    pub async fn decode<T: Send + 'static>(
        &self,
        share: Share,
        client: impl fmt::Display,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, DecodeError> {
        let permit = self.0.state(share).decoders.clone().acquire_owned();
        let Ok(Ok(permit)) = tokio::time::timeout(DECODE_QUEUE_TIMEOUT, permit).await else {
            self.refused(share, client);
            return Err(DecodeError::Busy);
        };
        // Work goes on though nobody waits for it any more, so the permit belongs to it.
        let work = move || {
            let _permit = permit;
            work()
        };
        latimer_panics::blocking("decoding or encoding for a client", work).await.map_err(DecodeError::Panic)
    }
}

/// How many are decoded at a time: half of the processors go on with other things.
fn decoders() -> usize {
    std::thread::available_parallelism().map_or(1, |processors| processors.get() / 2).max(1)
}

impl Inner {
    fn state(&self, share: Share) -> &State {
        &self.states[share as usize]
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.report()).finish()
    }
}

/// Bytes of a share, given back when this is dropped.
pub struct Reservation {
    budget: Budget,
    share: Share,
    bytes: u64,
}

impl Reservation {
    /// How many bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reserves more for a client.
    pub fn grow(&mut self, more: u64, client: impl fmt::Display) -> Result<(), Exceeded> {
        let limit = self.budget.limit(self.share);
        let used = &self.budget.0.state(self.share).used;
        let fits = |used: u64| used.checked_add(more).filter(|sum| *sum <= limit);
        match used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits) {
            Ok(_) => {
                self.bytes += more;
                Ok(())
            }
            Err(used) => {
                self.budget.refused(self.share, client);
                Err(Exceeded { used, limit })
            }
        }
    }

    /// Reserves so many bytes in all for a client; fewer than before always fit.
    pub fn resize(&mut self, bytes: u64, client: impl fmt::Display) -> Result<(), Exceeded> {
        match bytes.checked_sub(self.bytes) {
            Some(more) => self.grow(more, client),
            None => {
                self.set(bytes);
                Ok(())
            }
        }
    }

    /// Takes so many bytes in all, even beyond the share: of what has a bound of its own.
    pub fn set(&mut self, bytes: u64) {
        let used = &self.budget.0.state(self.share).used;
        if let Some(more) = bytes.checked_sub(self.bytes) {
            used.fetch_add(more, Ordering::Relaxed);
        } else {
            used.fetch_sub(self.bytes - bytes, Ordering::Relaxed);
        }
        self.bytes = bytes;
    }

    /// Whether the share is exceeded by what was [`set`](Self::set).
    pub fn is_exceeded(&self) -> bool {
        self.budget.0.state(self.share).used.load(Ordering::Relaxed) > self.budget.limit(self.share)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.set(0);
    }
}

impl fmt::Debug for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of {}", self.bytes, self.share.name())
    }
}

/// Bytes as people read them.
struct Mebibytes(u64);

impl fmt::Display for Mebibytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB", self.0 >> 20)
    }
}

#[cfg(test)]
mod tests;
