//! How much a value is.

use super::Value;

/// What any value costs beside its content, bytes.
const OVERHEAD: usize = 32;

/// Roughly the bytes of a value, in memory or as XML; never less than [`OVERHEAD`].
pub(crate) fn size_of(value: &Value) -> usize {
    let content = match value {
        Value::String(text) => text.len(),
        Value::Base64(bytes) => bytes.len(),
        Value::Array(values) => values.iter().map(size_of).sum(),
        Value::Struct(members) => {
            members.iter().map(|(name, value)| name.len() + OVERHEAD + size_of(value)).sum()
        }
        _ => 0,
    };
    OVERHEAD + content
}
