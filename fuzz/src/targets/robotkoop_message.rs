//! Messages of household robots on every topic: no panic, and what was read and written reads the same again.
//!
//! Takes whole messages, so that the samples are its seeds; each is read as a message of each topic.

use latimer_core::Timestamp;
use latimer_dialects::robotkoop::map::{
    received_from_request, status_from_task, task_from_order, tasks_from_status,
};
use latimer_dialects::robotkoop::topic::Topic;
use latimer_dialects::robotkoop::wire::{Body, Message};

pub(super) fn run(payload: &[u8]) {
    for topic in Topic::ALL {
        let Ok(message) = Message::read(*topic, payload) else { continue };
        match &message.body {
            Body::Report(status) | Body::Receipt(status) => {
                let tasks = tasks_from_status(&message.head.task_id, "bring", status);
                tasks.iter().for_each(|task| drop(status_from_task(task)));
            }
            Body::Request(request) => {
                drop(received_from_request(&message.head, request, Timestamp::from_nanos(1)));
            }
            Body::Order(order) => drop(task_from_order(&message.head, order)),
        }
        let written = message.write();
        let again = Message::read(*topic, &written).expect("what was written is read");
        assert_eq!(again.write(), written);
    }
}
