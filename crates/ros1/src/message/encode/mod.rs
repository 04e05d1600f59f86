//! From any struct of serde to the bytes of a layout.

mod output;
mod sequence;
mod structure;

use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;
use serde::{Serialize, Serializer};

use self::output::Output;
use self::sequence::SequenceWriter;
use self::structure::StructureWriter;
use super::fault::Fault;
use super::number::Number;
use super::structure::{Kind, Primitive, Structure};

/// A message of at most so many bytes, behind its length.
pub(super) fn frame<T: Serialize + ?Sized>(
    root: &Arc<Structure>,
    value: &T,
    limit: usize,
) -> Result<Bytes, Fault> {
    let mut out = Output::new(root.size, limit);
    value.serialize(Writer { out: &mut out, kind: &Kind::Message(Arc::clone(root)) })?;
    out.into_frame()
}

/// What an element of bytes is.
static BYTE: Kind = Kind::Primitive(Primitive::Uint8);

/// Writes one value as its place in the layout wants it.
struct Writer<'a> {
    out: &'a mut Output,
    kind: &'a Kind,
}

impl<'a> Writer<'a> {
    fn number(self, number: Number) -> Result<(), Fault> {
        match self.kind {
            Kind::Primitive(primitive) => number.write(*primitive, &mut self.out.bytes),
            kind => Err(unfit("a number or truth value", kind)),
        }
    }

    fn zero(self) -> Result<(), Fault> {
        self.out.zeros(self.kind.size())
    }

    fn sequence(self) -> Result<SequenceWriter<'a>, Fault> {
        let (element, expected) = match self.kind {
            Kind::Bytes => (&BYTE, None),
            Kind::FixedBytes(count) => (&BYTE, Some(*count)),
            Kind::Variable(element) => (&**element, None),
            Kind::Fixed(count, element) => (&**element, Some(*count)),
            kind => return Err(unfit("a sequence", kind)),
        };
        Ok(SequenceWriter::new(self.out, element, expected))
    }

    fn structure(self) -> Result<StructureWriter<'a>, Fault> {
        match self.kind {
            Kind::Message(structure) => Ok(StructureWriter::new(self.out, structure)),
            kind => Err(unfit("a struct", kind)),
        }
    }
}

fn unfit(what: &str, kind: &Kind) -> Fault {
    Fault::new(format!("{what} where the type has {kind}"))
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = SequenceWriter<'a>;
    type SerializeTuple = SequenceWriter<'a>;
    type SerializeTupleStruct = SequenceWriter<'a>;
    type SerializeTupleVariant = SequenceWriter<'a>;
    type SerializeMap = StructureWriter<'a>;
    type SerializeStruct = StructureWriter<'a>;
    type SerializeStructVariant = StructureWriter<'a>;

    fn serialize_bool(self, value: bool) -> Result<(), Fault> {
        self.number(Number::Bool(value))
    }

    fn serialize_i8(self, value: i8) -> Result<(), Fault> {
        self.number(Number::Signed(value.into()))
    }

    fn serialize_i16(self, value: i16) -> Result<(), Fault> {
        self.number(Number::Signed(value.into()))
    }

    fn serialize_i32(self, value: i32) -> Result<(), Fault> {
        self.number(Number::Signed(value.into()))
    }

    fn serialize_i64(self, value: i64) -> Result<(), Fault> {
        self.number(Number::Signed(value))
    }

    fn serialize_u8(self, value: u8) -> Result<(), Fault> {
        self.number(Number::Unsigned(value.into()))
    }

    fn serialize_u16(self, value: u16) -> Result<(), Fault> {
        self.number(Number::Unsigned(value.into()))
    }

    fn serialize_u32(self, value: u32) -> Result<(), Fault> {
        self.number(Number::Unsigned(value.into()))
    }

    fn serialize_u64(self, value: u64) -> Result<(), Fault> {
        self.number(Number::Unsigned(value))
    }

    fn serialize_f32(self, value: f32) -> Result<(), Fault> {
        self.number(Number::Float32(value))
    }

    fn serialize_f64(self, value: f64) -> Result<(), Fault> {
        self.number(Number::Float64(value))
    }

    fn serialize_char(self, value: char) -> Result<(), Fault> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Fault> {
        match self.kind {
            Kind::Text => self.out.counted(value.as_bytes()),
            kind => Err(unfit("a text", kind)),
        }
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Fault> {
        match self.kind {
            Kind::Text | Kind::Bytes => self.out.counted(value),
            Kind::FixedBytes(count) if *count == value.len() => {
                self.out.bytes.extend_from_slice(value);
                Ok(())
            }
            Kind::FixedBytes(count) => Err(sequence::wrong_count(value.len(), *count)),
            // A map's cells have a sign; as bytes they are what they are.
            Kind::Variable(element) if matches!(**element, Kind::Primitive(Primitive::Int8)) => {
                self.out.counted(value)
            }
            Kind::Variable(_) | Kind::Fixed(..) => value.serialize(self),
            kind => Err(unfit("bytes", kind)),
        }
    }

    fn serialize_none(self) -> Result<(), Fault> {
        self.zero()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Fault> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Fault> {
        self.zero()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Fault> {
        self.zero()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Fault> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _value: &T,
    ) -> Result<(), Fault> {
        Err(unfit(&format!("the variant {variant}"), self.kind))
    }

    fn serialize_seq(self, _count: Option<usize>) -> Result<SequenceWriter<'a>, Fault> {
        self.sequence()
    }

    fn serialize_tuple(self, _count: usize) -> Result<SequenceWriter<'a>, Fault> {
        self.sequence()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<SequenceWriter<'a>, Fault> {
        self.sequence()
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _count: usize,
    ) -> Result<SequenceWriter<'a>, Fault> {
        Err(unfit(&format!("the variant {variant}"), self.kind))
    }

    fn serialize_map(self, _count: Option<usize>) -> Result<StructureWriter<'a>, Fault> {
        self.structure()
    }

    fn serialize_struct(self, _name: &'static str, _count: usize) -> Result<StructureWriter<'a>, Fault> {
        self.structure()
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _count: usize,
    ) -> Result<StructureWriter<'a>, Fault> {
        Err(unfit(&format!("the variant {variant}"), self.kind))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Fault> {
        self.serialize_str(&value.to_string())
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
