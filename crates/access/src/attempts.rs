//! Attempts to come in with a password that failed: each makes the next one wait longer.
//!
//! They are counted by address and name when they begin, so that as many at once are no way around, and a guess at one user does not
//! keep another one of the same address out. Guesses at many names from one address count together, too. Attempts of requests that
//! stop robots count apart from all others, so that no number of those that failed keeps anybody from stopping a robot.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use latimer_core::{Clock, Timestamp};

use crate::limits::{
    ATTEMPT_MAX_WAIT, ATTEMPTS_FORGOTTEN_AFTER, FREE_ATTEMPTS_PER_ADDRESS, FREE_ATTEMPTS_PER_NAME,
    MAX_COUNTED_ATTEMPTS,
};

/// What a client comes in for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    /// Anything.
    Any,
    /// To stop a robot.
    Stop,
}

/// What attempts are counted together: those of an address for a purpose, with a name or with all names.
type Key = (IpAddr, Purpose, Option<String>);

/// Attempts that failed.
#[derive(Debug)]
pub(crate) struct Attempts {
    clock: Clock,
    failures: Mutex<HashMap<Key, Failures>>,
    failed: AtomicU64,
}

#[derive(Debug)]
struct Failures {
    count: u32,
    last: Timestamp,
}

impl Failures {
    /// When the next attempt is looked at.
    fn next(&self, free: u32) -> Timestamp {
        let doublings = self.count.saturating_sub(free);
        if doublings == 0 {
            return self.last;
        }
        let wait = Duration::from_secs(1).saturating_mul(1 << (doublings - 1).min(16));
        self.last.after(wait.min(ATTEMPT_MAX_WAIT))
    }
}

/// The two that an attempt counts for, and how many of each may fail.
fn keys(address: IpAddr, purpose: Purpose, name: &str) -> [(Key, u32); 2] {
    let network = network(address);
    [
        ((network, purpose, Some(name.to_owned())), FREE_ATTEMPTS_PER_NAME),
        ((network, purpose, None), FREE_ATTEMPTS_PER_ADDRESS),
    ]
}

impl Attempts {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, failures: Mutex::default(), failed: AtomicU64::default() }
    }

    /// An attempt begins, and counts as one that fails until it is known; or how long the client has to wait before it is looked at.
    pub(crate) fn begin(&self, address: IpAddr, purpose: Purpose, name: &str) -> Result<(), Duration> {
        let now = self.clock.now();
        let mut failures = self.failures();
        let keys = keys(address, purpose, name);
        let next = keys.iter().filter_map(|(key, free)| Some(failures.get(key)?.next(*free))).max();
        if let Some(next) = next.filter(|next| now < *next) {
            return Err(next.since(now));
        }
        if failures.len() >= MAX_COUNTED_ATTEMPTS {
            failures.retain(|_, it| now.since(it.last) < ATTEMPTS_FORGOTTEN_AFTER);
            let first = failures.iter().min_by_key(|(_, it)| it.last).map(|(key, _)| key.clone());
            if let Some(first) = first.filter(|_| failures.len() >= MAX_COUNTED_ATTEMPTS) {
                failures.remove(&first);
            }
        }
        for (key, _) in keys {
            let it = failures.entry(key).or_insert(Failures { count: 0, last: now });
            if now.since(it.last) >= ATTEMPTS_FORGOTTEN_AFTER {
                it.count = 0;
            }
            *it = Failures { count: it.count.saturating_add(1), last: now };
        }
        Ok(())
    }

    /// An attempt that began did not fail.
    pub(crate) fn succeeded(&self, address: IpAddr, purpose: Purpose, name: &str) {
        let mut failures = self.failures();
        for (key, _) in keys(address, purpose, name) {
            if let Some(it) = failures.get_mut(&key) {
                it.count = it.count.saturating_sub(1);
            }
        }
    }

    /// An attempt that began failed; the log has the first ones, and then those whose number has doubled.
    pub(crate) fn failed_once(&self, address: IpAddr, purpose: Purpose, name: &str) {
        self.count();
        let key = (network(address), purpose, Some(name.to_owned()));
        let count = self.failures().get(&key).map_or(1, |it| it.count);
        if count <= FREE_ATTEMPTS_PER_NAME || count.is_power_of_two() {
            tracing::warn!(%address, user = name, count, "an attempt to come in failed; the next ones for this user from this address wait longer");
        }
    }

    /// Counts one that failed, and makes nobody wait.
    pub(crate) fn count(&self) {
        self.failed.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    fn failures(&self) -> MutexGuard<'_, HashMap<Key, Failures>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An address of IPv6 by its network, since a machine has all addresses of one.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}
