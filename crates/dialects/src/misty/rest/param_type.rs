//! The types that a parameter can have, and how forgivingly each is read.

use serde_json::Value;

use crate::misty::lenient;

/// A type that a parameter can have.
pub trait FromParam: Sized {
    /// Misty's word for the type.
    const TYPE_NAME: &'static str;
    /// What a person should send.
    const EXPECTED: &'static str;
    /// Whether an empty text counts as not sent, as forms do with empty fields.
    const BLANK_IS_ABSENT: bool = true;

    /// Reads a value; `None` if it is of another kind.
    fn from_param(value: &Value) -> Option<Self>;
}

impl FromParam for f64 {
    const TYPE_NAME: &'static str = "double";
    const EXPECTED: &'static str = "a number";

    fn from_param(value: &Value) -> Option<Self> {
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number.filter(|number| number.is_finite())
    }
}

impl FromParam for i64 {
    const TYPE_NAME: &'static str = "integer";
    const EXPECTED: &'static str = "a whole number";

    fn from_param(value: &Value) -> Option<Self> {
        let exact = match value {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        // 2⁵³ is where whole floats stop being exact.
        let whole = |number: &f64| number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
        exact.or_else(|| f64::from_param(value).filter(whole).map(|number| number as Self))
    }
}

impl FromParam for u8 {
    const TYPE_NAME: &'static str = "byte";
    const EXPECTED: &'static str = "a whole number from 0 to 255";

    fn from_param(value: &Value) -> Option<Self> {
        i64::from_param(value).and_then(|number| Self::try_from(number).ok())
    }
}

impl FromParam for bool {
    const TYPE_NAME: &'static str = "boolean";
    const EXPECTED: &'static str = "true or false";

    fn from_param(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(flag) => Some(*flag),
            Value::Number(number) => match number.as_f64() {
                Some(1.0) => Some(true),
                Some(0.0) => Some(false),
                _ => None,
            },
            Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }
}

impl FromParam for String {
    const TYPE_NAME: &'static str = "string";
    const EXPECTED: &'static str = "a text";

    fn from_param(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        }
    }
}

impl FromParam for Value {
    const TYPE_NAME: &'static str = "object";
    const EXPECTED: &'static str = "a JSON value";

    /// A text that holds an object or an array counts as that, since forms and query strings have texts only.
    fn from_param(value: &Value) -> Option<Self> {
        match value {
            Self::String(text) if text.trim_start().starts_with(['{', '[']) => lenient::read(text).ok()?,
            other => Some(other.clone()),
        }
    }
}
