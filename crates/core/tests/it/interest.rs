//! Who gets what, however subscriptions, topics and robots come and go: as if each update were matched with each
//! subscription.

use std::collections::BTreeMap;
use std::time::Duration;

use latimer_core::hub::{
    Delivery, MailboxLimits, Origin, RobotInfo, Selection, Sink, Source, Subscription, SubscriptionId,
};
use latimer_core::key_expression::Key;
use latimer_core::model::signal::{Contact, ContactSensor, Frame, Range};
use latimer_core::{Clock, Hub, PartName, RobotId, Timestamp, Update};
use proptest::prelude::*;

const SELECTIONS: [&str; 9] = [
    "a/range",
    "*/range",
    "a",
    "**",
    "a/range/front,b/range",
    "a/range,a/range/front",
    "b/contact/*",
    "$*a/contact",
    "c",
];

/// Robots, and what they say: a state and an event, of two parts.
const ROBOTS: [&str; 3] = ["a", "b", "ba"];
const PARTS: [&str; 2] = ["front", "back"];

#[derive(Clone, Debug)]
enum Step {
    Subscribe(usize, usize),
    Unsubscribe(usize),
    Publish(usize, usize, bool),
    /// A sink goes with all of its subscriptions, and another comes.
    Replace(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..2_usize, 0..SELECTIONS.len()).prop_map(|(sink, select)| Step::Subscribe(sink, select)),
        2 => (0..8_usize).prop_map(Step::Unsubscribe),
        4 => (0..ROBOTS.len(), 0..PARTS.len(), any::<bool>()).prop_map(|(r, p, e)| Step::Publish(r, p, e)),
        1 => (0..2_usize).prop_map(Step::Replace),
    ]
}

fn source(hub: &Hub, name: &str) -> Source {
    let robot = RobotId::new(name).unwrap();
    hub.register(RobotInfo::new(robot, "test", Origin::Simulated)).unwrap()
}

/// What a sink has got: how often each key came for each subscription.
async fn drain(sink: &Sink) -> BTreeMap<(SubscriptionId, String), usize> {
    let mut got = BTreeMap::new();
    let mut deliveries = Vec::new();
    while tokio::time::timeout(Duration::from_millis(1), sink.receive(&mut deliveries)).await.is_ok() {
        for delivery in deliveries.drain(..) {
            let Delivery::Update(id, update) = delivery else { panic!("{delivery:?}") };
            // What the hub says of the links is not compared.
            if !update.key().contains("/link") {
                *got.entry((id, update.key())).or_default() += 1;
            }
        }
    }
    got
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(latimer_testing::rounds(96)))]

    #[test]
    fn each_subscription_gets_what_it_selects_once(steps in prop::collection::vec(step(), 1..60)) {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let hub = Hub::new(Clock::starting_at(Timestamp::default()));
            let sources = ROBOTS.map(|name| source(&hub, name));
            let new_sink = || hub.sink("test", "t", MailboxLimits::default());
            let mut sinks = [new_sink(), new_sink()];
            // Subscriptions that go on, with their sink and what they select; states that were published.
            let mut known: Vec<(SubscriptionId, usize, &str)> = Vec::new();
            let mut states: Vec<String> = Vec::new();
            for step in steps {
                let mut expected: BTreeMap<(SubscriptionId, String), usize> = BTreeMap::new();
                match step {
                    Step::Subscribe(sink, select) => {
                        let select = SELECTIONS[select];
                        let id = sinks[sink].subscribe(Subscription::to(select.parse().unwrap()));
                        known.push((id, sink, select));
                        let last = states.iter().filter(|key| selects(select, key));
                        expected.extend(last.map(|key| ((id, key.clone()), 1)));
                    }
                    Step::Unsubscribe(at) if !known.is_empty() => {
                        let (id, sink, _) = known.remove(at % known.len());
                        sinks[sink].unsubscribe(id);
                    }
                    Step::Unsubscribe(_) => {}
                    Step::Publish(robot, part, event) => {
                        let kind = if event { "contact" } else { "range" };
                        let key = format!("{}/{kind}/{}", ROBOTS[robot], PARTS[part]);
                        sources[robot].publish(update(&hub, &key));
                        if !event && !states.contains(&key) {
                            states.push(key.clone());
                        }
                        let matching = known.iter().filter(|(_, _, select)| selects(select, &key));
                        expected.extend(matching.map(|(id, ..)| ((*id, key.clone()), 1)));
                    }
                    Step::Replace(sink) => {
                        sinks[sink] = new_sink();
                        known.retain(|(_, of, _)| *of != sink);
                    }
                }
                let mut got = drain(&sinks[0]).await;
                got.extend(drain(&sinks[1]).await);
                prop_assert_eq!(&got, &expected);
                let with_subscriptions = known.iter().map(|(_, sink, _)| sink).collect::<std::collections::BTreeSet<_>>();
                prop_assert_eq!(hub.sinks().len(), with_subscriptions.len());
            }
            Ok(())
        })?;
    }
}

/// Whether a selection includes a key, by each of its expressions.
fn selects(select: &str, key: &str) -> bool {
    let select: Selection = select.parse().unwrap();
    let key = Key::new(key).unwrap();
    select.to_string().split(',').any(|it| Key::new(it).unwrap().includes(key))
}

/// An update of a key.
fn update(hub: &Hub, key: &str) -> Update {
    let mut words = key.split('/');
    let robot = RobotId::new(words.next().unwrap()).unwrap();
    let signal = match words.next().unwrap() {
        "contact" => {
            Contact { contacted: true, sensor: ContactSensor::Bumper, position: None, frame: Frame::BaseLink }
                .into()
        }
        _ => Range::valid(1.0).into(),
    };
    Update::now(&robot, hub.clock().now(), signal).of_part(PartName::of(words.next().unwrap()))
}
