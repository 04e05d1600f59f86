//! The messages as they are on the wire: an envelope that all have in common, and what each topic carries in it, which
//! [`messages`](super::messages) describes.
//!
//! Lenient in: keys that nobody knows are passed over, what is missing is nothing, numbers may be texts. Exact out.

#[cfg(test)]
pub(super) mod tests;

use bytes::Bytes;
use latimer_core::model::Native;
use serde::Deserializer;
use serde_json::{Map, Value};

pub use super::messages::request::{Order, PersonDetected, Request, Tts};
pub use super::messages::status::{
    AlternativeObject, AnomalyDetected, AnyAlternative, Assistance, MissingInfo, PerformedAction, Progress,
    Status, Success,
};
use super::topic::Topic;
use crate::describe::codec::{CodecInfo, Describe as _, Words};
use crate::describe::lenient::Lenient as _;
use crate::describe::{self, Described, Field, Meaning, Target, WireType};
use crate::inspect::{self, Inspection, Numbers, Walk, message_of};
use crate::robotkoop::channels::MESSAGES;

/// Longest message that is read, bytes.
pub const MAX_BYTES: usize = 64 << 10;

/// Longest name of somebody, of a task or of a type, bytes.
pub const MAX_NAME: usize = 200;

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Who says it to whom, when, of which task.
    pub head: Head,
    /// What is said.
    pub body: Body,
}

/// What all messages have in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// For whom; reports name nobody, but some programs do.
    pub target_id: Option<String>,
    /// Who says it.
    pub source_id: String,
    /// When, in whole seconds since 1970.
    pub timestamp: Option<i64>,
    /// Which task.
    pub task_id: String,
    /// From 1, highest, to 5.
    pub priority: Option<i64>,
}

/// What a message says, by its topic.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// `/robots/status`.
    Report(Status),
    /// `/robots/task`.
    Request(Request),
    /// `/dialogue/task`.
    Order(Order),
    /// `/dialogue/status`.
    Receipt(Status),
}

/// A message that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a message on {topic} cannot be read: {problem}")]
pub struct DecodeError {
    /// Where it came.
    pub topic: Topic,
    /// What is wrong with it, and at which key.
    pub problem: Problem,
}

/// What is wrong with a message, and at which key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It is longer than is read.
    #[error("it has {bytes} bytes; {MAX_BYTES} are read at most")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// It is no JSON, or a value is of another type.
    #[error("{0}")]
    Json(String),
    /// A name is not given.
    #[error("{key} is missing; write a text of 1 to {MAX_NAME} bytes")]
    MissingName {
        /// Its key.
        key: &'static str,
    },
    /// A name is empty or too long.
    #[error("{key} has {bytes} bytes; write a text of 1 to {MAX_NAME} bytes")]
    InvalidName {
        /// Its key.
        key: &'static str,
        /// Its length.
        bytes: usize,
    },
    /// The parameter is another value.
    #[error("parameter is no object; write {{}} if there is nothing to say")]
    ParameterNotAnObject,
}

/// The envelope as it is on the wire.
#[derive(Default, describe::Message)]
struct Envelope {
    /// For whom; reports are not written with it.
    target_id: Option<String>,
    /// What the sender calls itself.
    #[field(required)]
    source_id: Option<String>,
    /// Whole seconds since 1970.
    #[field(stamp, read = number, null, note = "whole seconds since 1970")]
    timestamp: Option<i64>,
    /// Which task; a request's is made of the moment.
    #[field(required)]
    task_id: Option<String>,
    /// How urgent the task is, from 1, highest, to 5; reports are not written with it.
    #[field(read = number)]
    priority: Option<i64>,
    /// What is said.
    #[field(name = "type", required)]
    kind: Option<String>,
    /// What goes with it.
    parameter: Option<Value>,
}

/// A whole number; of one with a fraction, as Python's clock gives it, what is before that.
fn number<'de, D: Deserializer<'de>>(value: D) -> Result<Option<i64>, D::Error> {
    Ok(f64::read(value)?.map(|number| number as i64))
}

/// The fields of a report.
pub(super) static REPORT: [Field; 7] = {
    let mut fields = envelope(Status::FIELDS);
    fields[3].meaning = Meaning::Value(&[Target { index: None, path: "id" }]);
    fields[5].meaning = Meaning::Value(&[Target { index: None, path: "state" }]);
    fields[5].codec = || Words(Status::TYPES).info();
    fields[5].note = Some("`success` with `success` false is `failed`");
    fields
};

/// The fields of a request.
pub(super) static REQUEST: [Field; 7] = {
    let mut fields = envelope(Request::FIELDS);
    fields[5].meaning = Meaning::Kind;
    fields[5].codec = || CodecInfo {
        words: Request::TYPES.iter().map(|(word, kind)| (*word, kind.as_str())).collect(),
        ..CodecInfo::default()
    };
    fields
};

/// The envelope's fields with those of its parameters.
const fn envelope(parameters: &'static [Field]) -> [Field; 7] {
    let Some(fields) = Envelope::FIELDS.first_chunk() else { panic!("the envelope has seven fields") };
    let mut fields = *fields;
    fields[6].form = WireType::Object(parameters);
    fields[6].meaning = Meaning::Value(&[Target { index: None, path: "" }]);
    fields
}

impl Message {
    /// Reads a message of a topic.
    pub fn read(topic: Topic, payload: &[u8]) -> Result<Self, DecodeError> {
        read(topic, payload).map_err(|problem| DecodeError { topic, problem })
    }

    /// The topic that it belongs on.
    pub fn topic(&self) -> Topic {
        match self.body {
            Body::Report(_) => Topic::RobotsStatus,
            Body::Request(_) => Topic::RobotsTask,
            Body::Order(_) => Topic::DialogueTask,
            Body::Receipt(_) => Topic::DialogueStatus,
        }
    }

    /// The message as it is sent.
    pub fn write(&self) -> Bytes {
        let Head { target_id, source_id, timestamp, task_id, priority } = self.head.clone();
        let (kind, parameter) = match &self.body {
            Body::Report(status) | Body::Receipt(status) => (status.type_word(), status.parameter()),
            Body::Request(request) => (request.type_word(), request.parameter()),
            Body::Order(order) => (order.kind.as_str(), Value::Object(order.parameter.clone())),
        };
        let envelope = Envelope {
            target_id,
            source_id: Some(source_id),
            timestamp,
            task_id: Some(task_id),
            priority,
            kind: Some(kind.to_owned()),
            parameter: Some(parameter),
        };
        // Maps with text keys can always be written.
        serde_json::to_vec(&envelope).unwrap_or_default().into()
    }
}

fn read(topic: Topic, payload: &[u8]) -> Result<Message, Problem> {
    if payload.len() > MAX_BYTES {
        return Err(Problem::TooLong { bytes: payload.len() });
    }
    let mut json = serde_json::Deserializer::from_slice(payload);
    let envelope: Envelope =
        serde_path_to_error::deserialize(&mut json).map_err(|error| reported(&error, ""))?;
    json.end().map_err(|error| Problem::Json(error.to_string()))?;
    let Envelope { target_id, source_id, timestamp, task_id, priority, kind, parameter } = envelope;
    let name = |key, value: Option<String>| match value {
        None => Err(Problem::MissingName { key }),
        Some(name) if name.is_empty() || name.len() > MAX_NAME => {
            Err(Problem::InvalidName { key, bytes: name.len() })
        }
        Some(name) => Ok(name),
    };
    let head = Head {
        target_id: target_id.map(|it| name("target_id", Some(it))).transpose()?,
        source_id: name("source_id", source_id)?,
        timestamp,
        task_id: name("task_id", task_id)?,
        priority,
    };
    let kind = name("type", kind)?;
    let parameter = match parameter {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(parameter)) => parameter,
        Some(_) => return Err(Problem::ParameterNotAnObject),
    };
    let body = match topic {
        Topic::RobotsStatus => Status::read(kind, parameter).map(Body::Report),
        Topic::DialogueStatus => Status::read(kind, parameter).map(Body::Receipt),
        Topic::RobotsTask => Request::read(kind, parameter).map(Body::Request),
        Topic::DialogueTask => Ok(Body::Order(Order { kind, parameter })),
    };
    Ok(Message { head, body: body.map_err(|error| reported(&error, "parameter."))? })
}

/// What is wrong and where; the words of the parser name the place only by line and column.
fn reported(error: &serde_path_to_error::Error<serde_json::Error>, under: &str) -> Problem {
    let (path, inner) = (error.path().to_string(), error.inner());
    Problem::Json(match path.as_str() {
        "." => inner.to_string(),
        path => format!("{under}{path}: {inner}"),
    })
}

/// Holds a message of a robot against the description of its topic, and its parameter against that of its type.
pub(super) fn inspect(native: &Native) -> Option<Inspection> {
    let (message, fields): (_, fn(&str) -> _) = match native.topic.parse().ok()? {
        Topic::RobotsStatus => (message_of(&MESSAGES, &native.topic)?, Status::fields),
        Topic::RobotsTask => (message_of(&MESSAGES, &native.topic)?, Request::fields),
        Topic::DialogueTask | Topic::DialogueStatus => return None,
    };
    let Ok(Value::Object(envelope)) = serde_json::from_slice(&native.payload) else {
        return Some(inspect::no_json(message, &native.payload));
    };
    let parameters = envelope.get("type").and_then(Value::as_str).and_then(fields);
    // What goes with a type that is not known is anything.
    let parameter = parameters.map_or(WireType::Any, WireType::Object);
    let fields = message.described().iter().map(|it| match it.name {
        "parameter" => Field { form: parameter, ..*it },
        _ => *it,
    });
    let mut walk = Walk::new(Numbers::AsNumbers);
    walk.object(&fields.collect::<Vec<_>>(), &envelope, "");
    Some(walk.into_inspection(message))
}
