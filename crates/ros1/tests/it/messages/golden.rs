//! Messages that genpy wrote once; see `tests/python/ros_messages.py`.

use latimer_ros1::message::Catalog;

use super::answer::Answer;

#[test]
fn messages_of_genpy_are_read_and_written() {
    let catalog = Catalog::common();
    let lines: Vec<&str> = include_str!("../../../testdata/messages.jsonl").lines().collect();
    assert_eq!(lines.len(), 12);
    for line in lines {
        let answer: Answer = serde_json::from_str(line).unwrap();
        answer.assert_same(&catalog.layout(&answer.type_name).unwrap());
    }
}

#[test]
fn tf_has_the_sum_that_its_listeners_declare() {
    let layout = Catalog::common().layout("tf2_msgs/TFMessage").unwrap();
    assert_eq!(layout.md5(), "94810edda583a504dfda3829e70d7eec");
}

#[test]
fn a_robots_own_message_has_its_sum() {
    let mut catalog = Catalog::common();
    catalog
        .add("miro_msgs/platform_sensors", include_str!("../../../testdata/platform_sensors.msg"))
        .unwrap();
    let layout = catalog.layout("miro_msgs/platform_sensors").unwrap();
    assert_eq!(layout.md5(), "547d0cf6cf799e035dff5847bb95c9dd");
    assert!(layout.has_header());
}
