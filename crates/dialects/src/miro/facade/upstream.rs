//! What a served robot says: signals of the hub, as messages to whoever follows.

use std::sync::Arc;

use latimer_core::{Hub, RobotId};
use latimer_ros1::node::{Node, NodeError, Publisher};
use tokio_util::sync::CancellationToken;

use super::Settings;
use super::member::Member;
use crate::miro::topic::Topic;

/// The topics of one robot, advertised.
pub(super) struct Upstream {
    member: Arc<Member>,
    sensors: Publisher,
    state: Publisher,
}

impl Upstream {
    pub(super) fn advertise(
        hub: &Hub,
        node: &Node,
        settings: &Settings,
        robot: RobotId,
        name: String,
    ) -> Result<Self, NodeError> {
        let member = Arc::new(Member::new(hub, node, settings, robot, name)?);
        Ok(Self {
            sensors: member.advertise(Topic::Sensors, 8)?,
            state: member.advertise(Topic::State, 8)?,
            member,
        })
    }

    pub(super) fn member(&self) -> &Arc<Member> {
        &self.member
    }

    /// Publishes until `stop`.
    pub(super) async fn run(self, stop: CancellationToken) {
        stop.cancelled().await;
        drop((self.sensors, self.state));
    }
}
