//! A message of any layout, when no struct is at hand.

use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::structure::{Kind, Primitive, Structure};

/// What a field may hold; a `time` or `duration` is a message of `secs` and `nsecs`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer of any width that may have a sign.
    Signed(i64),
    /// An integer of any width that has none.
    Unsigned(u64),
    /// A float of 32 bits.
    Float32(f32),
    /// A float of 64 bits.
    Float64(f64),
    /// A text.
    Text(String),
    /// `uint8[]` and `char[]`, of fixed length or not.
    Bytes(Vec<u8>),
    /// An array of anything else.
    List(Vec<Value>),
    /// Fields in their order.
    Message(Vec<(Box<str>, Value)>),
}

impl Value {
    /// A field of a message, or of one within: `header.stamp.secs`.
    pub fn get(&self, path: &str) -> Option<&Self> {
        path.split('.').try_fold(self, |value, name| match value {
            Self::Message(fields) => {
                fields.iter().find(|(other, _)| &**other == name).map(|(_, value)| value)
            }
            _ => None,
        })
    }

    /// Zero or empty all through.
    pub(super) fn zero(structure: &Structure) -> Self {
        let zero = |member: &super::Member| (member.name.as_str().into(), Self::zero_of(&member.kind));
        Self::Message(structure.members.iter().map(zero).collect())
    }

    /// The same of a field.
    pub fn zero_of(kind: &Kind) -> Self {
        match kind {
            Kind::Primitive(Primitive::Bool) => Self::Bool(false),
            Kind::Primitive(Primitive::Float32) => Self::Float32(0.0),
            Kind::Primitive(Primitive::Float64) => Self::Float64(0.0),
            Kind::Primitive(Primitive::Int8 | Primitive::Int16 | Primitive::Int32 | Primitive::Int64) => {
                Self::Signed(0)
            }
            Kind::Primitive(_) => Self::Unsigned(0),
            Kind::Text => Self::Text(String::new()),
            Kind::Bytes => Self::Bytes(Vec::new()),
            Kind::FixedBytes(count) => Self::Bytes(vec![0; *count]),
            Kind::Variable(_) => Self::List(Vec::new()),
            Kind::Fixed(count, element) => Self::List((0..*count).map(|_| Self::zero_of(element)).collect()),
            Kind::Message(structure) => Self::zero(structure),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Signed(value) => serializer.serialize_i64(*value),
            Self::Unsigned(value) => serializer.serialize_u64(*value),
            Self::Float32(value) => serializer.serialize_f32(*value),
            Self::Float64(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::Bytes(value) => serializer.serialize_bytes(value),
            Self::List(values) => values.serialize(serializer),
            Self::Message(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                fields.iter().try_for_each(|(name, value)| map.serialize_entry(&**name, value))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value of a message")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Signed(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Unsigned(value))
    }

    fn visit_f32<E>(self, value: f32) -> Result<Value, E> {
        Ok(Value::Float32(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float64(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Value, E> {
        Ok(Value::Bytes(value.to_owned()))
    }

    fn visit_byte_buf<E>(self, value: Vec<u8>) -> Result<Value, E> {
        Ok(Value::Bytes(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::with_capacity(elements.size_hint().unwrap_or_default().min(4096));
        while let Some(value) = elements.next_element()? {
            values.push(value);
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields = Vec::with_capacity(entries.size_hint().unwrap_or_default().min(64));
        while let Some(entry) = entries.next_entry()? {
            fields.push(entry);
        }
        Ok(Value::Message(fields))
    }
}
