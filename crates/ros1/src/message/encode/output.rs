//! The bytes of a message as far as they are written, with a bound on how many they may become.

use bytes::Bytes;

use super::Fault;
use crate::message::limits::LENGTH_PREFIX;

/// The bytes behind room for their length, and how many there may be.
pub(super) struct Output {
    pub(super) bytes: Vec<u8>,
    /// How many bytes there may be, with those of their length.
    limit: usize,
}

impl Output {
    pub(super) fn new(capacity: usize, limit: usize) -> Self {
        let mut bytes = Vec::with_capacity(capacity.min(limit).saturating_add(LENGTH_PREFIX));
        bytes.resize(LENGTH_PREFIX, 0);
        Self { bytes, limit: limit.saturating_add(LENGTH_PREFIX) }
    }

    /// The message behind its length.
    pub(super) fn into_frame(mut self) -> Result<Bytes, Fault> {
        let length = self.count(self.bytes.len().saturating_sub(LENGTH_PREFIX))?;
        self.bytes.iter_mut().zip(length).for_each(|(to, from)| *to = from);
        Ok(self.bytes.into())
    }

    /// Appends zeros.
    pub(super) fn zeros(&mut self, count: usize) -> Result<(), Fault> {
        self.check(count)?;
        self.bytes.resize(self.bytes.len().saturating_add(count), 0);
        Ok(())
    }

    /// Appends bytes behind their count.
    pub(super) fn counted(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.check(bytes.len().saturating_add(4))?;
        let count = self.count(bytes.len())?;
        self.bytes.reserve(count.len() + bytes.len());
        self.bytes.extend(count);
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// A count as it stands before what it counts.
    pub(super) fn count(&self, count: usize) -> Result<[u8; LENGTH_PREFIX], Fault> {
        u32::try_from(count).map(u32::to_le_bytes).map_err(|_| self.too_long())
    }

    /// That so many more may come.
    pub(super) fn check(&self, more: usize) -> Result<(), Fault> {
        if self.bytes.len().saturating_add(more) > self.limit {
            return Err(self.too_long());
        }
        Ok(())
    }

    fn too_long(&self) -> Fault {
        Fault::new(format!(
            "makes the message longer than {} bytes",
            self.limit.saturating_sub(LENGTH_PREFIX)
        ))
    }
}
