//! Properties of MQTT 5 that a client may send.

use super::reader::Reader;
use super::{DecodeError, Reason};

/// Where properties stand, one bit each.
pub(super) const CONNECT: u8 = 1;
pub(super) const WILL: u8 = 2;
pub(super) const PUBLISH: u8 = 4;
pub(super) const ACK: u8 = 8;
pub(super) const SUBSCRIBE: u8 = 16;
pub(super) const UNSUBSCRIBE: u8 = 32;
pub(super) const DISCONNECT: u8 = 64;
pub(super) const AUTH: u8 = 128;

/// Every property of every packet may be repeated but once, apart from this.
const USER_PROPERTY: u8 = 0x26;

#[derive(Clone, Copy)]
enum Kind {
    Byte,
    Two,
    Four,
    Varint,
    Text,
    Binary,
    Pair,
}

/// Identifier, form, and where it may stand.
const KNOWN: [(u8, Kind, u8); 18] = [
    (0x01, Kind::Byte, PUBLISH | WILL),
    (0x02, Kind::Four, PUBLISH | WILL),
    (0x03, Kind::Text, PUBLISH | WILL),
    (0x08, Kind::Text, PUBLISH | WILL),
    (0x09, Kind::Binary, PUBLISH | WILL),
    (0x0b, Kind::Varint, SUBSCRIBE),
    (0x11, Kind::Four, CONNECT | DISCONNECT),
    (0x15, Kind::Text, CONNECT | AUTH),
    (0x16, Kind::Binary, CONNECT | AUTH),
    (0x17, Kind::Byte, CONNECT),
    (0x18, Kind::Four, WILL),
    (0x19, Kind::Byte, CONNECT),
    (0x1f, Kind::Text, ACK | DISCONNECT | AUTH),
    (0x21, Kind::Two, CONNECT),
    (0x22, Kind::Two, CONNECT),
    (0x23, Kind::Two, PUBLISH),
    (USER_PROPERTY, Kind::Pair, 0xff),
    (0x27, Kind::Four, CONNECT),
];

/// Identifiers of what subscribers get as it came.
const PASSED_ON: [u8; 5] = [0x01, 0x03, 0x08, 0x09, USER_PROPERTY];

/// What the broker looks at.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Properties {
    pub(super) message_expiry_s: Option<u32>,
    pub(super) subscription_identifier: Option<u32>,
    pub(super) session_expiry_s: Option<u32>,
    pub(super) has_authentication_method: bool,
    pub(super) will_delay_s: Option<u32>,
    pub(super) receive_maximum: Option<u16>,
    pub(super) topic_alias_maximum: Option<u16>,
    pub(super) topic_alias: Option<u16>,
    pub(super) max_packet_bytes: Option<u32>,
    /// Encoded.
    pub(super) passed_on: Vec<u8>,
}

impl Properties {
    /// Reads the properties of a packet, and what stands before it says how long they are.
    pub(super) fn read(packet: &mut Reader<'_>, place: u8) -> Result<Self, DecodeError> {
        let length = packet.varint()?;
        let mut reader = Reader(packet.take(length as usize)?);
        let (mut properties, mut seen) = (Self::default(), 0_u64);
        while !reader.is_empty() {
            let before = reader.0;
            let identifier = reader.varint()?;
            let known = KNOWN.iter().find(|(known, ..)| u32::from(*known) == identifier);
            let Some((identifier, kind, places)) = known else {
                return Err(DecodeError::malformed("an unknown property"));
            };
            if places & place == 0 {
                return Err(DecodeError::protocol("a property stands where it may not"));
            }
            if *identifier != USER_PROPERTY && seen & (1 << identifier) != 0 {
                return Err(DecodeError::protocol("a property is there twice"));
            }
            seen |= 1 << identifier;
            properties.take(*identifier, *kind, &mut reader)?;
            if PASSED_ON.contains(identifier) {
                let length = before.len() - reader.0.len();
                properties.passed_on.extend(before.iter().take(length));
            }
        }
        Ok(properties)
    }

    fn take(&mut self, identifier: u8, kind: Kind, reader: &mut Reader<'_>) -> Result<(), DecodeError> {
        let number = match kind {
            Kind::Byte => u32::from(reader.byte()?),
            Kind::Two => u32::from(reader.two()?),
            Kind::Four => reader.four()?,
            Kind::Varint => reader.varint()?,
            Kind::Text => reader.text().map(|_| 0)?,
            Kind::Binary => reader.binary().map(|_| 0)?,
            Kind::Pair => {
                reader.text()?;
                reader.text().map(|_| 0)?
            }
        };
        let not_zero = |what| if number == 0 { Err(DecodeError::protocol(what)) } else { Ok(number) };
        match identifier {
            0x01 | 0x17 | 0x19 if number > 1 => {
                return Err(DecodeError::protocol("a property is neither 0 nor 1"));
            }
            0x02 => self.message_expiry_s = Some(number),
            0x0b => self.subscription_identifier = Some(not_zero("subscription identifier 0")?),
            0x11 => self.session_expiry_s = Some(number),
            0x15 => self.has_authentication_method = true,
            0x18 => self.will_delay_s = Some(number),
            0x21 => self.receive_maximum = Some(not_zero("receive maximum 0")? as u16),
            0x22 => self.topic_alias_maximum = Some(number as u16),
            0x23 if number == 0 => {
                return Err(DecodeError { reason: Reason::TOPIC_ALIAS_INVALID, what: "topic alias 0" });
            }
            0x23 => self.topic_alias = Some(number as u16),
            0x27 => self.max_packet_bytes = Some(not_zero("maximum packet size 0")?),
            _ => {}
        }
        Ok(())
    }
}
