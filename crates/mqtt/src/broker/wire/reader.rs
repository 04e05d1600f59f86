//! The fields of a packet.

use super::DecodeError;

/// What is left of a packet.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let Some((taken, rest)) = self.0.split_at_checked(count) else {
            return Err(DecodeError::malformed("a packet ends before its fields do"));
        };
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take(1)?.iter().fold(0, |_, byte| *byte))
    }

    fn number(&mut self, bytes: usize) -> Result<u32, DecodeError> {
        Ok(self.take(bytes)?.iter().fold(0, |all, byte| all << 8 | u32::from(*byte)))
    }

    pub(super) fn two(&mut self) -> Result<u16, DecodeError> {
        Ok(self.number(2)? as u16)
    }

    pub(super) fn four(&mut self) -> Result<u32, DecodeError> {
        self.number(4)
    }

    /// A packet identifier, which is never 0.
    pub(super) fn packet(&mut self) -> Result<u16, DecodeError> {
        match self.two()? {
            0 => Err(DecodeError::protocol("packet identifier 0")),
            packet => Ok(packet),
        }
    }

    pub(super) fn varint(&mut self) -> Result<u32, DecodeError> {
        match varint(self.0)? {
            Some((value, length)) => {
                self.take(length)?;
                Ok(value)
            }
            None => Err(DecodeError::malformed("a packet ends before its fields do")),
        }
    }

    pub(super) fn binary(&mut self) -> Result<&'a [u8], DecodeError> {
        let length = self.two()?;
        self.take(usize::from(length))
    }

    pub(super) fn text(&mut self) -> Result<&'a str, DecodeError> {
        let text = std::str::from_utf8(self.binary()?);
        let text = text.map_err(|_| DecodeError::malformed("a text is not UTF-8"))?;
        if text.contains('\0') {
            return Err(DecodeError::malformed("a text has a character U+0000"));
        }
        Ok(text)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn end(&self) -> Result<(), DecodeError> {
        match self.is_empty() {
            true => Ok(()),
            false => Err(DecodeError::malformed("a packet is longer than its fields")),
        }
    }
}

/// A variable byte integer and how many bytes it takes; `None` if there are too few.
pub(super) fn varint(bytes: &[u8]) -> Result<Option<(u32, usize)>, DecodeError> {
    let mut value = 0;
    for (index, byte) in bytes.iter().take(4).enumerate() {
        value |= u32::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Ok(Some((value, index + 1)));
        }
    }
    match bytes.len() {
        0..4 => Ok(None),
        _ => Err(DecodeError::malformed("a length has more than four bytes")),
    }
}
