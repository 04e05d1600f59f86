//! What the records look like, for documents and pages: names, types, units, words and what they mean.
//!
//! The same lists of fields that declare the records declare this, their comments included.

use std::sync::Arc;
use std::time::Duration;

use super::{RobotId, Value};
use crate::clock::Timestamp;

/// A record as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What it tells.
    pub summary: &'static str,
    /// Its fields, in order.
    pub fields: &'static [Field],
}

/// One field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it tells.
    pub summary: &'static str,
    /// What stands in it.
    pub form: ValueType,
}

/// What may stand in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueType {
    /// The type of what is given.
    pub type_: Type,
    /// Whether it may be left out.
    pub nullable: bool,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
    /// Any text.
    Text,
    /// One of some words.
    Word(&'static [Word]),
    /// One of some words, or another name.
    Name(&'static [Word]),
    /// Nanoseconds since 1970.
    Time,
    /// Seconds.
    Duration,
    /// A picture, sound or file.
    Bytes,
    /// Named fields.
    Record(&'static [Field]),
    /// A sequence.
    List(&'static ValueType),
    /// Anything.
    Any,
}

/// A word of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// How it is spelled.
    pub word: &'static str,
    /// What it means.
    pub summary: &'static str,
}

/// Something whose values have a form.
pub trait Shaped {
    /// The form of its values.
    const VALUE_TYPE: ValueType;
}

macro_rules! shaped {
    ($($type:ty => $form:ident;)*) => {
        $(impl Shaped for $type {
            const VALUE_TYPE: ValueType = ValueType::of(Type::$form);
        })*
    };
}

shaped! {
    bool => Boolean;
    i64 => Integer;
    u32 => Integer;
    u8 => Integer;
    f64 => Number;
    String => Text;
    Arc<str> => Text;
    RobotId => Text;
    Timestamp => Time;
    Duration => Duration;
    bytes::Bytes => Bytes;
}

// Distances of rays, of which those that met nothing are infinite and leave as null.
impl Shaped for f32 {
    const VALUE_TYPE: ValueType = ValueType { type_: Type::Number, nullable: true };
}

impl Shaped for Value {
    const VALUE_TYPE: ValueType = ValueType { type_: Type::Any, nullable: true };
}

impl<T: Shaped> Shaped for Option<T> {
    const VALUE_TYPE: ValueType = ValueType { nullable: true, ..T::VALUE_TYPE };
}

impl<T: Shaped> Shaped for Vec<T> {
    const VALUE_TYPE: ValueType = ValueType::of(Type::List(&T::VALUE_TYPE));
}

impl<T: Shaped, const N: usize> Shaped for [T; N] {
    const VALUE_TYPE: ValueType = ValueType::of(Type::List(&T::VALUE_TYPE));
}

impl ValueType {
    /// Something that is always given.
    pub const fn of(type_: Type) -> Self {
        Self { type_, nullable: false }
    }

    /// Whether a value has this form.
    pub fn fits(&self, value: &Value) -> bool {
        match (self.type_, value) {
            (_, Value::Null) => self.nullable,
            (Type::Any, _)
            | (Type::Number | Type::Duration, Value::Float(_))
            | (Type::Integer | Type::Time, Value::Int(_))
            | (Type::Boolean, Value::Bool(_))
            | (Type::Text | Type::Name(_), Value::Text(_))
            | (Type::Bytes, Value::Bytes(_)) => true,
            (Type::Word(words), Value::Text(text)) => words.iter().any(|it| it.word == text),
            (Type::Record(fields), Value::Map(given)) => fits(fields, given),
            (Type::List(item), Value::List(items)) => items.iter().all(|value| item.fits(value)),
            _ => false,
        }
    }
}

fn fits(fields: &[Field], given: &[(std::borrow::Cow<'static, str>, Value)]) -> bool {
    fields.len() == given.len()
        && fields.iter().zip(given).all(|(field, (name, value))| field.name == name && field.form.fits(value))
}

/// Ends of names and the units that they stand for.
const UNITS: [(&str, &str); 16] = [
    ("_m", "m"),
    ("_m2", "m²"),
    ("_rad", "rad"),
    ("_mps", "m/s"),
    ("_radps", "rad/s"),
    ("_mps2", "m/s²"),
    ("_v", "V"),
    ("_a", "A"),
    ("_ah", "Ah"),
    ("_c", "°C"),
    ("_s", "s"),
    ("_hz", "Hz"),
    ("_ratio", "ratio"),
    ("_ratiops", "1/s"),
    ("_percent", "%"),
    ("_deg", "°"),
];

impl Field {
    /// The unit that its name tells, if it holds numbers.
    pub fn unit(&self) -> Option<&'static str> {
        fn is_measured(form: &ValueType) -> bool {
            match form.type_ {
                Type::Number | Type::Integer => true,
                Type::List(item) => is_measured(item),
                _ => false,
            }
        }
        let unit = UNITS.iter().find(|(end, _)| self.name.ends_with(end))?.1;
        is_measured(&self.form).then_some(unit)
    }
}

impl Shape {
    /// The field at a dotted path, through records and the items of lists: `items.part`.
    pub fn at(&self, path: &str) -> Option<&'static Field> {
        fn below(form: &ValueType) -> &'static [Field] {
            match form.type_ {
                Type::Record(fields) => fields,
                Type::List(item) => below(item),
                _ => &[],
            }
        }
        let mut fields = self.fields;
        let mut found = None;
        for name in path.split('.') {
            let field = fields.iter().find(|field| field.name == name)?;
            fields = below(&field.form);
            found = Some(field);
        }
        found
    }
}

#[cfg(test)]
mod tests;
