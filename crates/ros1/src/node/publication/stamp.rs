//! The number that a publisher gives each message.

use bytes::{Bytes, BytesMut};

use crate::message::LENGTH_PREFIX;

/// Writes a number over the first field of a header, behind the frame's length, in place if nobody else has the bytes.
pub(super) fn sequence(frame: Bytes, sequence: u32) -> Bytes {
    let mut frame = frame.try_into_mut().unwrap_or_else(|shared| BytesMut::from(&shared[..]));
    if let Some(first) = frame.get_mut(LENGTH_PREFIX..).and_then(<[u8]>::first_chunk_mut) {
        *first = sequence.to_le_bytes();
    }
    frame.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_written_in_place() {
        let message = Bytes::from(vec![9; 100]);
        let at = message.as_ptr();
        let numbered = sequence(message, 0x0102_0304);
        assert_eq!(numbered[..9], [9, 9, 9, 9, 4, 3, 2, 1, 9]);
        assert_eq!(numbered.as_ptr(), at, "nothing was copied");
    }

    #[test]
    fn bytes_of_others_are_left_alone() {
        let message = Bytes::from(vec![9; 9]);
        let kept = message.clone();
        assert_eq!(sequence(message, 1)[..], [9, 9, 9, 9, 1, 0, 0, 0, 9]);
        assert_eq!(kept[..], [9; 9]);
        assert_eq!(
            sequence(Bytes::from_static(b"\x02\0\0\0ab"), 1)[4..],
            b"ab"[..],
            "too short for a header"
        );
    }
}
