//! What a served robot is told: topics that its clients publish, as commands to the hub.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::member::Member;

/// Serves one robot until `stop`.
pub(super) async fn run(member: Arc<Member>, stop: CancellationToken) {
    tracing::debug!(robot = %member.robot, "the robot takes orders over ROS");
    stop.cancelled().await;
}
