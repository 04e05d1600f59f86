//! What the hub counts for each dialect: totals outlive the sinks that they come from.

use std::time::Duration;

use latimer_core::hub::{Delivery, DialectTotals, Encoding, MailboxLimits, Sink, Source, Subscription};
use latimer_core::model::signal::Range;
use latimer_core::{Hub, Update};

use crate::rig::{contact, hub, source, subscription, update};

fn sink(hub: &Hub, select: &str, limits: MailboxLimits) -> Sink {
    let sink = hub.sink("test", "t", limits);
    sink.subscribe(subscription(select));
    sink
}

fn publish(hub: &Hub, source: &Source, part: usize) {
    source.publish(update(hub, &format!("p{part}"), Range::valid(1.0)));
}

fn totals(hub: &Hub) -> DialectTotals {
    let all = hub.totals();
    assert_eq!(all.len(), 1, "{all:?}");
    all.into_iter().next().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_sink_that_goes_leaves_its_figures() {
    let hub = hub();
    let source = source(&hub);
    let sink = sink(&hub, "r/range,r/contact", MailboxLimits { events: 2, keys: 3, ..Default::default() });
    publish(&hub, &source, 0);
    (0..5).for_each(|part| publish(&hub, &source, part));
    (0..4).for_each(|_| source.publish(update(&hub, "bump", contact(true))));
    let before = totals(&hub);
    let expected = DialectTotals {
        dialect: "test",
        sinks: 1,
        waiting: 5,
        coalesced: 1,
        lost_queue_full: 2,
        lost_too_many_keys: 2,
        ..Default::default()
    };
    assert_eq!(before, expected);
    assert_eq!(hub.sinks()[0].waiting, 5);
    assert_eq!(hub.sinks()[0].selects, ["r/range,r/contact"]);
    sink.receive(&mut Vec::new()).await;
    let read = DialectTotals { waiting: 0, delivered: 5, ..expected };
    assert_eq!(totals(&hub), read);
    drop(sink);
    let gone = DialectTotals { sinks: 0, ..read };
    assert_eq!(totals(&hub), gone);
    let next = hub.sink("test", "next", MailboxLimits::default());
    next.subscribe(Subscription::to("r/range".parse().unwrap()));
    next.receive(&mut Vec::new()).await;
    assert_eq!(totals(&hub), DialectTotals { sinks: 1, delivered: 10, ..gone });
}

#[tokio::test(start_paused = true)]
async fn intervals_and_sinks_that_do_not_read_are_counted() {
    let hub = hub();
    let source = source(&hub);
    let sink = hub.sink("test", "t", MailboxLimits::default());
    let every = Duration::from_secs(1);
    sink.subscribe(Subscription { every, ..Subscription::to("r/contact".parse().unwrap()) });
    source.publish(update(&hub, "bump", contact(true)));
    source.publish(update(&hub, "bump", contact(true)));
    assert_eq!(totals(&hub).debounced, 1);
    tokio::time::sleep(Duration::from_secs(11)).await;
    source.publish(update(&hub, "bump", contact(true)));
    assert_eq!((totals(&hub).ended_too_slow, totals(&hub).waiting), (1, 0));
    drop(sink);
    assert_eq!(totals(&hub).ended_too_slow, 1);
}

#[derive(PartialEq)]
struct Text;

impl Encoding for Text {
    const DIALECT: &'static str = "test";
    type Output = String;
}

#[derive(PartialEq)]
struct Number;

impl Encoding for Number {
    const DIALECT: &'static str = "test";
    type Output = u8;
}

#[tokio::test]
async fn a_shared_encoding_is_timed_once() {
    let hub = hub();
    let source = source(&hub);
    let (first, second) =
        (sink(&hub, "r/range", Default::default()), sink(&hub, "r/range", Default::default()));
    publish(&hub, &source, 0);
    let slowly = |update: &Update| {
        std::thread::sleep(Duration::from_millis(2));
        update.key()
    };
    for sink in [&first, &second] {
        let mut out = Vec::new();
        sink.receive(&mut out).await;
        let Delivery::Update(_, update) = &out[0] else { panic!("{out:?}") };
        update.derived(Text, slowly);
        update.derived(Number, |_| 1);
    }
    let encodes = totals(&hub).encodes;
    assert_eq!(encodes.counts.iter().sum::<u64>(), 2, "{encodes:?}");
    assert!(encodes.sum >= Duration::from_millis(2), "{encodes:?}");
}
