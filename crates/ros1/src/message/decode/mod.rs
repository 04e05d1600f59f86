//! From the bytes of a layout to any struct of serde.

mod access;
mod input;

use std::borrow::Cow;
use std::sync::Arc;

use serde::de::value::{BorrowedStrDeserializer, StringDeserializer};
use serde::de::{Deserialize, Deserializer, IntoDeserializer, Visitor};

use self::access::{Elements, Members};
use self::input::Input;
use super::fault::Fault;
use super::number::Number;
use super::structure::{Kind, Primitive, Structure};

/// The message of such bytes; all of them belong to it.
pub(super) fn message<'de, T: Deserialize<'de>>(root: &Arc<Structure>, bytes: &'de [u8]) -> Result<T, Fault> {
    let mut input = Input::new(bytes);
    let kind = Kind::Message(Arc::clone(root));
    let message = T::deserialize(Reader { input: &mut input, kind: &kind })?;
    match input.left() {
        0 => Ok(message),
        left => Err(Fault::new(format!("{left} bytes follow the last field")).at(input.at)),
    }
}

/// What an element of bytes is.
static BYTE: Kind = Kind::Primitive(Primitive::Uint8);

/// Reads one value as it lies in the layout.
struct Reader<'a, 'de> {
    input: &'a mut Input<'de>,
    kind: &'a Kind,
}

impl<'de> Reader<'_, 'de> {
    fn number(&mut self, primitive: Primitive) -> Result<Number, Fault> {
        Ok(Number::read(primitive, self.input.take(primitive.size())?))
    }

    fn whole<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        match self.kind {
            Kind::Primitive(primitive) => self.number(*primitive)?.visit_whole(visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn float<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        match self.kind {
            Kind::Primitive(primitive) => self.number(*primitive)?.visit_float(visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    /// A text; what is no UTF-8 in it is replaced.
    fn text(&mut self) -> Result<Cow<'de, str>, Fault> {
        self.input.counted().map(String::from_utf8_lossy)
    }

    fn elements<V: Visitor<'de>>(self, count: usize, element: &Kind, visitor: V) -> Result<V::Value, Fault> {
        let mut elements = Elements::new(self.input, element, count);
        let value = visitor.visit_seq(&mut elements)?;
        match elements.left() {
            0 => Ok(value),
            left => {
                let problem = format!("{count} elements where {} were expected", count - left);
                Err(Fault::new(problem))
            }
        }
    }

    fn members<V: Visitor<'de>>(self, structure: &Structure, visitor: V) -> Result<V::Value, Fault> {
        let mut members = Members::new(self.input, structure);
        let value = visitor.visit_map(&mut members)?;
        members.finish()?;
        Ok(value)
    }
}

impl<'de> Deserializer<'de> for Reader<'_, 'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        match self.kind {
            Kind::Primitive(primitive) => self.number(*primitive)?.visit(visitor),
            Kind::Text => match self.text()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            Kind::Bytes => visitor.visit_borrowed_bytes(self.input.counted()?),
            Kind::FixedBytes(count) => visitor.visit_borrowed_bytes(self.input.take(*count)?),
            Kind::Variable(element) => {
                let count = self.input.elements(element)?;
                self.elements(count, element, visitor)
            }
            Kind::Fixed(count, element) => self.elements(*count, element, visitor),
            Kind::Message(structure) => self.members(structure, visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        match self.kind {
            Kind::Primitive(primitive) => {
                let number = self.number(*primitive)?;
                match number.truth() {
                    Some(truth) => visitor.visit_bool(truth),
                    None => number.visit(visitor),
                }
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.whole(visitor)
    }

    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.whole(visitor)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.whole(visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.whole(visitor)
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.whole(visitor)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.whole(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.whole(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.whole(visitor)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.float(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.float(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.kind {
            Kind::Text => visitor.visit_borrowed_bytes(self.input.counted()?),
            // A map's cells have a sign; as bytes they are what they are.
            Kind::Variable(element) if matches!(**element, Kind::Primitive(Primitive::Int8)) => {
                visitor.visit_borrowed_bytes(self.input.counted()?)
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.input.skip(self.kind)?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.kind {
            Kind::Bytes => {
                let count = self.input.elements(&BYTE)?;
                self.elements(count, &BYTE, visitor)
            }
            Kind::FixedBytes(count) => self.elements(*count, &BYTE, visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _count: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _count: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.kind {
            Kind::Text => match self.text()? {
                Cow::Borrowed(text) => visitor.visit_enum(BorrowedStrDeserializer::new(text)),
                Cow::Owned(text) => {
                    let variant: StringDeserializer<Fault> = text.into_deserializer();
                    visitor.visit_enum(variant)
                }
            },
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    serde::forward_to_deserialize_any! { char str string map struct identifier }
}
