//! Connections to a node and to its publishers, from the header on: no panic, what is answered is a header, and a follower's layout is
//! its own.
//!
//! The first byte tells which side the node is on and how large the pieces are.

use std::sync::LazyLock;

use latimer_ros1::node::fuzzing::{Ended, Portless, Types};
use latimer_ros1::tcpros::Header;

use crate::pieces::{Pieces, wait_for};

static TYPES: LazyLock<Types> = LazyLock::new(|| Types::new().expect("the types are known"));

/// Bytes of a frame's length.
const LENGTH: usize = 4;

pub(super) fn run(bytes: &[u8]) {
    let Some((how, bytes)) = bytes.split_first() else { return };
    let node = Portless::new(&TYPES).expect("its names are good");
    let size = usize::from(how >> 1) + 1;
    // A peer sends nothing after its header before it is answered.
    let header = bytes.first_chunk().map_or(0, |length| u32::from_le_bytes(*length) as usize);
    let mut from = Pieces::new(bytes, size, header.saturating_add(LENGTH));
    let mut to = Pieces::new(&[], size, 0);
    if how & 1 == 0 {
        let ended = wait_for(node.accept(&mut from, &mut to));
        accepted(&ended, &to.written);
    } else {
        let followed = wait_for(node.connect(&mut from, &mut to));
        let asked = first_header(&to.written);
        assert_eq!(asked.get("topic"), Some("/heard"));
        if let Ok([read, odd]) = followed {
            assert!((read + odd) * LENGTH <= bytes.len());
        }
    }
}

fn accepted(ended: &Ended, written: &[u8]) {
    match ended {
        Ended::NoHeader(reason) | Ended::Refused(reason) => {
            assert!(!reason.is_empty() && reason.len() < 4096, "{reason}");
            assert!(written.is_empty());
        }
        Ended::Follower(answer, foreign) => {
            assert_eq!(answer.get("topic"), Some("/said"));
            if let Some(layout) = foreign {
                assert_eq!(answer.get("md5sum"), Some(layout.md5()));
                assert_eq!(answer.get("type"), Some(layout.type_name()));
            }
            assert_eq!(Header::parse(&answer.to_bytes()).as_ref(), Ok(answer));
        }
        Ended::Caller => assert!(first_header(written).get("service").is_some()),
    }
}

/// The header at the beginning of what was written.
fn first_header(written: &[u8]) -> Header {
    let (length, rest) = written.split_first_chunk().expect("a header's length was written");
    let header = rest.get(..u32::from_le_bytes(*length) as usize).expect("a header was written");
    Header::parse(header).expect("it is one")
}
