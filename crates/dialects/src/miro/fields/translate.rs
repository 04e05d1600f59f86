//! An update as clients of a MiRo see it: the whole message in which it is told, as `rosbridge` spells messages.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::Hub;
use latimer_core::hub::Shared;
use latimer_core::model::signal::{Frame, Pins, TextChannel};
use latimer_core::model::{PartName, Signal};
use latimer_ros1::message::Value;
use latimer_ros1::msgs::std_msgs::{self, Header};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::contract::Translated;
use crate::miro::NAME;
use crate::miro::map::{
    CLIFFS, EYELIDS, LIGHTS, Moment, NECK, Own, SONAR, Snapshot, TOUCH_BODY, TOUCH_HEAD, mics_from_audio,
    odometry_from_snapshot, sensors_from_snapshot, state_from_snapshot, usec_from_timestamp,
    wire_from_compressed, wire_from_image,
};
use crate::miro::node::time_from_timestamp;
use crate::miro::topic::Topic;
use crate::miro::types::Types;

/// The layouts of this program; those of a folder are the served robots' own.
static TYPES: LazyLock<Option<Types>> = LazyLock::new(|| Types::load(None).ok());

/// An update as a MiRo's clients see it; nothing of what no message of a MiRo tells.
pub fn translate(hub: &Hub, update: &Shared) -> Option<Translated> {
    let topic = topic_of(update)?;
    let stamp = time_from_timestamp(update.stamp.at);
    let at = Moment { stamp, usec: usec_from_timestamp(update.stamp.at, latimer_core::Timestamp::default()) };
    let frame = if topic.as_str().contains("caml") { "caml" } else { "camr" };
    let header = Header { seq: 0, stamp, frame_id: frame.to_owned() };
    let own_family = hub.robot(&update.robot).is_some_and(|report| report.info.family == NAME);
    let payload = match (topic, &update.signal) {
        (Topic::Sensors, _) => json(topic, &sensors_from_snapshot(&known(hub, update), own_family, at)),
        (Topic::Odom, _) => json(topic, &odometry_from_snapshot(&known(hub, update), at)),
        (Topic::State, _) => {
            let own = Own { own_family, ready: true, ..Own::default() };
            json(topic, &state_from_snapshot(&known(hub, update), own, at, update.stamp.at))
        }
        (_, Signal::Image(image)) => json(topic, &wire_from_image(image, header).ok()?),
        (_, Signal::CompressedImage(file)) => json(topic, &wire_from_compressed(file, header)),
        (_, Signal::Audio(audio)) => json(topic, &mics_from_audio(audio, at)?),
        (_, Signal::Text(text)) => json(topic, &std_msgs::String { data: text.text.to_string() }),
        _ => None,
    }?;
    Some(Translated { topic: topic.as_str().into(), payload: payload.into() })
}

/// What is known of the robot, and this.
fn known(hub: &Hub, update: &Shared) -> Snapshot {
    let mut known = Snapshot::default();
    for last in hub.last_of_robot(&update.robot) {
        known.take(&last);
    }
    known.take(update);
    known
}

/// In which message an update is told; of robots of other families only what they say by a MiRo's names.
fn topic_of(update: &Shared) -> Option<Topic> {
    let part = update.part.as_ref().map_or("", PartName::as_str);
    let is_one_of = |names: &[&str]| names.contains(&part);
    let numbered = |prefix: &str| matches!(part.strip_prefix(prefix), Some("0" | "1" | "2" | "3"));
    let sensed = match &update.signal {
        Signal::Battery(battery) => battery.voltage_v.is_some(),
        Signal::Temperature(_) => part.is_empty(),
        Signal::Imu(imu) => is_one_of(&["head", "body"]) && imu.linear_acceleration.is_some(),
        Signal::Velocity(_) => part == "measured",
        Signal::Joint(joint) if part == EYELIDS => joint.position_ratio.is_some(),
        Signal::Joint(joint) => is_one_of(&NECK) && joint.position_rad.is_some(),
        Signal::Pins(Pins { inputs, outputs }) => {
            outputs.is_empty() && matches!(&inputs[..], [board] if board.len() <= 4)
        }
        Signal::Range(_) => part == SONAR,
        Signal::Light(_) => is_one_of(&LIGHTS),
        Signal::Cliff(cliff) => is_one_of(&CLIFFS) && cliff.0.status_code.is_some(),
        Signal::Contact(_) => numbered(TOUCH_HEAD) || numbered(TOUCH_BODY),
        _ => false,
    };
    if sensed {
        return Some(Topic::Sensors);
    }
    match (&update.signal, part) {
        (Signal::Device(_), _) => Some(Topic::State),
        (Signal::Pose(pose), "") if pose.frame == Frame::Odom => Some(Topic::Odom),
        (Signal::Image(_), "camera_left") => Some(Topic::CamL),
        (Signal::Image(_), "camera_right") => Some(Topic::CamR),
        (Signal::CompressedImage(_), "camera_left") => Some(Topic::CamLCompressed),
        (Signal::CompressedImage(_), "camera_right") => Some(Topic::CamRCompressed),
        (Signal::Audio(_), "mics") => Some(Topic::Mics),
        (Signal::Text(text), _) if text.channel == TextChannel::Log => Some(Topic::Log),
        _ => None,
    }
}

/// A message with the fields of its layout, bytes in Base64.
fn json(topic: Topic, message: &impl Serialize) -> Option<Vec<u8>> {
    let layout = TYPES.as_ref()?.of(topic);
    let value: Value = layout.decode(&layout.encode(message).ok()?).ok()?;
    serde_json::to_vec(&spelled(value)).ok()
}

fn spelled(value: Value) -> Json {
    match value {
        Value::Bool(value) => value.into(),
        Value::Signed(value) => value.into(),
        Value::Unsigned(value) => value.into(),
        // What JSON has no word for is null.
        Value::Float32(value) => shortest(value),
        Value::Float64(value) => value.into(),
        Value::Text(value) => value.into(),
        Value::Bytes(value) => STANDARD.encode(value).into(),
        Value::List(values) => values.into_iter().map(spelled).collect(),
        Value::Message(fields) => {
            let fields = fields.into_iter().map(|(name, value)| (name.into(), spelled(value)));
            Json::Object(fields.collect::<Map<String, Json>>())
        }
    }
}

/// A float of 32 bits in as few digits as tell it from others.
fn shortest(value: f32) -> Json {
    value.to_string().parse::<f64>().map_or(Json::Null, Json::from)
}
