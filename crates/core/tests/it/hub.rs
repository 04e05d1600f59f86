//! What a subscriber of the hub would notice: classes, debounce, late joiners, gaps, commands.

use std::collections::BTreeMap;
use std::time::Duration;

use latimer_core::hub::{Delivery, DemandLevel, EndReason, GapReason, MailboxLimits, Pace, Subscription};
use latimer_core::model::signal::image::{Codec, Encoding};
use latimer_core::model::signal::{Image, LinkState, Range, Video};
use latimer_core::{Command, Outcome, PartName, RobotId, Signal, Timestamp, Update};
use proptest::prelude::*;

use crate::rig::{contact, distances, drain, hub, robot, source, subscription, update};

fn picture(first: u8) -> Image {
    Image { encoding: Encoding::Mono8, width: 1, height: 1, data: vec![first].into() }
}

#[tokio::test(start_paused = true)]
async fn states_coalesce_and_late_joiners_get_the_last() {
    let hub = hub();
    let source = source(&hub);
    let early = hub.sink("test", "early", MailboxLimits::default());
    early.subscribe(subscription("r/range/*"));
    for distance in [1.0, 2.0, 3.0] {
        source.publish(update(&hub, "front", Range::valid(distance)));
    }
    source.publish(update(&hub, "back", Range::valid(9.0)));
    assert_eq!(distances(&drain(&early).await), [3.0, 9.0]);
    let late = hub.sink("test", "late", MailboxLimits::default());
    late.subscribe(subscription("r/range/front"));
    assert_eq!(distances(&drain(&late).await), [3.0]);
    assert!(drain(&late).await.is_empty(), "nothing comes twice");
}

#[tokio::test(start_paused = true)]
async fn a_subscription_to_every_change_gets_each_state_or_a_gap() {
    let hub = hub();
    let source = source(&hub);
    let sink = hub.sink("test", "recorder", MailboxLimits { events: 4, ..Default::default() });
    sink.subscribe(Subscription { every_change: true, ..subscription("r/**") });
    drain(&sink).await;
    for i in 0..6 {
        source.publish(update(&hub, "front", Range::valid(f64::from(i))));
        source.publish(update(&hub, "bump", contact(true)));
    }
    let got = drain(&sink).await;
    assert_eq!(distances(&got), [0.0, 1.0, 2.0, 3.0]);
    let Some(Delivery::Gap(gap)) = got.last() else { panic!("no gap: {got:?}") };
    assert_eq!(gap.lost, Some(4), "two states and two events, each from a queue of its own");
}

#[tokio::test(start_paused = true)]
async fn frames_of_a_stream_come_in_order_and_those_of_before_do_not() {
    let hub = hub();
    let source = source(&hub);
    let frame = |sequence: i64| {
        let data = vec![0; 4].into();
        Video { codec: Codec::H264, key_frame: sequence == 0, sequence, width: 0, height: 0, data }
    };
    source.publish(update(&hub, "camera", frame(0)));
    let sink = hub.sink("test", "viewer", MailboxLimits { frames: 4, ..Default::default() });
    sink.subscribe(subscription("r/video/*"));
    assert!(drain(&sink).await.is_empty(), "what was filmed before is over");
    let frames = async |numbers: std::ops::Range<i64>| {
        numbers.for_each(|sequence| source.publish(update(&hub, "camera", frame(sequence))));
        let got = drain(&sink).await;
        let number = |delivery: &Delivery| match delivery {
            Delivery::Update(_, update) => match &update.signal {
                Signal::Video(video) => Some(video.sequence),
                _ => None,
            },
            _ => None,
        };
        let lost = got.iter().find_map(|it| if let Delivery::Gap(gap) = it { gap.lost } else { None });
        (got.iter().filter_map(number).collect::<Vec<_>>(), lost)
    };
    assert_eq!(frames(1..5).await, (vec![1, 2, 3, 4], None));
    assert_eq!(frames(5..12).await, (vec![5, 6, 7, 8], Some(3)), "a gap reports what a slow viewer missed");
}

#[tokio::test(start_paused = true)]
async fn a_subscriber_may_do_without_what_was_before() {
    let hub = hub();
    let source = source(&hub);
    source.publish(update(&hub, "front", Range::valid(1.0)));
    let sink = hub.sink("test", "late", MailboxLimits::default());
    sink.subscribe(Subscription { initial: false, ..subscription("r/range/*") });
    assert!(drain(&sink).await.is_empty());
    source.publish(update(&hub, "front", Range::valid(2.0)));
    assert_eq!(distances(&drain(&sink).await), [2.0]);
}

#[tokio::test(start_paused = true)]
async fn a_lost_event_is_reported_with_number_kind_and_reason() {
    let hub = hub();
    let source = source(&hub);
    let sink = hub.sink("test", "slow", MailboxLimits { events: 4, ..Default::default() });
    let id = sink.subscribe(subscription("r/**"));
    drain(&sink).await;
    for i in 0..10 {
        source.publish(update(&hub, "bump", contact(i % 2 == 0)));
        // A flood of events costs states and frames nothing.
        source.publish(update(&hub, "front", Range::valid(f64::from(i))));
        source.publish(update(&hub, "camera", picture(i as u8)));
    }
    let got = drain(&sink).await;
    let events = got.iter().filter(|d| matches!(d, Delivery::Update(_, u) if u.kind().as_str() == "contact"));
    assert_eq!(events.count(), 4);
    assert_eq!(distances(&got), [9.0]);
    assert!(got.iter().any(|d| matches!(d, Delivery::Update(_, u) if u.signal == picture(9).into())));
    let Some(Delivery::Gap(gap)) = got.last() else { panic!("no gap: {got:?}") };
    assert_eq!((gap.subscription, gap.lost, gap.reason), (id, Some(6), GapReason::QueueFull));
    assert_eq!(gap.kind.map(|kind| kind.as_str()), Some("contact"));
}

#[tokio::test(start_paused = true)]
async fn a_hopeless_sink_is_let_go_with_a_reason_and_others_go_on() {
    let hub = hub();
    let source = source(&hub);
    let frozen = hub.sink("test", "frozen", MailboxLimits { events: 4, ..Default::default() });
    let healthy = hub.sink("test", "healthy", MailboxLimits::default());
    frozen.subscribe(subscription("r/contact/*"));
    healthy.subscribe(subscription("r/contact/*"));
    let mut received = 0;
    for i in 0..30 {
        tokio::time::advance(Duration::from_secs(1)).await;
        source.publish(update(&hub, "bump", contact(i % 2 == 0)));
        received += drain(&healthy).await.len();
    }
    assert_eq!(received, 30);
    let reason = frozen.ended().expect("let go");
    assert!(matches!(reason, EndReason::TooSlow { .. }), "{reason}");
    assert!(reason.to_string().contains("too slow"), "{reason}");
}

#[tokio::test(start_paused = true)]
async fn a_sink_that_waits_is_never_called_slow() {
    let hub = hub();
    let source = source(&hub);
    let sink = hub.sink("test", "patient", MailboxLimits::default());
    sink.subscribe(Subscription { every: Duration::from_secs(3600), ..subscription("r/range/*") });
    let reader = tokio::spawn(async move {
        let mut out = Vec::new();
        while distances(&out).len() < 2 {
            sink.receive(&mut out).await;
        }
        distances(&out)
    });
    for i in 0..7200 {
        tokio::time::advance(Duration::from_secs(1)).await;
        source.publish(update(&hub, "front", Range::valid(f64::from(i))));
        tokio::task::yield_now().await;
    }
    let got = reader.await.unwrap();
    assert_eq!(got[0], 0.0);
    assert!(got[1] >= 3598.0, "the last value of the interval comes at its end: {got:?}");
}

#[tokio::test(start_paused = true)]
async fn a_repeated_state_comes_though_nothing_changes() {
    let hub = hub();
    let source = source(&hub);
    let sink = hub.sink("test", "timed", MailboxLimits::default());
    sink.subscribe(Subscription {
        every: Duration::from_millis(250),
        repeat: true,
        ..subscription("r/range/front")
    });
    source.publish(update(&hub, "front", Range::valid(1.0)));
    let began = hub.clock().now();
    let mut out = Vec::new();
    while out.len() < 5 {
        sink.receive(&mut out).await;
    }
    assert_eq!(hub.clock().now().since(began).as_millis() / 250, 4);
}

#[tokio::test(start_paused = true)]
async fn the_gap_of_a_lost_link_is_reported_to_subscribers() {
    let hub = hub();
    let source = source(&hub);
    source.link(LinkState::Up, None);
    let sink = hub.sink("test", "watcher", MailboxLimits::default());
    sink.subscribe(subscription("r/range/**"));
    drain(&sink).await;
    tokio::time::advance(Duration::from_secs(5)).await;
    source.link(LinkState::Down, Some("cable".into()));
    source.link(LinkState::Connecting, None);
    tokio::time::advance(Duration::from_secs(7)).await;
    source.link(LinkState::Up, None);
    let got = drain(&sink).await;
    let [Delivery::Gap(gap)] = &got[..] else { panic!("{got:?}") };
    assert_eq!(gap.reason, GapReason::LinkLost);
    assert_eq!(gap.to.since(gap.from), Duration::from_secs(7));
    assert_eq!(source.link_now().reconnects, 1);
}

#[tokio::test(start_paused = true)]
async fn every_command_is_answered() {
    let hub = hub();
    let mut source = source(&hub);
    let patience = Duration::from_secs(2);
    let stop = Command::Stop { hold: false };
    let nobody = hub.command(&RobotId::new("x").unwrap(), stop.clone(), patience).await;
    assert!(matches!(nobody, Outcome::Refused(why) if why.reason.contains("no robot x")));
    let asked = tokio::spawn({
        let (hub, stop) = (hub.clone(), stop.clone());
        async move { hub.command(&robot(), stop, patience).await }
    });
    source.next_command().await.answer(Outcome::Done);
    assert_eq!(asked.await.unwrap(), Outcome::Done);
    assert_eq!(hub.command(&robot(), stop.clone(), patience).await, Outcome::TimedOut);
    // A robot that takes nothing is kicked, and the asker receives a refusal.
    let kicked = source.kicked();
    for _ in 0..64 {
        tokio::spawn({
            let (hub, stop) = (hub.clone(), stop.clone());
            async move { hub.command(&robot(), stop, patience).await }
        });
    }
    for _ in 0..4 {
        tokio::task::yield_now().await;
    }
    let refused = hub.command(&robot(), stop.clone(), patience).await;
    assert!(matches!(refused, Outcome::Refused(_)), "{refused:?}");
    assert!(kicked.is_cancelled());
    drop(source);
    assert!(matches!(hub.command(&robot(), stop, patience).await, Outcome::Refused(_)));
}

#[tokio::test(start_paused = true)]
async fn sources_know_what_is_wanted() {
    use latimer_core::model::Kind;
    let hub = hub();
    let source = source(&hub);
    let front = PartName::of("front");
    assert!(!source.wants(Kind::Range, None));
    let sink = hub.sink("test", "t", MailboxLimits::default());
    let id = sink.subscribe(subscription("*/range/front"));
    assert!(source.wants(Kind::Range, None) && source.wants(Kind::Range, Some(&front)));
    assert!(!source.wants(Kind::Range, Some(&PartName::of("back"))) && !source.wants(Kind::Imu, None));
    assert!(source.wanted().contains(Kind::Range));
    let is_watched = |part: &str| hub.is_watched(&robot(), Kind::Range, &PartName::of(part));
    assert!(is_watched("front") && !is_watched("back"));
    sink.unsubscribe(id);
    assert!(!is_watched("front"));
    assert!(!source.wants(Kind::Range, None));
    sink.subscribe(Subscription { demand: DemandLevel::Slow, ..subscription("*/battery") });
    assert!(source.wants(Kind::Battery, None) && !source.wanted().contains(Kind::Battery));
    sink.subscribe(Subscription { demand: DemandLevel::None, ..subscription("*/range/**") });
    assert!(!is_watched("front"), "who needs nothing watches nothing");
    assert!(!source.wants(Kind::Range, None) && !source.wanted().contains(Kind::Range));
    source.publish(Update::now(&robot(), hub.clock().now(), Range::valid(1.0).into()));
    assert_eq!(drain(&sink).await.len(), 1, "a sink without demand receives what is published anyway");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(latimer_testing::rounds(64)))]

    /// However updates and reads fall in time, no two deliveries of a key (or of a whole subscription)
    /// are closer than the interval, and the last value of each key arrives.
    #[test]
    fn debounce_holds_and_the_last_state_arrives(
        steps in prop::collection::vec((0_u64..400, 0_usize..3, any::<bool>()), 1..60),
        every_ms in prop::sample::select(vec![0_u64, 1, 100, 250, 1000]),
        whole in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let hub = hub();
            let source = source(&hub);
            let sink = hub.sink("test", "t", MailboxLimits::default());
            let every = Duration::from_millis(every_ms);
            let pace = if whole { Pace::PerSubscription } else { Pace::PerKey };
            sink.subscribe(Subscription { every, pace, ..subscription("r/range/*") });
            let mut sent = BTreeMap::new();
            let mut got: Vec<(Timestamp, String, f64)> = Vec::new();
            let mut take = |deliveries: Vec<Delivery>, now| for delivery in deliveries {
                let Delivery::Update(_, update) = delivery else { panic!("{delivery:?}") };
                let distance = update.signal.field("distance_m").and_then(|v| v.as_f64()).unwrap();
                got.push((now, update.key(), distance));
            };
            for (i, (wait, part, read)) in steps.iter().enumerate() {
                tokio::time::advance(Duration::from_millis(*wait)).await;
                let update = update(&hub, ["a", "b", "c"][*part], Range::valid(i as f64));
                sent.insert(update.key(), i as f64);
                source.publish(update);
                if *read {
                    take(drain(&sink).await, hub.clock().now());
                }
            }
            // Keys that share an interval take turns.
            for _ in 0..4 {
                tokio::time::advance(every).await;
                take(drain(&sink).await, hub.clock().now());
            }
            for (i, (at, key, distance)) in got.iter().enumerate() {
                let before = got[..i].iter().rev().find(|(_, k, _)| whole && every_ms > 0 || k == key);
                if let Some((earlier, _, older)) = before {
                    prop_assert!(at.since(*earlier) >= every, "{got:?}");
                    prop_assert!(older <= distance || whole, "never backwards: {got:?}");
                }
            }
            for (key, last) in &sent {
                let arrived = got.iter().rev().find(|(_, k, _)| k == key).map(|(_, _, d)| *d);
                prop_assert_eq!(arrived, Some(*last), "{}", key);
            }
            Ok(())
        })?;
    }

    /// Events are never coalesced: with no interval each one arrives, in order, or is counted in a gap.
    #[test]
    fn events_arrive_in_order_or_are_counted(reads in prop::collection::vec(any::<bool>(), 1..80), room in 1_usize..10) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let hub = hub();
            let source = source(&hub);
            let sink = hub.sink("test", "t", MailboxLimits { events: room, ..Default::default() });
            sink.subscribe(subscription("r/contact/*"));
            let (mut sequences, mut lost) = (Vec::new(), 0);
            for read in reads.iter().chain([&true]) {
                source.publish(update(&hub, "bump", contact(true)));
                if *read {
                    for delivery in drain(&sink).await {
                        match delivery {
                            Delivery::Update(_, update) => sequences.push(update.sequence()),
                            Delivery::Gap(gap) => lost += gap.lost.unwrap(),
                            Delivery::End(reason) => panic!("{reason}"),
                        }
                    }
                }
            }
            prop_assert!(sequences.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert_eq!(sequences.len() as u64 + lost, reads.len() as u64 + 1);
            Ok(())
        })?;
    }

    /// A condition lets through exactly what a person would let through.
    #[test]
    fn conditions_filter_exactly(values in prop::collection::vec(0_i32..100, 1..50), limit in 0_i32..100) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let hub = hub();
            let source = source(&hub);
            let sink = hub.sink("test", "t", MailboxLimits::default());
            let filter = format!("range.distance_m < {limit}").parse().unwrap();
            sink.subscribe(Subscription { filter, ..subscription("r/range/*") });
            let mut got = Vec::new();
            for value in &values {
                source.publish(update(&hub, "front", Range::valid(f64::from(*value))));
                got.extend(distances(&drain(&sink).await));
            }
            let wanted: Vec<f64> = values.iter().filter(|v| *v < &limit).map(|v| f64::from(*v)).collect();
            prop_assert_eq!(got, wanted);
            Ok(())
        })?;
    }
}
