//! `/tf_static`: where the frames of all served robots are that never move, in one message, since the topic keeps its last one only.

use std::collections::BTreeMap;

use latimer_core::{Hub, RobotId};
use latimer_ros1::message::Catalog;
use latimer_ros1::msgs::tf2_msgs::TFMessage;
use latimer_ros1::node::{Node, NodeError, Publisher};

use super::time::RobotTime;
use crate::miro::map::Frames;

const TOPIC: &str = "/tf_static";

/// The frames that were sent last, and their publisher.
pub(super) struct Statics {
    publisher: Publisher,
    sent: BTreeMap<RobotId, Frames>,
}

impl Statics {
    pub(super) fn advertise(node: &Node) -> Result<Self, NodeError> {
        let layout = Catalog::common().layout_of::<TFMessage>()?;
        Ok(Self { publisher: node.advertise(TOPIC, layout, 1, true)?, sent: BTreeMap::new() })
    }

    /// Tells it anew if robots came, went or are made otherwise.
    pub(super) fn tell<'a>(&mut self, hub: &Hub, robots: impl Iterator<Item = (&'a RobotId, &'a RobotTime)>) {
        let robots: Vec<_> = robots.collect();
        let frames = |robot: &RobotId| hub.has(robot).then(|| Frames::of(&hub.profile(robot)));
        let current: BTreeMap<RobotId, Frames> =
            robots.iter().filter_map(|(robot, _)| Some(((*robot).clone(), frames(robot)?))).collect();
        if current == self.sent {
            return;
        }
        self.sent = current;
        let mut message = TFMessage::default();
        for (robot, time) in robots {
            let at = time.moment_of(time.now());
            message.transforms.extend(self.sent.get(robot).into_iter().flat_map(|frames| frames.fixed(&at)));
        }
        if let Err(error) = self.publisher.publish(&message) {
            tracing::debug!(%error, "frames cannot be published");
        }
    }
}
