//! Declares objects of the wire: every key may be missing, and what nobody here knows is kept.

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

        impl $crate::describe::Object for $name {
            fn set<'de, A: serde::de::MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
                match key {
                    $($crate::axbot::wire::record::key!($field $($key)?) => self.$field = $crate::describe::value(map)?,)*
                    _ => return Ok(false),
                }
                Ok(true)
            }

            fn write<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $(if let Some(value) = &self.$field {
                    map.serialize_entry($crate::axbot::wire::record::key!($field $($key)?), value)?;
                })*
                Ok(())
            }

            fn extra(&self) -> Option<&$crate::describe::Extra> {
                Some(&self.extra)
            }

            fn extra_mut(&mut self) -> Option<&mut $crate::describe::Extra> {
                Some(&mut self.extra)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::describe::serialize(self, serializer)
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
