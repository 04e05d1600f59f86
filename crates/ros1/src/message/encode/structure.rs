//! Messages: fields in the layout's order, whatever order they come in.
//!
//! Each is written where it belongs. What is left out on the way is a gap of zeros, as which it stays if it never comes; if it
//! comes late, it is put there.

use std::fmt::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeStruct, SerializeStructVariant};

use super::{Fault, Output, Structure, Writer};

/// Writes the fields of a message.
pub(super) struct StructureWriter<'a> {
    out: &'a mut Output,
    structure: &'a Structure,
    /// The field behind all that are written.
    next: usize,
    /// Those before it that have not come.
    gaps: Vec<Gap>,
    /// The key that came last.
    key: String,
}

/// A field that has not come, and where its zeros lie.
struct Gap {
    index: usize,
    start: usize,
    size: usize,
}

impl<'a> StructureWriter<'a> {
    pub(super) fn new(out: &'a mut Output, structure: &'a Structure) -> Self {
        Self { out, structure, next: 0, gaps: Vec::new(), key: String::new() }
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Fault> {
        let members = &self.structure.members;
        let comes_next = members.get(self.next).is_some_and(|next| next.name == name);
        let index = if comes_next { Some(self.next) } else { self.structure.position(name) };
        // The layout may have no place for it.
        let Some((index, member)) = index.and_then(|index| Some((index, members.get(index)?))) else {
            return Ok(());
        };
        while self.next < index {
            let size = members.get(self.next).map_or(0, |member| member.kind.size());
            self.gaps.push(Gap { index: self.next, start: self.out.bytes.len(), size });
            self.out.zeros(size)?;
            self.next += 1;
        }
        let gap = if index == self.next {
            self.next += 1;
            None
        } else {
            let gap = self.gaps.iter().position(|gap| gap.index == index);
            Some(gap.ok_or_else(|| Fault::new("comes twice").in_field(name))?)
        };
        let start = self.out.bytes.len();
        value
            .serialize(Writer { out: self.out, kind: &member.kind })
            .map_err(|fault| fault.in_field(name))?;
        if let Some(gap) = gap {
            self.fill(gap, start);
        }
        Ok(())
    }

    /// Moves what was written behind all fields to where it belongs.
    fn fill(&mut self, gap: usize, written: usize) {
        let value = self.out.bytes.split_off(written);
        let Gap { start, size, .. } = self.gaps.remove(gap);
        for later in self.gaps.iter_mut().skip(gap) {
            later.start = later.start + value.len() - size;
        }
        self.out.bytes.splice(start..start + size, value);
    }

    fn finish(self) -> Result<(), Fault> {
        let missing = self.structure.members.iter().skip(self.next);
        self.out.zeros(missing.map(|member| member.kind.size()).sum())?;
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
