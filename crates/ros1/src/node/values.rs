//! Values of XML-RPC, and the triples of ROS: a code, a status, a value.

use crate::xmlrpc::{CallError, Client, Value};
use std::fmt::{self, Write};
use std::time::Duration;

/// How much of a value that is no answer is shown, bytes.
const MAX_EXCERPT: usize = 200;

/// A text.
pub(super) fn text(text: impl Into<String>) -> Value {
    Value::String(text.into())
}

/// A count; XML-RPC has 32 bits for it.
pub(super) fn count(count: u64) -> Value {
    Value::Integer(i32::try_from(count).unwrap_or(i32::MAX))
}

/// The text of a value that is one.
pub(super) fn as_text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// The publishers of a topic in a master's `getSystemState`: lists of publishers, subscribers and services, each of names and their nodes.
pub(super) fn publishers<'a>(state: &'a Value, topic: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    let list = |value: &'a Value| match value {
        Value::Array(items) => items.as_slice(),
        _ => &[],
    };
    let entry = list(state).first().map_or(&[][..], list).iter().map(list);
    let nodes =
        entry.filter(|entry| entry.first().and_then(as_text) == Some(topic)).filter_map(|entry| entry.get(1));
    nodes.flat_map(list).filter_map(as_text).collect::<Vec<_>>().into_iter()
}

/// An answer as every call of ROS has one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// 1 if it was done, 0 if it failed, -1 if it was asked wrongly.
    pub code: i32,
    /// For people.
    pub status: String,
    /// What was asked for.
    pub value: Value,
}

impl Answer {
    /// It was done.
    pub(super) fn done(status: impl Into<String>, value: Value) -> Value {
        Value::Array(vec![Value::Integer(1), text(status), value])
    }

    /// It was asked wrongly.
    pub(super) fn wrong(status: impl Into<String>, value: Value) -> Value {
        Value::Array(vec![Value::Integer(-1), text(status), value])
    }

    /// The answer that a value is, or the value if it is none.
    fn from_value(value: Value) -> Result<Self, Value> {
        let Value::Array(parts) = value else { return Err(value) };
        match <[Value; 3]>::try_from(parts) {
            Ok([Value::Integer(code), Value::String(status), value]) => Ok(Self { code, status, value }),
            Ok(parts) => Err(Value::Array(parts.into())),
            Err(parts) => Err(Value::Array(parts)),
        }
    }

    /// Whether it was done.
    pub(super) fn is_done(&self) -> bool {
        self.code == 1
    }
}

/// Calls a master or a node.
pub(super) async fn ask(
    client: &Client,
    method: &'static str,
    params: Vec<Value>,
    within: Duration,
) -> Result<Answer, CallError> {
    let value = client.call(method, params, within).await?;
    Answer::from_value(value).map_err(|value| CallError::Malformed {
        uri: client.uri().to_owned(),
        method: method.to_owned(),
        reason: format!("expected a code, a status and a value, not {}", excerpt(&value)),
    })
}

/// The beginning of a value; the rest, which may be long, is not even looked at.
fn excerpt(value: &Value) -> String {
    let mut beginning = Beginning(String::new());
    match write!(beginning, "{value:?}") {
        Ok(()) => beginning.0,
        Err(_) => beginning.0 + "…",
    }
}

/// A text that takes no more than [`MAX_EXCERPT`] bytes.
struct Beginning(String);

impl Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = text.floor_char_boundary(MAX_EXCERPT.saturating_sub(self.0.len()));
        let (taken, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        self.0.push_str(taken);
        if rest.is_empty() { Ok(()) } else { Err(fmt::Error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_triple() {
        let value = Answer::done("ready", Value::Integer(7));
        let answer = Answer::from_value(value).unwrap();
        assert_eq!(answer, Answer { code: 1, status: "ready".to_owned(), value: Value::Integer(7) });
        assert!(answer.is_done());
        assert!(!Answer::from_value(Answer::wrong("no", Value::Nil)).unwrap().is_done());
        for other in [Value::Nil, Value::Array(vec![Value::Integer(1)]), Value::Array(vec![Value::Nil; 3])] {
            assert_eq!(Answer::from_value(other.clone()), Err(other));
        }
    }

    #[test]
    fn of_a_value_that_is_no_answer_the_beginning_is_reported() {
        assert_eq!(excerpt(&Value::Nil), "Nil");
        let long = excerpt(&Value::Array(vec![Value::String("ä".repeat(500)); 1000]));
        assert!(long.starts_with("Array([String(\"ää") && long.ends_with("ä…"), "{long}");
        assert!(long.len() <= MAX_EXCERPT + "…".len(), "{}", long.len());
    }

    #[test]
    fn counts_stay_within_their_bits() {
        assert_eq!(count(5), Value::Integer(5));
        assert_eq!(count(u64::MAX), Value::Integer(i32::MAX));
    }
}
