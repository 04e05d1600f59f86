//! The names of topics in the old version of the socket.

use bytes::Bytes;
use serde_json::{Map, Value};

use super::socket::Version;
use crate::axbot::topic::Topic;

/// What a topic's messages are labelled in the old version; `None` if as now.
const fn old_name(topic: Topic) -> Option<&'static str> {
    match topic {
        Topic::TrackedPose => Some("/chassis/pose"),
        Topic::Path => Some("/chassis/path"),
        Topic::Map => Some("/chassis/occupancy_grid"),
        _ => None,
    }
}

/// A frame with the label of a version.
pub(super) fn labelled(frame: Bytes, topic: Topic, version: Version) -> Bytes {
    let old = match version {
        Version::V1 => old_name(topic),
        Version::V2 => None,
    };
    let Some(old) = old else { return frame };
    let now = format!("{{\"topic\":\"{topic}\"");
    if let Some(rest) = frame.strip_prefix(now.as_bytes()) {
        return [format!("{{\"topic\":\"{old}\"").as_bytes(), rest].concat().into();
    }
    // Somebody else wrote it, with spaces or in another order.
    match serde_json::from_slice::<Map<String, Value>>(&frame) {
        Ok(mut fields) => {
            fields.insert("topic".into(), old.into());
            serde_json::to_vec(&fields).map_or(frame, Bytes::from)
        }
        Err(_) => frame,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_topics_had_other_names() {
        let label = |frame: &'static str, topic, version| {
            let labelled = labelled(Bytes::from_static(frame.as_bytes()), topic, version);
            String::from_utf8(labelled.to_vec()).unwrap()
        };
        let pose = r#"{"topic":"/tracked_pose","ori":0.10}"#;
        assert_eq!(label(pose, Topic::TrackedPose, Version::V1), r#"{"topic":"/chassis/pose","ori":0.10}"#);
        assert_eq!(label(pose, Topic::TrackedPose, Version::V2), pose);
        let foreign = r#"{"stamp": 1, "topic": "/path"}"#;
        assert_eq!(label(foreign, Topic::Path, Version::V1), r#"{"stamp":1,"topic":"/chassis/path"}"#);
        let alerts = r#"{"topic":"/alerts"}"#;
        assert_eq!(label(alerts, Topic::Alerts, Version::V1), alerts);
    }
}
