//! A definition, a zero byte, and a message of it: no panic and no memory beyond the message's worth; what is read is written
//! and read again as the same.

use latimer_ros1::message::{Layout, Value};
use serde::de::IgnoredAny;

pub(super) fn run(bytes: &[u8]) {
    let Some(end) = bytes.iter().position(|byte| *byte == 0) else { return };
    let (Ok(definition), message) = (std::str::from_utf8(&bytes[..end]), &bytes[end + 1..]) else { return };
    let Ok(layout) = Layout::from_definition("test_msgs/Test", definition) else { return };
    let read = layout.decode::<Value>(message);
    // To pass over a message is to find the same wrong, but for what is no UTF-8.
    assert_eq!(layout.decode::<IgnoredAny>(message).is_ok(), read.is_ok());
    let Ok(value) = read else { return };
    let written = layout.encode(&value).expect("what was read can be written");
    let again: Value = layout.decode(&written).expect("and read");
    let rewritten = layout.encode(&again).expect("and written");
    // Not NaN nor any other float: bytes.
    assert_eq!(rewritten, written);
}
