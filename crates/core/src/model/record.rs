//! Records that can be looked into by name: one list of fields serves the struct, conditions,
//! picked fields, documents and their descriptions, so that none can drift apart.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::shape::Field;
use super::{RobotId, Value};
use crate::clock::Timestamp;

/// Something that becomes a [`Value`].
pub trait ToValue {
    /// The value as conditions and documents see it.
    fn to_value(&self) -> Value;
}

/// One of a few words.
pub trait Word: Copy + PartialEq + 'static {
    /// Its spelling in the model.
    fn word(self) -> &'static str;
}

/// A struct whose fields can be asked for by name.
pub trait Record: ToValue {
    /// The names of all fields, in order.
    const FIELDS: &'static [&'static str];

    /// What stands in them.
    const SHAPE: &'static [Field];

    /// One field's value; `None` if there is no such field. Names compare without case.
    fn field(&self, name: &str) -> Option<Value>;
}

macro_rules! to_value {
    ($($type:ty => |$this:ident| $value:expr;)*) => {
        $(impl ToValue for $type {
            fn to_value(&self) -> Value {
                let $this = self;
                $value
            }
        })*
    };
}

to_value! {
    bool => |this| Value::Bool(*this);
    i64 => |this| Value::Int(*this);
    u32 => |this| Value::Int(i64::from(*this));
    u8 => |this| Value::Int(i64::from(*this));
    f32 => |this| f64::from(*this).to_value();
    [f64; 2] => |this| Value::List(this.iter().map(ToValue::to_value).collect());
    [f64; 3] => |this| Value::List(this.iter().map(ToValue::to_value).collect());
    f64 => |this| if this.is_finite() { Value::Float(*this) } else { Value::Null };
    String => |this| Value::Text(Cow::Owned(this.clone()));
    Arc<str> => |this| Value::Text(Cow::Owned(this.to_string()));
    RobotId => |this| Value::Text(Cow::Owned(this.to_string()));
    Timestamp => |this| Value::Int(this.as_nanos());
    Duration => |this| Value::Float(this.as_secs_f64());
    Value => |this| this.clone();
    bytes::Bytes => |this| Value::Bytes(this.clone());
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, ToValue::to_value)
    }
}

impl<T: ToValue> ToValue for Vec<T> {
    fn to_value(&self) -> Value {
        Value::List(self.iter().map(ToValue::to_value).collect())
    }
}

/// Declares a struct with public fields that is a [`Record`].
macro_rules! record {
    ($(#[doc = $doc:literal])* pub struct $name:ident {
        $($(#[doc = $field_doc:literal])* pub $field:ident: $type:ty,)*
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $field_doc])* pub $field: $type,)*
        }

        impl $crate::model::ToValue for $name {
            fn to_value(&self) -> $crate::model::Value {
                $crate::model::Value::Map(vec![
                    $((::std::borrow::Cow::Borrowed(stringify!($field)), $crate::model::ToValue::to_value(&self.$field)),)*
                ])
            }
        }

        impl $crate::model::shape::Shaped for $name {
            const VALUE_TYPE: $crate::model::shape::ValueType = $crate::model::shape::ValueType::of(
                $crate::model::shape::Type::Record(<Self as $crate::model::Record>::SHAPE),
            );
        }

        impl $crate::model::sample::Sample for $name {
            fn sample(seed: &mut $crate::model::sample::Seed) -> Self {
                Self { $($field: $crate::model::sample::Sample::sample(seed),)* }
            }
        }

        impl $crate::model::Record for $name {
            const FIELDS: &'static [&'static str] = &[$(stringify!($field),)*];

            const SHAPE: &'static [$crate::model::shape::Field] = &[$($crate::model::shape::Field {
                name: stringify!($field),
                summary: concat!($($field_doc,)*).trim_ascii(),
                form: <$type as $crate::model::shape::Shaped>::VALUE_TYPE,
            },)*];

            fn field(&self, name: &str) -> Option<$crate::model::Value> {
                $(if name.eq_ignore_ascii_case(stringify!($field)) {
                    return Some($crate::model::ToValue::to_value(&self.$field));
                })*
                None
            }
        }
    };
}

/// Declares an enumeration whose variants are spelled as words; a last one, behind a semicolon, may carry a name.
#[macro_export]
macro_rules! words {
    ($(#[doc = $doc:literal])* pub enum $name:ident {
        $($(#[doc = $variant_doc:literal])* $variant:ident = $word:literal,)*
        $(; $(#[doc = $named_doc:literal])* $named:ident($of:ty),)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[doc = $variant_doc])* $variant,)*
            $($(#[doc = $named_doc])* $named($of),)?
        }

        impl $name {
            /// Every word's variant, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            const WORDS: &'static [$crate::model::shape::Word] = &[$($crate::model::shape::Word {
                word: $word,
                summary: concat!($($variant_doc,)*).trim_ascii(),
            },)*];

            /// The word for it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                    $(Self::$named(name) => <$of>::as_str(name),)?
                }
            }

            /// The variant that a word stands for, in any case.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.as_str().eq_ignore_ascii_case(word))
            }
        }

        impl $crate::model::sample::Sample for $name {
            fn sample(seed: &mut $crate::model::sample::Seed) -> Self {
                seed.one_of(Self::ALL)
            }
        }

        impl $crate::model::Word for $name {
            fn word(self) -> &'static str {
                self.as_str()
            }
        }

        impl $crate::model::shape::Shaped for $name {
            const VALUE_TYPE: $crate::model::shape::ValueType = {
                const NAMED: &[&str] = &[$(stringify!($named))?];
                $crate::model::shape::ValueType::of(if NAMED.is_empty() {
                    $crate::model::shape::Type::Word($name::WORDS)
                } else {
                    $crate::model::shape::Type::Name($name::WORDS)
                })
            };
        }

        impl $crate::model::call::ArgumentType for $name {
            const QUANTITY: $crate::model::call::Quantity = $crate::model::call::Quantity::Word(Self::WORDS);

            fn from_argument(value: &$crate::model::Value) -> Option<Self> {
                value.as_str().and_then(Self::from_word)
            }

            fn into_argument(self) -> $crate::model::Value {
                $crate::model::ToValue::to_value(&self)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $crate::model::ToValue for $name {
            fn to_value(&self) -> $crate::model::Value {
                $crate::model::Value::Text(::std::borrow::Cow::Borrowed(self.as_str()))
            }
        }
    };
}

pub(crate) use record;
pub use words;
