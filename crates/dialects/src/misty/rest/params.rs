//! Parameters of a command, from wherever a client put them.
//!
//! Clients send them in the query string, as a JSON object (of any content type, even with GET), or as a form;
//! as a JSON text that holds such an object; in any case; every parameter with `null` for those not meant; numbers and booleans as text. The body wins over
//! the query string.

use std::collections::HashMap;

use serde_json::Value;
use thiserror::Error;

use super::{command_params::CommandParams, param_type::FromParam};
use crate::misty::lenient::{self, LenientError, MAX_BYTES};

/// Parameters that cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParamsError {
    /// The body is no object.
    #[error("the body holds {found} where a JSON object belongs; send {{\"Name\": value, …}}")]
    NotAnObject {
        /// What it is instead.
        found: &'static str,
    },
    /// The query string is longer than a body may be.
    #[error(
        "a query string of {len} bytes is too long, the limit is {MAX_BYTES}; send the parameters in the body"
    )]
    LongQuery {
        /// Its length, bytes.
        len: usize,
    },
    /// The body cannot be read.
    #[error("cannot read the body: {0}")]
    Body(#[from] LenientError),
}

/// A parameter of the wrong type or out of range.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("Invalid {type_name} parameter '{name}': {value} is not {expected}")]
pub struct ParamError {
    /// The parameter, as documented.
    pub name: String,
    /// Misty's word for the type.
    pub type_name: &'static str,
    /// What was sent, cut to a readable length.
    pub value: String,
    /// What should have been sent.
    pub expected: &'static str,
}

/// Parameters by name; `null` is as good as absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Params {
    /// Keys in lower case.
    values: HashMap<String, Value>,
}

impl Params {
    /// Reads query string (without `?`) and body; either may be empty.
    pub fn read(query: &str, body: &str) -> Result<Self, ParamsError> {
        if query.len() > MAX_BYTES {
            return Err(ParamsError::LongQuery { len: query.len() });
        }
        let mut params = Self::default();
        params.extend(text_pairs(query));
        params.extend(body_pairs(body)?);
        Ok(params)
    }

    fn extend(&mut self, pairs: impl IntoIterator<Item = (String, Value)>) {
        let given = pairs.into_iter().filter(|(_, value)| !value.is_null());
        self.values.extend(given.map(|(name, value)| (name.to_ascii_lowercase(), value)));
    }

    /// The value as it was sent, of any type.
    pub fn json(&self, name: &str) -> Option<&Value> {
        self.values.get(&name.to_ascii_lowercase())
    }

    /// A finite number.
    pub fn f64(&self, name: &str) -> Result<Option<f64>, ParamError> {
        self.get(name)
    }

    /// A whole number.
    pub fn i64(&self, name: &str) -> Result<Option<i64>, ParamError> {
        self.get(name)
    }

    /// A whole number from 0 to 255.
    pub fn u8(&self, name: &str) -> Result<Option<u8>, ParamError> {
        self.get(name)
    }

    /// `true`, `false`, 1 or 0.
    pub fn bool(&self, name: &str) -> Result<Option<bool>, ParamError> {
        self.get(name)
    }

    /// A text; numbers and booleans count as their text.
    pub fn str(&self, name: &str) -> Result<Option<String>, ParamError> {
        self.get(name)
    }

    /// A value of any type that parameters have.
    pub fn get<T: FromParam>(&self, name: &str) -> Result<Option<T>, ParamError> {
        match self.json(name) {
            None => Ok(None),
            Some(Value::String(text)) if T::BLANK_IS_ABSENT && text.trim().is_empty() => Ok(None),
            Some(value) => T::from_param(value).map(Some).ok_or_else(|| ParamError {
                name: name.to_owned(),
                type_name: T::TYPE_NAME,
                value: value.to_string().chars().take(60).collect(),
                expected: T::EXPECTED,
            }),
        }
    }

    /// Starts to read the parameters of a command, so that all that is wrong is said at once.
    pub fn for_command<'a>(&'a self, verb: &'a str) -> CommandParams<'a> {
        CommandParams::new(self, verb)
    }
}

fn text_pairs(form: &str) -> impl Iterator<Item = (String, Value)> + '_ {
    form_urlencoded::parse(form.as_bytes())
        .map(|(name, value)| (name.into_owned(), Value::from(value.into_owned())))
}

/// Tells a JSON body from a form by its first character: content types are not to be trusted.
fn body_pairs(body: &str) -> Result<Vec<(String, Value)>, ParamsError> {
    let looks_like_form =
        !body.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[', '"', '\'', '/']);
    if looks_like_form && body.contains('=') {
        if body.len() > MAX_BYTES {
            return Err(LenientError::TooLong { len: body.len() }.into());
        }
        return Ok(text_pairs(body.trim()).collect());
    }
    let value = match lenient::read(body)? {
        // Python programs write `json=json.dumps(…)`, which makes a text of the object.
        Some(Value::String(text)) if text.trim_start().starts_with('{') => lenient::read(&text)?,
        value => value,
    };
    match value {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Object(map)) => Ok(map.into_iter().collect()),
        Some(Value::Array(_)) => Err(ParamsError::NotAnObject { found: "an array" }),
        Some(Value::String(_)) => Err(ParamsError::NotAnObject { found: "a text" }),
        Some(Value::Number(_)) => Err(ParamsError::NotAnObject { found: "a number" }),
        Some(Value::Bool(_)) => Err(ParamsError::NotAnObject { found: "a boolean" }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(query: &str, body: &str) -> Params {
        Params::read(query, body).unwrap()
    }

    #[test]
    fn each_way_of_sending_is_read() {
        for (query, body) in [
            ("Red=255&green=0", ""),
            ("", r#"{"red":255,"GREEN":0,"blue":null}"#),
            ("", r#"{"red":"255","green":"0"}"#),
            ("", "{'Red': 255, 'Green': 0, 'Blue': None}"),
            ("", "red=255&green=0"),
            ("red=1&green=0", r#"{"Red":255.0,"Green":null}"#),
        ] {
            let params = read(query, body);
            assert_eq!(params.u8("Red"), Ok(Some(255)), "{query} {body}");
            assert_eq!(params.i64("Green"), Ok(Some(0)), "{query} {body}");
            assert_eq!(params.u8("Blue"), Ok(None), "{query} {body}");
        }
    }

    #[test]
    fn texts_and_objects_are_taken_from_either_form() {
        let params = read("Arm=left&Payload=%7B%22a%22%3A1%7D&Volume=", r#"{"FileName":7}"#);
        assert_eq!(params.str("arm"), Ok(Some("left".to_owned())));
        assert_eq!(params.str("FileName"), Ok(Some("7".to_owned())));
        assert_eq!(params.i64("Volume"), Ok(None));
        assert_eq!(params.get::<Value>("Payload"), Ok(Some(json!({"a": 1}))));
    }

    #[test]
    fn a_body_that_is_no_object_is_an_error() {
        for body in ["[1]", "7", "'text'", "nonsense", "{", &"[".repeat(70_000)] {
            assert!(Params::read("", body).is_err(), "{body:.20}");
        }
        assert_eq!(read("", " null "), Params::default());
        assert!(Params::read(&"a".repeat(70_000), "").is_err());
        assert!(Params::read("", &"a=b&".repeat(20_000)).is_err());
    }

    proptest! {
        #[test]
        fn garbage_never_panics(query in "\\PC{0,80}", body in "\\PC{0,80}", name in "\\PC{0,3}") {
            if let Ok(params) = Params::read(&query, &body) {
                let _ = (params.f64(&name), params.i64(&name), params.u8(&name), params.bool(&name), params.str(&name));
            }
        }
    }
}
