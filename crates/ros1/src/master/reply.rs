//! What the master answers: a code, a text for people and a value.

use crate::xmlrpc::Value;

/// An answer of the Master API.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reply {
    code: i32,
    text: String,
    value: Value,
}

impl Reply {
    /// Done.
    pub(super) fn done(text: impl Into<String>, value: Value) -> Self {
        Self { code: 1, text: text.into(), value }
    }

    /// The call was right, but it could not be done.
    pub(super) fn failed(text: impl Into<String>, value: Value) -> Self {
        Self { code: 0, text: text.into(), value }
    }

    /// The caller's mistake, or something that is not there.
    pub(super) fn wrong(text: impl Into<String>, value: Value) -> Self {
        Self { code: -1, text: text.into(), value }
    }
}

impl From<Reply> for Value {
    fn from(reply: Reply) -> Self {
        Value::Array(vec![Value::Integer(reply.code), Value::String(reply.text), reply.value])
    }
}

/// Texts as an array.
pub(super) fn texts<T: Into<String>>(items: impl IntoIterator<Item = T>) -> Value {
    Value::Array(items.into_iter().map(|item| Value::String(item.into())).collect())
}

/// A struct without members, which stands for a parameter that is not set.
pub(super) fn nothing() -> Value {
    Value::Struct(std::collections::BTreeMap::new())
}
