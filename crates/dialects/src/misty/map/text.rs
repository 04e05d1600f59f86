//! SerialMessage and SkillData: text that passes through.
//!
//! | wire | model |
//! |---|---|
//! | `serialMessage.message` | `text/serial` |
//! | SkillData: `message`, `data`, `truncated`, `timestamp` | `text/skill` |
//! | SkillData | log and chat of other families, for which Misty has no message of its own |

use std::sync::Arc;

use latimer_core::model::signal::{Text, TextChannel};
use latimer_core::{PartName, Stamp, Timestamp};

use super::Received;
use super::json::{json_from_value, value_from_json};
use super::time::{stamp_from_utc, utc_from_timestamp};
use crate::misty::wire::serial::{SERIAL_SENSOR_ID, SerialMessage, SerialText};
use crate::misty::wire::skill::SkillData;
use crate::misty::wire::{Extra, Message};

/// A line from the serial port; `None` if there is no text in the message.
pub(super) fn heard_from_serial_message(message: &SerialMessage, received: Timestamp) -> Option<Received> {
    let SerialMessage { serial_message, extra: _ } = message;
    let SerialText { created, expiry: _, message: line, sensor_id: _, sensor_name: _, extra: _ } =
        serial_message.as_ref()?;
    let text =
        Text { channel: TextChannel::Serial, text: line.as_deref()?.into(), data: None, truncated: None };
    Some(heard(stamp_from_utc(created.as_deref(), received), text))
}

/// What a skill said.
pub(super) fn heard_from_skill_data(message: &SkillData, received: Timestamp) -> Received {
    let SkillData { data, message: line, timestamp, truncated, extra: _ } = message;
    let text: Arc<str> = line.as_deref().unwrap_or_default().into();
    let data = data.as_ref().map(value_from_json);
    heard(
        stamp_from_utc(timestamp.as_deref(), received),
        Text { channel: TextChannel::Skill, text, data, truncated: *truncated },
    )
}

/// The part is the way that the text came, so that each keeps its own last line.
fn heard(stamp: Stamp, text: Text) -> Received {
    Received::new(Some(PartName::of(text.channel.as_str())), stamp, text)
}

/// A message with a text, by the way it came.
pub(super) fn message_from_text(text: &Text, at: Timestamp) -> Message {
    let Text { channel, text, data, truncated } = text;
    match channel {
        TextChannel::Serial => SerialMessage {
            serial_message: Some(SerialText {
                created: Some(utc_from_timestamp(at)),
                expiry: None,
                message: Some(text.to_string()),
                sensor_id: Some(SERIAL_SENSOR_ID.to_owned()),
                sensor_name: None,
                extra: Extra::new(),
            }),
            extra: Extra::new(),
        }
        .into(),
        TextChannel::Skill | TextChannel::Log | TextChannel::Chat => SkillData {
            data: data.as_ref().map(json_from_value),
            message: Some(text.to_string()),
            timestamp: Some(utc_from_timestamp(at)),
            truncated: *truncated,
            extra: Extra::new(),
        }
        .into(),
    }
}
