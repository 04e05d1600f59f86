//! The task that reads the hub and writes the logs.

use latimer_core::hub::{Delivery, DemandLevel, MailboxLimits, Sink, Subscription};
use latimer_core::memory::Share;
use latimer_core::model::{Kind, Retention};
use latimer_core::{Hub, RobotId};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::logs::Logs;
use super::{Journal, history};
use crate::limits::HISTORY_SAMPLE_INTERVAL;
use crate::limits::JOURNAL_ACCOUNT_INTERVAL;
use crate::limits::JOURNAL_QUEUE_CAPACITY;

/// Writes until `shutdown`.
pub(super) async fn write(journal: &Journal, hub: &Hub, shutdown: &CancellationToken) {
    let mut asked = journal.0.asked.subscribe();
    journal.0.caught_up.send_replace(Some(0));
    loop {
        let Some(sink) = follow(hub) else { break };
        tokio::select! {
            () = shutdown.cancelled() => break,
            () = read(journal, hub, &sink, &mut asked) => {
                tracing::warn!("the journal was too slow; it begins anew");
            }
        }
    }
    journal.0.caught_up.send_replace(None);
}

/// A sink for all that is written down.
fn follow(hub: &Hub) -> Option<Sink> {
    let select = |kinds: &mut dyn Iterator<Item = Kind>| {
        let kinds: Vec<String> = kinds.map(|kind| format!("*/{kind}")).collect();
        kinds.join(",").parse().ok()
    };
    let reported =
        Subscription { every_change: true, derived: false, ..Subscription::to(select(&mut Logs::kinds())?) };
    // Robots need not measure at their full rate because somebody may look later.
    let always = history::kinds().filter(|kind| kind.history() == Retention::Always);
    let watched = Subscription {
        every: HISTORY_SAMPLE_INTERVAL,
        demand: DemandLevel::Slow,
        derived: false,
        ..Subscription::to(select(&mut always.chain([Kind::Control]))?)
    };
    // There are many of these, so they are not requested: what robots publish anyway will do.
    let occasional = Subscription {
        every: HISTORY_SAMPLE_INTERVAL,
        demand: DemandLevel::None,
        ..Subscription::to(select(&mut history::kinds())?)
    };
    let sink = hub.internal_sink(
        "journal",
        "gateway",
        MailboxLimits { events: JOURNAL_QUEUE_CAPACITY, ..MailboxLimits::default() },
    );
    for subscription in [reported, watched, occasional] {
        sink.subscribe(subscription);
    }
    Some(sink)
}

/// Reads until the hub gives the sink up.
async fn read(journal: &Journal, hub: &Hub, sink: &Sink, asked: &mut watch::Receiver<u64>) {
    let mut population = hub.population();
    let mut batch = Vec::new();
    let mut forgotten = None;
    let mut room = hub.memory().hold(Share::Journal);
    let mut accounted = hub.clock().now();
    loop {
        let population_changed = tokio::select! {
            () = sink.receive(&mut batch) => false,
            () = population.changed() => true,
            Ok(()) = asked.changed() => false,
        };
        // All that was published before somebody asked is in the mailbox by now.
        let requests = *asked.borrow_and_update();
        sink.try_receive(&mut batch);
        let gone = hub.robots_gone();
        let some_went = population_changed && forgotten.replace(gone) != Some(gone);
        // Events and states wait in queues of their own; here they are in one order again.
        batch.sort_by_key(|delivery| match delivery {
            Delivery::Update(_, update) => Some(update.received),
            Delivery::Gap(_) | Delivery::End(_) => None,
        });
        let mut ended = false;
        let mut logs = journal.logs();
        let mut alerted = false;
        for delivery in batch.drain(..) {
            match delivery {
                Delivery::Update(_, update) => alerted |= logs.take(&update),
                Delivery::Gap(gap) => {
                    tracing::debug!(robot = %gap.robot, reason = %gap.reason, "a gap in the journal")
                }
                Delivery::End(_) => ended = true,
            }
        }
        // An update may be read after its robot has gone, so alerts are looked at again too.
        let is_there = |robot: &RobotId| hub.has(robot);
        if some_went {
            logs.keep_only(is_there, hub.clock().now());
        } else if alerted {
            logs.alerts.keep_only(is_there, hub.clock().now());
        }
        let now = hub.clock().now();
        if now.since(accounted) >= JOURNAL_ACCOUNT_INTERVAL {
            accounted = now;
            logs.account(&mut room);
        }
        drop(logs);
        journal.0.caught_up.send_replace(Some(requests));
        if ended {
            return;
        }
    }
}
