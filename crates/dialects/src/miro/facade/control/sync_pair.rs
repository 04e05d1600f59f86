//! Messages of `platform/control` and `core/control` that belong together are acted on together; one that stays alone is
//! acted on after a while.
//!
//! ```text
//!            platform, both flags            core, both flags
//! Nothing ───────────────────────▶ Platform ─────────────────▶ Nothing (act on both now)
//!    │                                └──── 100 ms ──────────▶ Nothing (act now)
//!    └── core ──▶ Core ── platform ──▶ Nothing (act on both now)
//!                   └──── 100 ms ────▶ Nothing (act now)
//! ```
//!
//! What comes meanwhile and waits for nothing is newer: the one that waits is acted on before it.

use latimer_core::Timestamp;

use crate::miro::limits::SYNC_PAIR_TIMEOUT;

/// A message that can be acted on, and when it came.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Due<P, C> {
    /// Of the platform.
    Platform(P, Timestamp),
    /// Of the core.
    Core(C, Timestamp),
}

/// The half that waits for the other: never both.
#[derive(Debug)]
pub(super) struct SyncPair<P, C> {
    platform: Option<(P, Timestamp)>,
    core: Option<(C, Timestamp)>,
}

impl<P, C> Default for SyncPair<P, C> {
    fn default() -> Self {
        Self { platform: None, core: None }
    }
}

impl<P, C> SyncPair<P, C> {
    /// A message of the platform's that waits for the core's; what can be acted on by now, the older first.
    pub(super) fn platform(&mut self, message: P, now: Timestamp) -> Vec<Due<P, C>> {
        if let Some((core, came)) = self.core.take() {
            return vec![Due::Core(core, came), Due::Platform(message, now)];
        }
        let older = self.flush_platform();
        self.platform = Some((message, now));
        older.into_iter().collect()
    }

    /// A message of the core's that waits for the platform's; what can be acted on by now, the older first.
    pub(super) fn core(&mut self, message: C, now: Timestamp) -> Vec<Due<P, C>> {
        if let Some((platform, _)) = self.platform.take() {
            return vec![Due::Platform(platform, now), Due::Core(message, now)];
        }
        let older = self.flush_core();
        self.core = Some((message, now));
        older.into_iter().collect()
    }

    /// What has waited long enough.
    pub(super) fn alone(&mut self, now: Timestamp) -> Option<Due<P, C>> {
        let is_over = |came: Timestamp| now.since(came) >= SYNC_PAIR_TIMEOUT;
        if self.platform.as_ref().is_some_and(|(_, came)| is_over(*came)) {
            return self.flush_platform();
        }
        if self.core.as_ref().is_some_and(|(_, came)| is_over(*came)) {
            return self.flush_core();
        }
        None
    }

    /// The platform's message that waits, if something newer is to be acted on now.
    pub(super) fn flush_platform(&mut self) -> Option<Due<P, C>> {
        self.platform.take().map(|(message, came)| Due::Platform(message, came))
    }

    /// The core's message that waits, if something newer is to be acted on now.
    pub(super) fn flush_core(&mut self) -> Option<Due<P, C>> {
        self.core.take().map(|(message, came)| Due::Core(message, came))
    }

    /// Whether something waits.
    pub(super) const fn waits(&self) -> bool {
        self.platform.is_some() || self.core.is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_millis(ms))
    }

    #[test]
    fn two_are_acted_on_together_in_either_order() {
        let mut sync_pair = SyncPair::default();
        assert_eq!(sync_pair.platform("a", at(0)), []);
        assert_eq!(sync_pair.core(1, at(5)), [Due::Platform("a", at(5)), Due::Core(1, at(5))]);
        assert_eq!(sync_pair.core(2, at(20)), []);
        assert_eq!(sync_pair.platform("b", at(25)), [Due::Core(2, at(20)), Due::Platform("b", at(25))]);
        assert!(!sync_pair.waits());
    }

    #[test]
    fn one_alone_is_acted_on_after_a_while_and_none_is_lost() {
        let mut sync_pair = SyncPair::default();
        sync_pair.platform("a", at(0));
        assert_eq!(sync_pair.alone(at(80)), None);
        assert_eq!(sync_pair.alone(at(100)), Some(Due::Platform("a", at(0))), "and it is known when it came");
        sync_pair.platform("b", at(120));
        assert_eq!(sync_pair.platform("c", at(140)), [Due::Platform("b", at(120))]);
        assert_eq!(sync_pair.core(1, at(150)).len(), 2);
        assert_eq!(sync_pair.core(2, at(200)), []);
        assert_eq!(sync_pair.core(3, at(240)), [Due::Core(2, at(200))]);
        assert_eq!(sync_pair.alone(at(340)), Some(Due::Core(3, at(240))));
        assert_eq!(sync_pair.platform("d", at(400)), [], "the core's is gone");
        assert_eq!(sync_pair.flush_platform(), Some(Due::Platform("d", at(400))));
        assert_eq!(
            (sync_pair.alone(at(600)), sync_pair.waits()),
            (None, false),
            "it is never acted on later"
        );
    }
}
