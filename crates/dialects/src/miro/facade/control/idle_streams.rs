//! Programs that publish "nothing" all the time, as one does that only watches or lights a lamp now and then: beside another that drives they
//! would end its drive fifty times a second.

use std::collections::BTreeMap;
use std::sync::Arc;

use latimer_core::Timestamp;

use crate::miro::limits::CONTROL_HOLD_TIMEOUT;

/// The last messages of publishers.
#[derive(Debug, Default)]
pub(super) struct IdleStreams(BTreeMap<Arc<str>, Last>);

#[derive(Clone, Copy, Debug)]
struct Last {
    at: Timestamp,
    neutral: bool,
}

impl IdleStreams {
    /// Whether a message is to be passed over: it asks for nothing, as the one before of the same publisher did, while another one asks for
    /// something. The first that asks for nothing counts, so that anybody's stop is one.
    pub(super) fn is_idle(&mut self, publisher: &Arc<str>, neutral: bool, now: Timestamp) -> bool {
        self.0.retain(|_, last| now.since(last.at) < CONTROL_HOLD_TIMEOUT);
        let before = self.0.insert(publisher.clone(), Last { at: now, neutral });
        let others = || self.0.iter().any(|(other, last)| other != publisher && !last.neutral);
        neutral && before.is_some_and(|last| last.neutral) && others()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_stream_of_nothing_does_not_end_what_another_asks_for_and_a_stop_does() {
        let mut streams = IdleStreams::default();
        let [driver, watcher, other] = ["/driver", "/watcher", "/other"].map(Arc::<str>::from);
        let mut idle = |who: &Arc<str>, neutral, ms| {
            streams.is_idle(who, neutral, Timestamp::default().after(Duration::from_millis(ms)))
        };
        assert!(!idle(&watcher, true, 0), "nobody else asks for anything");
        assert!(!idle(&watcher, true, 20));
        assert!(!idle(&driver, false, 30));
        assert!(idle(&watcher, true, 40));
        assert!(!idle(&other, true, 50), "somebody stops the robot");
        assert!(idle(&other, true, 60), "and goes on to publish nothing");
        assert!(!idle(&driver, true, 70), "the driver itself stops");
        assert!(!idle(&watcher, true, 80), "nobody drives any more");
        assert!(!idle(&driver, false, 90));
        assert!(!idle(&watcher, true, 1_090), "the driver is silent for too long");
        assert!(!idle(&driver, false, 2_000));
        assert!(!idle(&watcher, true, 2_100), "it was silent, so this is a stop");
    }
}
