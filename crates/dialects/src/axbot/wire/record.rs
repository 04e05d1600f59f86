//! Declares objects of the wire: every key may be missing, and what nobody here knows is kept.

use serde::ser::SerializeMap;

use super::Extra;

/// An object whose keys can be written into a map that was begun already.
pub(super) trait Fields {
    /// Writes the keys that are known, in the order of the specification, and then the others.
    fn write_fields<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;

    /// What nobody here knows.
    fn extra_mut(&mut self) -> &mut Extra;
}

/// Declares a struct whose fields are all optional; `name as "Key"` for a key that is no Rust name.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$about:meta])* $field:ident $(as $key:literal)?: $type:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$about])* pub $field: Option<$type>,)*
            /// Keys that the specification does not name.
            pub extra: $crate::axbot::wire::Extra,
        }

        impl $crate::axbot::wire::lenient::Lenient for $name {
            fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
                struct Read;

                impl<'de> serde::de::Visitor<'de> for Read {
                    type Value = Option<$name>;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
                        Ok(None)
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                        let mut read = $name::default();
                        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
                            match &*key {
                                $($crate::axbot::wire::record::key!($field $($key)?) => {
                                    read.$field = map.next_value_seed($crate::axbot::wire::lenient::Seed::new())?;
                                })*
                                _ => {
                                    let value = map.next_value()?;
                                    read.extra.insert(key.into_owned(), value);
                                }
                            }
                        }
                        Ok(Some(read))
                    }
                }

                deserializer.deserialize_any(Read)
            }
        }

        impl $crate::axbot::wire::record::Fields for $name {
            fn write_fields<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $(if let Some(value) = &self.$field {
                    map.serialize_entry($crate::axbot::wire::record::key!($field $($key)?), value)?;
                })*
                self.extra.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))
            }

            fn extra_mut(&mut self) -> &mut $crate::axbot::wire::Extra {
                &mut self.extra
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                $crate::axbot::wire::record::Fields::write_fields(self, &mut map)?;
                map.end()
            }
        }
    };
}

/// The key of a field.
macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

pub(super) use {key, record};
