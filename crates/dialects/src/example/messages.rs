//! What a robot tells: a struct for each topic beside the model's record, and the list of topics.

use latimer_core::model::signal::{Battery, Contact, ContactSensor, Frame, Pose};
use latimer_core::model::{Kind, PartName};
use latimer_core::{Signal, Timestamp, Update};

use super::NAME;
use crate::describe::{self, Incomplete, Message, Received, Translate};
use crate::table;

/// What encoding needs beside a record, and decoding beside a message.
pub struct Context {
    /// When it happened.
    pub at: Timestamp,
    /// Which part of the robot it is about.
    pub part: Option<PartName>,
}

impl describe::Context for Context {
    fn at(&self) -> Timestamp {
        self.at
    }

    fn part(&self) -> Option<&PartName> {
        self.part.as_ref()
    }
}

/// The charge that is left.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Battery, context = Context, base = Battery::UNKNOWN)]
#[message(ignores(current_a, temperature_c, health_ratio, state, gauge_trained, cell_voltages_v))]
#[message(ignores(capacity_ah, design_capacity_ah, cycles))]
pub struct BatteryMessage {
    /// Always `battery`.
    #[field(constant = "battery")]
    pub topic: Option<String>,
    /// Of a full battery.
    #[field(charge_ratio, unit = Percent)]
    pub percent: Option<f64>,
    /// Terminal voltage.
    #[field(voltage_v)]
    pub volts: Option<f64>,
}

/// Where the robot is on its map.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Pose, context = Context, base = ORIGIN, when = is_on_map)]
#[message(ignores(frame, z_m, roll_rad, pitch_rad))]
pub struct PoseMessage {
    /// Always `pose`.
    #[field(constant = "pose")]
    pub topic: Option<String>,
    /// East.
    #[field(x_m, required)]
    pub x: Option<f64>,
    /// North.
    #[field(y_m, required)]
    pub y: Option<f64>,
    /// Counter-clockwise from east.
    #[field(yaw_rad, unit = Degrees, required)]
    pub heading: Option<f64>,
}

/// A bumper was pressed or released.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Contact, context = Context, base = RELEASED, when = is_bumper)]
#[message(ignores(sensor, position, frame))]
pub struct BumpMessage {
    /// Always `bump`.
    #[field(constant = "bump")]
    pub topic: Option<String>,
    /// Which one.
    #[field(part)]
    pub bumper: Option<String>,
    /// Whether it is pressed now.
    #[field(contacted, required)]
    pub pressed: Option<bool>,
}

const ORIGIN: Pose = Pose::planar(Frame::Map, 0.0, 0.0, 0.0);
const RELEASED: Contact =
    Contact { contacted: false, sensor: ContactSensor::Bumper, position: None, frame: Frame::BaseLink };

fn is_on_map(pose: &Pose, _: &Context) -> bool {
    pose.frame == Frame::Map
}

fn is_bumper(contact: &Contact, _: &Context) -> bool {
    contact.sensor == ContactSensor::Bumper
}

/// Why a message means nothing here.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// There is no such topic.
    #[error("no topic is called {0}")]
    UnknownTopic(String),
    /// It is not what belongs on the topic.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It says too little.
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
}

/// A line for each topic: what it tells, its name, the kind of its signal, its message.
macro_rules! topics {
    ($($(#[doc = $doc:literal])* $topic:literal, $kind:ident => $message:ident;)*) => {
        /// The topics, field by field beside the model.
        pub const MESSAGES: &[table::MessageInfo] = &[$(table::MessageInfo {
            topic: $topic,
            kinds: &[Kind::$kind],
            summary: concat!($($doc,)*).trim_ascii(),
            fields: table::Fields::of::<$message>(),
            ..table::MessageInfo::EMPTY
        },)*];

        /// What a message of a topic tells.
        pub fn decode(topic: &str, text: &str, now: Timestamp) -> Result<Received, DecodeError> {
            let context = Context { at: now, part: None };
            match topic {
                $($topic => Ok(serde_json::from_str::<$message>(text)?.received(&context)?),)*
                _ => Err(DecodeError::UnknownTopic(topic.to_owned())),
            }
        }

        /// The message that tells an update, with its topic; what such a robot sent passes through as it came.
        pub fn encode(update: &Update) -> Option<(&'static str, String)> {
            let context = Context { at: update.stamp.at, part: update.part.clone() };
            let (topic, message) = match &update.signal {
                $(Signal::$kind(record) => {
                    ($topic, serde_json::to_string(&$message::encode(record, &context)?).ok()?)
                })*
                _ => return None,
            };
            let native = update.native.as_ref().filter(|it| it.dialect == NAME && &*it.topic == topic);
            let own = native.and_then(|it| std::str::from_utf8(&it.payload).ok());
            Some((topic, own.map_or(message, str::to_owned)))
        }

        /// Holds each message against its description.
        #[cfg(test)]
        fn hold_all(context: &Context) {
            $(describe::check::derived::<$message>(Kind::$kind, context);)*
        }
    };
}

topics! {
    /// How much charge is left.
    "battery", Battery => BatteryMessage;
    /// Where the robot is on its map.
    "pose", Pose => PoseMessage;
    /// A bumper was pressed or released.
    "bump", Contact => BumpMessage;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden;

    #[test]
    fn every_field_goes_both_ways() {
        let context = Context { at: Timestamp::from_nanos(1), part: Some(PartName::of("part")) };
        hold_all(&context);
    }

    #[test]
    fn each_sample_is_read_and_written_again() {
        let samples = golden::files("example/testdata");
        let shown = |topic: &str| samples.iter().any(|(_, sample)| sample.contains(&format!("\"{topic}\"")));
        MESSAGES.iter().for_each(|it| assert!(shown(it.topic), "no sample of {}", it.topic));
        for (name, sample) in samples {
            let json: serde_json::Value = serde_json::from_str(&sample).unwrap();
            let topic = json["topic"].as_str().unwrap();
            let Received { part, signal, .. } = decode(topic, &sample, Timestamp::default()).unwrap();
            let update = Update::now(&"a".parse().unwrap(), Timestamp::default(), signal);
            let (written_on, written) = encode(&Update { part, ..update }).unwrap();
            assert_eq!(written_on, topic);
            golden::assert_same(&name, &serde_json::from_str(&written).unwrap(), &json);
        }
    }
}
