//! What the robot says, published.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use latimer_core::hub::Source;
use latimer_core::model::Native;
use latimer_core::model::signal::Other;
use latimer_core::{Signal, Timestamp, Update};

use super::decode::{Decoded, decode};
use super::merge::Merge;
use super::moves::Moves;
use crate::axbot::NAME;
use crate::axbot::messages::grids::CachedGrid;
use crate::axbot::needs;
use crate::axbot::topic::Topic;
use crate::axbot::wire::Message;
use crate::throttled_warning::ThrottledWarning;

/// Most messages that wait for the number of a drive.
const MOST_HELD: usize = 64;

/// What the session must do about a frame.
#[derive(Debug, PartialEq)]
pub(super) enum Reaction {
    Nothing,
    /// The robot took a twist.
    Feedback,
    /// Something is not done, in the robot's words.
    ThrottledWarning(String),
    /// The robot listed the topics that it sends.
    Listed(Vec<String>),
    /// A picture is to be fetched.
    Fetch(Topic, Box<CachedGrid>, Timestamp),
}

/// What the robot says, published.
#[derive(Debug, Default)]
pub(super) struct Receiver {
    pub(super) merge: Merge,
    moves: Moves,
    odd: ThrottledWarning,
    /// Messages about a drive whose number the asker knows it by is not known yet.
    held: VecDeque<(Message, Bytes, Timestamp)>,
    /// The trajectory comes under its own name, so the other one says the same again.
    trajectory: bool,
}

impl Receiver {
    /// Forgets what held for the connection before.
    pub(super) fn begin(&mut self) {
        self.merge = Merge::default();
        self.moves.forget_asked();
        self.held.clear();
        self.trajectory = false;
    }

    /// Takes one frame, text or binary.
    pub(super) fn receive(&mut self, source: &Source, frame: Bytes, received: Timestamp) -> Reaction {
        match decode(&frame) {
            Decoded::Feedback => return Reaction::Feedback,
            Decoded::Enabled(topics) => return Reaction::Listed(topics),
            Decoded::JobEvent { topic, alias, message } => match *message {
                Message::MapV2(grid) | Message::CostmapV2(grid) | Message::IncrementalMapV2(grid) => {
                    return Reaction::Fetch(topic, grid, received);
                }
                message => {
                    if topic == Topic::Trajectory {
                        if alias && self.trajectory {
                            return Reaction::Nothing;
                        }
                        self.trajectory |= !alias;
                    }
                    self.publish(source, message, frame, received);
                }
            },
            Decoded::ThrottledWarning(reason) => {
                tracing::debug!(robot = %source.robot(), %reason, "the robot complains");
                return Reaction::ThrottledWarning(reason);
            }
            Decoded::Unknown { topic, reason } => self.unknown(source, &topic, &reason, frame, received),
        }
        Reaction::Nothing
    }

    /// Publishes a frame that is not understood as it came.
    fn unknown(&mut self, source: &Source, topic: &str, reason: &str, frame: Bytes, received: Timestamp) {
        let known = needs::of_topic(topic).map(|(topic, _)| needs::part(topic));
        if known.is_none() {
            self.odd(source, received, topic, reason);
        }
        let topic: Arc<str> = topic.into();
        let signal = Signal::from(Other { topic: topic.clone() });
        let mut update = Update { part: known, ..Update::now(source.robot(), received, signal) };
        update.native = Some(Native { dialect: NAME, topic, payload: frame, definition: None });
        source.publish(update);
    }

    /// Publishes what a message says.
    pub(super) fn publish(
        &mut self,
        source: &Source,
        mut message: Message,
        mut frame: Bytes,
        received: Timestamp,
    ) {
        if let Message::PlanningState(state) = &mut message
            && let Some(robots) = state.action_id
        {
            if self.moves.must_wait(robots) && self.held.len() < MOST_HELD {
                return self.held.push_back((message, frame, received));
            }
            let askers = self.moves.askers(robots);
            if askers != robots {
                // The asker of the drive must find its own number in the original too.
                state.action_id = Some(askers);
                frame = message.write();
            }
        }
        let topic: Arc<str> = message.topic().as_str().into();
        let signals = match self.merge.signals(&message, received) {
            Ok(signals) => signals,
            Err(incomplete) => {
                return self.unknown(source, &topic, &incomplete.to_string(), frame, received);
            }
        };
        for incoming in signals {
            let native =
                Native { dialect: NAME, topic: topic.clone(), payload: frame.clone(), definition: None };
            source.publish(Update {
                robot: source.robot().clone(),
                part: incoming.part,
                stamp: incoming.stamp,
                received,
                signal: incoming.signal,
                native: Some(native),
                provenance: None,
            });
        }
    }

    /// The robot is asked for a drive.
    pub(super) fn moving(&mut self) {
        self.moves.ask();
    }

    /// The robot answered; what waited for that is published.
    pub(super) fn moved(&mut self, source: &Source, numbers: Option<(i64, i64)>) {
        self.moves.answered(numbers);
        for (message, frame, received) in std::mem::take(&mut self.held) {
            self.publish(source, message, frame, received);
        }
    }

    fn odd(&mut self, source: &Source, now: Timestamp, topic: &str, reason: &str) {
        if let Some(count) = self.odd.due(now, 1) {
            let robot = source.robot();
            tracing::warn!(%robot, %topic, %reason, count, "a frame is not understood and passed through");
        }
    }
}
