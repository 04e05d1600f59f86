//! Messages: fields in the layout's order, whatever order they come in.
//!
//! As long as they come in that order they are written where they belong. From the first that does not, each is a piece of its own
//! behind them, and the pieces are put in order when all have come.

use std::fmt::{self, Write};
use std::ops::Range;

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeStruct, SerializeStructVariant};

use super::{Fault, Output, Structure, Writer};

/// Writes the fields of a message.
pub(super) struct StructureWriter<'a> {
    out: &'a mut Output,
    structure: &'a Structure,
    /// How many have come in order.
    ordered: usize,
    /// Where those end.
    ordered_end: usize,
    /// Those that came out of order, and where they lie.
    pieces: Vec<(usize, Range<usize>)>,
    /// The key that came last.
    key: String,
}

impl<'a> StructureWriter<'a> {
    pub(super) fn new(out: &'a mut Output, structure: &'a Structure) -> Self {
        let ordered_end = out.bytes.len();
        Self { out, structure, ordered: 0, ordered_end, pieces: Vec::new(), key: String::new() }
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Fault> {
        let next = self.structure.members.get(self.ordered);
        let index = if next.is_some_and(|next| next.name == name) {
            self.ordered
        } else {
            match self.structure.position(name) {
                Some(index) => index,
                // The layout has no place for it.
                None => return Ok(()),
            }
        };
        let Some(member) = self.structure.members.get(index) else { return Ok(()) };
        if index < self.ordered || self.pieces.iter().any(|(other, _)| *other == index) {
            return Err(Fault::new("comes twice").in_field(name));
        }
        let start = self.out.bytes.len();
        value
            .serialize(Writer { out: self.out, kind: &member.kind })
            .map_err(|fault| fault.in_field(name))?;
        if index == self.ordered && self.pieces.is_empty() {
            self.ordered += 1;
            self.ordered_end = self.out.bytes.len();
        } else {
            self.pieces.push((index, start..self.out.bytes.len()));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), Fault> {
        let missing = self.structure.members.iter().enumerate().skip(self.ordered);
        if self.pieces.is_empty() {
            let size = missing.map(|(_, member)| member.kind.size()).sum();
            return self.out.zeros(size);
        }
        self.pieces.sort_unstable_by_key(|(index, _)| *index);
        let mut rest = Output::new(self.out.bytes.len() - self.ordered_end, self.out.limit);
        let mut pieces = self.pieces.into_iter().peekable();
        for (index, member) in missing {
            match pieces.next_if(|(other, _)| *other == index) {
                Some((_, place)) => {
                    rest.bytes.extend_from_slice(self.out.bytes.get(place).unwrap_or_default())
                }
                None => rest.zeros(member.kind.size())?,
            }
        }
        self.out.bytes.truncate(self.ordered_end);
        self.out.bytes.append(&mut rest.bytes);
        self.out.check(0)
    }
}

impl SerializeStruct for StructureWriter<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Fault> {
        self.field(name, value)
    }

    fn end(self) -> Result<(), Fault> {
        self.finish()
    }
}

impl SerializeStructVariant for StructureWriter<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Fault> {
        self.field(name, value)
    }

    fn end(self) -> Result<(), Fault> {
        self.finish()
    }
}

impl SerializeMap for StructureWriter<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Fault> {
        self.key.clear();
        write!(self.key, "{}", Key(key)).map_err(|_| Fault::new("has a key that is no text"))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        let key = std::mem::take(&mut self.key);
        let written = self.field(&key, value);
        self.key = key;
        written
    }

    fn end(self) -> Result<(), Fault> {
        self.finish()
    }
}

/// A key as serde shows texts and numbers.
struct Key<'a, T: ?Sized>(&'a T);

impl<T: Serialize + ?Sized> fmt::Display for Key<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(out)
    }
}
