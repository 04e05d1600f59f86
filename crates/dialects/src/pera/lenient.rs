//! JSON as robots write it: strict JSON first, then with words that lack their quotes, as in `"reality":V`.

use serde_json::Value;

/// Longest text that is read generously, bytes.
const MAX_BYTES: usize = 64 << 10;

/// Most brackets that such a text may open, wherever they are; so deep at most can its values be nested.
const MAX_BRACKETS: usize = 4_096;

/// Deepest nesting that is read generously.
const MAX_DEPTH: usize = 32;

/// Words that are no text.
const OWN_WORDS: [&str; 5] = ["true", "false", "null", "NaN", "Infinity"];

/// Reads one value; `None` if nothing helps.
pub(super) fn read(text: &str) -> Option<Value> {
    if text.len() > MAX_BYTES {
        return None;
    }
    json5::from_str(&quoted(text)?).ok()
}

/// The text with quotes around words that lack them; `None` if it is nested too deep, or a bracket is not closed, which
/// the parser would take long to find out.
///
/// Texts end exactly where the parser ends them: if they ended later here, brackets behind them would not be counted and
/// the parser's stack would not be bounded. A text with comments is none of a robot's.
fn quoted(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 16);
    let (mut depth, mut brackets) = (0_usize, 0_usize);
    let mut chars = text.char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        match c {
            '"' | '\'' => {
                out.push(c);
                loop {
                    let (_, inner) = chars.next()?;
                    out.push(inner);
                    match inner {
                        '\\' => out.push(chars.next()?.1),
                        _ if inner == c => break,
                        _ => {}
                    }
                }
                continue;
            }
            '{' | '[' => {
                (depth, brackets) = (depth + 1, brackets + 1);
                if depth > MAX_DEPTH || brackets > MAX_BRACKETS {
                    return None;
                }
            }
            '}' | ']' => depth = depth.saturating_sub(1),
            '/' => return None,
            _ if c.is_alphabetic() || c == '_' => {
                let mut end = offset + c.len_utf8();
                while let Some((at, next)) = chars.next_if(|(_, next)| next.is_alphanumeric() || *next == '_')
                {
                    end = at + next.len_utf8();
                }
                let word = text.get(offset..end)?;
                let is_own = OWN_WORDS.contains(&word);
                let quote = if is_own { "" } else { "\"" };
                out.extend([quote, word, quote]);
                continue;
            }
            // Digits and what follows them are left alone, so that 1e5 is no word.
            _ if c.is_ascii_digit() => {
                out.push(c);
                while let Some((_, next)) = chars.next_if(|(_, next)| next.is_alphanumeric() || *next == '.')
                {
                    out.push(next);
                }
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    (depth == 0).then_some(out)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_need_no_quotes() {
        let create = "{\"heading\":90.0,\"x\":9.0,\"y\":9.0,\"reality\":V,\"id\":11}";
        let expected = json!({"heading": 90.0, "x": 9.0, "y": 9.0, "reality": "V", "id": 11});
        assert_eq!(read(create), Some(expected));
        assert_eq!(
            read("{id: 1e1, 'a': [V, true, null],}"),
            Some(json!({"id": 10.0, "a": ["V", true, null]}))
        );
    }

    #[test]
    fn a_key_said_twice_is_as_it_was_said_last() {
        assert_eq!(read("{y: 1, y: 2}"), Some(json!({"y": 2})));
    }

    #[test]
    fn texts_stay_as_they_are() {
        assert_eq!(
            read("{\"msg\": \"it's V, \\\"{[\", id: 1}"),
            Some(json!({"msg": "it's V, \"{[", "id": 1}))
        );
        assert_eq!(read("\"unfinished"), None);
        assert_eq!(read("{id: [1}"), None);
        assert_eq!(read("{\"a\": }"), None);
    }

    #[test]
    fn size_and_depth_are_bounded() {
        for text in ["[".repeat(60_000), "{a:".repeat(20_000), "[],".repeat(10_000), " ".repeat(100_000)] {
            assert_eq!(read(&text), None);
        }
    }
}
