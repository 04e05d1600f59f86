//! Values without a schema: how conditions, picked fields and documents look into a signal.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use bytes::Bytes;
use smallvec::SmallVec;

/// A plain value or a tree of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not given.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number in the unit that its field's name tells.
    Float(f64),
    /// Text, or the word of an enumeration.
    Text(Cow<'static, str>),
    /// A picture, sound or file; shown as `<1234 bytes>`.
    Bytes(Bytes),
    /// A sequence.
    List(Vec<Value>),
    /// Named values, in order.
    Map(Vec<(Cow<'static, str>, Value)>),
}

impl Value {
    /// A number, if this is one or text that spells one (clients send both).
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Int(int) => Some(*int as f64),
            Self::Float(float) => Some(*float),
            Self::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            _ => None,
        }
    }

    /// A truth value, if this is one or text that spells one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(bool) => Some(*bool),
            Self::Text(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Self::Text(text) if text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }

    /// The text, if this is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value at a path below this one; names compare without case, lists by index.
    pub fn at(&self, path: &[Box<str>]) -> Option<&Value> {
        path.iter().try_fold(self, |value, name| match value {
            Self::Map(fields) => {
                fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, v)| v)
            }
            Self::List(items) => items.get(name.parse::<usize>().ok()?),
            _ => None,
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("-"),
            Self::Bool(bool) => write!(f, "{bool}"),
            Self::Int(int) => write!(f, "{int}"),
            Self::Float(float) => match f.precision() {
                Some(digits) => write!(f, "{float:.digits$}"),
                None => write!(f, "{float}"),
            },
            Self::Text(text) => f.write_str(text),
            Self::Bytes(bytes) => write!(f, "<{} bytes>", bytes.len()),
            Self::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    f.write_str(comma)?;
                    fmt::Display::fmt(item, f)?;
                }
                f.write_str("]")
            }
            Self::Map(fields) => {
                f.write_str("{")?;
                for (i, (name, value)) in fields.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{name}: ")?;
                    fmt::Display::fmt(value, f)?;
                }
                f.write_str("}")
            }
        }
    }
}

/// A dotted path into a value, e.g. `range.distance_m`.
///
/// ```
/// use latimer_core::Value;
/// use latimer_core::model::Path;
///
/// let path: Path = "wheels.1.speed_mps".parse()?;
/// let wheel = |speed_mps| Value::Map(vec![("speed_mps".into(), Value::Float(speed_mps))]);
/// let record = Value::Map(vec![("wheels".into(), Value::List(vec![wheel(0.1), wheel(0.2)]))]);
/// assert_eq!(record.at(path.segments()), Some(&Value::Float(0.2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path(SmallVec<[Box<str>; 4]>);

impl Path {
    /// Deepest path accepted.
    pub const MAX_DEPTH: usize = 16;

    /// The names from the root down; never empty.
    pub fn segments(&self) -> &[Box<str>] {
        &self.0
    }
}

/// A path that has an empty name in it, or too many of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no path: write names with single dots between them, such as `range.distance_m`")]
pub struct PathError(String);

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let names: SmallVec<[Box<str>; 4]> = text.trim().split('.').map(|name| name.trim().into()).collect();
        if names.len() > Self::MAX_DEPTH || names.iter().any(|name| name.is_empty()) {
            return Err(PathError(text.chars().take(80).collect()));
        }
        Ok(Self(names))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_maps_without_case_and_lists_by_index() {
        let tree = Value::Map(vec![(
            "affect".into(),
            Value::List(vec![Value::Int(1), Value::Map(vec![("level".into(), Value::Float(0.5))])]),
        )]);
        let path: Path = "Affect.1.LEVEL".parse().unwrap();
        assert_eq!(tree.at(path.segments()), Some(&Value::Float(0.5)));
        assert_eq!(tree.at("affect.9".parse::<Path>().unwrap().segments()), None);
    }

    #[test]
    fn refuses_paths_with_holes() {
        for bad in ["", ".", "a..b", "a.", &"a.".repeat(40)] {
            assert!(bad.parse::<Path>().is_err(), "{bad:?}");
        }
    }
}
