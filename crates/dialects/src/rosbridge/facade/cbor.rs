//! Messages as CBOR (RFC 8949), with typed arrays of numbers (RFC 8746), little-endian.

use latimer_core::Timestamp;
use latimer_ros1::message::{Kind, Primitive, Structure, Value};

/// Major types.
const UNSIGNED: u8 = 0;
const NEGATIVE: u8 = 1;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const LIST: u8 = 4;
const MAP: u8 = 5;
const TAG: u8 = 6;

/// A message on a topic, as a frame.
pub(super) fn publish(topic: &str, structure: &Structure, message: &Value) -> Vec<u8> {
    let mut out = frame(topic);
    write_message(&mut out, structure, message);
    out
}

/// The same around the bytes that ROS serialises it to.
pub(super) fn publish_raw(topic: &str, at: Timestamp, message: &[u8]) -> Vec<u8> {
    let mut out = frame(topic);
    head(&mut out, MAP, 3);
    for (name, number) in [("secs", at.as_nanos() / 1_000_000_000), ("nsecs", at.as_nanos() % 1_000_000_000)]
    {
        text(&mut out, name);
        integer(&mut out, number);
    }
    text(&mut out, "bytes");
    bytes(&mut out, message);
    out
}

/// The frame up to its message.
fn frame(topic: &str) -> Vec<u8> {
    let mut out = Vec::new();
    head(&mut out, MAP, 3);
    for word in ["op", "publish", "topic", topic, "msg"] {
        text(&mut out, word);
    }
    out
}

fn head(out: &mut Vec<u8>, major: u8, count: u64) {
    let major = major << 5;
    match (u8::try_from(count), u16::try_from(count), u32::try_from(count)) {
        (Ok(count @ 0..=23), ..) => out.push(major | count),
        (Ok(count), ..) => out.extend([major | 24, count]),
        (_, Ok(count), _) => {
            out.push(major | 25);
            out.extend(count.to_be_bytes());
        }
        (.., Ok(count)) => {
            out.push(major | 26);
            out.extend(count.to_be_bytes());
        }
        _ => {
            out.push(major | 27);
            out.extend(count.to_be_bytes());
        }
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    head(out, TEXT, text.len() as u64);
    out.extend(text.as_bytes());
}

fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    head(out, BYTES, bytes.len() as u64);
    out.extend(bytes);
}

fn integer(out: &mut Vec<u8>, number: i64) {
    match u64::try_from(number) {
        Ok(number) => head(out, UNSIGNED, number),
        Err(_) => head(out, NEGATIVE, number.unsigned_abs() - 1),
    }
}

fn write_message(out: &mut Vec<u8>, structure: &Structure, message: &Value) {
    let Value::Message(fields) = message else { return out.push(0xf6) };
    head(out, MAP, fields.len() as u64);
    for (member, (name, value)) in structure.members.iter().zip(fields) {
        text(out, name);
        write_value(out, &member.kind, value);
    }
}

fn write_value(out: &mut Vec<u8>, kind: &Kind, value: &Value) {
    match (kind, value) {
        (Kind::Message(structure), value) => write_message(out, structure, value),
        (Kind::Variable(element) | Kind::Fixed(_, element), Value::List(items)) => match tag_of(element) {
            Some((tag, primitive)) => {
                let mut packed = Vec::with_capacity(items.len() * primitive.size());
                items.iter().for_each(|item| pack(&mut packed, primitive, item));
                head(out, TAG, tag);
                bytes(out, &packed);
            }
            None => {
                head(out, LIST, items.len() as u64);
                items.iter().for_each(|item| write_value(out, element, item));
            }
        },
        (_, Value::Bool(value)) => out.push(if *value { 0xf5 } else { 0xf4 }),
        (_, Value::Signed(value)) => integer(out, *value),
        (_, Value::Unsigned(value)) => head(out, UNSIGNED, *value),
        (_, Value::Float32(_) | Value::Float64(_)) => {
            out.push(0xfb);
            out.extend(float(value).to_be_bytes());
        }
        (_, Value::Text(value)) => text(out, value),
        (_, Value::Bytes(value)) => bytes(out, value),
        // No field of that kind reads as one of these.
        (_, Value::List(_) | Value::Message(_)) => out.push(0xf6),
    }
}

/// The tag of an array of numbers; those of `uint8` are plain bytes, those of truth values lists.
fn tag_of(element: &Kind) -> Option<(u64, Primitive)> {
    let Kind::Primitive(primitive) = element else { return None };
    let tag = match primitive {
        Primitive::Bool | Primitive::Uint8 => return None,
        Primitive::Uint16 => 69,
        Primitive::Uint32 => 70,
        Primitive::Uint64 => 71,
        Primitive::Int8 => 72,
        Primitive::Int16 => 77,
        Primitive::Int32 => 78,
        Primitive::Int64 => 79,
        Primitive::Float32 => 85,
        Primitive::Float64 => 86,
    };
    Some((tag, *primitive))
}

fn pack(out: &mut Vec<u8>, primitive: Primitive, value: &Value) {
    match primitive {
        Primitive::Float32 => out.extend((float(value) as f32).to_le_bytes()),
        Primitive::Float64 => out.extend(float(value).to_le_bytes()),
        _ => {
            let number = match value {
                Value::Signed(value) => *value,
                Value::Unsigned(value) => *value as i64,
                _ => 0,
            };
            out.extend(&number.to_le_bytes()[..primitive.size()]);
        }
    }
}

fn float(value: &Value) -> f64 {
    match value {
        Value::Float32(value) => f64::from(*value),
        Value::Float64(value) => *value,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rosbridge::types;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|it| format!("{it:02x}")).collect()
    }

    fn written(ros_type: &str, message: serde_json::Value) -> String {
        let structure = types::layout(ros_type).unwrap().structure();
        let mut out = Vec::new();
        write_message(&mut out, structure, &types::read_published(structure, &message).unwrap());
        hex(&out)
    }

    #[test]
    fn messages_are_maps_with_typed_arrays() {
        // {"data": "ä"}
        assert_eq!(written("std_msgs/String", json!({"data": "ä"})), "a1646461746162c3a4");
        assert_eq!(written("std_msgs/Bool", json!({"data": true})), "a16464617461f5");
        for (number, bytes) in
            [(23, "17"), (24, "1818"), (256, "190100"), (70_000, "1a00011170"), (-1, "20"), (-500, "3901f3")]
        {
            assert_eq!(written("std_msgs/Int32", json!({"data": number})), format!("a16464617461{bytes}"));
        }
        let joints = written("sensor_msgs/JointState", json!({"name": ["a"], "position": [0.5]}));
        assert!(joints.contains("646e616d65816161"), "{joints}");
        assert!(joints.contains("68706f736974696f6ed85648000000000000e03f"), "{joints}");
        let scan = written("sensor_msgs/LaserScan", json!({"ranges": [1.0, null]}));
        assert!(scan.contains("6672616e676573d855480000803f0000c07f"), "{scan}");
        let picture = written("sensor_msgs/CompressedImage", json!({"data": "/9g="}));
        assert!(picture.ends_with("646461746142ffd8"), "{picture}");
    }

    #[test]
    fn a_frame_has_the_message_within() {
        let at = Timestamp::from_nanos(2_000_000_005);
        assert_eq!(
            hex(&publish_raw("/a", at, &[7])),
            "a3626f70677075626c69736865746f706963622f61636d7367a36473656373026 56e7365637305656279746573 4107".replace(' ', "")
        );
    }
}
