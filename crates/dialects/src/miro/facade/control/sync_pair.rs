//! Messages of `platform/control` and `core/control` that belong together are acted on together; one that stays alone is
//! acted on after a while.
//!
//! ```text
//!            platform, both flags            core, both flags
//! Nothing ───────────────────────▶ Platform ─────────────────▶ Nothing (act now)
//!    │                                └──── 100 ms ──────────▶ Nothing (act now)
//!    └── core ──▶ Core ── platform ──▶ Nothing (act now)
//! ```
//!
//! What comes meanwhile and waits for nothing is newer: the one that waits is acted on before it.

use std::time::Duration;

use latimer_core::Timestamp;

/// How long one waits for the other.
const TOGETHER: Duration = Duration::from_millis(100);

/// The half that waits for the other.
#[derive(Debug, Default)]
pub(super) struct SyncPair<T> {
    platform: Option<(T, Timestamp)>,
    core: Option<Timestamp>,
}

impl<T> SyncPair<T> {
    /// A message of the platform's that waits for the core's; what can be acted on by now and when it came, the older first.
    pub(super) fn platform(&mut self, message: T, now: Timestamp) -> [Option<(T, Timestamp)>; 2] {
        let older = self.flush();
        if self.core.take().is_some_and(|at| now.since(at) < TOGETHER) {
            return [older, Some((message, now))];
        }
        self.platform = Some((message, now));
        [older, None]
    }

    /// A message of the core's; what can be acted on by now.
    pub(super) fn core(&mut self, now: Timestamp) -> Option<T> {
        let waiting = self.platform.take().map(|(message, _)| message);
        self.core = waiting.is_none().then_some(now);
        waiting
    }

    /// What has waited long enough, and when it came.
    pub(super) fn alone(&mut self, now: Timestamp) -> Option<(T, Timestamp)> {
        self.platform.take_if(|(_, since)| now.since(*since) >= TOGETHER)
    }

    /// What waits and when it came, if something newer is to be acted on now.
    pub(super) const fn flush(&mut self) -> Option<(T, Timestamp)> {
        self.platform.take()
    }

    /// Whether something waits.
    pub(super) const fn waits(&self) -> bool {
        self.platform.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_millis(ms))
    }

    #[test]
    fn two_are_acted_on_together_in_either_order() {
        let mut sync_pair = SyncPair::default();
        assert_eq!(sync_pair.platform("a", at(0)), [None, None]);
        assert_eq!(sync_pair.core(at(5)), Some("a"));
        assert_eq!(sync_pair.core(at(20)), None);
        assert_eq!(sync_pair.platform("b", at(25)), [None, Some(("b", at(25)))]);
        assert!(!sync_pair.waits());
    }

    #[test]
    fn one_alone_is_acted_on_after_a_while_and_none_is_lost() {
        let mut sync_pair = SyncPair::default();
        sync_pair.platform("a", at(0));
        assert_eq!(sync_pair.alone(at(80)), None);
        assert_eq!(sync_pair.alone(at(100)), Some(("a", at(0))), "and it is known when it came");
        sync_pair.platform("b", at(120));
        assert_eq!(sync_pair.platform("c", at(140)), [Some(("b", at(120))), None]);
        assert_eq!(sync_pair.core(at(150)), Some("c"));
        assert_eq!(sync_pair.core(at(200)), None);
        assert_eq!(sync_pair.platform("d", at(400)), [None, None], "the core's is too old");
        assert_eq!(sync_pair.flush(), Some(("d", at(400))));
        assert_eq!(
            (sync_pair.alone(at(600)), sync_pair.waits()),
            (None, false),
            "it is never acted on later"
        );
    }
}
