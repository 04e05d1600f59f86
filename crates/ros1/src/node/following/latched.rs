//! The last message of each publisher that latches, for a subscription that begins after it came.

use std::collections::BTreeMap;

use crate::node::incoming::Incoming;

/// What they may be together, bytes; of a publisher whose message is too long none is kept.
const MOST_BYTES: usize = 64 << 20;

/// By the number of the publisher's connection.
#[derive(Debug, Default)]
pub(super) struct Latched(BTreeMap<u64, Incoming>);

impl Latched {
    /// Keeps a message in place of the one before it.
    pub(super) fn keep(&mut self, connection: u64, message: Incoming) {
        self.0.remove(&connection);
        let others: usize = self.0.values().map(|other| other.bytes.len()).sum();
        if others.saturating_add(message.bytes.len()) <= MOST_BYTES {
            self.0.insert(connection, message);
        }
    }

    /// The publisher is gone.
    pub(super) fn forget(&mut self, connection: u64) {
        self.0.remove(&connection);
    }

    /// In the order in which the publishers came.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Incoming> {
        self.0.values()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;

    use super::*;
    use crate::message::Layout;

    #[test]
    fn the_last_of_each_is_kept_within_a_bound() {
        let layout = Arc::new(Layout::from_definition("std_msgs/String", "string data").unwrap());
        let message = |bytes: Bytes| Incoming {
            bytes,
            layout: layout.clone(),
            caller: "/a".into(),
            host: [127, 0, 0, 1].into(),
            missed: 0,
        };
        let mut latched = Latched::default();
        let lengths = |latched: &Latched| latched.iter().map(|it| it.bytes.len()).collect::<Vec<_>>();
        let zeros = Bytes::from(vec![0; MOST_BYTES]);
        latched.keep(2, message(zeros.slice(..3)));
        latched.keep(1, message(zeros.slice(..7)));
        latched.keep(2, message(zeros.slice(..5)));
        assert_eq!(lengths(&latched), [7, 5]);
        latched.keep(2, message(zeros.clone()));
        assert_eq!(lengths(&latched), [7], "it would be too much beside the other");
        latched.forget(1);
        latched.keep(2, message(zeros));
        assert_eq!(lengths(&latched), [MOST_BYTES]);
    }
}
