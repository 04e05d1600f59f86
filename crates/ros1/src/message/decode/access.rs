//! Elements of arrays and fields of messages, one after the other.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess};

use super::{Fault, Input, Kind, Reader, Structure};

/// Elements that are yet to be read.
pub(super) struct Elements<'a, 'de> {
    input: &'a mut Input<'de>,
    element: &'a Kind,
    count: usize,
    read: usize,
}

impl<'a, 'de> Elements<'a, 'de> {
    pub(super) fn new(input: &'a mut Input<'de>, element: &'a Kind, count: usize) -> Self {
        Self { input, element, count, read: 0 }
    }

    /// How many nobody asked for.
    pub(super) fn left(&self) -> usize {
        self.count - self.read
    }
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        if self.read == self.count {
            return Ok(None);
        }
        let at = self.input.at;
        let value = seed
            .deserialize(Reader { input: self.input, kind: self.element })
            .map_err(|fault| fault.at(at).in_element(self.read))?;
        self.read += 1;
        Ok(Some(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left())
    }
}

/// Fields that are yet to be read.
pub(super) struct Members<'a, 'de> {
    input: &'a mut Input<'de>,
    structure: &'a Structure,
    read: usize,
}

impl<'a, 'de> Members<'a, 'de> {
    pub(super) fn new(input: &'a mut Input<'de>, structure: &'a Structure) -> Self {
        Self { input, structure, read: 0 }
    }

    /// Passes over those that nobody asked for.
    pub(super) fn finish(self) -> Result<(), Fault> {
        let rest = self.structure.members.iter().skip(self.read);
        for member in rest {
            self.input.skip(&member.kind).map_err(|fault| fault.in_field(&member.name))?;
        }
        Ok(())
    }
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some(member) = self.structure.members.get(self.read) else { return Ok(None) };
        let name: StrDeserializer<'_, Fault> = member.name.as_str().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some(member) = self.structure.members.get(self.read) else {
            return Err(Fault::new("has no more fields").at(self.input.at));
        };
        self.read += 1;
        let at = self.input.at;
        seed.deserialize(Reader { input: self.input, kind: &member.kind })
            .map_err(|fault| fault.at(at).in_field(&member.name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.structure.members.len().saturating_sub(self.read))
    }
}
