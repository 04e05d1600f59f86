//! Reads what clients really send on the socket and in REST bodies.
//!
//! Robots forgive a lot, and clients have come to rely on it: the official Python SDK sends `str(dict)` (single
//! quotes, `None`, `True`), staff examples end lists with a comma, one client sends an empty text after each
//! subscription. Read here: strict JSON first, then JSON5 with Python's three words. Size and depth are bounded
//! before any parser runs, so that hostile text costs one pass and no stack.

use std::borrow::Cow;

use serde_json::{Map, Value};
use thiserror::Error;

/// Longest text that is read, bytes.
pub const MAX_BYTES: usize = 64 * 1024;
/// Deepest nesting of objects and arrays that is read.
pub const MAX_DEPTH: usize = 32;

/// A text that cannot be read, not even generously.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LenientError {
    /// Longer than [`MAX_BYTES`].
    #[error("{len} bytes are too many, the limit is {MAX_BYTES}; send less at once")]
    TooLong {
        /// Length of the text, bytes.
        len: usize,
    },
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("nesting is too deep at byte {offset}, the limit is {MAX_DEPTH} levels; send a flatter object")]
    TooDeep {
        /// Where the limit was passed, bytes from the start.
        offset: usize,
    },
    /// Neither JSON nor one of its kinder forms.
    #[error("this is not JSON: {what}; send one JSON object with names and texts in quotes")]
    Syntax {
        /// What was expected, at which line and column.
        what: String,
    },
}

/// Reads one value; a text of white space alone is `None`. NaN and Infinity become `null`.
pub fn read(text: &str) -> Result<Option<Value>, LenientError> {
    if text.len() > MAX_BYTES {
        return Err(LenientError::TooLong { len: text.len() });
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Ok(None);
    }
    let python_words = scan(text)?;
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(Some(value));
    }
    json5::from_str(&without_python_words(text, &python_words)).map(Some).map_err(syntax_error)
}

/// Finds a key in any case; the exact spelling wins.
pub fn get_ci<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    map.get(key).or_else(|| map.iter().find(|(it, _)| it.eq_ignore_ascii_case(key)).map(|(_, value)| value))
}

fn syntax_error(error: json5::Error) -> LenientError {
    let what = error.to_string();
    // Where the text ends too early, the parser tells where the unfinished value began, or nothing.
    let ends_early = what.starts_with("EOF");
    LenientError::Syntax {
        what: if ends_early { "the text ends before its value does".to_owned() } else { what },
    }
}

/// Python's spelling and JSON's, which is as long, so that positions in errors stay true.
const PYTHON_WORDS: [(&str, &str); 3] = [("True", "true"), ("False", "false"), ("None", "null")];

#[derive(Clone, Copy, PartialEq)]
enum ScanState {
    Outside,
    Text(char),
    LineComment,
    BlockComment,
}

/// Checks the depth and finds Python's words, both outside of texts and comments, in one pass.
///
/// Texts and comments end exactly where the JSON5 parser ends them: if they ended later here, brackets behind
/// them would not be counted and the parser's stack would not be bounded.
fn scan(text: &str) -> Result<Vec<(usize, &'static str)>, LenientError> {
    let mut words = Vec::new();
    let mut place = ScanState::Outside;
    let mut depth = 0_usize;
    let mut after_word = false;
    let mut chars = text.char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        let next = chars.peek().map(|&(_, next)| next);
        match (place, c) {
            (ScanState::Outside, '"' | '\'') => place = ScanState::Text(c),
            (ScanState::Outside, '/') if next == Some('/') => place = ScanState::LineComment,
            (ScanState::Outside, '/') if next == Some('*') => {
                chars.next();
                place = ScanState::BlockComment;
            }
            (ScanState::Outside, '{' | '[') => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(LenientError::TooDeep { offset });
                }
            }
            (ScanState::Outside, '}' | ']') => depth = depth.saturating_sub(1),
            (ScanState::Outside, 'T' | 'F' | 'N') if !after_word => words.extend(python_word(text, offset)),
            (ScanState::Text(_), '\\') => {
                chars.next();
            }
            (ScanState::Text(quote), _) if c == quote => place = ScanState::Outside,
            (ScanState::LineComment, '\n' | '\r' | '\u{2028}' | '\u{2029}') => place = ScanState::Outside,
            (ScanState::BlockComment, '*') if next == Some('/') => {
                chars.next();
                place = ScanState::Outside;
            }
            _ => {}
        }
        after_word = is_word(c);
    }
    Ok(words)
}

fn python_word(text: &str, offset: usize) -> Option<(usize, &'static str)> {
    let (_, json) = PYTHON_WORDS.into_iter().find(|(python, _)| text[offset..].starts_with(python))?;
    let behind = text[offset + json.len()..].chars().next();
    (!behind.is_some_and(is_word)).then_some((offset, json))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

fn without_python_words<'a>(text: &'a str, words: &[(usize, &str)]) -> Cow<'a, str> {
    if words.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut json = String::with_capacity(text.len());
    let mut done = 0;
    for &(offset, word) in words {
        json.push_str(&text[done..offset]);
        json.push_str(word);
        done = offset + word.len();
    }
    json.push_str(&text[done..]);
    Cow::Owned(json)
}

#[cfg(test)]
mod tests;
