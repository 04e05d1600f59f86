//! A sink: a client of the exchange. It subscribes, and reads its mailbox at its own pace.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::mailbox::{Mailbox, Next};
use super::{Delivery, EndReason, Exchange, SinkCounters, Subscription, SubscriptionId};
use crate::clock::Timestamp;

/// Who a sink is, for lists and logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkInfo {
    /// The dialect or service that it speaks, e.g. `api`.
    pub dialect: &'static str,
    /// Where it comes from, e.g. `127.0.0.1:40312`.
    pub peer: String,
    /// Since when.
    pub since: Timestamp,
    /// Whether it is a part of the gateway, which reads for itself or for all readers of a broker, and no single client.
    pub is_internal: bool,
}

/// A snapshot of one sink for lists.
#[derive(Clone, Debug)]
pub struct SinkReport {
    /// Who it is.
    pub info: SinkInfo,
    /// Its subscriptions in words, e.g. `rover-1/imu every 250ms`.
    pub selects: Vec<String>,
    /// Updates that wait until it reads them.
    pub waiting: usize,
    /// Updates handed over.
    pub delivered: u64,
    /// States and frames replaced by newer ones.
    pub coalesced: u64,
    /// Updates lost.
    pub lost: u64,
}

impl SinkReport {
    /// A sink with its subscriptions.
    pub(super) fn of(
        mailbox: &Mailbox,
        info: &SinkInfo,
        subscriptions: &[(SubscriptionId, Arc<Subscription>)],
        now: Timestamp,
    ) -> Self {
        mailbox.settle(now);
        let counters = &mailbox.counters;
        Self {
            info: SinkInfo::clone(info),
            selects: subscriptions.iter().map(|(_, subscription)| subscription.to_string()).collect(),
            waiting: mailbox.waiting(),
            delivered: counters.delivered.load(Ordering::Relaxed),
            coalesced: counters.coalesced.load(Ordering::Relaxed),
            lost: counters.lost.load(Ordering::Relaxed),
        }
    }
}

/// The reading end of a mailbox. Dropping it ends all of its subscriptions.
#[must_use = "a sink that is dropped receives nothing"]
pub struct Sink {
    exchange: Arc<Exchange>,
    mailbox: Arc<Mailbox>,
    info: Arc<SinkInfo>,
    /// Other tasks had their turn since the last one of a backlog, also if the wait for it was cancelled.
    yielded: AtomicBool,
}

impl Sink {
    pub(super) fn new(exchange: Arc<Exchange>, mailbox: Arc<Mailbox>, info: Arc<SinkInfo>) -> Self {
        Self { exchange, mailbox, info, yielded: AtomicBool::new(false) }
    }

    pub(super) const fn mailbox(&self) -> &Arc<Mailbox> {
        &self.mailbox
    }

    pub(super) const fn info(&self) -> &Arc<SinkInfo> {
        &self.info
    }

    /// Begins a subscription; unless it says otherwise, states and newest frames that exist already come at once.
    pub fn subscribe(&self, subscription: Subscription) -> SubscriptionId {
        let id = SubscriptionId::next();
        self.exchange.follow(id, &Arc::new(subscription), self);
        id
    }

    /// Ends a subscription; what waits of it is dropped.
    pub fn unsubscribe(&self, id: SubscriptionId) {
        self.exchange.unfollow(id, &self.mailbox);
    }

    /// Waits for what is due and moves all of it to the end of `out`; at least one delivery.
    ///
    /// Cancel safe: what was not handed over stays in the mailbox.
    pub async fn receive(&self, out: &mut Vec<Delivery>) {
        let before = out.len();
        if self.mailbox.has_backlog() && !self.yielded.swap(true, Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
        loop {
            let woken = self.mailbox.wake.notified();
            tokio::pin!(woken);
            woken.as_mut().enable();
            let parked = Parked::new(self);
            let next = self.mailbox.drain(self.exchange.clock.now(), out);
            self.yielded.store(false, Ordering::Relaxed);
            if out.len() > before {
                return;
            }
            match next {
                Next::Turn => tokio::task::yield_now().await,
                Next::Due(None) => woken.await,
                Next::Due(Some(due)) => tokio::select! {
                    () = woken => {}
                    () = self.exchange.clock.sleep_until(due) => {}
                },
            }
            drop(parked);
        }
    }

    /// Moves all that is due now to the end of `out`, without waiting for more.
    pub fn try_receive(&self, out: &mut Vec<Delivery>) {
        while self.mailbox.drain(self.exchange.clock.now(), out) == Next::Turn {}
    }

    /// Ends this sink; the reader gets the reason.
    pub fn end(&self, reason: EndReason) {
        self.mailbox.end(reason);
    }

    /// Why nothing more comes, if so.
    pub fn ended(&self) -> Option<EndReason> {
        self.mailbox.ended()
    }

    /// This sink's counters.
    pub fn counters(&self) -> &SinkCounters {
        &self.mailbox.counters
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.exchange.forget(&self.mailbox.clear(), &self.mailbox);
        self.exchange.meter.leave(self.info.dialect, &self.mailbox);
    }
}

/// While this lives, the sink waits for the exchange and cannot be called slow.
struct Parked<'a>(&'a Sink);

impl<'a> Parked<'a> {
    fn new(sink: &'a Sink) -> Self {
        sink.mailbox.park(true, sink.exchange.clock.now());
        Self(sink)
    }
}

impl Drop for Parked<'_> {
    fn drop(&mut self) {
        self.0.mailbox.park(false, self.0.exchange.clock.now());
    }
}
