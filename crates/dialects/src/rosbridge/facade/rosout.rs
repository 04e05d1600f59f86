//! `/rosout`, where everything is noted that a bridge refuses.

use std::sync::Arc;

use latimer_core::Timestamp;
use serde_json::json;

use crate::rosbridge::protocol::Level;

/// Its name; that of a robot has the same below the robot's.
pub(super) const ROSOUT: &str = "/rosout";
/// Its type.
pub(super) const LOG: &str = "rosgraph_msgs/Log";

/// A line of it.
pub(super) fn line(at: Timestamp, level: Level, topic: &str, text: &str) -> Arc<str> {
    let (secs, nsecs) = (at.as_nanos() / 1_000_000_000, at.as_nanos() % 1_000_000_000);
    let level = match level {
        Level::Info | Level::None => 2,
        Level::Warning => 4,
        Level::Error => 8,
    };
    let topics = if topic.is_empty() { Vec::new() } else { vec![topic] };
    let line = json!({
        "header": {"seq": 0, "stamp": {"secs": secs, "nsecs": nsecs}, "frame_id": ""}, "level": level,
        "name": super::BRIDGE_NODE, "msg": text, "file": "", "function": "", "line": 0, "topics": topics,
    });
    line.to_string().into()
}
