//! The messages: an envelope that all have in common, and what each topic carries in it.
//!
//! Lenient in: keys that nobody knows are passed over, what is missing is nothing, numbers may be texts. Exact out.

mod lenient;
mod status;
mod task;
#[cfg(test)]
pub(super) mod tests;

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use status::{
    AlternativeObject, AnomalyDetected, AnyAlternative, Assistance, MissingInfo, PerformedAction, Progress,
    Status, Success,
};
pub use task::{Order, PersonDetected, Request, Tts};

use super::topic::Topic;

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
    pub problem: String,
}

/// The envelope as it is on the wire.
#[derive(Serialize, Deserialize)]
struct Envelope {
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "Option::is_none")]
    target_id: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    source_id: Option<String>,
    #[serde(default, deserialize_with = "lenient::number")]
    timestamp: Option<i64>,
    #[serde(default, deserialize_with = "lenient::text")]
    task_id: Option<String>,
    #[serde(default, deserialize_with = "lenient::number", skip_serializing_if = "Option::is_none")]
    priority: Option<i64>,
    #[serde(default, rename = "type", deserialize_with = "lenient::text")]
    kind: Option<String>,
    #[serde(default)]
    parameter: Value,
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
            Body::Report(status) | Body::Receipt(status) => (status.type_word(), parameter_of_status(status)),
            Body::Request(request) => (request.type_word(), parameter_of_request(request)),
            Body::Order(order) => (order.kind.as_str(), Value::Object(order.parameter.clone())),
        };
        let envelope = Envelope {
            target_id,
            source_id: Some(source_id),
            timestamp,
            task_id: Some(task_id),
            priority,
            kind: Some(kind.to_owned()),
            parameter,
        };
        // Maps with text keys can always be written.
        serde_json::to_vec(&envelope).unwrap_or_default().into()
    }
}

fn read(topic: Topic, payload: &[u8]) -> Result<Message, String> {
    if payload.len() > MAX_BYTES {
        return Err(format!("it has {} bytes; {MAX_BYTES} are read at most", payload.len()));
    }
    let mut json = serde_json::Deserializer::from_slice(payload);
    let envelope: Envelope = serde_path_to_error::deserialize(&mut json).map_err(|error| told(&error, ""))?;
    json.end().map_err(|error| error.to_string())?;
    let Envelope { target_id, source_id, timestamp, task_id, priority, kind, parameter } = envelope;
    let name = |key: &str, value: Option<String>| match value {
        None => Err(format!("{key} is missing; write a text of 1 to {MAX_NAME} bytes")),
        Some(name) if name.is_empty() || name.len() > MAX_NAME => {
            Err(format!("{key} has {} bytes; write a text of 1 to {MAX_NAME} bytes", name.len()))
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
        Value::Null => Map::new(),
        Value::Object(parameter) => parameter,
        _ => return Err("parameter is no object; write {} if there is nothing to say".to_owned()),
    };
    let body = match topic {
        Topic::RobotsStatus => Body::Report(status_from(kind, parameter)?),
        Topic::DialogueStatus => Body::Receipt(status_from(kind, parameter)?),
        Topic::RobotsTask => Body::Request(request_from(kind, parameter)?),
        Topic::DialogueTask => Body::Order(Order { kind, parameter }),
    };
    Ok(Message { head, body })
}

fn status_from(kind: String, parameter: Map<String, Value>) -> Result<Status, String> {
    Ok(match kind.as_str() {
        "confirm" => Status::Confirm,
        "missing_info" => Status::MissingInfo(record(parameter)?),
        // Lenient with whoever spells it right.
        "unkown" | "unknown" => Status::Unkown,
        "progress" => Status::Progress(record(parameter)?),
        "success" => Status::Success(record(parameter)?),
        "assistance" | "alternatives" => Status::Assistance(record(parameter)?),
        "anomaly_detected" => Status::AnomalyDetected(record(parameter)?),
        _ => Status::Other(kind, parameter),
    })
}

fn request_from(kind: String, parameter: Map<String, Value>) -> Result<Request, String> {
    Ok(match kind.as_str() {
        "tts" => Request::Tts(record(parameter)?),
        "person_detected" => Request::PersonDetected(record(parameter)?),
        _ => Request::Other(kind, parameter),
    })
}

fn record<T: DeserializeOwned>(parameter: Map<String, Value>) -> Result<T, String> {
    serde_path_to_error::deserialize(Value::Object(parameter)).map_err(|error| told(&error, "parameter."))
}

/// What is wrong and where; the words of the parser name the place only by line and column.
fn told(error: &serde_path_to_error::Error<serde_json::Error>, under: &str) -> String {
    let (path, inner) = (error.path().to_string(), error.inner());
    match path.as_str() {
        "." => inner.to_string(),
        path => format!("{under}{path}: {inner}"),
    }
}

fn parameter_of_status(status: &Status) -> Value {
    match status {
        Status::Confirm | Status::Unkown => Value::Object(Map::new()),
        Status::MissingInfo(it) => value(it),
        Status::Progress(it) => value(it),
        Status::Success(it) => value(it),
        Status::Assistance(it) => value(it),
        Status::AnomalyDetected(it) => value(it),
        Status::Other(_, parameter) => Value::Object(parameter.clone()),
    }
}

fn parameter_of_request(request: &Request) -> Value {
    match request {
        Request::Tts(it) => value(it),
        Request::PersonDetected(it) => value(it),
        Request::Other(_, parameter) => Value::Object(parameter.clone()),
    }
}

fn value(record: &impl Serialize) -> Value {
    serde_json::to_value(record).unwrap_or_default()
}
