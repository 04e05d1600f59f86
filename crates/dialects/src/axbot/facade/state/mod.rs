//! What a robot's requests keep between them. It knows nothing of them.

pub(super) mod boot;
pub(super) mod map_store;
pub(super) mod mapping_store;
pub(super) mod move_history;
pub(super) mod surroundings;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::memory::{Budget, Share};
use tokio::sync::watch;

use boot::Boot;
use map_store::MapStore;
use mapping_store::MappingStore;
use move_history::MoveHistory;
use surroundings::Surroundings;

/// Moves, maps, mappings, whether it boots. Nothing of it outlives the gateway.
#[derive(Debug)]
pub(super) struct RestState {
    boot: Mutex<Boot>,
    usual_boot: Duration,
    moves: Mutex<MoveHistory>,
    maps: Mutex<MapStore>,
    mappings: Mutex<MappingStore>,
    surroundings: Mutex<Surroundings>,
    /// Whether a map is being made, so that its cells are listened to.
    pub(super) makes_map: watch::Sender<bool>,
}

impl RestState {
    /// The empty state of a robot that begins to boot now.
    pub(super) fn new(now: Timestamp, boot: Duration, memory: &Budget) -> Self {
        Self {
            boot: Mutex::new(Boot::new(now, boot)),
            usual_boot: boot,
            moves: Mutex::default(),
            maps: Mutex::new(MapStore::new(memory.hold(Share::Maps))),
            mappings: Mutex::default(),
            surroundings: Mutex::default(),
            makes_map: watch::Sender::new(false),
        }
    }

    /// Whether it boots, and answers nothing else.
    pub(super) fn is_booting(&self, now: Timestamp) -> bool {
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
    pub(super) fn surroundings(&self) -> MutexGuard<'_, Surroundings> {
        lock(&self.surroundings)
    }

    /// The mappings; held for a moment only.
    pub(super) fn mappings(&self) -> MutexGuard<'_, MappingStore> {
        lock(&self.mappings)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
