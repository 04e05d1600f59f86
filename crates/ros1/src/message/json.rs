//! Messages as JSON, as programs in browsers exchange them: objects with the names of the type's fields, `time` and `duration` as `secs`
//! and `nsecs`, `uint8[]` and `char[]` as Base64, and `null` for a float that is no number.

use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Any struct of serde as the JSON of a message, or a [`Value`](super::Value) of any layout.
pub fn to_json<T: Serialize + ?Sized>(message: &T) -> serde_json::Result<Vec<u8>> {
    let mut json = Vec::new();
    message.serialize(&mut Serializer::with_formatter(&mut json, BytesInBase64))?;
    Ok(json)
}

struct BytesInBase64;

impl Formatter for BytesInBase64 {
    fn write_byte_array<W: io::Write + ?Sized>(&mut self, writer: &mut W, bytes: &[u8]) -> io::Result<()> {
        write!(writer, "\"{}\"", STANDARD.encode(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Catalog, Value};
    use super::*;

    #[test]
    fn bytes_are_base64_and_what_is_no_number_is_null() {
        let mut catalog = Catalog::default();
        catalog
            .add("a/B", "uint8[] a\nchar[2] b\nfloat32[] c\nfloat64 d\ntime e\nint8[] f\nstring g")
            .unwrap();
        let layout = catalog.layout("a/B").unwrap();
        let mut bytes = vec![2, 0, 0, 0, 0, 255, 1, 2, 2, 0, 0, 0];
        bytes.extend([0.1_f32, f32::NAN].map(f32::to_le_bytes).concat());
        bytes.extend(f64::INFINITY.to_le_bytes());
        bytes.extend([1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 255, 2, 0, 0, 0, 0xc3, 0xa4]);
        let json = to_json(&layout.decode::<Value>(&bytes).unwrap()).unwrap();
        let expected =
            r#"{"a":"AP8=","b":"AQI=","c":[0.1,null],"d":null,"e":{"secs":1,"nsecs":2},"f":[-1],"g":"ä"}"#;
        assert_eq!(String::from_utf8(json).unwrap(), expected);
    }
}
