//! SerialMessage and SkillData: text that passes through.
//!
//! The part is the way that the text came, so that each way keeps its own last line. Log and chat of other families,
//! for which Misty has no message of her own, are SkillData too.

use latimer_core::model::signal::{Text, TextChannel};
use latimer_core::{PartName, Timestamp};
use serde_json::Value as Json;

use super::Context;
use super::codecs::{Data, Utc};
use crate::describe::{Extra, Incomplete, Message, Translate};
use crate::misty::map::time::{timestamp_from_utc, utc_from_timestamp};

const fn empty(channel: TextChannel, text: std::sync::Arc<str>) -> Text {
    Text { channel, text, data: None, truncated: None }
}

/// Section "SerialMessage": a line from the hardware on the robot's back. The specification has no sample.
///
/// Clients ask for the property `SerialMessage` and read `message` in what they get, so the text sits one level down.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct SerialMessage {
    /// What came over the port.
    #[field(model = "")]
    pub serial_message: Option<SerialText>,
    pub(crate) extra: Extra,
}

/// `serialMessage`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct SerialText {
    /// When it came.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Until when it is good: not written.
    #[field(own)]
    pub expiry: Option<String>,
    /// The line, without its end.
    #[field(model = "text")]
    pub message: Option<String>,
    /// Always `string`.
    #[field(own)]
    pub sensor_id: Option<String>,
    /// Name of the port: not written.
    #[field(own)]
    pub sensor_name: Option<String>,
    pub(crate) extra: Extra,
}

impl Translate for SerialMessage {
    type Record = Text;
    type Context = Context;

    fn decode(&self, _: &Context) -> Result<Text, Incomplete> {
        let inner = self.serial_message.as_ref().ok_or(Incomplete { field: "serialMessage" })?;
        let line = inner.message.as_deref().ok_or(Incomplete { field: "message" })?;
        Ok(empty(TextChannel::Serial, line.into()))
    }

    fn encode(text: &Text, context: &Context) -> Option<Self> {
        let inner = SerialText {
            created: Some(utc_from_timestamp(context.at)),
            message: Some(text.text.to_string()),
            sensor_id: Some("string".to_owned()),
            ..SerialText::default()
        };
        Some(Self { serial_message: Some(inner), extra: Extra::new() })
    }

    fn at(&self, _: &Context) -> Option<Timestamp> {
        self.serial_message.as_ref()?.created.as_deref().and_then(timestamp_from_utc)
    }

    fn part(&self, _: &Context) -> Option<PartName> {
        Some(PartName::of(TextChannel::Serial.as_str()))
    }
}

/// Section "SkillData": a debug message, an error, or (when verbose) a command that a skill called.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = Text, context = Context, part = skill)]
#[message(base = empty(TextChannel::Skill, "".into()), ignores(channel))]
pub struct SkillData {
    /// Arguments of the command, in the order of the call; unset strings are the text `null`.
    #[field(data, codec = Data, note = "whatever the program attached")]
    pub data: Option<Json>,
    /// What happened, `Calling command 'Debug'` in a sample.
    #[field(text, or = "".into())]
    pub message: Option<String>,
    /// When it happened; the other messages call this `created`.
    #[field(stamp, codec = Utc)]
    pub timestamp: Option<String>,
    /// Whether `data` was cut.
    #[field(truncated)]
    pub truncated: Option<bool>,
    pub(crate) extra: Extra,
}

fn skill(_: &SkillData) -> Option<PartName> {
    Some(PartName::of(TextChannel::Skill.as_str()))
}
