//! The broker's decoder without its ports.

use bytes::{Bytes, BytesMut};

use super::config::Limits;
use super::wire::{Decoder, Packet};

/// What a connection that sends `chunks` comes to: the packets, and the most room that was taken for one that was not whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decoded {
    /// Each as it is shown, and what it publishes to which topic.
    pub packets: Vec<(String, Option<(String, Bytes)>)>,
    /// Bytes.
    pub room: usize,
    /// Whether it ended with bytes that are no packet.
    pub malformed: bool,
}

/// Decodes as the broker does, with its limit of a packet.
pub fn decode<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Decoded {
    let mut decoder = Decoder::new(Limits::default().max_packet_bytes);
    let (mut decoded, mut buffer) = (Decoded::default(), BytesMut::new());
    for chunk in chunks {
        buffer.extend_from_slice(chunk);
        decoded.room = decoded.room.max(buffer.capacity());
        loop {
            match decoder.next(&mut buffer) {
                Ok(Some(packet)) => {
                    let shown = format!("{packet:?}");
                    let message = match packet {
                        Packet::Publish(publish) => Some((publish.topic.to_string(), publish.payload)),
                        _ => None,
                    };
                    decoded.packets.push((shown, message));
                }
                Ok(None) => break,
                Err(_) => {
                    decoded.malformed = true;
                    return decoded;
                }
            }
        }
    }
    decoded
}
