//! The tables against the samples and what `map` makes of them.

use std::collections::BTreeSet;

use latimer_core::Timestamp;
use latimer_core::model::ToValue;
use serde_json::Value as Json;

use super::MESSAGES;
use crate::robotkoop::map::{heard_from_request, tasks_from_status};
use crate::robotkoop::topic::Topic;
use crate::robotkoop::wire::tests::samples;
use crate::robotkoop::wire::{Body, Message};
use crate::table::Role;

/// The paths of all that is not an object or a list.
fn paths(at: &str, value: &Json, into: &mut Vec<(String, Json)>) {
    match value {
        Json::Object(map) => map.iter().for_each(|(key, value)| {
            let dot = if at.is_empty() { "" } else { "." };
            paths(&format!("{at}{dot}{key}"), value, into);
        }),
        Json::Array(items) => items.iter().for_each(|item| paths(&format!("{at}[]"), item, into)),
        leaf => into.push((at.to_owned(), leaf.clone())),
    }
}

fn table_of(topic: Topic) -> Option<&'static crate::table::Message> {
    MESSAGES.iter().find(|message| message.topic == topic.as_str())
}

/// What the model makes of a message, as texts.
fn told(topic: Topic, text: &str) -> BTreeSet<String> {
    let message = Message::read(topic, text.as_bytes()).unwrap();
    let values = match &message.body {
        Body::Report(status) => {
            let tasks = tasks_from_status(&message.head.task_id, "", status);
            tasks.iter().map(ToValue::to_value).collect::<Vec<_>>()
        }
        Body::Request(request) => {
            let heard = heard_from_request(&message.head, request, Timestamp::default()).unwrap();
            vec![heard.signal.to_value()]
        }
        other => panic!("{other:?}"),
    };
    let mut texts = BTreeSet::new();
    values.iter().for_each(|value| leaves(value, &mut texts));
    texts
}

fn leaves(value: &latimer_core::Value, into: &mut BTreeSet<String>) {
    match value {
        latimer_core::Value::List(items) => items.iter().for_each(|item| leaves(item, into)),
        latimer_core::Value::Map(map) => map.iter().for_each(|(_, value)| leaves(value, into)),
        leaf => drop(into.insert(leaf.to_string())),
    }
}

#[test]
fn every_key_of_every_sample_is_in_its_table() {
    let mut seen = BTreeSet::new();
    for (name, topic, text) in samples() {
        let Some(table) = table_of(topic) else { continue };
        let mut leaves = Vec::new();
        paths("", &serde_json::from_str(text).unwrap(), &mut leaves);
        for (path, _) in leaves {
            assert!(table.fields.pairs().iter().any(|pair| pair.wire == path), "{name}: {path}");
            seen.insert((topic, path));
        }
    }
    for table in MESSAGES {
        let topic: Topic = table.topic.parse().unwrap();
        for pair in
            table.fields.pairs().iter().filter(|it| !it.note.is_some_and(|it| it.ends_with("not written")))
        {
            assert!(seen.contains(&(topic, pair.wire.to_owned())), "no sample shows {}", pair.wire);
        }
    }
}

#[test]
fn what_a_table_pairs_is_what_is_translated() {
    for (name, topic, text) in samples() {
        let Some(table) = table_of(topic) else { continue };
        let told = told(topic, text);
        let mut leaves = Vec::new();
        paths("", &serde_json::from_str(text).unwrap(), &mut leaves);
        for (path, value) in leaves {
            let pair = table.fields.pairs().iter().find(|pair| pair.wire == path).unwrap();
            let Json::String(word) = &value else { continue };
            if pair.role != Role::Value || name == "status_failure" {
                continue;
            }
            let word = pair.words.iter().find(|(wire, _)| wire == word).map_or(word.as_str(), |it| it.1);
            assert!(told.contains(word), "{name}: {path} is {word}, told is {told:?}");
        }
    }
}
