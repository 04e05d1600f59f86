//! Numbers, words and messages that no robot should send: nothing panics, and what is written can be read.

use latimer_core::{PartName, RobotId, Signal, Stamp, Timestamp, Update};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{RECEIVED, encoded, update_from_received};
use crate::any_signal::{Parts, any_parts};
use crate::axbot::map::signals_from_message;
use crate::axbot::messages::Context;
use crate::axbot::style::{ObstacleMaps, ScanStamps, Score, Style};
use crate::axbot::topic::Topic;
use crate::axbot::wire::Message;
use crate::axbot::wire::tests::{samples, topic_of};

/// Every topic that an update could be on, whatever its part.
fn updates(signal: &Signal, stamp: Timestamp) -> impl Iterator<Item = (Topic, Update)> {
    let origins =
        |topic: &Topic| topic.origins().iter().copied().chain(topic.kind_by_role().map(|kind| (kind, None)));
    let reported =
        Topic::ALL.iter().flat_map(move |topic| origins(topic).map(move |origin| (*topic, origin)));
    reported.filter(|(_, (kind, _))| *kind == signal.kind()).map(move |(topic, (_, part))| {
        let update = Update {
            robot: RobotId::new("rover-1").unwrap(),
            part: part.map(PartName::of),
            stamp: Stamp::robot(stamp),
            received: RECEIVED,
            signal: signal.clone(),
            native: None,
            provenance: None,
        };
        (topic, update)
    })
}

fn style(parts: &Parts) -> Style {
    Style {
        scan_stamps: parts.one(&[ScanStamps::Milliseconds, ScanStamps::Seconds]),
        score: parts.one(&[Score::Text, Score::Number]),
        obstacle_maps: parts.one(&[ObstacleMaps::Red, ObstacleMaps::Grey]),
        ..Style::default()
    }
}

/// Values that no key expects.
const JUNK: &str = r#"null true 0 -1 1.5 1e308 9223372036854775807 "" "x" "nan" "1e999" [] {} [null] [[]] [{}] [1,2] [1,2,3]
    {"pos":[1,2],"ori":3} "iVBORw0KGgo=""#;

/// Puts junk in the place of one of the values below.
fn spoil(json: &mut Json, mut at: usize, junk: &Json) -> Option<usize> {
    if at == 0 {
        *json = junk.clone();
        return None;
    }
    at -= 1;
    let below: Vec<&mut Json> = match json {
        Json::Object(fields) => fields.iter_mut().map(|(_, value)| value).collect(),
        Json::Array(items) => items.iter_mut().collect(),
        _ => Vec::new(),
    };
    for value in below {
        at = spoil(value, at, junk)?;
    }
    Some(at)
}

proptest! {
    #[test]
    fn what_is_written_can_be_read(parts in any_parts(), nanos in any::<i64>()) {
        let context = Context {
            style: style(&parts),
            pose: Some(parts.pose()),
            bumpers: vec![(PartName::of("bump_front"), parts.flag)],
            ..Context::default()
        };
        for signal in parts.any_signal() {
            for (topic, update) in updates(&signal, Timestamp::from_nanos(nanos)) {
                let Some(message) = encoded(topic, &update, &context) else { continue };
                prop_assert_eq!(message.topic(), topic);
                let written = message.write();
                let text = std::str::from_utf8(&written).unwrap();
                prop_assert!(!text.contains("null"), "{}", text);
                let read = Message::read(topic, &written).unwrap();
                prop_assert_eq!(read.write(), written);
                for incoming in signals_from_message(&read, RECEIVED).unwrap_or_default() {
                    encoded(topic, &update_from_received(&incoming), &context);
                }
            }
        }
    }

    #[test]
    fn spoilt_samples_do_not_panic(pick in any::<proptest::sample::Index>(), at in 1_usize..60, junk in proptest::sample::select(JUNK.split_whitespace().collect::<Vec<_>>())) {
        let samples = samples();
        let (_, _, sample) = pick.get(&samples);
        let (topic, mut spoilt) = (topic_of(sample), sample.clone());
        spoil(&mut spoilt, at, &serde_json::from_str(junk).unwrap());
        if let Ok(message) = Message::read(topic, spoilt.to_string().as_bytes()) {
            let again = Message::read(topic, &message.write()).unwrap();
            prop_assert_eq!(again.write(), message.write());
            for incoming in signals_from_message(&message, RECEIVED).unwrap_or_default() {
                encoded(topic, &update_from_received(&incoming), &Context::default());
            }
        }
    }
}

#[test]
fn an_empty_message_says_nothing_that_is_made_up() {
    for topic in Topic::ALL {
        let message = Message::read(*topic, json!({"topic": topic.as_str()}).to_string().as_bytes()).unwrap();
        for incoming in signals_from_message(&message, RECEIVED).unwrap_or_default() {
            let written = encoded(*topic, &update_from_received(&incoming), &Context::default());
            let keys = written.map(|it| serde_json::from_slice::<Json>(&it.write()).unwrap());
            let made_up = |json: &Json| {
                json.as_object().unwrap().iter().any(|(key, value)| {
                    !matches!(key.as_str(), "topic" | "secs" | "state") && *value != json!([])
                })
            };
            assert!(
                !keys.as_ref().is_some_and(made_up),
                "an empty {topic} tells {keys:?}: mark a field `required`, or let `finish` return `need(…)`"
            );
        }
    }
}
