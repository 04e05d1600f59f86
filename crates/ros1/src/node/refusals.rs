//! Subscribers that were refused, so that each is logged as a warning once.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use crate::tcpros::Header;
use crate::xmlrpc::shortened;

/// Callers and topics that are remembered; further ones are logged quietly.
const MAX: usize = 256;

/// Callers that were refused, with the topics.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    known: Mutex<HashSet<(String, String)>>,
}

impl Refusals {
    /// Whether a refusal is worth a warning: the first one of a caller and a topic is, if they are not too many.
    pub(super) fn is_news(&self, header: &Header) -> bool {
        let field = |name| header.get(name).map(shortened).unwrap_or_default();
        let pair = (field("callerid"), field("topic"));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.len() < MAX && known.insert(pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_refusal_is_news_and_there_is_not_news_without_end() {
        let refusals = Refusals::default();
        let of = |caller: String| Header::default().with("callerid", caller).with("topic", "/t".repeat(1000));
        assert!(refusals.is_news(&of("/a".to_owned())));
        assert!(!refusals.is_news(&of("/a".to_owned())));
        assert!(refusals.is_news(&of("/a".to_owned()).with("topic", "/other")));
        let news = (0..1000).filter(|caller| refusals.is_news(&of(caller.to_string()))).count();
        assert_eq!(news, MAX - 2);
    }
}
