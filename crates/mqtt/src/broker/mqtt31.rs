//! Translation of MQTT 3.1 to 3.1.1, which differs in the protocol name only; pages with old libraries fall back to 3.1.
//!
//! ```text
//!  3.1    10 len  00 06 M Q I s d p 03 …
//!  3.1.1  10 len-2  00 04 M Q T T 04 …
//! ```

use bytes::Bytes;

/// Protocol name and level of 3.1.
const MQTT31: &[u8] = b"\x00\x06MQIsdp\x03";

/// Protocol name and level of 3.1.1.
const MQTT311: &[u8] = b"\x00\x04MQTT\x04";

/// First byte of CONNECT.
const CONNECT: u8 = 0x10;

/// Most bytes of a remaining length.
const MOST_LENGTH_BYTES: usize = 4;

/// Buffers the first bytes of a connection until the version is known.
#[derive(Debug, Default)]
pub(super) struct ConnectTranslator {
    held: Vec<u8>,
    over: bool,
}

impl ConnectTranslator {
    /// The bytes to forward; nothing while the version is unknown.
    pub(super) fn pass(&mut self, bytes: Bytes) -> Bytes {
        if self.over {
            return bytes;
        }
        self.held.extend_from_slice(&bytes);
        let passed = match translated(&self.held) {
            Translation::Incomplete => return Bytes::new(),
            Translation::Other => std::mem::take(&mut self.held),
            Translation::Translated(new) => new,
        };
        (self.over, self.held) = (true, Vec::new());
        passed.into()
    }
}

enum Translation {
    Incomplete,
    Other,
    Translated(Vec<u8>),
}

fn translated(bytes: &[u8]) -> Translation {
    let Some((first, rest)) = bytes.split_first() else { return Translation::Incomplete };
    if *first != CONNECT {
        return Translation::Other;
    }
    let end = rest.iter().take(MOST_LENGTH_BYTES).position(|byte| byte & 0x80 == 0);
    let Some(end) = end else {
        return if rest.len() < MOST_LENGTH_BYTES { Translation::Incomplete } else { Translation::Other };
    };
    let (length, body) = rest.split_at(end + 1);
    let length = length.iter().rev().fold(0_usize, |length, byte| length << 7 | usize::from(byte & 0x7f));
    let Some(after) = body.strip_prefix(MQTT31) else {
        return if MQTT31.starts_with(body) { Translation::Incomplete } else { Translation::Other };
    };
    let mut new = vec![CONNECT];
    let mut left = length.saturating_sub(MQTT31.len() - MQTT311.len());
    loop {
        let byte = (left & 0x7f) as u8;
        left >>= 7;
        new.push(if left > 0 { byte | 0x80 } else { byte });
        if left == 0 {
            break;
        }
    }
    new.extend_from_slice(MQTT311);
    new.extend_from_slice(after);
    Translation::Translated(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(bytes: &[u8], piece: usize) -> Vec<u8> {
        let mut translator = ConnectTranslator::default();
        bytes.chunks(piece).flat_map(|piece| translator.pass(Bytes::copy_from_slice(piece))).collect()
    }

    #[test]
    fn version_3_1_becomes_3_1_1_in_every_chunk_size() {
        let old = b"\x10\x12\x00\x06MQIsdp\x03\x02\x00\x3c\x00\x04page\x82\x08";
        let new = b"\x10\x10\x00\x04MQTT\x04\x02\x00\x3c\x00\x04page\x82\x08";
        let long = [&b"\x10\x80\x01"[..], MQTT31, &[7; 119]].concat();
        let shorter = [&b"\x10\x7e"[..], MQTT311, &[7; 119]].concat();
        for piece in 1..old.len() {
            assert_eq!(passed(old, piece), new, "{piece}");
            assert_eq!(passed(new, piece), new, "{piece}");
            assert_eq!(passed(&long, piece), shorter, "{piece}");
        }
    }

    #[test]
    fn other_bytes_are_forwarded_unchanged() {
        for odd in
            [&b"GET / HTTP/1.1"[..], b"\x10\xff\xff\xff\xff\x00", b"\x10\x05\x00\x06MQIsdq", b"\x10\x00\x05"]
        {
            assert_eq!(passed(odd, 1), odd);
        }
    }
}
