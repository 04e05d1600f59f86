//! What each type carries goes both ways as it is described.

use latimer_core::model::Kind;
use latimer_core::{Signal, Timestamp};
use serde_json::Value as Json;

use super::request::{Tts, received_from_request};
use super::status::{
    AnomalyDetected, Assistance, MissingInfo, Progress, status_from_task, tasks_from_status,
};
use crate::describe::check::{Through, derived, holds, sample};
use crate::describe::{At, Described};
use crate::robotkoop::channels::MESSAGES;
use crate::robotkoop::wire::tests::{read_status, samples};
use crate::robotkoop::wire::{Body, Message};

/// A report by way of the model, with the items of all reports that it is published in.
fn through(word: &str, parameter: &Json) -> Through {
    let status = read_status(word, parameter.clone()).unwrap();
    let tasks = tasks_from_status("T", "bring", &status);
    let encoded = tasks.iter().filter_map(status_from_task).map(|status| status.parameter());
    let encoded = encoded.reduce(|mut all, next| {
        let actions = &mut all["performed_actions"];
        actions.as_array_mut().unwrap().extend(next["performed_actions"].as_array().unwrap().clone());
        all
    });
    let decoded = Ok(tasks.into_iter().map(Signal::from).collect());
    Through { written: status.parameter(), decoded, encoded }
}

#[test]
fn every_report_goes_both_ways_as_it_is_described() {
    let holds = |word: &str, fields| holds(word, fields, Kind::Task, |json| through(word, json));
    holds("missing_info", MissingInfo::FIELDS);
    holds("progress", Progress::FIELDS);
    holds("assistance", Assistance::FIELDS);
    holds("anomaly_detected", AnomalyDetected::FIELDS);
}

#[test]
fn every_request_goes_both_ways_as_it_is_described() {
    derived::<Tts>(Kind::Text, &At(Timestamp::default()));
}

#[test]
fn every_sample_is_what_its_description_says() {
    for (name, topic, text) in samples() {
        let Some(described) = MESSAGES.iter().find(|message| message.topic == topic.as_str()) else {
            continue;
        };
        let Message { head, body } = Message::read(topic, text.as_bytes()).unwrap();
        let signals: Vec<Signal> = match &body {
            Body::Request(it) => vec![received_from_request(&head, it, Timestamp::default()).unwrap().signal],
            // What failed is described by its remark.
            _ if name == "status_failure" => Vec::new(),
            Body::Report(it) => {
                tasks_from_status(&head.task_id, "", it).into_iter().map(Signal::from).collect()
            }
            other => panic!("{other:?}"),
        };
        sample(&name, &described.rows(), &serde_json::from_str(&text).unwrap(), &signals);
    }
}
