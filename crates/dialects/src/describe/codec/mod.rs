//! How a value on the wire and a value of the model stand for each other.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use latimer_core::model::PartName;

mod contract;
mod lists;
mod numbers;
mod words;

pub use contract::{Codec, CodecInfo, Describe};
pub use lists::{Each, Last, Nested, Only};
pub use numbers::{Angle, Factor, In, Numeric, Rounded, Turn};
pub(crate) use numbers::{finite, within_half_turn};
pub use words::{Flag, OneOf, Words};

/// Declares codecs: what descriptions tell of each, what it decodes and what it encodes.
macro_rules! codecs {
    ($($(#[$about:meta])* $name:ident: $wire:ty, $model:ty {
        $info:expr, |$w:pat_param| $decode:expr, |$m:pat_param| $encode:expr
    })*) => {
        $(
            $(#[$about])*
            pub(crate) struct $name;

            impl $crate::describe::codec::Describe for $name {
                fn info(&self) -> $crate::describe::codec::CodecInfo {
                    $info
                }
            }

            impl<Cx> $crate::describe::codec::Codec<$wire, $model, Cx> for $name {
                fn decode(&self, $w: &$wire, _: &Cx) -> Option<$model> {
                    $decode
                }

                fn encode(&self, $m: &$model, _: &Cx) -> Option<$wire> {
                    $encode
                }
            }
        )*
    };
}

/// Declares codecs of which descriptions tell nothing: what each decodes and what it encodes.
macro_rules! plain_codecs {
    ($($(#[$about:meta])* $name:ident: $wire:ty, $model:ty {
        |$w:pat_param| $decode:expr, |$m:pat_param| $encode:expr
    })*) => {
        $crate::describe::codec::codecs! {$(
            $(#[$about])*
            $name: $wire, $model {
                $crate::describe::codec::CodecInfo::default(), |$w| $decode, |$m| $encode
            }
        )*}
    };
}

pub(crate) use {codecs, plain_codecs};

/// The same value on both sides.
#[derive(Clone, Copy, Debug)]
pub struct Same;

impl Describe for Same {}

macro_rules! same {
    ($($wire:ty, $model:ty: |$w:ident| $decode:expr, |$m:ident| $encode:expr;)*) => {
        $(impl<Cx> Codec<$wire, $model, Cx> for Same {
            fn decode(&self, $w: &$wire, _: &Cx) -> Option<$model> {
                $decode
            }

            fn encode(&self, $m: &$model, _: &Cx) -> Option<$wire> {
                $encode
            }
        })*
    };
}

same! {
    f64, f64: |wire| Some(*wire), |model| finite(*model);
    i64, i64: |wire| Some(*wire), |model| Some(*model);
    u8, u8: |wire| Some(*wire), |model| Some(*model);
    i64, u32: |wire| u32::try_from(*wire).ok(), |model| Some(i64::from(*model));
    bool, bool: |wire| Some(*wire), |model| Some(*model);
    String, String: |wire| Some(wire.clone()), |model| Some(model.clone());
    String, Arc<str>: |wire| Some(wire.as_str().into()), |model| Some(model.to_string());
    String, PartName: |wire| Some(PartName::of(wire)), |model| Some(model.to_string());
}

codecs! {
    /// Bytes as text; there are some.
    Base64: String, Bytes {
        CodecInfo { examples: vec!["/9j/4A=="], ..CodecInfo::default() },
        |wire| STANDARD.decode(wire.trim()).ok().filter(|bytes| !bytes.is_empty()).map(Bytes::from),
        |model| Some(STANDARD.encode(model))
    }
    /// The numbers of a matrix: all of them, or nothing if one is none or there are none.
    AllNumbers: Vec<f64>, Vec<f64> {
        CodecInfo::default(),
        |wire| Some(wire.clone()),
        // With one of the numbers left out the others would stand in wrong places.
        |model| model.iter().copied().map(finite).collect::<Option<Vec<f64>>>().filter(|all| !all.is_empty())
    }
    /// A flag as 0 or 1.
    Bit: i64, bool {
        CodecInfo { range: Some((0.0, 1.0)), ..CodecInfo::default() },
        |wire| Some(*wire != 0),
        |model| Some(i64::from(*model))
    }
}
