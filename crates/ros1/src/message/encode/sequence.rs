//! Arrays: elements one after the other, behind their count if it is not fixed.

use serde::Serialize;
use serde::ser::{SerializeSeq, SerializeTuple, SerializeTupleStruct, SerializeTupleVariant};

use super::{Fault, Kind, Output, Writer};

/// Writes the elements of an array.
pub(super) struct SequenceWriter<'a> {
    out: &'a mut Output,
    element: &'a Kind,
    expected: Option<usize>,
    start: usize,
    written: usize,
}

impl<'a> SequenceWriter<'a> {
    pub(super) fn new(out: &'a mut Output, element: &'a Kind, expected: Option<usize>) -> Self {
        let start = out.bytes.len();
        if expected.is_none() {
            out.bytes.extend([0; 4]);
        }
        Self { out, element, expected, start, written: 0 }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        value
            .serialize(Writer { out: self.out, kind: self.element })
            .map_err(|fault| fault.in_element(self.written))?;
        self.written += 1;
        Ok(())
    }

    fn finish(self) -> Result<(), Fault> {
        self.out.check(0)?;
        match self.expected {
            Some(expected) if expected == self.written => Ok(()),
            Some(expected) => Err(wrong_count(self.written, expected)),
            None => {
                let counted = self.out.count(self.written)?;
                self.out.bytes.iter_mut().skip(self.start).zip(counted).for_each(|(to, from)| *to = from);
                Ok(())
            }
        }
    }
}

pub(super) fn wrong_count(given: usize, expected: usize) -> Fault {
    Fault::new(format!("{given} elements where the type has {expected}"))
}

impl SerializeSeq for SequenceWriter<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.element(value)
    }

    fn end(self) -> Result<(), Fault> {
        self.finish()
    }
}

impl SerializeTuple for SequenceWriter<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.element(value)
    }

    fn end(self) -> Result<(), Fault> {
        self.finish()
    }
}

impl SerializeTupleStruct for SequenceWriter<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.element(value)
    }

    fn end(self) -> Result<(), Fault> {
        self.finish()
    }
}

impl SerializeTupleVariant for SequenceWriter<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.element(value)
    }

    fn end(self) -> Result<(), Fault> {
        self.finish()
    }
}
