//! Texts that may be numbers, and numbers in a row.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::DecodeError;
use super::number::from_text;

/// A text; a number counts as the text that spells it.
pub(in crate::pera) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    plain(deserializer).map(Some)
}

/// The same.
pub(in crate::pera) fn plain<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    })
}

/// Numbers with spaces between them, exactly so many.
pub(in crate::pera) fn numbers<const N: usize>(text: &str) -> Result<[f64; N], DecodeError> {
    let mut words = text.split_whitespace();
    let mut numbers = [0.0; N];
    for (i, number) in numbers.iter_mut().enumerate() {
        let word = words.next().ok_or(DecodeError::TooFewNumbers { count: i, needed: N })?;
        *number = one(word)?;
    }
    match words.next() {
        Some(_) => Err(DecodeError::TooManyNumbers { needed: N }),
        None => Ok(numbers),
    }
}

/// One number.
pub(in crate::pera) fn one(word: &str) -> Result<f64, DecodeError> {
    from_text(word).ok_or_else(|| DecodeError::NotANumber { word: cut(word) })
}

/// As much of a text as a message shows.
pub(super) fn cut(text: &str) -> String {
    cut_to(text, 40)
}

/// The first characters of a text.
pub(super) fn cut_to(text: &str, most: usize) -> String {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text).to_owned()
}
