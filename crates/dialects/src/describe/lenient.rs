//! Values as robots and their papers disagree on them: numbers as text, whole numbers with a point, flags as 0 and 1.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, SeqAccess, Unexpected, Visitor};
use serde_json::Value;

/// Longest list that is read.
pub(crate) const MAX_ITEMS: usize = 1_000_000;

/// Largest magnitude up to which every whole `f64` is exact: 2⁵³.
pub(crate) const EXACT: f64 = 9_007_199_254_740_992.0;

/// Something that is read in more than one spelling; `None` for `null` and for a number that is none.
pub(crate) trait Lenient: Sized {
    /// Reads it.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error>;
}

/// Reads a `T`, for places that want a seed.
pub(crate) struct Seed<T>(PhantomData<T>);

impl<T> Seed<T> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, T: Lenient> DeserializeSeed<'de> for Seed<T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        T::read(deserializer)
    }
}

/// A whole number that a float stands for.
pub(crate) fn whole(float: f64) -> Option<i64> {
    (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i64)
}

macro_rules! lenient {
    ($($type:ty, $expecting:literal, { $($visit:item)* })*) => {
        $(impl Lenient for $type {
            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
                struct Read;

                impl Visitor<'_> for Read {
                    type Value = Option<$type>;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }

                    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
                        Ok(None)
                    }

                    $($visit)*
                }

                deserializer.deserialize_any(Read)
            }
        })*
    };
}

lenient! {
    f64, "a number", {
        fn visit_i64<E: Error>(self, number: i64) -> Result<Option<f64>, E> {
            Ok(Some(number as f64))
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Option<f64>, E> {
            Ok(Some(number as f64))
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<Option<f64>, E> {
            Ok(number.is_finite().then_some(number))
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Option<f64>, E> {
            let number: Result<f64, _> = text.trim().parse();
            let number = number.map_err(|_| E::invalid_value(Unexpected::Str(text), &self))?;
            Ok(number.is_finite().then_some(number))
        }
    }
    i64, "a whole number", {
        fn visit_bool<E: Error>(self, flag: bool) -> Result<Option<i64>, E> {
            Ok(Some(flag.into()))
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<Option<i64>, E> {
            Ok(Some(number))
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Option<i64>, E> {
            i64::try_from(number).map(Some).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<Option<i64>, E> {
            whole(number).map(Some).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Option<i64>, E> {
            let number = text.trim();
            let number = number.parse().ok().or_else(|| whole(number.parse().ok()?));
            number.map(Some).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
        }
    }
    bool, "true or false", {
        fn visit_bool<E: Error>(self, flag: bool) -> Result<Option<bool>, E> {
            Ok(Some(flag))
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<Option<bool>, E> {
            Ok(Some(number != 0))
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Option<bool>, E> {
            Ok(Some(number != 0))
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Option<bool>, E> {
            match text.trim().to_ascii_lowercase().as_str() {
                "true" => Ok(Some(true)),
                "false" => Ok(Some(false)),
                _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
            }
        }
    }
    String, "a text", {
        fn visit_bool<E: Error>(self, flag: bool) -> Result<Option<String>, E> {
            Ok(Some(flag.to_string()))
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<Option<String>, E> {
            Ok(Some(number.to_string()))
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Option<String>, E> {
            Ok(Some(number.to_string()))
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<Option<String>, E> {
            Ok(Some(number.to_string()))
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Option<String>, E> {
            Ok(Some(text.to_owned()))
        }
    }
}

impl Lenient for Value {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        serde::Deserialize::deserialize(deserializer).map(Some)
    }
}

impl<T: Lenient> Lenient for Vec<T> {
    /// What is `null` in the list is left out.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        struct Read<T>(PhantomData<T>);

        impl<'de, T: Lenient> Visitor<'de> for Read<T> {
            type Value = Option<Vec<T>>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
                Ok(None)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                let mut read = Vec::new();
                while read.len() < MAX_ITEMS {
                    match items.next_element_seed(Seed::new())? {
                        Some(item) => read.extend(item),
                        None => return Ok(Some(read)),
                    }
                }
                match items.next_element::<IgnoredAny>()? {
                    Some(_) => Err(A::Error::custom(format_args!("more than {MAX_ITEMS} items"))),
                    None => Ok(Some(read)),
                }
            }
        }

        deserializer.deserialize_any(Read(PhantomData))
    }
}
