//! How bytes are written among the model's values.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::Value;
use latimer_dialects::json::{json_from_value, json_from_value_with};
use utoipa::ToSchema;

/// How pictures, sound and files are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum BytesForm {
    /// How many there are: `<1234 bytes>`.
    #[default]
    Count,
    /// The bytes as Base64.
    Base64,
}

impl BytesForm {
    /// A value as JSON.
    pub fn json(self, value: &Value) -> serde_json::Value {
        match self {
            Self::Count => json_from_value(value),
            Self::Base64 => json_from_value_with(value, &|bytes| STANDARD.encode(bytes).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_or_written() {
        let picture = Value::Map(vec![("data".into(), Value::Bytes(bytes::Bytes::from_static(b"abc")))]);
        assert_eq!(BytesForm::Count.json(&picture), serde_json::json!({"data": "<3 bytes>"}));
        let written = BytesForm::Base64.json(&picture);
        assert_eq!(written, serde_json::json!({"data": "YWJj"}));
    }
}
