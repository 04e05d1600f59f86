//! JSON as people type it: strict JSON first, then JSON5, which forgives quotes that are missing and commas too many.

use serde_json::Value;

/// Longest text that is read generously, bytes.
const MAX_BYTES: usize = 64 << 10;
/// Most brackets that a text may open, wherever they are; so deep at most can its values be nested.
const MAX_BRACKETS: usize = 64;

/// Reads one value; what is wrong with the text, if nothing helps.
pub(super) fn read(text: &str) -> Result<Value, serde_json::Error> {
    let strict = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    // The generous parser nests as deep as its text does, so it gets none that could be deep.
    if text.len() > MAX_BYTES
        || text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count() > MAX_BRACKETS
    {
        return Err(strict);
    }
    json5::from_str(text).map_err(|_| strict)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn forgives_what_people_type() {
        assert_eq!(read("{state: 'cancelled',}").unwrap(), json!({"state": "cancelled"}));
        assert_eq!(read("{\"a\": 1} // why").unwrap(), json!({"a": 1}));
        assert!(read("{\"a\": }").unwrap_err().to_string().contains("line 1 column 7"));
    }

    #[test]
    fn depth_is_bounded() {
        for text in ["[".repeat(200_000), "{a:".repeat(60_000), format!("'{}'", "[".repeat(70))] {
            assert!(read(&text).is_err());
        }
    }
}
