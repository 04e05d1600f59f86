//! What was heard and waits for its reader. A full inbox takes no more messages, but always the news of the link.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::LossReason;
use crate::{Heard, Lost, Message};

/// Messages that wait, at most.
const MAX_MESSAGES: usize = 65_536;

/// Bytes of the payloads that wait, at most.
const MAX_BYTES: usize = 64 << 20;

/// News of the link that wait beside them; past it the older ones make room.
const MAX_NEWS: usize = 16;

/// One task puts in, another one takes out.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    waiting: Mutex<Waiting>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    heard: VecDeque<Heard>,
    messages: usize,
    bytes: usize,
    ended: bool,
}

impl Inbox {
    /// Takes a message, or counts it as lost if too much waits.
    pub(crate) fn message(&self, message: Message) {
        let mut waiting = self.lock();
        let bytes = message.payload.len();
        if waiting.messages >= MAX_MESSAGES || waiting.bytes + bytes > MAX_BYTES {
            waiting.lose(Lost { count: 1, reason: LossReason::SlowReader });
        } else {
            waiting.messages += 1;
            waiting.bytes += bytes;
            waiting.heard.push_back(Heard::Message(message));
        }
        drop(waiting);
        self.wake.notify_one();
    }

    /// Takes news of the link.
    pub(crate) fn news(&self, news: Heard) {
        let mut waiting = self.lock();
        match news {
            Heard::Lost(lost) => waiting.lose(lost),
            other => waiting.heard.push_back(other),
        }
        waiting.forget_old_news();
        drop(waiting);
        self.wake.notify_one();
    }

    /// Nothing comes any more; what waits is still read.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.wake.notify_one();
    }

    /// The next one; `None` when all is read and nothing comes any more. Cancel safe.
    pub(crate) async fn next(&self) -> Option<Heard> {
        loop {
            {
                let mut waiting = self.lock();
                if let Some(heard) = waiting.take() {
                    return Some(heard);
                }
                if waiting.ended {
                    return None;
                }
            }
            self.wake.notified().await;
        }
    }

    /// Waits for one, then takes what is there, at most `most`; 0 when nothing comes any more. Cancel safe.
    pub(crate) async fn next_many(&self, into: &mut Vec<Heard>, most: usize) -> usize {
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
    fn take(&mut self) -> Option<Heard> {
        let heard = self.heard.pop_front()?;
        if let Heard::Message(message) = &heard {
            self.messages = self.messages.saturating_sub(1);
            self.bytes = self.bytes.saturating_sub(message.payload.len());
        }
        Some(heard)
    }

    /// Losses of one kind in a row are one piece of news.
    fn lose(&mut self, lost: Lost) {
        match self.heard.back_mut() {
            Some(Heard::Lost(last)) if last.reason == lost.reason => {
                last.count = last.count.saturating_add(lost.count);
            }
            _ => self.heard.push_back(Heard::Lost(lost)),
        }
    }

    /// Whoever does not read for long learns how the link is now, and how much was lost in all.
    fn forget_old_news(&mut self) {
        if self.heard.len() - self.messages <= MAX_NEWS {
            return;
        }
        let mut all_lost: Option<Lost> = None;
        let mut state = None;
        self.heard.retain(|heard| match heard {
            Heard::Message(_) => true,
            Heard::Lost(lost) => {
                let all = all_lost.get_or_insert(Lost { count: 0, reason: lost.reason.clone() });
                all.count = all.count.saturating_add(lost.count);
                false
            }
            Heard::Up | Heard::Down(_) => {
                state = Some(heard.clone());
                false
            }
        });
        self.heard.extend(all_lost.map(Heard::Lost).into_iter().chain(state));
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
    async fn gives_in_order_what_came_and_then_ends() {
        let inbox = Inbox::default();
        inbox.news(Heard::Up);
        inbox.message(message("1"));
        inbox.end();
        assert_eq!(inbox.next().await, Some(Heard::Up));
        assert_eq!(inbox.next().await, Some(Heard::Message(message("1"))));
        assert_eq!(inbox.next().await, None);
        assert_eq!(inbox.next_many(&mut Vec::new(), 9).await, 0);
    }

    #[tokio::test]
    async fn a_full_inbox_counts_the_newest_as_lost_and_still_takes_news() {
        let inbox = Inbox::default();
        for _ in 0..MAX_MESSAGES + 3 {
            inbox.message(message("x"));
        }
        inbox.news(Heard::Down(down("gone")));
        let mut heard = Vec::new();
        assert_eq!(inbox.next_many(&mut heard, MAX_MESSAGES).await, MAX_MESSAGES);
        let Some(Heard::Lost(lost)) = inbox.next().await else { panic!("no loss is told") };
        assert_eq!(lost.count, 3);
        assert_eq!(inbox.next().await, Some(Heard::Down(down("gone"))));
        inbox.message(message("again"));
        assert_eq!(inbox.next().await, Some(Heard::Message(message("again"))));
    }

    #[tokio::test]
    async fn news_that_nobody_reads_take_no_room() {
        let inbox = Inbox::default();
        for round in 0..10_000 {
            inbox.news(Heard::Down(down(&format!("{round}"))));
            inbox.news(Heard::Lost(Lost { count: 2, reason: PublishError::QueueFull.into() }));
            inbox.news(Heard::Up);
        }
        let mut heard = Vec::new();
        assert!(inbox.next_many(&mut heard, usize::MAX).await <= MAX_NEWS + 1);
        assert_eq!(heard.last(), Some(&Heard::Up));
        let lost = heard.iter().map(|heard| if let Heard::Lost(lost) = heard { lost.count } else { 0 });
        assert_eq!(lost.sum::<u64>(), 20_000);
    }
}
