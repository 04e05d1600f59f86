//! The specification's samples, read and written again, and what real robots send.

use std::path::Path;

use super::{Message, Number, Reality};
use crate::pera::messages::robot::Order;
use crate::pera::messages::sensor::{DistanceReply, ProximityReply};
use crate::pera::topic::{Sensor, Topic};

/// Topic and text of each sample.
pub(in crate::pera) fn samples() -> Vec<(Topic, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pera/testdata/messages.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let sample = |line: &str| {
        let (topic, payload) = line.split_once(' ').unwrap();
        (Topic::parse(topic), payload.to_owned())
    };
    lines.map(sample).collect()
}

fn read(topic: &str, payload: &str) -> Result<Message, super::ReadError> {
    Message::read(&Topic::parse(topic), payload.as_bytes())
}

#[test]
fn each_sample_is_written_as_it_was_read() {
    for (topic, payload) in samples() {
        let message = Message::read(&topic, payload.as_bytes()).unwrap();
        let (name, written) = message.write();
        assert_eq!((name, std::str::from_utf8(&written).unwrap()), (topic.to_string(), payload.as_str()));
    }
}

#[test]
fn each_example_is_a_message() {
    for (topic, _) in samples() {
        let example = super::example(&topic);
        let is_prose = !example.contains(['{', '?']) && matches!(topic, Topic::Obstacles | Topic::Snapshot);
        assert!(is_prose || Message::read(&topic, example.as_bytes()).is_ok(), "{topic} {example}");
    }
}

#[test]
fn numbers_come_as_texts() {
    let Ok(Message::Distance(it)) = read("sensor/distance", r#"{"id":"5","dist":"12"}"#) else { panic!() };
    assert_eq!((it.id, it.dist, it.reality), (5, Some(Number(12.0)), None));
    let color = r#"{"id":"5","R":"1","G":"2","B":"3","ambient":"","reality":"V"}"#;
    let Ok(Message::Color(it)) = read("sensor/color", color) else { panic!() };
    assert_eq!((it.R, it.ambient, it.reality), (Some(Number(1.0)), None, Some(Reality::V)));
    let update = r#"[{"id":"1","x":"10","y":"-3.5","heading":"90"}]"#;
    let Ok(Message::LocalizationUpdate(it)) = read("localization/update", update) else { panic!() };
    assert_eq!(it[0].y, Some(Number(-3.5)));
}

#[test]
fn a_robot_that_writes_no_json_is_understood() {
    let create = r#"{"heading":90.0,"x":9.0,"y":9.0,"reality":V,"id":11}"#;
    let Ok(Message::Create(it)) = read("robot/create", create) else { panic!() };
    assert_eq!((it.id, it.x, it.reality), (11, Some(Number(9.0)), Some(Reality::V)));
    assert!(matches!(read("robot/delete", "11"), Ok(Message::Delete(11))));
    assert!(matches!(read("localization", "{\"id\":\"4\"}"), Ok(Message::Localization(4))));
}

#[test]
fn objects_stand_in_for_lists() {
    let keyed = r#"{"0":{"x":1,"y":2,"heading":3},"7":{"id":8,"x":1}}"#;
    let Ok(Message::LocalizationUpdate(it)) = read("localization/update", keyed) else { panic!() };
    assert_eq!(it.iter().map(|it| it.id).collect::<Vec<_>>(), [0, 8]);
    let Ok(Message::LocalizationUpdate(it)) = read("localization/update", r#"{"id":3,"x":1}"#) else {
        panic!()
    };
    assert_eq!(it[0].id, 3);
    let Ok(Message::Proximity(it)) = read("sensor/proximity", r#"{"id":1,"angles":{"0":-90,"1":"0"}}"#)
    else {
        panic!()
    };
    assert_eq!(it.angles, Some(vec![Number(-90.0), Number(0.0)]));
}

#[test]
fn the_last_of_two_keys_counts() {
    let Ok(Message::Live(it)) = read("robot/live", r#"{"id":1,"id":2,"reality":7}"#) else { panic!() };
    assert_eq!((it.id, it.reality), (2, None));
}

#[test]
fn texts_have_exactly_one_form() {
    let reply = |distances: &[f64], colors: &[&str]| ProximityReply {
        distances: distances.to_vec(),
        colors: colors.iter().map(|it| (*it).to_owned()).collect(),
    };
    assert_eq!(reply(&[], &[]).to_string(), " ");
    let three = reply(&[5.0, 10.0, 5.0], &["#404040", "#000000", "#FF0000"]);
    assert_eq!(three.to_string(), "5 10 5 #404040 #000000 #FF0000");
    assert_eq!(read("sensor/proximity/1", &three.to_string()), Ok(Message::ProximityOf(1, three)));
    assert_eq!(DistanceReply(-6.0).to_string(), "-6");
    assert_eq!(
        read("sensor/distance/1", "Infinity"),
        Ok(Message::DistanceOf(1, DistanceReply(f64::INFINITY)))
    );
    assert_eq!(read("robot/msg/1", "MODE 3"), Ok(Message::Order(Some(1), Order::Mode("3".to_owned()))));
    assert_eq!(read("robot/msg/broadcast", "STOP"), Ok(Message::Order(None, Order::Stop)));
}

#[test]
fn what_cannot_be_read_is_reported_with_what_to_send() {
    for (topic, payload, word) in [
        ("sensor/distance", "", "EOF"),
        ("sensor/distance", "{}", "missing field `id`"),
        ("sensor/distance", r#"{"id":-1}"#, "robot's number"),
        ("sensor/distance/1", "far", "\"far\" is no number"),
        ("sensor/color/1", "1 2 3", "3 numbers are too few"),
        ("sensor/color/1", "1 2 3 4 5", "more than 4"),
        ("sensor/proximity/1", "1 2 #404040", "as many colours"),
        ("sensor/proximity", r#"{"id":1,"angles":["x"]}"#, "number"),
        ("localization/1", "a b c", "no number"),
        ("localization/update", "7", "list"),
        ("output/neopixel", r#"{"id":1,"R":1,"G":2}"#, "missing field `B`"),
    ] {
        let error = read(topic, payload).unwrap_err();
        assert!(error.problem.contains(word), "{topic} {payload}: {error}");
        assert!(error.to_string().contains(error.example), "{error}");
    }
    let angles = format!(r#"{{"id":1,"angles":{:?}}}"#, vec![0; 1_000]);
    assert!(read("sensor/proximity", &angles).unwrap_err().problem.contains("too many"));
    let invalid = Message::read(&Topic::Sensor(Sensor::Color), b"\xff").unwrap_err();
    assert!(invalid.problem.contains("UTF-8"));
}

#[test]
fn hostile_messages_are_bounded() {
    for (topic, _) in samples() {
        for payload in
            ["[".repeat(500_000), "{\"id\":".repeat(100_000), "9".repeat(500_000), "[0],".repeat(300_000)]
        {
            if let Err(error) = Message::read(&topic, payload.as_bytes()) {
                assert!(error.to_string().len() < 1_000, "{topic}");
            }
        }
        let most = if topic.is_of_one() { super::MAX_BYTES_OF_ONE } else { super::MAX_BYTES };
        assert!(Message::read(&topic, &vec![b' '; most + 1]).is_err());
    }
}

#[test]
fn what_one_robot_says_is_short_and_a_swarm_may_be_long() {
    let call = |length: usize| format!(r#"{{"id":1,"msg":"{}"}}"#, "a".repeat(length));
    assert!(read("comm/out/simple", &call(4_096)).is_ok());
    let error = read("comm/out/simple", &call(10_000)).unwrap_err();
    assert!(error.to_string().contains("10017 bytes are too many, the most is 8192"), "{error}");
    let swarm = format!("[{}{{\"id\":1}}]", "{\"id\":1},".repeat(5_000));
    assert!(read("localization/update", &swarm).is_ok());
}

#[test]
fn what_is_cut_or_changed_is_refused_or_reads_the_same_again() {
    for (topic, payload) in samples() {
        let bytes = payload.as_bytes();
        let cut = (0..bytes.len()).map(|length| bytes[..length].to_vec());
        let changed = (0..bytes.len()).flat_map(|at| {
            b"\0\"[{}]:,9-.eV \xff".iter().map(move |byte| {
                let mut bytes = bytes.to_vec();
                bytes[at] = *byte;
                bytes
            })
        });
        for bytes in cut.chain(changed) {
            let Ok(message) = Message::read(&topic, &bytes) else { continue };
            let (name, written) = message.write();
            let again = Message::read(&Topic::parse(&name), &written);
            assert_eq!(again.as_ref(), Ok(&message), "{topic} {}", String::from_utf8_lossy(&bytes));
        }
    }
}
