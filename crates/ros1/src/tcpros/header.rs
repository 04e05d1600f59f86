//! The header of a connection: `name=value` fields, each with its length.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Longest header that is read; a definition stands in it, which can be long.
pub const MAX_HEADER_BYTES: usize = 1 << 20;

/// Fields in a header, at most.
const MAX_FIELDS: usize = 128;

/// The fields of a connection's header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    fields: BTreeMap<String, String>,
}

/// Why bytes are no header.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadHeader {
    /// A field's length is missing or reaches past the end.
    #[error("the field at byte {at} of the connection header is cut off; {left} bytes are left")]
    CutOff {
        /// Where its length stands.
        at: usize,
        /// How many bytes there are.
        left: usize,
    },
    /// A field has no name or no `=`.
    #[error("the field at byte {at} of the connection header is not name=value")]
    NoField {
        /// Where its length stands.
        at: usize,
    },
    /// There are more fields than any peer needs.
    #[error("the connection header has more than {MAX_FIELDS} fields")]
    TooMany,
}

impl Header {
    /// Reads a header, without its own length. Of a repeated field the last value counts.
    pub fn parse(bytes: &[u8]) -> Result<Self, BadHeader> {
        let mut header = Self::default();
        let mut rest = bytes;
        for _ in 0..=MAX_FIELDS {
            let at = bytes.len() - rest.len();
            if rest.is_empty() {
                return Ok(header);
            }
            let cut_off = BadHeader::CutOff { at, left: rest.len() };
            let Some((length, behind)) = rest.split_first_chunk::<4>() else { return Err(cut_off) };
            let length = u32::from_le_bytes(*length) as usize;
            let Some((field, behind)) = behind.split_at_checked(length) else { return Err(cut_off) };
            let (name, value) = split(field).ok_or(BadHeader::NoField { at })?;
            header.fields.insert(name.into_owned(), value.into_owned());
            rest = behind;
        }
        Err(BadHeader::TooMany)
    }

    /// The header's bytes, without its own length.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (name, value) in &self.fields {
            let length = u32::try_from(name.len() + 1 + value.len()).unwrap_or(u32::MAX);
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(name.as_bytes());
            bytes.push(b'=');
            bytes.extend_from_slice(value.as_bytes());
        }
        bytes
    }

    /// Adds a field, or replaces it.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    /// A field's value.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    /// All fields, by name.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

fn split(field: &[u8]) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
    let equals = field.iter().position(|&byte| byte == b'=')?;
    let (name, value) = (field.get(..equals)?.trim_ascii(), field.get(equals + 1..)?);
    // A definition's comments may be in any encoding.
    (!name.is_empty()).then(|| (String::from_utf8_lossy(name), String::from_utf8_lossy(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As rosgraph's `encode_ros_handshake_header({'topic': '/chatter', 'md5sum': '*'})` writes it, without the length.
    const SAMPLE: &[u8] = b"\x08\0\0\0md5sum=*\x0e\0\0\0topic=/chatter";

    #[test]
    fn a_header_is_read_and_written_as_rosgraph_does() {
        let header = Header::parse(SAMPLE).unwrap();
        assert_eq!(header, Header::default().with("topic", "/chatter").with("md5sum", "*"));
        assert_eq!(header.to_bytes(), SAMPLE);
    }

    #[test]
    fn a_value_keeps_its_equals_signs_and_lines() {
        let definition = "uint8 A=1\nuint8 B=2\n";
        let header = Header::default().with("message_definition", definition).with("empty", "");
        let again = Header::parse(&header.to_bytes()).unwrap();
        assert_eq!(again.get("message_definition"), Some(definition));
        assert_eq!(again.get("empty"), Some(""));
        assert_eq!(again.get("missing"), None);
    }

    #[test]
    fn a_header_that_is_cut_off_is_reported() {
        for length in 1..SAMPLE.len() {
            let cut = Header::parse(&SAMPLE[..length]);
            if length == 12 {
                assert!(cut.is_ok(), "the first field stands alone");
            } else {
                assert!(matches!(cut, Err(BadHeader::CutOff { .. })), "{length}: {cut:?}");
            }
        }
        let error = Header::parse(b"\xff\xff\xff\xffmd5sum=*").unwrap_err().to_string();
        assert_eq!(error, "the field at byte 0 of the connection header is cut off; 12 bytes are left");
    }

    #[test]
    fn what_is_no_field_is_reported() {
        for bytes in [&b"\x03\0\0\0abc"[..], b"\0\0\0\0", b"\x02\0\0\0=a", b"\x03\0\0\0 =a"] {
            assert_eq!(Header::parse(bytes), Err(BadHeader::NoField { at: 0 }), "{bytes:?}");
        }
    }

    #[test]
    fn fields_are_counted() {
        let many = b"\x02\0\0\0a=".repeat(MAX_FIELDS);
        assert!(Header::parse(&many).is_ok());
        let more = b"\x02\0\0\0a=".repeat(MAX_FIELDS + 1);
        assert_eq!(Header::parse(&more), Err(BadHeader::TooMany));
    }

    #[test]
    fn other_encodings_are_read_as_far_as_they_go() {
        let header = Header::parse(b"\x04\0\0\0a=\xe4b").unwrap();
        assert_eq!(header.get("a"), Some("\u{fffd}b"));
    }
}
