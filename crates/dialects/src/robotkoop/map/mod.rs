//! Whole messages and the model: pure, both ways. What a message carries is translated beside its description, in
//! [`messages`](super::messages).

mod order;
#[cfg(test)]
mod tests;
mod time;

use latimer_core::hub::Shared;
use latimer_core::model::Kind;
use latimer_core::{Signal, Update};

pub use order::{order_from_task, task_from_order};
pub use time::{seconds_from_timestamp, stamp_from_seconds};

use super::NAME;
pub use super::messages::request::{received_from_request, request_from_update};
use super::messages::status;
pub use super::messages::status::{acknowledged, status_from_task, tasks_from_status};
use super::topic::Topic;
use super::wire::{Body, Head, Message, Status};

/// Neither urgent nor able to wait.
pub const USUAL_PRIORITY: i64 = 3;

/// The kinds that household robots have words for.
pub const KINDS: [Kind; 3] = [Kind::Task, Kind::Text, Kind::Face];

/// Who speaks to whom.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// What the robot calls itself.
    pub robot: &'a str,
    /// What the dialogue system is called.
    pub dialogue: &'a str,
}

/// What a household robot would say of an update of any robot: one message an action, for clients read no second one.
///
/// What a household robot said itself goes on in its own words, under the name it has here.
pub fn messages_from_update(update: &Update, names: Names<'_>) -> Vec<Message> {
    let native = update.native.as_ref().filter(|native| native.dialect == NAME);
    let native = native.and_then(|native| Message::read(native.topic.parse().ok()?, &native.payload).ok());
    if let Some(message) = native {
        return split(message, names);
    }
    message_from_signal(update, names).into_iter().collect()
}

fn message_from_signal(update: &Update, names: Names<'_>) -> Option<Message> {
    let timestamp = Some(seconds_from_timestamp(update.stamp.at));
    let source_id = names.robot.to_owned();
    if let Signal::Task(task) = &update.signal {
        let body = Body::Report(status_from_task(task)?);
        let task_id = task.id.clone();
        return Some(Message { head: Head { source_id, timestamp, task_id, ..Head::default() }, body });
    }
    let (task_id, request) = request_from_update(update)?;
    let (target_id, priority) = (Some(names.dialogue.to_owned()), Some(USUAL_PRIORITY));
    let head = Head { target_id, source_id, timestamp, task_id, priority };
    Some(Message { head, body: Body::Request(request) })
}

/// The same under another name, with a message for each action and none for no action.
fn split(message: Message, names: Names<'_>) -> Vec<Message> {
    let head = Head { source_id: names.robot.to_owned(), ..message.head };
    match message.body {
        Body::Report(Status::Progress(progress)) => {
            let one = |action| Message { head: head.clone(), body: Body::Report(status::progress(action)) };
            progress.performed_actions.into_iter().filter(|it| it.action.is_some()).map(one).collect()
        }
        body @ Body::Report(_) => vec![Message { head, body }],
        body @ Body::Request(_) => {
            vec![Message { head: Head { target_id: Some(names.dialogue.to_owned()), ..head }, body }]
        }
        Body::Order(_) | Body::Receipt(_) => Vec::new(),
    }
}

/// An update as clients would see it, with the robot's name here as its own; the original if a household robot said it.
pub(super) fn translate(update: &Shared) -> Option<(Topic, bytes::Bytes)> {
    if let Some(native) = update.native.as_ref().filter(|native| native.dialect == NAME) {
        return Some((native.topic.parse().ok()?, native.payload.clone()));
    }
    let names = Names { robot: update.robot.as_str(), dialogue: super::config::DIALOGUE };
    let message = message_from_signal(update, names)?;
    Some((message.topic(), message.write()))
}
