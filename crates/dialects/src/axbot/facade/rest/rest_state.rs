//! What a robot's requests keep between them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::memory::{Budget, Share};
use tokio::sync::watch;

use super::boot::Boot;
use super::holdings::Holdings;
use super::map_store::MapStore;
use super::mapping_store::MappingStore;
use super::move_history::MoveHistory;

/// Moves, maps, mappings, whether it boots. Nothing of it outlives the gateway.
#[derive(Debug)]
pub(in crate::axbot::facade) struct RestState {
    boot: Mutex<Boot>,
    usual_boot: Duration,
    moves: Mutex<MoveHistory>,
    maps: Mutex<MapStore>,
    mappings: Mutex<MappingStore>,
    holdings: Mutex<Holdings>,
    /// Whether a map is being made, so that its cells are listened to.
    pub(super) makes_map: watch::Sender<bool>,
}

impl RestState {
    /// The empty state of a robot that begins to boot now.
    pub(in crate::axbot::facade) fn new(now: Timestamp, boot: Duration, memory: &Budget) -> Self {
        Self {
            boot: Mutex::new(Boot::new(now, boot)),
            usual_boot: boot,
            moves: Mutex::default(),
            maps: Mutex::new(MapStore::new(memory.hold(Share::Maps))),
            mappings: Mutex::default(),
            holdings: Mutex::default(),
            makes_map: watch::Sender::new(false),
        }
    }

    /// Whether it boots, and answers nothing else.
    pub(in crate::axbot::facade) fn is_booting(&self, now: Timestamp) -> bool {
        self.boot().is_on(now)
    }

    /// Boots anew.
    pub(super) fn restart(&self, now: Timestamp) {
        *lock(&self.boot) = Boot::asked(now, self.usual_boot);
    }

    /// The last boot.
    pub(super) fn boot(&self) -> Boot {
        *lock(&self.boot)
    }

    /// The drives; held for a moment only.
    pub(super) fn moves(&self) -> MutexGuard<'_, MoveHistory> {
        lock(&self.moves)
    }

    /// The maps; held for a moment only.
    pub(super) fn maps(&self) -> MutexGuard<'_, MapStore> {
        lock(&self.maps)
    }

    /// What surrounds its software; held for a moment only.
    pub(super) fn holdings(&self) -> MutexGuard<'_, Holdings> {
        lock(&self.holdings)
    }

    /// The mappings; held for a moment only.
    pub(super) fn mappings(&self) -> MutexGuard<'_, MappingStore> {
        lock(&self.mappings)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
