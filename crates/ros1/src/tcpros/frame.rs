//! Frames: four bytes of length, then as many bytes.

use std::io;

use bytes::{Buf, Bytes, BytesMut};
use tokio_util::codec::Decoder;

use crate::message::LENGTH_PREFIX;

/// Room that is made at a time for a frame whose bytes are still on their way.
const STEP: usize = 64 << 10;

/// Takes frames apart. tokio's codec of lengths makes room for all that a length claims; this one for no more than came before.
#[derive(Clone, Copy, Debug)]
pub struct Frames {
    limit: usize,
    /// The longest frame that came whole.
    longest: usize,
}

/// Why a frame is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a frame claims {length} bytes; at most {limit} are taken")]
pub struct TooLong {
    /// What it claims.
    pub length: usize,
    /// What is taken.
    pub limit: usize,
}

impl Frames {
    /// Frames of at most so many bytes.
    pub const fn new(limit: usize) -> Self {
        Self { limit, longest: STEP }
    }
}

impl Decoder for Frames {
    type Item = Bytes;
    type Error = io::Error;

    fn decode(&mut self, from: &mut BytesMut) -> io::Result<Option<Bytes>> {
        let Some((length, rest)) = from.split_first_chunk() else { return Ok(None) };
        let length = u32::from_le_bytes(*length) as usize;
        if length > self.limit {
            let too_long = TooLong { length, limit: self.limit };
            return Err(io::Error::new(io::ErrorKind::InvalidData, too_long));
        }
        let missing = length.saturating_sub(rest.len());
        if missing > 0 {
            from.reserve(missing.min(rest.len().max(self.longest)));
            return Ok(None);
        }
        self.longest = self.longest.max(length);
        from.advance(LENGTH_PREFIX);
        Ok(Some(from.split_to(length).freeze()))
    }

    fn decode_eof(&mut self, from: &mut BytesMut) -> io::Result<Option<Bytes>> {
        match self.decode(from)? {
            None if !from.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            frame => Ok(frame),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &[u8] = b"\x03\0\0\0abc\0\0\0\0\x01\0\0\0d";

    #[test]
    fn frames_come_out_whatever_the_chunks() {
        for size in 1..=STREAM.len() {
            let (mut codec, mut buffer, mut frames) = (Frames::new(3), BytesMut::new(), Vec::new());
            for chunk in STREAM.chunks(size) {
                buffer.extend_from_slice(chunk);
                while let Some(frame) = codec.decode(&mut buffer).unwrap() {
                    frames.push(frame);
                }
            }
            assert_eq!(frames, ["abc", "", "d"], "chunks of {size}");
            assert!(codec.decode_eof(&mut buffer).unwrap().is_none());
        }
    }

    #[test]
    fn a_length_is_believed_as_far_as_bytes_have_come() {
        let mut buffer = BytesMut::from(&b"\0\0\0\x02abc"[..]);
        assert!(Frames::new(32 << 20).decode(&mut buffer).unwrap().is_none());
        assert!(buffer.capacity() < 2 * STEP, "{} bytes of room", buffer.capacity());
    }

    #[test]
    fn what_claims_too_much_is_reported() {
        let mut buffer = BytesMut::from(&b"\xff\xff\xff\xff"[..]);
        let error = Frames::new(100).decode(&mut buffer).unwrap_err().to_string();
        assert_eq!(error, "a frame claims 4294967295 bytes; at most 100 are taken");
    }

    #[test]
    fn an_end_within_a_frame_is_an_error() {
        let mut buffer = BytesMut::from(&b"\x03\0\0\0ab"[..]);
        let end = Frames::new(3).decode_eof(&mut buffer).unwrap_err();
        assert_eq!(end.kind(), io::ErrorKind::UnexpectedEof);
    }
}
