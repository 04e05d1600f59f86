//! The robots that there are. They appear and disappear; who keeps a list of them is notified.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::{ArcSwap, Guard};
use rpds::RedBlackTreeMapSync;
use tokio::sync::watch;

use super::{NameTaken, RobotEntry};
use crate::clock::{Clock, Timestamp};
use crate::model::RobotId;

/// Robots by name; a change makes a new list, which shares what it leaves alone with the one before.
pub(super) type ByName = RedBlackTreeMapSync<RobotId, Arc<RobotEntry>>;

/// The robots that there are.
#[derive(Default)]
pub(super) struct Robots {
    all: ArcSwap<ByName>,
    /// Serialises changes.
    changing: Mutex<()>,
    /// Grows with each robot that goes.
    gone: AtomicU64,
    /// How many there are; notified at each change.
    count: watch::Sender<usize>,
}

impl Robots {
    pub(super) fn all(&self) -> Guard<Arc<ByName>> {
        self.all.load()
    }

    pub(super) fn get(&self, robot: &RobotId) -> Option<Arc<RobotEntry>> {
        self.all().get(robot).cloned()
    }

    pub(super) fn add(&self, entry: &Arc<RobotEntry>) -> Result<(), NameTaken> {
        let robot = entry.info.robot.clone();
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let all = self.all();
        if all.contains_key(&robot) {
            return Err(NameTaken(robot));
        }
        self.store(all.insert(robot, entry.clone()));
        Ok(())
    }

    pub(super) fn remove(&self, robot: &RobotId) {
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        self.gone.fetch_add(1, Ordering::Release);
        self.store(self.all().remove(robot));
    }

    fn store(&self, all: ByName) {
        let count = all.size();
        self.all.store(Arc::new(all));
        self.count.send_replace(count);
    }

    /// How many went so far.
    pub(super) fn gone(&self) -> u64 {
        self.gone.load(Ordering::Acquire)
    }

    /// Tells when robots come or go.
    pub(super) fn population(&self, clock: Clock) -> Population {
        Population { robots: self.count.subscribe(), clock, is_other: true, rests_until: None }
    }
}

/// Least time between two looks, for each [`ROBOTS`] that there are: while a swarm of thousands appears, no sink looks
/// through all of it for each of them, and the looks take as little of the time as with few.
const REST: Duration = Duration::from_millis(50);

/// See [`REST`].
const ROBOTS: usize = 1_000;

fn rest(robots: usize) -> Duration {
    REST.saturating_mul(u32::try_from(robots.div_ceil(ROBOTS).max(1)).unwrap_or(u32::MAX))
}

/// Notifies when the population changed; see [`Hub::population`](super::Hub::population).
#[derive(Debug)]
pub struct Population {
    /// How many there are.
    robots: watch::Receiver<usize>,
    clock: Clock,
    /// The population changed since the last look.
    is_other: bool,
    rests_until: Option<Timestamp>,
}

impl Population {
    /// Whether a robot came or went since the last time; the first time it is so.
    pub fn has_changed(&mut self) -> bool {
        let is_other = self.robots.has_changed().unwrap_or_default() || self.is_other;
        self.robots.mark_unchanged();
        self.is_other = false;
        is_other
    }

    /// Waits until a robot came or went since the last time; the first time is over at once. Cancel safe.
    pub async fn changed(&mut self) {
        if !self.is_other {
            if self.robots.changed().await.is_err() {
                // The hub is gone.
                return std::future::pending().await;
            }
            self.is_other = true;
        }
        if let Some(until) = self.rests_until {
            self.clock.sleep_until(until).await;
        }
        let rest = rest(*self.robots.borrow_and_update());
        self.is_other = false;
        self.rests_until = Some(self.clock.now().after(rest));
    }
}
