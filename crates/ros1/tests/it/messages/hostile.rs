//! Bytes that lie about what follows.

use latimer_ros1::message::{Catalog, DecodeError, Layout, Value};
use latimer_ros1::msgs::sensor_msgs::Image;
use serde::Deserialize;
use serde::de::IgnoredAny;

fn layout(text: &str) -> Layout {
    let mut catalog = Catalog::common();
    catalog.add("test_msgs/Empty", "").unwrap();
    catalog.add("test_msgs/Heavy", "int8 a\nHeavier heavier").unwrap();
    catalog.add("test_msgs/Heavier", "Empty[500000] nothing").unwrap();
    catalog.add("test_msgs/Test", text).unwrap();
    Layout::clone(&catalog.layout("test_msgs/Test").unwrap())
}

/// As a value and passed over: both must refuse, the latter perhaps sooner, as it takes what has one size at once.
fn refused(layout: &Layout, bytes: &[u8]) -> DecodeError {
    let wrong = layout.decode::<Value>(bytes).unwrap_err();
    let passed = layout.decode::<IgnoredAny>(bytes).unwrap_err();
    assert!(wrong.path.starts_with(&passed.path) && passed.at <= wrong.at, "{passed}; {wrong}");
    wrong
}

#[test]
fn elements_of_no_bytes_are_bounded_however_long_the_message_is() {
    let layout = layout("uint8[] a\nEmpty[] b");
    let bytes = |count: u32| {
        let length = 1_000_000_u32;
        let zeros = vec![0; length as usize];
        [&length.to_le_bytes()[..], &zeros, &count.to_le_bytes()[..]].concat()
    };
    assert!(layout.decode::<Value>(&bytes(65_536)).is_ok());
    let wrong = refused(&layout, &bytes(65_537));
    assert!(wrong.problem.contains("65537 of test_msgs/Empty follow, which are too many"), "{wrong}");
}

#[test]
fn counts_are_held_against_what_is_left() {
    for (text, problem) in [
        ("uint8 a\nuint8[] b", "b, at byte 5: the message ends: 4294967295 bytes are to come and 2 are left"),
        ("uint8 a\nstring b", "b, at byte 5: the message ends: 4294967295 bytes are to come and 2 are left"),
        (
            "uint8 a\nfloat64[] b",
            "b, at byte 1: says that 4294967295 of float64 follow, but 2 bytes are left",
        ),
        ("uint8 a\nstring[] b", "b, at byte 1: says that 4294967295 of string follow, but 2 bytes are left"),
        (
            "uint8 a\nEmpty[] b",
            "b, at byte 1: says that 4294967295 of test_msgs/Empty follow, which are too many",
        ),
    ] {
        let bytes = [1, 255, 255, 255, 255, 0, 0];
        assert_eq!(refused(&layout(text), &bytes).to_string(), problem);
    }
}

#[test]
fn little_does_not_become_much() {
    // Two bytes that would be a million values.
    let wrong = refused(&layout("Heavy[] heavy"), &[2, 0, 0, 0, 1, 1]);
    assert!(wrong.problem.contains("too many"), "{wrong}");
}

#[test]
fn every_beginning_of_a_message_is_refused() {
    let catalog = Catalog::common();
    for name in ["sensor_msgs/BatteryState", "sensor_msgs/PointCloud2", "nav_msgs/Path", "rosgraph_msgs/Log"]
    {
        let layout = catalog.layout(name).unwrap();
        let message = serde_json::json!({
            "header": { "frame_id": "map" }, "name": "n", "topics": ["a", "b"], "cell_voltage": [1, 2],
            "fields": [{ "name": "x" }], "data": [1, 2, 3], "poses": [{ "header": { "frame_id": "x" } }],
        });
        let bytes = layout.encode(&message).unwrap();
        for end in 0..bytes.len() {
            let wrong = refused(&layout, &bytes[..end]);
            assert!(wrong.at <= end && wrong.path != name, "{name} {end}: {wrong}");
        }
        let longer = [&bytes[..], &[0]].concat();
        let wrong = refused(&layout, &longer);
        assert_eq!(
            wrong.to_string(),
            format!("{name}, at byte {}: 1 bytes follow the last field", bytes.len())
        );
    }
}

#[test]
fn what_nobody_asks_for_is_passed_over_but_must_be_there() {
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Width {
        width: u32,
    }
    let layout = Catalog::common().layout_of::<Image>().unwrap();
    let image = Image { width: 5, data: vec![1; 90].into(), ..Image::default() };
    let bytes = layout.encode(&image).unwrap();
    assert_eq!(layout.decode::<Width>(&bytes).unwrap().width, 5);
    let wrong = layout.decode::<Width>(&bytes[..bytes.len() - 1]).unwrap_err();
    assert!(wrong.to_string().starts_with("data, at byte "), "{wrong}");
}

#[test]
fn another_layout_cannot_blow_a_message_up() {
    let ours = layout("std_msgs/MultiArrayDimension[] dim");
    let message = serde_json::json!({ "dim": vec![serde_json::json!({ "label": "a" }); 500] });
    let bytes = ours.encode(&message).unwrap();
    let theirs = "Large[] dim\n\
        ================================================================================\n\
        MSG: test_msgs/Large\nstring label\nuint8[1000000] nothing";
    let theirs = Layout::from_definition("test_msgs/Test", theirs).unwrap();
    let wrong = ours.transcode(&bytes, &theirs).unwrap_err().to_string();
    assert_eq!(wrong, "dim[0]: makes the message longer than 169604 bytes");
}
