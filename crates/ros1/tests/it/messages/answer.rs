//! What genpy says of a message.

use latimer_ros1::message::{Layout, Value};
use serde::Deserialize;

/// A type, and a message of it as bytes and as fields.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    #[serde(rename = "type")]
    pub(crate) type_name: String,
    pub(crate) md5: String,
    #[serde(default)]
    pub(crate) definition: String,
    bytes: String,
    fields: serde_json::Value,
}

impl Answer {
    /// That a layout has its sum, reads its bytes as its fields, and writes them again.
    pub(crate) fn assert_same(&self, layout: &Layout) {
        assert_eq!(layout.md5(), self.md5, "{}", self.type_name);
        let bytes = self.bytes();
        let value: Value =
            layout.decode(&bytes).unwrap_or_else(|wrong| panic!("{}: {wrong}", self.type_name));
        let fields = serde_json::to_value(&value).unwrap();
        assert_eq!(fields, self.fields, "{}", self.type_name);
        assert_eq!(layout.encode(&value).unwrap(), bytes, "{}", self.type_name);
        // JSON has other numbers, no bytes, and its keys in another order.
        assert_eq!(layout.encode(&self.fields).unwrap(), bytes, "{} of JSON", self.type_name);
    }

    fn bytes(&self) -> Vec<u8> {
        let digits = self.bytes.as_bytes().chunks(2);
        digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap()).collect()
    }
}
