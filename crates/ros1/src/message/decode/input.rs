//! The bytes of a message that are yet to be read, with a bound on what they may grow to.

use super::{Fault, Kind, Structure};

/// The bytes, and how far they are read.
pub(super) struct Input<'de> {
    bytes: &'de [u8],
    pub(super) at: usize,
    /// Values that arrays may still hold: in proportion to the bytes, though an element may take none of them.
    budget: usize,
    /// The same for elements that take no byte.
    empty: usize,
}

/// Values in elements that take no byte: no program has reason to send many.
const EMPTY: usize = 65_536;

impl<'de> Input<'de> {
    pub(super) fn new(bytes: &'de [u8]) -> Self {
        let budget = bytes.len().saturating_mul(16).saturating_add(EMPTY);
        Self { bytes, at: 0, budget, empty: EMPTY }
    }

    /// The next bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'de [u8], Fault> {
        let left = self.left();
        let end = self.at.saturating_add(count);
        let taken = self.bytes.get(self.at..end).ok_or_else(|| {
            Fault::new(format!("the message ends: {count} bytes are to come and {left} are left")).at(self.at)
        })?;
        self.at = end;
        Ok(taken)
    }

    /// How many are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// A count of bytes, then those.
    pub(super) fn counted(&mut self) -> Result<&'de [u8], Fault> {
        let count = self.count()?;
        self.take(count)
    }

    /// How many elements follow; never more than can.
    pub(super) fn elements(&mut self, element: &Kind) -> Result<usize, Fault> {
        let at = self.at;
        let count = self.count()?;
        if count.saturating_mul(element.size()) > self.left() {
            let left = self.left();
            let problem = format!("says that {count} of {element} follow, but {left} bytes are left");
            return Err(Fault::new(problem).at(at));
        }
        let budget = if element.size() == 0 { &mut self.empty } else { &mut self.budget };
        *budget = budget.checked_sub(count.saturating_mul(element.weight())).ok_or_else(|| {
            Fault::new(format!("says that {count} of {element} follow, which are too many")).at(at)
        })?;
        Ok(count)
    }

    fn count(&mut self) -> Result<usize, Fault> {
        let bytes = self.take(4)?;
        let bytes = <[u8; 4]>::try_from(bytes).unwrap_or_default();
        Ok(usize::try_from(u32::from_le_bytes(bytes)).unwrap_or(usize::MAX))
    }

    /// Passes over a value.
    pub(super) fn skip(&mut self, kind: &Kind) -> Result<(), Fault> {
        match kind {
            Kind::Text | Kind::Bytes => self.counted().map(drop),
            Kind::Variable(element) => {
                let count = self.elements(element)?;
                self.skip_elements(count, element)
            }
            Kind::Fixed(count, element) => self.skip_elements(*count, element),
            Kind::Primitive(_) | Kind::FixedBytes(_) => self.take(kind.size()).map(drop),
            Kind::Message(structure) => self.skip_structure(structure),
        }
    }

    pub(super) fn skip_elements(&mut self, count: usize, element: &Kind) -> Result<(), Fault> {
        if element.is_fixed() {
            return self.take(count.saturating_mul(element.size())).map(drop);
        }
        (0..count).try_for_each(|index| self.skip(element).map_err(|fault| fault.in_element(index)))
    }

    fn skip_structure(&mut self, structure: &Structure) -> Result<(), Fault> {
        if structure.is_fixed {
            return self.take(structure.size).map(drop);
        }
        structure
            .members
            .iter()
            .try_for_each(|member| self.skip(&member.kind).map_err(|fault| fault.in_field(&member.name)))
    }
}
