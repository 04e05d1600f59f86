//! One message of any topic.

use bytes::Bytes;
use latimer_core::Signal;
use latimer_core::model::Native;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{DecodeError, Extra};
use crate::axbot::map::{FromRecord as _, ToSignals};
use crate::axbot::messages::{Context, bodies};
use crate::axbot::topic::{Topic, each_topic};
use crate::describe::lenient::Lenient;
use crate::describe::{Incomplete, Object, Received};
use crate::inspect::{self, Inspection, Numbers};
use crate::table::{self, Fields};

/// Longest frame that is read, bytes: a map of a large site.
pub const MAX_FRAME_BYTES: usize = 64 << 20;

/// Most commas of a frame, which bounds how many values it holds: a list of the longest kind, and something beside.
const MAX_COMMAS: usize = 4_500_000;

/// Declares [`Message`] with a variant per topic.
macro_rules! messages {
    ($($(#[$doc:meta])* $topic:ident = $name:literal: $body:ident, $rhythm:expr,
        [$(($kind:ident, $part:expr)),*] $(, or $by_role:ident)?;)*) => {
        /// A message that a robot sends, by its topic.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "each variant holds the message of the topic of the same name")]
        pub enum Message {
            $($topic(Box<bodies::$body>),)*
        }

        impl Message {
            /// Which topic it is of.
            pub const fn topic(&self) -> Topic {
                match self {
                    $(Self::$topic(_) => Topic::$topic,)*
                }
            }

            fn body(&self) -> &dyn Body {
                match self {
                    $(Self::$topic(body) => &**body,)*
                }
            }
        }

        /// By topic, in the order of [`Topic::ALL`].
        static CODECS: [Codec; Topic::ALL.len()] = [
            $({
                fn read(frame: &[u8]) -> Result<Message, DecodeError> {
                    Ok(Message::$topic(Box::new(body(Topic::$topic, frame)?)))
                }
                fn encode(signal: &Signal, _context: &Context) -> Option<Message> {
                    let body: Option<bodies::$body> = match signal {
                        $(Signal::$kind(it) => bodies::$body::from_record(it, Topic::$topic, _context),)*
                        $(Signal::$by_role(it) => bodies::$body::from_record(it, Topic::$topic, _context),)?
                        // Other kinds than those of the topic: `Topic::carries` keeps them out.
                        _ => None,
                    };
                    Some(Message::$topic(Box::new(body?)))
                }
                Codec { read, encode }
            },)*
        ];

        /// What each topic's message looks like and means, in the order of [`Topic::ALL`].
        pub static MESSAGES: &[table::MessageInfo] = {
            const fn fields_of(topic: Topic) -> Fields {
                match topic {
                    $(Topic::$topic => Fields::of::<bodies::$body>(),)*
                }
            }
            let mut messages = [table::MessageInfo::EMPTY; Topic::ALL.len()];
            let mut i = 0;
            while i < messages.len() {
                let topic = Topic::ALL[i];
                messages[i] = table::MessageInfo {
                    topic: topic.as_str(),
                    kinds: topic.kinds(),
                    parts: match topic.origins() {
                        [(_, Some(part))] => std::slice::from_ref(part),
                        _ => &[],
                    },
                    contact: topic.contact(),
                    ability: topic.ability(),
                    answers: false,
                    texts: &[],
                    summary: topic.summary(),
                    fields: fields_of(topic),
                    rate_hz: topic.rate_hz(),
                };
                i += 1;
            }
            &{ messages }
        };
    };
}

each_topic!(messages);

/// What is done with the body of any message.
///
/// A struct has an implementation of its own, and a topic two small functions in a table: rustc checks those of one topic
/// again when its struct changes, and not all of one large `match`.
trait Body {
    fn extra(&self) -> Option<&Extra>;
    fn frame(&self, topic: Topic) -> Bytes;
    fn signals(&self, topic: Topic, context: &Context) -> Result<Vec<Received>, Incomplete>;
}

impl<T: Object + ToSignals> Body for T {
    fn extra(&self) -> Option<&Extra> {
        Object::extra(self)
    }

    fn frame(&self, topic: Topic) -> Bytes {
        written(topic, self)
    }

    fn signals(&self, topic: Topic, context: &Context) -> Result<Vec<Received>, Incomplete> {
        ToSignals::signals(self, topic, context)
    }
}

/// What makes a message of one topic.
struct Codec {
    read: fn(&[u8]) -> Result<Message, DecodeError>,
    encode: fn(&Signal, &Context) -> Option<Message>,
}

impl Message {
    /// Keys that the specification does not name, if the message keeps them.
    pub fn extra(&self) -> Option<&Extra> {
        self.body().extra()
    }

    /// Reads a whole frame, `{"topic": …, …}`, of a topic.
    pub fn read(topic: Topic, frame: &[u8]) -> Result<Self, DecodeError> {
        (CODECS[topic as usize].read)(frame)
    }

    /// Writes a whole frame, its topic first.
    pub fn write(&self) -> Bytes {
        self.body().frame(self.topic())
    }

    /// What it tells.
    pub(in crate::axbot) fn signals(&self, context: &Context) -> Result<Vec<Received>, Incomplete> {
        self.body().signals(self.topic(), context)
    }

    /// Encodes a signal for a topic; `None` if the dialect has no words for it, or the topic is about other kinds.
    pub(in crate::axbot) fn of(topic: Topic, signal: &Signal, context: &Context) -> Option<Self> {
        (CODECS[topic as usize].encode)(signal, context)
    }
}

fn body<T: Object>(topic: Topic, frame: &[u8]) -> Result<T, DecodeError> {
    let fails = |problem: String| DecodeError { topic, problem };
    if frame.len() > MAX_FRAME_BYTES {
        return Err(fails(format!("{} bytes are more than the limit of {MAX_FRAME_BYTES}", frame.len())));
    }
    // Each value takes more memory than the two bytes that it may have here.
    if frame.iter().filter(|byte| **byte == b',').count() > MAX_COMMAS {
        return Err(fails(format!("more than {MAX_COMMAS} values")));
    }
    let mut track = serde_path_to_error::Track::new();
    let mut json = serde_json::Deserializer::from_slice(frame);
    let read = T::read(serde_path_to_error::Deserializer::new(&mut json, &mut track));
    let read = read.and_then(|read| json.end().map(|()| read));
    let mut read: T = match read {
        Ok(Some(read)) => read,
        Ok(None) => return Err(fails("is null".into())),
        Err(error) => {
            let path = track.path().to_string();
            return Err(fails(if path == "." { error.to_string() } else { format!("{path}: {error}") }));
        }
    };
    if let Some(extra) = read.extra_mut() {
        extra.shift_remove("topic");
    }
    Ok(read)
}

/// A body with its topic in front.
struct Framed<'a, T>(Topic, &'a T);

impl<T: Object> Serialize for Framed<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("topic", self.0.as_str())?;
        self.1.write_all(&mut map)?;
        map.end()
    }
}

fn written(topic: Topic, body: &impl Object) -> Bytes {
    // Keys are text and numbers are written as they are, so nothing can make this fail.
    serde_json::to_vec(&Framed(topic, body)).unwrap_or_default().into()
}

/// Holds a frame as a robot sent it against the description of its topic; frames that are not JSON have none.
pub(in crate::axbot) fn inspect(native: &Native) -> Option<Inspection> {
    let topic: Topic = native.topic.parse().ok()?;
    let message = MESSAGES.iter().find(|it| it.topic == topic.as_str())?;
    Some(match serde_json::from_slice(&native.payload) {
        Ok(serde_json::Value::Object(mut frame)) => {
            frame.shift_remove("topic");
            inspect::of_value(message, &frame.into(), Numbers::AsNumbers)
        }
        Ok(other) => inspect::of_value(message, &other, Numbers::AsNumbers),
        Err(_) => inspect::no_json(message, &native.payload),
    })
}
