//! `describe` as far as the derive's output needs it. What the compiler speaks of is the dialects' own.

#![allow(dead_code, unused_imports)]

#[path = "../../../../dialects/src/describe/codec/contract.rs"]
mod contract;
#[path = "../../../../dialects/src/describe/may_lack.rs"]
mod may_lack;
#[path = "../../../../dialects/src/describe/unit.rs"]
mod unit;

pub use may_lack::MayLack;
pub use unit::Unit;

pub mod codec {
    pub use super::contract::{Codec, CodecInfo, Describe};

    pub struct Same;

    impl Describe for Same {}

    impl<Cx> Codec<f64, f64, Cx> for Same {
        fn decode(&self, wire: &f64, _: &Cx) -> Option<f64> {
            Some(*wire)
        }

        fn encode(&self, model: &f64, _: &Cx) -> Option<f64> {
            Some(*model)
        }
    }

    impl<Cx> Codec<String, String, Cx> for Same {
        fn decode(&self, wire: &String, _: &Cx) -> Option<String> {
            Some(wire.clone())
        }

        fn encode(&self, model: &String, _: &Cx) -> Option<String> {
            Some(model.clone())
        }
    }

    pub struct Words<T: 'static>(pub &'static [(&'static str, T)]);

    impl<T> Describe for Words<T> {}

    impl<T: Copy, Cx> Codec<String, T, Cx> for Words<T> {
        fn decode(&self, _: &String, _: &Cx) -> Option<T> {
            None
        }

        fn encode(&self, _: &T, _: &Cx) -> Option<String> {
            None
        }
    }

    impl<T: Copy, Cx> Codec<i64, T, Cx> for Words<T> {
        fn decode(&self, _: &i64, _: &Cx) -> Option<T> {
            None
        }

        fn encode(&self, _: &T, _: &Cx) -> Option<i64> {
            None
        }
    }

    impl Describe for crate::describe::Unit {}

    impl<Cx> Codec<f64, f64, Cx> for crate::describe::Unit {
        fn decode(&self, wire: &f64, _: &Cx) -> Option<f64> {
            Some(*wire)
        }

        fn encode(&self, model: &f64, _: &Cx) -> Option<f64> {
            Some(*model)
        }
    }
}

pub struct At;

pub struct Incomplete;

pub fn need<T>(value: Option<T>, _: &'static str) -> Result<T, Incomplete> {
    value.ok_or(Incomplete)
}

pub trait Translate: Sized {
    type Record;
    type Context;

    fn decode(&self, context: &Self::Context) -> Result<Self::Record, Incomplete>;

    fn encode(record: &Self::Record, context: &Self::Context) -> Option<Self>;
}

pub trait Described {
    const FIELDS: &'static [Field];
}

pub enum WireType {
    Any,
}

pub trait HasWireType {
    const WIRE_TYPE: WireType;
}

impl HasWireType for f64 {
    const WIRE_TYPE: WireType = WireType::Any;
}

impl HasWireType for String {
    const WIRE_TYPE: WireType = WireType::Any;
}

pub struct Field {
    pub name: &'static str,
    pub summary: &'static str,
    pub form: WireType,
    pub meaning: Meaning,
    pub kind: Option<()>,
    pub parts: &'static [&'static str],
    pub also: Option<()>,
    pub note: Option<&'static str>,
    pub nullable: bool,
    pub always: bool,
    pub required: bool,
    pub hidden: u32,
    pub codec: fn() -> codec::CodecInfo,
}

pub enum Meaning {
    Value(&'static [Target]),
    Own,
}

pub struct Target {
    pub index: Option<usize>,
    pub path: &'static str,
}
