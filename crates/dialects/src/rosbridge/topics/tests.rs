//! Topics beside the hub's updates.

use latimer_core::Clock;
use latimer_core::model::Native;
use latimer_ros1::message::{Catalog, ServiceType};

use super::*;
use crate::rosbridge::NAME;

const ODOMETRY: &str = r#"{"header":{"stamp":{"secs":9,"nsecs":0},"frame_id":"odom"},
    "pose":{"pose":{"position":{"x":1,"y":2,"z":0},"orientation":{"x":0,"y":0,"z":0,"w":1}}},
    "twist":{"twist":{"linear":{"x":0.5,"y":0,"z":0},"angular":{"x":0,"y":0,"z":0}}},"seen_by":"wheels"}"#;

/// The updates of a message that a robot behind a bridge sent on a topic.
fn updates(path: &str, text: &'static str) -> Vec<Update> {
    let now = Timestamp::from_nanos(9_000_000_000);
    let (topic, part) = find(path).unwrap();
    let native = Native { dialect: NAME, topic: path.into(), payload: text.into(), definition: None };
    let update = |received: Received| Update {
        part: received.part,
        native: Some(native.clone()),
        ..Update::now(&"rover".parse().unwrap(), now, received.signal)
    };
    topic.decode(text, part.as_ref(), now).unwrap().into_iter().map(update).collect()
}

fn published(update: Update) -> (&'static str, String) {
    let (topic, _, message) = translate(&Hub::new(Clock::system()), &Shared::new(update, 1)).unwrap();
    (topic.path, message)
}

#[test]
fn a_message_passes_through_on_its_own_topic_only() {
    let [velocity, pose] = <[Update; 2]>::try_from(updates("odom", ODOMETRY)).unwrap();
    assert_eq!(published(velocity), ("odom", ODOMETRY.to_owned()));
    let (path, message) = published(pose);
    assert_eq!(path, "pose");
    assert!(message.contains(r#""position":{"x":1.0,"y":2.0"#), "{message}");
}

#[test]
fn a_touch_is_no_bumper() {
    let [touch] = <[Update; 1]>::try_from(updates("touch/head", r#"{"data":true}"#)).unwrap();
    assert_eq!(published(touch), ("touch/{part}", r#"{"data":true}"#.to_owned()));
}

#[test]
fn a_message_is_held_against_its_own_type() {
    let found = |topic: &str, ros_type: &str, text: &'static str| {
        let definition = Some(ros_type.into());
        let native = Native { dialect: NAME, topic: topic.into(), payload: text.into(), definition };
        let inspection = inspect(&native, Kind::Pose)?;
        Some(inspection.deviations.into_iter().map(|it| it.path).collect::<Vec<_>>())
    };
    let amcl =
        r#"{"header":{"frame_id":"map"},"pose":{"pose":{"position":{"x":1,"y":2,"z":0}},"covariance":[]}}"#;
    assert_eq!(found("/base/pose", "geometry_msgs/PoseWithCovarianceStamped", amcl), None);
    assert_eq!(found("/tf", "tf2_msgs/TFMessage", r#"{"transforms":[]}"#), None);
    assert_eq!(found("/wheels", "nav_msgs/Odometry", ODOMETRY), Some(vec!["seen_by".to_owned()]));
}

#[test]
fn each_field_is_one_of_its_ros_type() {
    let catalog = Catalog::common();
    for (topic, message) in TOPICS.iter().zip(MESSAGES) {
        let layout = catalog.layout(topic.ros_type).unwrap();
        for row in message.rows() {
            let path = row.wire.trim_end_matches(".**").replace("[0]", "[]");
            assert!(has_member(layout.structure(), &path), "{} has no {path}", topic.ros_type);
        }
    }
    for topic in COMMANDS {
        catalog.layout(topic.ros_type).unwrap();
    }
    for (_, service) in SERVICES {
        ServiceType::common(service).unwrap();
    }
}
