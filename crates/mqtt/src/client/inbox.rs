//! Received messages and events of the link, queued for the reader. A full inbox drops messages, but never events of the link.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::LossReason;
use crate::{LinkEvent, Lost, Message};

/// Messages that wait, at most.
pub(crate) const MAX_MESSAGES: usize = 65_536;

/// Bytes of the payloads that wait, at most.
const MAX_BYTES: usize = 64 << 20;

/// Most events of the link beside them; beyond it they are merged.
const MAX_LINK_EVENTS: usize = 16;

/// One task writes, another one reads.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    waiting: Mutex<Waiting>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    events: VecDeque<LinkEvent>,
    messages: usize,
    bytes: usize,
    ended: bool,
}

impl Inbox {
    /// Queues a message, or counts it as lost if the inbox is full.
    pub(crate) fn message(&self, message: Message) {
        let mut waiting = self.lock();
        let bytes = message.payload.len();
        if waiting.messages >= MAX_MESSAGES || waiting.bytes + bytes > MAX_BYTES {
            waiting.lose(Lost { count: 1, reason: LossReason::SlowReader });
        } else {
            waiting.messages += 1;
            waiting.bytes += bytes;
            waiting.events.push_back(LinkEvent::Message(message));
        }
        drop(waiting);
        self.wake.notify_one();
    }

    /// Queues an event of the link.
    pub(crate) fn link_event(&self, event: LinkEvent) {
        let mut waiting = self.lock();
        match event {
            LinkEvent::Lost(lost) => waiting.lose(lost),
            other => waiting.events.push_back(other),
        }
        waiting.merge_link_events();
        drop(waiting);
        self.wake.notify_one();
    }

    /// Ends the inbox; queued events are still read.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.wake.notify_one();
    }

    /// The next event; `None` at the end. Cancel safe.
    pub(crate) async fn next(&self) -> Option<LinkEvent> {
        loop {
            {
                let mut waiting = self.lock();
                if let Some(event) = waiting.take() {
                    return Some(event);
                }
                if waiting.ended {
                    return None;
                }
            }
            self.wake.notified().await;
        }
    }

    /// Waits for an event, then takes all that are queued, at most `most`; 0 at the end. Cancel safe.
    pub(crate) async fn next_many(&self, into: &mut Vec<LinkEvent>, most: usize) -> usize {
        loop {
            {
                let mut waiting = self.lock();
                let before = into.len();
                into.extend(std::iter::from_fn(|| waiting.take()).take(most));
                let taken = into.len() - before;
                if taken > 0 || waiting.ended || most == 0 {
                    return taken;
                }
            }
            self.wake.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn take(&mut self) -> Option<LinkEvent> {
        let event = self.events.pop_front()?;
        if let LinkEvent::Message(message) = &event {
            self.messages = self.messages.saturating_sub(1);
            self.bytes = self.bytes.saturating_sub(message.payload.len());
        }
        Some(event)
    }

    /// Merges a loss with the one before if the reason is the same.
    fn lose(&mut self, lost: Lost) {
        match self.events.back_mut() {
            Some(LinkEvent::Lost(last)) if last.reason == lost.reason => {
                last.count = last.count.saturating_add(lost.count);
            }
            _ => self.events.push_back(LinkEvent::Lost(lost)),
        }
    }

    /// Merges the events that a slow reader has not read: the state of the link now, and the sum of the losses.
    fn merge_link_events(&mut self) {
        if self.events.len() - self.messages <= MAX_LINK_EVENTS {
            return;
        }
        let mut all_lost: Option<Lost> = None;
        let mut state = None;
        self.events.retain(|event| match event {
            LinkEvent::Message(_) => true,
            LinkEvent::Lost(lost) => {
                let all = all_lost.get_or_insert(Lost { count: 0, reason: lost.reason.clone() });
                all.count = all.count.saturating_add(lost.count);
                false
            }
            LinkEvent::Up | LinkEvent::Down(_) => {
                state = Some(event.clone());
                false
            }
        });
        self.events.extend(all_lost.map(LinkEvent::Lost).into_iter().chain(state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{DropReason, OpenError};
    use crate::{LinkError, PublishError, Qos};

    fn down(reason: &str) -> LinkError {
        let cause = OpenError::Dropped(DropReason::Io(reason.to_owned()));
        LinkError { address: latimer_core::BrokerAddress::new("localhost", 1883), cause }
    }

    fn message(payload: &str) -> Message {
        Message::new("a", payload.to_owned(), Qos::AtMostOnce)
    }

    #[tokio::test]
    async fn events_are_read_in_order_until_the_end() {
        let inbox = Inbox::default();
        inbox.link_event(LinkEvent::Up);
        inbox.message(message("1"));
        inbox.end();
        assert_eq!(inbox.next().await, Some(LinkEvent::Up));
        assert_eq!(inbox.next().await, Some(LinkEvent::Message(message("1"))));
        assert_eq!(inbox.next().await, None);
        assert_eq!(inbox.next_many(&mut Vec::new(), 9).await, 0);
    }

    #[tokio::test]
    async fn a_full_inbox_counts_the_newest_as_lost_and_still_takes_link_events() {
        let inbox = Inbox::default();
        for _ in 0..MAX_MESSAGES + 3 {
            inbox.message(message("x"));
        }
        inbox.link_event(LinkEvent::Down(down("gone")));
        let mut events = Vec::new();
        assert_eq!(inbox.next_many(&mut events, MAX_MESSAGES).await, MAX_MESSAGES);
        let Some(LinkEvent::Lost(lost)) = inbox.next().await else { panic!("no loss is reported") };
        assert_eq!(lost.count, 3);
        assert_eq!(inbox.next().await, Some(LinkEvent::Down(down("gone"))));
        inbox.message(message("again"));
        assert_eq!(inbox.next().await, Some(LinkEvent::Message(message("again"))));
    }

    #[tokio::test]
    async fn unread_link_events_are_merged() {
        let inbox = Inbox::default();
        for round in 0..10_000 {
            inbox.link_event(LinkEvent::Down(down(&format!("{round}"))));
            inbox.link_event(LinkEvent::Lost(Lost { count: 2, reason: PublishError::QueueFull.into() }));
            inbox.link_event(LinkEvent::Up);
        }
        let mut events = Vec::new();
        assert!(inbox.next_many(&mut events, usize::MAX).await <= MAX_LINK_EVENTS + 1);
        assert_eq!(events.last(), Some(&LinkEvent::Up));
        let lost = events.iter().map(|event| if let LinkEvent::Lost(lost) = event { lost.count } else { 0 });
        assert_eq!(lost.sum::<u64>(), 20_000);
    }
}
