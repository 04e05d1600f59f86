//! What a reader gets that was away for a while, and when sources look at what readers want.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use latimer_core::PartName;
use latimer_core::hub::{Delivery, Filter, MailboxLimits, Shared, Sink, Subscription, View};
use latimer_core::model::signal::Range;
use latimer_core::model::{Kind, Path, Value};

use crate::rig::{contact, distances, hub, source, subscription, update};

/// Everything that is due now.
async fn drain(sink: &Sink) -> Vec<Delivery> {
    let mut out = Vec::new();
    let _ = tokio::time::timeout(Duration::from_millis(1), sink.receive(&mut out)).await;
    out
}

#[tokio::test(start_paused = true)]
async fn sources_are_notified_of_changed_demand_and_of_new_video_subscribers() {
    let hub = hub();
    let source = source(&hub);
    let (first, second) = (
        hub.sink("test", "first", MailboxLimits::default()),
        hub.sink("test", "second", MailboxLimits::default()),
    );
    let mut before = source.demand_number();
    let mut looks = || std::mem::replace(&mut before, source.demand_number()) != source.demand_number();
    let id = first.subscribe(subscription("*/imu"));
    assert!(looks());
    let same = second.subscribe(subscription("*/imu"));
    second.unsubscribe(same);
    assert!(!looks(), "somebody else wants the same");
    first.unsubscribe(id);
    assert!(looks());
    first.subscribe(subscription("r/video/camera"));
    assert!(looks());
    second.subscribe(subscription("r/video/camera"));
    assert!(looks(), "a newcomer needs a key frame");
    drop(second);
    assert!(!looks());
    drop(first);
    assert!(looks());
}

#[tokio::test(start_paused = true)]
async fn intervals_between_events_count_from_when_they_happened() {
    let hub = hub();
    let source = source(&hub);
    let sink = hub.sink("test", "late", MailboxLimits::default());
    sink.subscribe(Subscription { every: Duration::from_secs(1), ..subscription("r/contact/*") });
    for _ in 0..3 {
        source.publish(update(&hub, "bump", contact(true)));
        tokio::time::advance(Duration::from_millis(600)).await;
    }
    assert_eq!(drain(&sink).await.len(), 2, "the second came too soon after the first");
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_falls_behind_keeps_the_newest_state_and_learns_what_it_missed() {
    let hub = hub();
    let source = source(&hub);
    let limits = MailboxLimits { events: 4, ..MailboxLimits::default() };
    let latest = hub.sink("test", "latest", limits);
    latest.subscribe(subscription("r/range/*"));
    let every = hub.sink("test", "every", limits);
    every.subscribe(Subscription { every_change: true, ..subscription("r/range/*") });
    for distance in 0..20 {
        source.publish(update(&hub, "front", Range::valid(f64::from(distance))));
    }
    assert_eq!(distances(&drain(&latest).await), [19.0]);
    let got = drain(&every).await;
    let lost: u64 =
        got.iter().filter_map(|it| if let Delivery::Gap(gap) = it { gap.lost } else { None }).sum();
    assert_eq!(distances(&got).len() as u64 + lost, 20, "{got:?}");
}

/// A view that covers contacts alone, and counts what it is asked.
#[derive(Default)]
struct Contacts {
    topics: AtomicU32,
    updates: AtomicU32,
}

impl View for Contacts {
    fn covers(&self, kind: Kind, _: Option<&PartName>) -> bool {
        self.topics.fetch_add(1, Ordering::Relaxed);
        kind == Kind::Contact
    }

    fn knows(&self, update: &Shared) -> bool {
        assert_eq!(update.kind(), Kind::Contact);
        self.updates.fetch_add(1, Ordering::Relaxed);
        true
    }

    fn value(&self, _: &Shared, _: &Path) -> Option<Value> {
        None
    }
}

#[tokio::test(start_paused = true)]
async fn a_view_is_asked_once_for_a_topic_what_it_covers() {
    let hub = hub();
    let source = source(&hub);
    let sink = hub.sink("test", "t", MailboxLimits::default());
    let view = Arc::new(Contacts::default());
    source.publish(update(&hub, "front", Range::valid(1.0)));
    sink.subscribe(Subscription { view: view.clone(), ..subscription("r/range/*,r/contact/*") });
    for _ in 0..10 {
        source.publish(update(&hub, "front", Range::valid(1.0)));
        source.publish(update(&hub, "bump", contact(true)));
        drain(&sink).await;
    }
    assert_eq!(view.topics.load(Ordering::Relaxed), 2, "one for each topic");
    assert_eq!(view.updates.load(Ordering::Relaxed), 10);
    assert_eq!(sink.counters().delivered.load(Ordering::Relaxed), 10);
}

#[tokio::test(start_paused = true)]
async fn other_tasks_go_on_while_a_long_backlog_is_evaluated() {
    let hub = hub();
    let source = source(&hub);
    let sink = hub.sink("test", "t", MailboxLimits::default());
    let view = Arc::new(Contacts::default());
    let filter: Filter = "nothing exists".parse().unwrap();
    for _ in 0..100 {
        let filter = filter.clone();
        sink.subscribe(Subscription { filter, view: view.clone(), ..subscription("r/contact/*") });
    }
    for _ in 0..100 {
        source.publish(update(&hub, "bump", contact(true)));
    }
    let evaluated = view.clone();
    let other = tokio::spawn(async move {
        let mut turns = Vec::new();
        while evaluated.updates.load(Ordering::Relaxed) < 10_000 {
            turns.push(evaluated.updates.load(Ordering::Relaxed));
            tokio::task::yield_now().await;
        }
        turns
    });
    assert!(drain(&sink).await.is_empty(), "no condition holds");
    let turns = other.await.unwrap();
    let longest = turns.windows(2).map(|turn| turn[1] - turn[0]).max().unwrap();
    assert!(longest <= 256 && turns.len() > 30, "{longest} {}", turns.len());
}

#[tokio::test(start_paused = true)]
async fn a_subscription_gets_nothing_of_a_backlog_from_before_it() {
    let hub = hub();
    let source = source(&hub);
    let sink = hub.sink("test", "t", MailboxLimits::default());
    sink.subscribe(subscription("r/contact/*"));
    for _ in 0..1_000 {
        source.publish(update(&hub, "bump", contact(true)));
    }
    let mut out = Vec::new();
    sink.receive(&mut out).await;
    assert!(out.len() < 1_000, "the first turn only");
    let late = sink.subscribe(subscription("*/contact/*"));
    for _ in 0..4 {
        out.extend(drain(&sink).await);
    }
    let of = |id| out.iter().filter(|it| matches!(it, Delivery::Update(of, _) if *of == id)).count();
    assert_eq!((out.len(), of(late)), (1_000, 0));
}

#[tokio::test(start_paused = true)]
async fn a_subscription_may_begin_in_the_middle_of_an_update() {
    let hub = hub();
    let source = source(&hub);
    let sink = hub.sink("test", "t", MailboxLimits::default());
    for _ in 0..300 {
        sink.subscribe(subscription("r/contact/*"));
    }
    source.publish(update(&hub, "bump", contact(true)));
    source.publish(update(&hub, "bump", contact(true)));
    let mut out = Vec::new();
    sink.receive(&mut out).await;
    assert_eq!(out.len(), 256, "one turn");
    sink.subscribe(subscription("r/contact/*"));
    out.extend(drain(&sink).await);
    assert_eq!(out.len(), 600);
}

/// A sink with a backlog of 1,000 events.
fn with_backlog() -> Sink {
    let hub = hub();
    let source = source(&hub);
    let sink = hub.sink("test", "t", MailboxLimits::default());
    sink.subscribe(subscription("r/contact/*"));
    for _ in 0..1_000 {
        source.publish(update(&hub, "bump", contact(true)));
    }
    sink
}

#[tokio::test(start_paused = true)]
async fn try_receive_returns_all_that_is_due() {
    let sink = with_backlog();
    let mut out = Vec::new();
    sink.try_receive(&mut out);
    assert_eq!(out.len(), 1_000);
    sink.try_receive(&mut out);
    assert_eq!(out.len(), 1_000, "nothing more is due");
}

#[tokio::test(start_paused = true)]
async fn a_receive_that_is_cancelled_whenever_it_would_wait_reads_its_backlog() {
    let sink = with_backlog();
    let mut out = Vec::new();
    for _ in 0..8 {
        tokio::select! {
            biased;
            () = sink.receive(&mut out) => {}
            () = std::future::ready(()) => {}
        }
    }
    assert_eq!(out.len(), 1_000);
}
