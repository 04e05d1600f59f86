//! The object that is a request's body, read generously: no body is an empty object, a number may be a text.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Number, Value};

/// Longest body that is read a second time in a kinder form of JSON, bytes.
const MAX_KIND_BYTES: usize = 64 * 1024;
/// Most brackets of such a body, which bounds how deep it nests.
const MAX_KIND_BRACKETS: usize = 64;

/// What the items of a body are called that is a list.
pub const ITEMS: &str = "items";

/// A body that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// No UTF-8.
    #[error("the body is no UTF-8 text; send JSON")]
    Text,
    /// No JSON.
    #[error("the body is no JSON: {0}; send one JSON object")]
    Syntax(String),
    /// JSON, but no object.
    #[error("the body is no JSON object; send {{}} with names and values")]
    Shape,
    /// JSON, but no list.
    #[error("the body is no JSON list; send [] with what shall be in it")]
    List,
}

/// A field that is not what it must be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field:?} {problem}")]
pub struct FieldError {
    /// Which one.
    pub field: &'static str,
    /// What is wrong with it.
    pub problem: String,
}

impl FieldError {
    /// Something is wrong with a field.
    pub fn new(field: &'static str, problem: impl Into<String>) -> Self {
        Self { field, problem: problem.into() }
    }
}

/// The fields of a body. What is `null` is not there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(Map<String, Value>);

impl From<Map<String, Value>> for Fields {
    fn from(fields: Map<String, Value>) -> Self {
        Self(fields)
    }
}

impl Fields {
    /// Reads a body.
    pub fn read(body: &[u8]) -> Result<Self, BodyError> {
        let text = std::str::from_utf8(body).map_err(|_| BodyError::Text)?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return Ok(Self::default());
        }
        let value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => kinder(text).ok_or_else(|| BodyError::Syntax(error.to_string()))?,
        };
        match value {
            Value::Object(map) => Ok(Self(map)),
            Value::Null => Ok(Self::default()),
            _ => Err(BodyError::Shape),
        }
    }

    /// Reads a body that is a list, or nothing; its items are the field [`ITEMS`].
    pub fn read_list(body: &[u8]) -> Result<Self, BodyError> {
        let text = std::str::from_utf8(body).map_err(|_| BodyError::Text)?;
        let items: Value = match text.trim() {
            "" => Value::Array(Vec::new()),
            text => serde_json::from_str(text).map_err(|error| BodyError::Syntax(error.to_string()))?,
        };
        if !items.is_array() {
            return Err(BodyError::List);
        }
        Ok(Self(Map::from_iter([(ITEMS.to_owned(), items)])))
    }

    /// The names of the fields that are given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str).filter(|name| self.has(name))
    }

    /// A field as it is.
    pub fn value(&self, field: &str) -> Option<&Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }

    /// Whether a field is given.
    pub fn has(&self, field: &str) -> bool {
        self.value(field).is_some()
    }

    /// A number, finite.
    pub fn number(&self, field: &'static str) -> Result<Option<f64>, FieldError> {
        let Some(value) = self.value(field) else { return Ok(None) };
        let number = match value {
            Value::String(text) => text.trim().parse().ok(),
            value => value.as_f64(),
        };
        let number = number.filter(|number: &f64| number.is_finite());
        number.map(Some).ok_or_else(|| FieldError::new(field, format!("is no number: {}", shown(value))))
    }

    /// A whole number.
    pub fn integer(&self, field: &'static str) -> Result<Option<i64>, FieldError> {
        let Some(number) = self.number(field)? else { return Ok(None) };
        if number.fract() == 0.0 && number.abs() < 9e15 {
            return Ok(Some(number as i64));
        }
        Err(FieldError::new(field, format!("is no whole number: {number}")))
    }

    /// A text; a number is one, too.
    pub fn text(&self, field: &'static str) -> Result<Option<String>, FieldError> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(value) => Err(FieldError::new(field, format!("is no text: {}", shown(value)))),
        }
    }

    /// Texts.
    pub fn texts(&self, field: &'static str) -> Result<Option<Vec<String>>, FieldError> {
        let Some(value) = self.value(field) else { return Ok(None) };
        let texts: Option<Vec<String>> = value
            .as_array()
            .and_then(|items| items.iter().map(|item| item.as_str().map(str::to_owned)).collect());
        texts
            .map(Some)
            .ok_or_else(|| FieldError::new(field, format!("is no list of texts: {}", shown(value))))
    }

    /// Yes or no.
    pub fn boolean(&self, field: &'static str) -> Result<Option<bool>, FieldError> {
        let Some(value) = self.value(field) else { return Ok(None) };
        let boolean = match value {
            Value::Bool(boolean) => Some(*boolean),
            Value::Number(number) if number.as_f64() == Some(1.0) => Some(true),
            Value::Number(number) if number.as_f64() == Some(0.0) => Some(false),
            Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        };
        boolean
            .map(Some)
            .ok_or_else(|| FieldError::new(field, format!("is neither true nor false: {}", shown(value))))
    }
}

/// What a field has that must have one.
pub fn needed<T>(field: &'static str, given: Option<T>) -> Result<T, FieldError> {
    given.ok_or_else(|| FieldError::new(field, "is required"))
}

/// Papers and clients write keys without quotes and texts in single ones.
fn kinder(text: &str) -> Option<Value> {
    let brackets = text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count();
    if text.len() > MAX_KIND_BYTES || brackets > MAX_KIND_BRACKETS {
        return None;
    }
    json5::from_str::<Kinder>(text).ok().map(Value::from)
}

/// A value of a kinder form of JSON. What is no number in JSON is refused, rather than taken for nothing.
#[derive(Deserialize)]
#[serde(untagged)]
enum Kinder {
    Null(()),
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Self>),
    Object(BTreeMap<String, Self>),
}

impl From<Kinder> for Value {
    fn from(value: Kinder) -> Self {
        match value {
            Kinder::Null(()) => Self::Null,
            Kinder::Bool(value) => Self::Bool(value),
            Kinder::Number(value) => Self::Number(value),
            Kinder::Text(value) => Self::String(value),
            Kinder::List(values) => values.into_iter().map(Self::from).collect(),
            Kinder::Object(values) => {
                Self::Object(values.into_iter().map(|(key, value)| (key, value.into())).collect())
            }
        }
    }
}

/// A value, short enough for a message.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 80 { text } else { text.chars().take(77).chain("...".chars()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(body: &str) -> Fields {
        Fields::read(body.as_bytes()).unwrap()
    }

    #[test]
    fn no_body_is_an_empty_object() {
        for body in ["", "  \n", "{}", "null"] {
            assert_eq!(fields(body), Fields::default(), "{body:?}");
        }
    }

    #[test]
    fn papers_write_keys_without_quotes() {
        assert_eq!(fields("{state: \"cancelled\"}").text("state"), Ok(Some("cancelled".into())));
        assert_eq!(fields("{'enable': true,}").boolean("enable"), Ok(Some(true)));
        let given = fields("{a: 1, b: -2.5, c: [1, {d: null}], e: 'x'}");
        assert_eq!((given.text("a"), given.number("b")), (Ok(Some("1".into())), Ok(Some(-2.5))));
        assert_eq!(given.value("c"), Some(&serde_json::json!([1, {"d": null}])));
    }

    #[test]
    fn what_is_no_number_is_not_taken_for_nothing() {
        for number in ["NaN", "-Infinity", "1e999"] {
            let body = format!(r#"{{"target_x": 1, "target_ori": {number}}}"#);
            let read = Fields::read(body.as_bytes());
            assert!(matches!(read, Err(BodyError::Syntax(_))), "{number}: {read:?}");
        }
    }

    #[test]
    fn values_come_in_several_spellings() {
        let given = fields(r#"{"a": "1.5", "b": 3.0, "c": "false", "d": 1, "e": null}"#);
        assert_eq!(given.number("a"), Ok(Some(1.5)));
        assert_eq!(given.integer("b"), Ok(Some(3)));
        assert_eq!(given.boolean("c"), Ok(Some(false)));
        assert_eq!(given.boolean("d"), Ok(Some(true)));
        assert_eq!(given.text("d"), Ok(Some("1".into())));
        assert_eq!((given.number("e"), given.has("e")), (Ok(None), false));
    }

    #[test]
    fn errors_say_what_is_wrong_with_which_field() {
        let given = fields(r#"{"a": "x", "b": 1.5, "c": "perhaps", "d": []}"#);
        assert_eq!(given.number("a").unwrap_err().to_string(), r#""a" is no number: "x""#);
        assert_eq!(given.integer("b").unwrap_err().to_string(), r#""b" is no whole number: 1.5"#);
        assert!(given.boolean("c").unwrap_err().to_string().contains("neither true nor false"));
        assert!(given.text("d").unwrap_err().to_string().contains("is no text: []"));
        assert!(needed::<f64>("e", None).unwrap_err().to_string().contains("required"));
    }

    #[test]
    fn hostile_bodies_are_refused() {
        assert_eq!(Fields::read(b"[1]"), Err(BodyError::Shape));
        assert_eq!(Fields::read(&[0xff]), Err(BodyError::Text));
        assert!(matches!(Fields::read(b"{\"a\""), Err(BodyError::Syntax(_))));
        let deep = "[".repeat(100_000);
        assert!(matches!(Fields::read(deep.as_bytes()), Err(BodyError::Syntax(_))));
        let deep = format!("{{a:{}", "[".repeat(10_000));
        assert!(matches!(Fields::read(deep.as_bytes()), Err(BodyError::Syntax(_))));
    }
}
