//! One served robot, as both of its tasks see it.

use std::sync::Arc;

use latimer_core::access::Gate;
use latimer_core::{Hub, RobotId, Timestamp};
use latimer_ros1::message::Layout;
use latimer_ros1::node::{Level, Node, NodeError, Publisher};
use serde::Serialize;
use tokio::sync::watch;

use super::Settings;
use super::time::RobotTime;
use crate::miro::topic::Topic;
use crate::miro::types::Types;

/// Longest text on the topic `log`, bytes; a client is not to be drowned by what a robot was asked.
const MOST_TEXT: usize = 2_000;

/// What the control side is doing, as far as `platform/state` tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Doings {
    /// A body move is under way.
    pub(super) body_move: bool,
    /// A sound is made.
    pub(super) vocalising: bool,
    /// A command sent the neck back to how it stands at first.
    pub(super) body_reset: bool,
    /// Room for frames of streamed sound.
    pub(super) free_stream_buffers: u32,
    /// The last frame of streamed sound that was taken.
    pub(super) last_stream_message: u16,
    /// Sound is not to be published.
    pub(super) no_mics: bool,
    /// Pictures are not to be published.
    pub(super) no_cams: bool,
}

/// A served robot, as all of its tasks know it.
pub(super) struct Member {
    /// Its name here.
    pub(super) robot: RobotId,
    /// Its name in ROS.
    pub(super) name: String,
    pub(super) hub: Hub,
    /// What clients may do, by their addresses, if the gateway has users.
    pub(super) gate: Option<Arc<dyn Gate>>,
    pub(super) node: Node,
    pub(super) types: Types,
    /// The time it lives by.
    pub(super) time: RobotTime,
    /// What `bridge/stream` plays, numbered from 1.
    pub(super) sounds: Arc<[String]>,
    /// Thousandths by `control`, shown by `upstream`.
    pub(super) doings: watch::Sender<Doings>,
    /// When the last frame of sound that was published ended, and the number of the sample after it.
    pub(super) sampled: watch::Sender<Option<(Timestamp, u32)>>,
    log: Arc<Publisher>,
}

/// `std_msgs/String`.
#[derive(Serialize)]
struct Decoded<'a> {
    data: &'a str,
}

impl Member {
    pub(super) fn new(
        hub: &Hub,
        node: &Node,
        settings: &Settings,
        robot: RobotId,
        name: String,
    ) -> Result<Self, NodeError> {
        let types = settings.types.clone();
        let log = node.advertise(&Topic::Log.of(&name), types.of(Topic::Log), 64, false)?;
        let time = RobotTime::new(hub, settings.world.as_ref(), &robot, &name);
        Ok(Self {
            robot,
            name,
            hub: hub.clone(),
            gate: settings.place.gate.clone(),
            node: node.clone(),
            types,
            time,
            sounds: settings.sounds.clone(),
            doings: watch::Sender::new(Doings::default()),
            sampled: watch::Sender::new(None),
            log: Arc::new(log),
        })
    }

    /// Says something on the robot's `log` and on `/rosout`.
    pub(super) fn say(&self, level: Level, text: &str) {
        self.node.log(level, &format!("{}: {}", self.name, shortened(text)));
        self.repeat(text);
    }

    /// Says on the robot's `log` what the robot itself said.
    pub(super) fn repeat(&self, text: &str) {
        let text = shortened(text);
        if let Err(error) = self.log.publish(&Decoded { data: text }) {
            tracing::debug!(robot = %self.robot, %error, "the log cannot be published");
        }
    }

    pub(super) const fn log(&self) -> &Arc<Publisher> {
        &self.log
    }

    /// Offers a topic of the robot.
    pub(super) fn advertise(&self, topic: Topic, queue: usize) -> Result<Publisher, NodeError> {
        self.node.advertise(&topic.of(&self.name), self.layout(topic), queue, false)
    }

    /// How messages of a topic lie.
    pub(super) fn layout(&self, topic: Topic) -> Arc<Layout> {
        self.types.of(topic)
    }
}

fn shortened(text: &str) -> &str {
    let end = (0..=MOST_TEXT.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(shortened("short"), "short");
        let long = "ä".repeat(MOST_TEXT);
        let cut = shortened(&long);
        assert!(cut.len() <= MOST_TEXT && cut.chars().all(|it| it == 'ä'));
    }
}
