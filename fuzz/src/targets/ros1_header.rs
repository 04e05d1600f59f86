//! A connection's bytes, header first and then frames: no panic, no room made for what does not come, and a header that
//! was read is written so that it reads the same again.

use bytes::{Bytes, BytesMut};
use latimer_ros1::tcpros::{Frames, Header, MAX_HEADER_BYTES};
use tokio_util::codec::Decoder;

/// More than a codec may ever set aside for so few bytes.
const ROOM: usize = 1 << 20;

pub(super) fn run(bytes: &[u8]) {
    let mut frames = Frames::new(MAX_HEADER_BYTES);
    let mut buffer = BytesMut::new();
    let mut first = true;
    for chunk in bytes.chunks(7) {
        buffer.extend_from_slice(chunk);
        assert!(buffer.capacity() < ROOM, "{} bytes of room", buffer.capacity());
        loop {
            match frames.decode(&mut buffer) {
                Ok(Some(frame)) => {
                    if std::mem::take(&mut first) {
                        header(&frame);
                    }
                }
                Ok(None) => break,
                Err(_) => return,
            }
        }
    }
}

fn header(bytes: &Bytes) {
    let Ok(header) = Header::parse(bytes) else { return };
    let again = Header::parse(&header.to_bytes()).expect("what was written is read");
    assert_eq!(again, header);
}
