//! Reasons that were logged: each once, and again after a while, so that a client that asks fifty times a second does not fill the log.

use std::collections::BTreeMap;

use latimer_core::Timestamp;

use crate::miro::limits::REFUSAL_LOG_INTERVAL;

/// Most reasons that are remembered; further ones are not logged until some are old.
const MOST: usize = 64;

/// Reasons that were logged, and when.
#[derive(Debug, Default)]
pub(super) struct Refusals(BTreeMap<String, Timestamp>);

impl Refusals {
    /// Whether a reason is to be logged now.
    pub(super) fn is_news(&mut self, reason: &str, now: Timestamp) -> bool {
        if self.0.len() >= MOST {
            self.0.retain(|_, logged| now.since(*logged) < REFUSAL_LOG_INTERVAL);
        }
        let news = match self.0.get(reason) {
            Some(logged) => now.since(*logged) >= REFUSAL_LOG_INTERVAL,
            None => self.0.len() < MOST,
        };
        if news {
            self.0.insert(reason.to_owned(), now);
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_secs(seconds))
    }

    #[test]
    fn each_reason_is_logged_once_a_minute_and_a_flood_of_them_not_at_all() {
        let mut refusals = Refusals::default();
        assert!(refusals.is_news("a", at(0)) && refusals.is_news("b", at(1)));
        assert!(!refusals.is_news("a", at(59)));
        assert!(refusals.is_news("a", at(60)));
        let logged = (0..1_000).filter(|i| refusals.is_news(&format!("{i}"), at(61))).count();
        assert!((62..=63).contains(&logged), "{logged}");
        assert!(refusals.is_news("c", at(200)));
    }
}
