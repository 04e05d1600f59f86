//! The broker's parsers without its ports.

use bytes::{Bytes, BytesMut};
use mqtt5::packet::Packet;
use mqtt5::transport::packet_io::decode_buffered_packet;

use super::config::Limits;
use super::mqtt31::ConnectTranslator;

/// Version of MQTT by which the first packet is read.
const FIRST_VERSION: u8 = 5;

/// What a connection that sends `chunks` comes to: the packets, and the most room that was taken for one that was not whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decoded {
    /// Each by its type, and what it publishes to which topic.
    pub packets: Vec<(&'static str, Option<(String, Bytes)>)>,
    /// Bytes.
    pub room: usize,
    /// The version that CONNECT agreed on.
    pub version: u8,
    /// Whether it ended with bytes that are no packet.
    pub malformed: bool,
}

/// Decodes as the broker does, with its limit of a packet.
pub fn decode<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Decoded {
    let limit = Limits::default().max_packet_bytes;
    let mut decoded = Decoded { version: FIRST_VERSION, ..Decoded::default() };
    let mut buffer = BytesMut::new();
    for chunk in chunks {
        buffer.extend_from_slice(chunk);
        decoded.room = decoded.room.max(buffer.capacity());
        loop {
            match decode_buffered_packet(&mut buffer, decoded.version, limit) {
                Ok(Some(packet)) => {
                    if let Packet::Connect(connect) = &packet {
                        decoded.version = connect.protocol_version;
                    }
                    let name = packet.packet_type_name();
                    let message = match packet {
                        Packet::Publish(publish) => Some((publish.topic_name, publish.payload)),
                        _ => None,
                    };
                    decoded.packets.push((name, message));
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

/// What is passed on to the broker of what a page sends.
pub fn translate<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut translator = ConnectTranslator::default();
    chunks.into_iter().flat_map(|chunk| translator.pass(Bytes::copy_from_slice(chunk))).collect()
}
