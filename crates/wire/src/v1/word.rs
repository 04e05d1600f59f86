//! Words of the API as the command line takes them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;

use crate::words::explained;

/// A word or a JSON text that is none of the API's; says what could be meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WordError(String);

/// A word of the API, with `-` for `_`.
pub(crate) fn word<T: DeserializeOwned>(given: &str) -> Result<T, WordError> {
    serde_json::from_value(given.replace('-', "_").into())
        .map_err(|error| WordError(explained(&error.to_string())))
}

/// JSON of the API.
pub fn json<T: DeserializeOwned>(given: &str) -> Result<T, WordError> {
    serde_json::from_str(given).map_err(|error| WordError(explained(&error.to_string())))
}

/// `on` or `off`.
pub(crate) fn on() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|word| word == "on")
}

/// `open` or `shut`; `closed` and `close` mean the latter.
pub(crate) fn open() -> impl TypedValueParser<Value = bool> {
    let words = [PossibleValue::new("open"), PossibleValue::new("shut").aliases(["closed", "close"])];
    PossibleValuesParser::new(words).map(|word| word == "open")
}

/// `start` or `stop`; `on` and `off` mean the same.
pub(crate) fn start() -> impl TypedValueParser<Value = bool> {
    let words = [PossibleValue::new("start").alias("on"), PossibleValue::new("stop").alias("off")];
    PossibleValuesParser::new(words).map(|word| word == "start" || word == "on")
}
