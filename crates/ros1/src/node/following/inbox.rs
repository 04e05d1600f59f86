//! Messages that wait for their reader, within a bound.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::node::incoming::Incoming;

/// What the messages that wait may be, bytes; the newest waits however long it is.
const MOST_BYTES: usize = 64 << 20;

/// Many put in, one takes out. When it is full the oldest goes.
#[derive(Debug)]
pub(super) struct Inbox {
    most: usize,
    waiting: Mutex<Waiting>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    messages: VecDeque<Incoming>,
    bytes: usize,
    missed: u64,
}

impl Inbox {
    pub(super) fn new(most: usize) -> Self {
        Self { most: most.max(1), waiting: Mutex::default(), wake: Notify::new() }
    }

    pub(super) fn push(&self, message: Incoming) {
        let mut waiting = self.lock();
        waiting.bytes = waiting.bytes.saturating_add(message.bytes.len());
        waiting.messages.push_back(message);
        while waiting.messages.len() > 1 && (waiting.messages.len() > self.most || waiting.bytes > MOST_BYTES)
        {
            waiting.pop();
            waiting.missed = waiting.missed.saturating_add(1);
        }
        drop(waiting);
        self.wake.notify_one();
    }

    /// Waits for a message. Cancel safe.
    pub(super) async fn next(&self) -> Incoming {
        loop {
            if let Some(message) = self.take() {
                return message;
            }
            self.wake.notified().await;
        }
    }

    fn take(&self) -> Option<Incoming> {
        let mut waiting = self.lock();
        let mut message = waiting.pop()?;
        message.missed = std::mem::take(&mut waiting.missed);
        Some(message)
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn pop(&mut self) -> Option<Incoming> {
        let message = self.messages.pop_front()?;
        self.bytes = self.bytes.saturating_sub(message.bytes.len());
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;

    use super::*;
    use crate::message::Layout;

    fn message(text: &'static str) -> Incoming {
        let layout = Arc::new(Layout::from_definition("std_msgs/String", "string data").unwrap());
        Incoming {
            bytes: Bytes::from_static(text.as_bytes()),
            layout,
            caller: "/talker".into(),
            host: [127, 0, 0, 1].into(),
            missed: 0,
        }
    }

    #[tokio::test]
    async fn the_oldest_goes_and_is_counted() {
        let inbox = Inbox::new(2);
        for text in ["a", "b", "c", "d"] {
            inbox.push(message(text));
        }
        let (first, second) = (inbox.next().await, inbox.next().await);
        assert_eq!((&first.bytes[..], first.missed), (&b"c"[..], 2));
        assert_eq!((&second.bytes[..], second.missed), (&b"d"[..], 0));
        assert!(inbox.take().is_none());
    }

    #[tokio::test]
    async fn long_messages_are_bounded_by_their_bytes() {
        let inbox = Inbox::new(1000);
        // Clones are the same bytes, which are counted each time.
        let long = Incoming { bytes: Bytes::from(vec![0; MOST_BYTES / 4]), ..message("") };
        (0..10).for_each(|_| inbox.push(long.clone()));
        assert_eq!(inbox.next().await.missed, 6);
        (0..3).for_each(|_| _ = inbox.take());
        assert!(inbox.take().is_none());
        assert_eq!(inbox.lock().bytes, 0);
        inbox.push(Incoming { bytes: Bytes::from(vec![0; MOST_BYTES + 1]), ..message("") });
        assert_eq!(inbox.next().await.missed, 0, "one is taken however long it is");
    }

    #[tokio::test]
    async fn who_waits_is_woken() {
        let inbox = Inbox::new(0);
        let (message, ()) = tokio::join!(inbox.next(), async { inbox.push(message("a")) });
        assert_eq!(message.bytes, "a");
    }
}
