//! Frames of rosbridge, of clients and of servers: no panic, and what answers them is JSON.

use latimer_dialects::rosbridge::protocol::{Frame, Level, about, answer, publish, status};
use serde_json::Value;

pub(super) fn run(text: &str) {
    let Ok(frame) = serde_json::from_str::<Frame<'_>>(text) else { return };
    let topic = frame.topic.as_deref().unwrap_or_default();
    let ros_type = frame.ros_type().unwrap_or_default();
    let service = frame.service.as_deref().unwrap_or_default();
    let values = frame.values.as_ref().or(frame.args.as_ref()).unwrap_or(&Value::Null);
    for written in [
        about(&frame.op, topic, &ros_type),
        publish(topic, frame.msg.map_or("null", |message| message.get())),
        status(frame.id.as_ref(), Level::Error, &frame.op),
        answer(frame.id.as_ref(), service, values, true),
    ] {
        serde_json::from_str::<Frame<'_>>(&written).expect("what is written is a frame");
    }
}
