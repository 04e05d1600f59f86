//! Conditions: which updates of a selection are wanted, by one value in them.

use std::fmt;
use std::str::FromStr;

use crate::model::{Path, Value};

/// How a property is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The same.
    Equal,
    /// Given, and different.
    NotEqual,
    /// Less.
    Less,
    /// Less or the same.
    LessOrEqual,
    /// Greater.
    Greater,
    /// Greater or the same.
    GreaterOrEqual,
    /// Given.
    Exists,
    /// Not given, or an empty text, list or map.
    Empty,
    /// Changed by at least so much since the last delivery; without a number, changed at all.
    Delta,
}

impl Operator {
    /// All operators with the signs that stand for them; longer signs first.
    const SIGNS: [(&'static str, Self); 12] = [
        ("<=", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        ("=>", Self::GreaterOrEqual),
        ("==", Self::Equal),
        ("!==", Self::NotEqual),
        ("!=", Self::NotEqual),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::Greater),
        ("exists", Self::Exists),
        ("empty", Self::Empty),
        ("delta", Self::Delta),
    ];

    /// The operator that a sign or word stands for, in any case.
    pub fn from_sign(sign: &str) -> Option<Self> {
        let sign = sign.trim();
        Self::SIGNS.iter().find(|(known, _)| known.eq_ignore_ascii_case(sign)).map(|(_, operator)| *operator)
    }

    /// Whether a value must be given to compare with.
    fn needs_value(self) -> bool {
        !matches!(self, Self::Exists | Self::Empty | Self::Delta)
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Exists => "exists",
            Self::Empty => "empty",
            Self::Delta => "delta",
        })
    }
}

/// One condition on one property. A property that is not given fulfils none but `empty`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Which property.
    pub path: Path,
    /// How it is compared.
    pub operator: Operator,
    /// With what; `Null` where nothing is needed.
    pub value: Value,
}

impl Condition {
    /// Whether a property's value fulfils this condition; `last` is the value last delivered.
    pub fn holds(&self, found: Option<&Value>, last: Option<&Value>) -> bool {
        let found = found.filter(|value| **value != Value::Null);
        if self.operator == Operator::Empty {
            return found.is_none_or(is_empty);
        }
        let Some(found) = found else { return false };
        // A picture is never compared with a literal; whether it is there and whether it changed can be asked.
        let compares = !matches!(self.operator, Operator::Exists | Operator::Delta);
        if compares && matches!(found, Value::Bytes(_)) {
            return false;
        }
        match self.operator {
            Operator::Exists => true,
            Operator::Delta => last.is_none_or(|last| changed(last, found, &self.value)),
            Operator::Equal => equal(found, &self.value),
            Operator::NotEqual => !equal(found, &self.value),
            Operator::Less => ordered(found, &self.value).is_some_and(|order| order.is_lt()),
            Operator::LessOrEqual => ordered(found, &self.value).is_some_and(|order| order.is_le()),
            Operator::Greater => ordered(found, &self.value).is_some_and(|order| order.is_gt()),
            Operator::GreaterOrEqual => ordered(found, &self.value).is_some_and(|order| order.is_ge()),
            Operator::Empty => false,
        }
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Text(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(fields) => fields.is_empty(),
        _ => false,
    }
}

/// Clients send `"true"`, `"0.3"` and `0.3` for the same thing, so kinds are matched before comparing.
fn equal(a: &Value, b: &Value) -> bool {
    if let (Some(a), Some(b)) = (a.as_bool(), b.as_bool()) {
        return a == b;
    }
    if let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) {
        return a == b;
    }
    a == b
}

fn ordered(a: &Value, b: &Value) -> Option<std::cmp::Ordering> {
    if let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) {
        return a.partial_cmp(&b);
    }
    Some(a.as_str()?.cmp(b.as_str()?))
}

fn changed(last: &Value, now: &Value, by: &Value) -> bool {
    match (last.as_f64(), now.as_f64(), by.as_f64()) {
        (Some(last), Some(now), Some(by)) => (now - last).abs() >= by && now != last,
        _ => !equal(last, now),
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, operator, value } = self;
        write!(f, "{path} {operator}")?;
        match value {
            Value::Null => Ok(()),
            Value::Text(text) if text.contains('"') => write!(f, " '{text}'"),
            Value::Text(text)
                if ["", "and", "or"].contains(&&**text)
                    || text.contains(|c: char| c.is_whitespace() || "()&|'".contains(c)) =>
            {
                write!(f, " \"{text}\"")
            }
            Value::Text(text) => write!(f, " {text}"),
            value => write!(f, " {value}"),
        }
    }
}

/// A condition that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is no condition: {reason}; write such as `range.distance_m < 0.3` or `face.label exists`")]
pub struct ConditionError {
    /// What was given, cut to a readable length.
    given: String,
    /// What is wrong with it.
    reason: String,
}

impl ConditionError {
    pub(super) fn new(given: &str, reason: &str) -> Self {
        Self { given: given.chars().take(120).collect(), reason: reason.to_owned() }
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let error = |reason: &str| ConditionError::new(text, reason);
        let text = text.trim();
        let end = text
            .find(|c: char| c.is_whitespace() || "<>=!".contains(c))
            .ok_or_else(|| error("it has no operator"))?;
        let path = text[..end].parse().map_err(|e: crate::model::value::PathError| error(&e.to_string()))?;
        let rest = text[end..].trim_start();
        let length = match rest.find(|c: char| !"<>=!".contains(c)) {
            Some(0) => rest.find(char::is_whitespace).unwrap_or(rest.len()),
            Some(length) => length,
            None => rest.len(),
        };
        let operator =
            Operator::from_sign(&rest[..length]).ok_or_else(|| error("its operator is unknown"))?;
        let value = literal(rest[length..].trim());
        if value == Value::Null && operator.needs_value() {
            return Err(error("it has nothing to compare with"));
        }
        if value != Value::Null && matches!(operator, Operator::Exists | Operator::Empty) {
            return Err(error(&format!("{operator} takes no value")));
        }
        Ok(Self { path, operator, value })
    }
}

/// A value as people write it: a number, `true`, `false`, text with or without quotes.
fn literal(text: &str) -> Value {
    let quoted = |quote| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    if text.is_empty() {
        Value::Null
    } else if let Some(inner) = quoted('"').or_else(|| quoted('\'')) {
        Value::Text(inner.to_owned().into())
    } else if let Ok(int) = text.parse() {
        Value::Int(int)
    } else if let Some(float) = text.parse().ok().filter(|float: &f64| float.is_finite()) {
        Value::Float(float)
    } else {
        match text {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::Text(text.to_owned().into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str, found: Value) -> bool {
        condition.parse::<Condition>().unwrap().holds(Some(&found), None)
    }

    #[test]
    fn coerces_what_clients_mix_up() {
        assert!(holds("d < 0.3", Value::Float(0.25)));
        assert!(holds("d < 0.3", Value::Text("0.25".into())));
        assert!(holds("d = '1'", Value::Int(1)));
        assert!(holds("d == 'true'", Value::Bool(true)));
        assert!(holds("d=>5", Value::Int(5)));
        assert!(holds("d !== Left", Value::Text("Right".into())));
        assert!(holds("d == Left", Value::Text("Left".into())));
        assert!(!holds("d == left", Value::Text("Left".into())));
        assert!(!holds("d < x", Value::Float(0.25)));
    }

    #[test]
    fn what_is_not_given_fulfils_none_but_empty() {
        for text in ["d == 1", "d != 1", "d < 1", "d exists", "d delta 1"] {
            let condition: Condition = text.parse().unwrap();
            assert!(!condition.holds(None, None), "{text}");
            assert!(!condition.holds(Some(&Value::Null), None), "{text}");
        }
        assert!("d empty".parse::<Condition>().unwrap().holds(None, None));
        assert!(holds("d empty", Value::List(Vec::new())));
        assert!(!holds("d empty", Value::Bool(false)));
    }

    #[test]
    fn delta_compares_with_the_last_delivery() {
        let condition: Condition = "yaw delta 5".parse().unwrap();
        let (low, near, far) = (Value::Float(10.0), Value::Float(13.0), Value::Float(4.9));
        assert!(condition.holds(Some(&low), None));
        assert!(!condition.holds(Some(&near), Some(&low)));
        assert!(condition.holds(Some(&far), Some(&low)));
        let any: Condition = "state delta".parse().unwrap();
        assert!(!any.holds(Some(&Value::Text("a".into())), Some(&Value::Text("a".into()))));
        assert!(any.holds(Some(&Value::Text("b".into())), Some(&Value::Text("a".into()))));
    }

    #[test]
    fn bytes_are_there_or_not_but_compare_with_nothing() {
        let picture = || Value::Bytes(bytes::Bytes::from_static(b"abc"));
        for text in ["data == 'abc'", "data != 'abc'", "data < 1", "data >= 'a'", "data empty"] {
            assert!(!holds(text, picture()), "{text}");
        }
        assert!(holds("data exists", picture()) && holds("data empty", Value::Bytes(bytes::Bytes::new())));
        let any: Condition = "data delta".parse().unwrap();
        assert!(!any.holds(Some(&picture()), Some(&picture())));
    }

    #[test]
    fn errors_have_a_reason() {
        for bad in ["", "d", "d ~ 1", "d <", "<3", "a..b < 3", "d <> 3"] {
            assert!(bad.parse::<Condition>().is_err(), "{bad:?}");
        }
    }
}
