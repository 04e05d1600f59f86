//! JSON that is not strict: numbers for which JSON has no word, as encoders in C++ and Python write them, and what people type.

use serde_json::Value;

/// Longest text that is read as people type, bytes.
const MAX_BYTES: usize = 64 << 10;
/// Most brackets that such a text may open, wherever they are; so deep at most can its values be nested.
const MAX_BRACKETS: usize = 64;

/// Numbers for which JSON has no word, as encoders spell them.
pub(crate) const BARE: [&str; 3] = ["NaN", "Infinity", "-Infinity"];

/// What stands for a bare number in strict JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bare {
    /// The same word as a text, which [`Lenient`](crate::describe::lenient::Lenient) numbers are read from.
    Text,
    /// Nothing, as servers write it that are strict.
    Null,
}

/// The text with something else for each bare number; `None` if it has none.
pub(crate) fn without_bare_numbers(text: &str, bare: Bare) -> Option<String> {
    let bytes = text.as_bytes();
    let (mut strict, mut copied, mut at, mut is_within) = (String::new(), 0, 0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if is_within => at += 1,
            b'"' => is_within = !is_within,
            b'N' | b'I' | b'-' if !is_within => {
                if let Some(word) = BARE.into_iter().find(|word| bytes[at..].starts_with(word.as_bytes())) {
                    strict.push_str(&text[copied..at]);
                    match bare {
                        Bare::Text => strict.extend(["\"", word, "\""]),
                        Bare::Null => strict.push_str("null"),
                    }
                    copied = at + word.len();
                    at = copied;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    (copied > 0).then(|| strict + &text[copied..])
}

/// Reads one value as people type it: strict JSON first, then JSON5, which forgives quotes that are missing and commas too many. What is
/// wrong with the text, if nothing helps.
pub(crate) fn read(text: &str) -> Result<Value, serde_json::Error> {
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

    #[test]
    fn bare_numbers_are_replaced_outside_of_texts() {
        let text = r#"{"a":[NaN,-Infinity, Infinity,-1],"NaN \" Infinity":"-Infinity\\","ä":NaN}"#;
        let texts = r#"{"a":["NaN","-Infinity", "Infinity",-1],"NaN \" Infinity":"-Infinity\\","ä":"NaN"}"#;
        assert_eq!(without_bare_numbers(text, Bare::Text).as_deref(), Some(texts));
        let nulls = r#"{"a":[null,null, null,-1],"NaN \" Infinity":"-Infinity\\","ä":null}"#;
        assert_eq!(without_bare_numbers(text, Bare::Null).as_deref(), Some(nulls));
        for none in ["", "[1]", r#""NaN"#, r#"{"a\"":"NaN"}"#, "\\", "Na", "-"] {
            assert_eq!(without_bare_numbers(none, Bare::Null), None, "{none}");
        }
    }
}
