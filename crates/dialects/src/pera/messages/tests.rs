//! Every topic's messages go both ways as they are described.

use latimer_core::{RobotId, Timestamp, Update};
use serde_json::{Map, Value as Json, json};

use super::*;
use crate::describe::check::{Through, holds, sample, seed};
use crate::pera::channels::MESSAGES;
use crate::pera::map::{message_from_update, signals_from_message};
use crate::pera::topic::Topic;
use crate::pera::wire::tests::samples;
use crate::pera::wire::{Message, Number};
use crate::table::{Fields, MessageInfo as Described};

/// What only a simulator says, which it computes.
const NOT_ENCODED: &[&str] = &[
    "robot/create",
    "localization/{id}",
    "localization/data",
    "sensor/distance/{id}",
    "sensor/color/{id}",
    "sensor/proximity/{id}",
    "mgt/robots/?",
];

/// A payload as JSON; a line gets the names that its description gives it.
fn as_json(message: &Described, payload: &str) -> Json {
    if let Ok(value @ (Json::Object(_) | Json::Array(_))) = serde_json::from_str(payload) {
        return value;
    }
    // A robot may say `inf`, which JSON has as no number.
    let number = |word: &str| word.parse().ok().filter(|it: &f64| it.is_finite());
    let words: Vec<Json> =
        payload.split(' ').map(|word| number(word).map_or(json!(word), |it| json!(it))).collect();
    match message.described() {
        [distances, _] if message.topic.contains("proximity") => {
            json!({ distances.name: words[..words.len() / 2] })
        }
        fields => {
            Json::Object(fields.iter().map(|field| field.name.to_owned()).zip(words).collect::<Map<_, _>>())
        }
    }
}

fn as_payload(message: &Described, json: &Json) -> String {
    match (message.fields, json) {
        (Fields::Each(_), item) => json!([item]).to_string(),
        (_, Json::Object(fields)) if message.topic.starts_with("comm/in") => {
            fields["msg"].as_str().unwrap().to_owned()
        }
        (_, json) => json.to_string(),
    }
}

#[test]
fn every_sample_is_what_its_description_says() {
    let mut shown = Vec::new();
    for (topic, payload) in samples() {
        let name = topic.to_string().replace("/0", "/{id}");
        let incoming = signals_from_message(
            &Message::read(&topic, payload.as_bytes()).unwrap(),
            &[-90.0, 0.0, 90.0].map(Number),
        );
        let Some(described) = MESSAGES.iter().find(|message| message.topic == name) else {
            assert_eq!(incoming, [], "{name} is not described");
            continue;
        };
        // What touches the robot is no farther than nothing.
        let signals: Vec<_> = incoming.into_iter().filter(|_| payload != "-6").map(|it| it.signal).collect();
        sample(&name, &described.rows(), &as_json(described, &payload), &signals);
        shown.push(name);
    }
    assert!(MESSAGES.iter().all(|message| shown.iter().any(|name| name == message.topic)), "{shown:?}");
}

#[test]
fn every_message_goes_both_ways_as_it_is_described() {
    let robot = RobotId::new("pera-3").unwrap();
    for message in MESSAGES.iter().filter(|it| !NOT_ENCODED.contains(&it.topic)) {
        let topic = Topic::parse(&message.topic.replace("{id}", "3"));
        holds(message.topic, message.described(), message.kinds[0], |json| {
            let payload = as_payload(message, json);
            seed("pera_message", &format!("{topic} {payload}"));
            let read = Message::read(&topic, payload.as_bytes()).unwrap();
            let unwrapped = |message_: &Message| match as_json(
                message,
                std::str::from_utf8(&message_.write().1).unwrap(),
            ) {
                Json::Array(mut items) => items.remove(0),
                json => json,
            };
            let incoming = signals_from_message(&read, &[]);
            let encoded = incoming.first().and_then(|it| {
                let update = Update::now(&robot, Timestamp::default(), it.signal.clone());
                message_from_update(it.id, &Update { part: it.part.clone(), ..update }, Some(Reality::M))
            });
            Through {
                written: unwrapped(&read),
                encoded: encoded.as_ref().map(unwrapped),
                decoded: Ok(incoming.into_iter().map(|it| it.signal).collect()),
            }
        });
    }
}
