//! MQTT 3.1, as pages of old libraries fall back to it when they are refused. It is 3.1.1 but for its name.
//!
//! ```text
//!  3.1    10 len  00 06 M Q I s d p 03 …
//!  3.1.1  10 len-2  00 04 M Q T T 04 …
//! ```

use bytes::Bytes;

/// How 3.1 calls itself, with the number of its version.
const OLD: &[u8] = b"\x00\x06MQIsdp\x03";

/// How 3.1.1 does.
const NEW: &[u8] = b"\x00\x04MQTT\x04";

/// The packet that begins a connection.
const CONNECT: u8 = 0x10;

/// A length takes so many bytes at most.
const MOST_LENGTH_BYTES: usize = 4;

/// The first bytes of a connection, which are in the new words once there are enough of them to tell.
#[derive(Debug, Default)]
pub(super) struct Greeting {
    held: Vec<u8>,
    over: bool,
}

impl Greeting {
    /// What of all that came goes on; nothing while it cannot be told.
    pub(super) fn pass(&mut self, bytes: Bytes) -> Bytes {
        if self.over {
            return bytes;
        }
        self.held.extend_from_slice(&bytes);
        let passed = match translated(&self.held) {
            Known::NotYet => return Bytes::new(),
            Known::Other => std::mem::take(&mut self.held),
            Known::Old(new) => new,
        };
        (self.over, self.held) = (true, Vec::new());
        passed.into()
    }
}

enum Known {
    NotYet,
    Other,
    Old(Vec<u8>),
}

fn translated(bytes: &[u8]) -> Known {
    let Some((first, rest)) = bytes.split_first() else { return Known::NotYet };
    if *first != CONNECT {
        return Known::Other;
    }
    let end = rest.iter().take(MOST_LENGTH_BYTES).position(|byte| byte & 0x80 == 0);
    let Some(end) = end else {
        return if rest.len() < MOST_LENGTH_BYTES { Known::NotYet } else { Known::Other };
    };
    let (length, body) = rest.split_at(end + 1);
    let length = length.iter().rev().fold(0_usize, |length, byte| length << 7 | usize::from(byte & 0x7f));
    let Some(after) = body.strip_prefix(OLD) else {
        return if OLD.starts_with(body) { Known::NotYet } else { Known::Other };
    };
    let mut new = vec![CONNECT];
    let mut left = length.saturating_sub(OLD.len() - NEW.len());
    loop {
        let byte = (left & 0x7f) as u8;
        left >>= 7;
        new.push(if left > 0 { byte | 0x80 } else { byte });
        if left == 0 {
            break;
        }
    }
    new.extend_from_slice(NEW);
    new.extend_from_slice(after);
    Known::Old(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(bytes: &[u8], piece: usize) -> Vec<u8> {
        let mut greeting = Greeting::default();
        bytes.chunks(piece).flat_map(|piece| greeting.pass(Bytes::copy_from_slice(piece))).collect()
    }

    #[test]
    fn the_old_version_becomes_the_new_one_however_it_is_cut() {
        let old = b"\x10\x12\x00\x06MQIsdp\x03\x02\x00\x3c\x00\x04page\x82\x08";
        let new = b"\x10\x10\x00\x04MQTT\x04\x02\x00\x3c\x00\x04page\x82\x08";
        let long = [&b"\x10\x80\x01"[..], OLD, &[7; 119]].concat();
        let shorter = [&b"\x10\x7e"[..], NEW, &[7; 119]].concat();
        for piece in 1..old.len() {
            assert_eq!(passed(old, piece), new, "{piece}");
            assert_eq!(passed(new, piece), new, "{piece}");
            assert_eq!(passed(&long, piece), shorter, "{piece}");
        }
    }

    #[test]
    fn anything_else_goes_on_as_it_is() {
        for odd in
            [&b"GET / HTTP/1.1"[..], b"\x10\xff\xff\xff\xff\x00", b"\x10\x05\x00\x06MQIsdq", b"\x10\x00\x05"]
        {
            assert_eq!(passed(odd, 1), odd);
        }
    }
}
