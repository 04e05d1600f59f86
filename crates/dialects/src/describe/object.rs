//! JSON objects whose keys may be missing, and of which unknown keys are kept.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};

use super::Extra;
use super::lenient::{Lenient, Seed};

/// An object of the wire.
pub(crate) trait Object: Default {
    /// Keys without which nothing can be read.
    const REQUIRED: &'static [&'static str] = &[];

    /// Reads the value of a key, if that is known.
    fn set<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error>;

    /// Writes the keys that are known, in the order of the specification.
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;

    /// Keys that are not known, if they are kept.
    fn extra(&self) -> Option<&Extra> {
        None
    }

    /// The same, to change them.
    fn extra_mut(&mut self) -> Option<&mut Extra> {
        None
    }

    /// Writes all keys: those that are known, then the others.
    fn write_all<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.write(map)?;
        self.extra().into_iter().flatten().try_for_each(|(key, value)| map.serialize_entry(key, value))
    }
}

/// Reads a field's value.
pub(crate) fn value<'de, T: Lenient, A: MapAccess<'de>>(map: &mut A) -> Result<Option<T>, A::Error> {
    map.next_value_seed(Seed::new())
}

/// Reads a whole number, which some robots write as `6` and some as `6.0`.
pub(crate) fn whole<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<i64>, A::Error> {
    let Some(number) = map.next_value::<Option<serde_json::Number>>()? else { return Ok(None) };
    let whole = number.as_i64().or_else(|| number.as_f64().and_then(super::lenient::whole));
    whole.map(Some).ok_or_else(|| A::Error::custom(format_args!("{number} is not a whole number of 64 bits")))
}

/// The value of a key that must have one.
pub(crate) fn present<T, E: Error>(value: Option<T>) -> Result<T, E> {
    value.ok_or_else(|| E::custom("there must be a value"))
}

/// Writes an object.
pub(crate) fn serialize<S: Serializer>(object: &impl Object, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    object.write_all(&mut map)?;
    map.end()
}

/// Reads an object, which must be there.
pub(crate) fn deserialize<'de, T: Object, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::read(deserializer)?.ok_or_else(|| D::Error::custom("is null"))
}

impl<T: Object> Lenient for T {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        deserializer.deserialize_any(Read(PhantomData))
    }
}

struct Read<T>(PhantomData<T>);

impl<'de, T: Object> Visitor<'de> for Read<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut read, mut missing) = (T::default(), T::REQUIRED.to_vec());
        while let Some(Key(key)) = map.next_key()? {
            missing.retain(|known| *known != key);
            if !read.set(&key, &mut map)? {
                let value = map.next_value()?;
                if let Some(extra) = read.extra_mut() {
                    extra.insert(key.into_owned(), value);
                }
            }
        }
        match missing.first() {
            Some(field) => Err(A::Error::missing_field(field)),
            None => Ok(Some(read)),
        }
    }
}

/// A key, borrowed where the text has no escapes in it: `Cow` alone would copy each.
struct Key<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(ReadKey)
    }
}

struct ReadKey;

impl<'de> Visitor<'de> for ReadKey {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E: Error>(self, key: &'de str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Borrowed(key)))
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Owned(key.to_owned())))
    }

    fn visit_string<E: Error>(self, key: String) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Owned(key)))
    }
}
