//! Attempts to come in that failed, by address: each makes the next one wait longer.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use latimer_core::access::Credential;
use latimer_core::{Clock, Timestamp};

/// Attempts that may fail before the next one waits: people mistype.
const FREE: u32 = 3;

/// Longest wait.
const LONGEST: Duration = Duration::from_secs(60);

/// After so long without another one, they are forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(15 * 60);

/// Addresses at which those that are forgotten are removed.
const MANY: usize = 4_096;

/// Attempts that failed.
#[derive(Debug)]
pub(crate) struct Attempts {
    clock: Clock,
    by_address: Mutex<HashMap<IpAddr, Failures>>,
    failed: AtomicU64,
}

#[derive(Debug)]
struct Failures {
    count: u32,
    last: Timestamp,
}

impl Failures {
    /// When the next attempt is looked at.
    fn next(&self) -> Timestamp {
        let doublings = self.count.saturating_sub(FREE);
        if doublings == 0 {
            return self.last;
        }
        let wait = Duration::from_secs(1).saturating_mul(1 << (doublings - 1).min(16));
        self.last.after(wait.min(LONGEST))
    }
}

impl Attempts {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, by_address: Mutex::default(), failed: AtomicU64::default() }
    }

    /// How long an address has to wait until its next attempt is looked at, if it has to.
    pub(crate) fn wait(&self, address: IpAddr) -> Option<Duration> {
        let now = self.clock.now();
        let next = self.by_address().get(&network(address))?.next();
        (now < next).then(|| next.since(now))
    }

    /// Counts one that failed; the log has the first ones, and then those whose number has doubled.
    pub(crate) fn count(&self, address: IpAddr, shown: Credential<'_>) {
        let now = self.clock.now();
        self.failed.fetch_add(1, Ordering::Relaxed);
        let count = {
            let mut by_address = self.by_address();
            if by_address.len() >= MANY {
                by_address.retain(|_, it| now.since(it.last) < FORGOTTEN_AFTER);
            }
            let failures = by_address.entry(network(address)).or_insert(Failures { count: 0, last: now });
            if now.since(failures.last) >= FORGOTTEN_AFTER {
                failures.count = 0;
            }
            *failures = Failures { count: failures.count.saturating_add(1), last: now };
            failures.count
        };
        if count <= FREE || count.is_power_of_two() {
            tracing::warn!(%address, count, ?shown, "an attempt to come in failed; the next ones of this address wait longer");
        }
    }

    pub(crate) fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    fn by_address(&self) -> MutexGuard<'_, HashMap<IpAddr, Failures>> {
        self.by_address.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An address of IPv6 by its network, since a machine has all addresses of one.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}
