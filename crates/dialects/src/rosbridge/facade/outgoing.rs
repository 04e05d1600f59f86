//! How frames go out: whole, in fragments, as a PNG, or as CBOR.

use std::borrow::Cow;
use std::fmt::Write;

use axum::extract::ws::Message;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::Timestamp;
use latimer_ros1::message::{Layout, Value};
use serde_json::{Value as Json, json};

use super::cbor;
use crate::rosbridge::limits::MAX_SENT_FRAGMENTS;
use crate::rosbridge::protocol::{Frame, publish};
use crate::rosbridge::types;

/// How a message is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Compression {
    #[default]
    None,
    /// The JSON text in the pixels of a PNG.
    Png,
    /// The whole frame as CBOR.
    Cbor,
    /// CBOR around the message as ROS serialises it.
    CborRaw,
}

/// What a client asked for with a subscription or a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packing {
    pub(super) compression: Compression,
    /// Longest text of a frame, bytes.
    pub(super) fragment_bytes: Option<usize>,
}

impl Packing {
    /// What a frame asks for; a compression that is not known is none.
    pub(super) fn asked(frame: &Frame<'_>) -> Self {
        let compression = match frame.compression.as_deref() {
            Some("png") => Compression::Png,
            Some("cbor") => Compression::Cbor,
            Some("cbor-raw") => Compression::CborRaw,
            _ => Compression::None,
        };
        let fragment_bytes = frame.fragment_size.filter(|it| *it >= 1.0).map(|it| it as usize);
        Self { compression, fragment_bytes }
    }

    /// What counts of several subscriptions: the strongest compression and the shortest fragments.
    pub(super) fn with(self, other: Self) -> Self {
        let shortest = [self.fragment_bytes, other.fragment_bytes].into_iter().flatten().min();
        Self { compression: self.compression.max(other.compression), fragment_bytes: shortest }
    }

    /// A message on a topic.
    pub(super) fn message(
        self,
        topic: &str,
        ros_type: impl FnOnce() -> Option<String>,
        message: &str,
        at: Timestamp,
    ) -> Vec<Message> {
        let binary = || {
            let layout = types::layout(&ros_type()?)?;
            let json: Json = serde_json::from_str(message).ok()?;
            let value = types::read_published(layout.structure(), &json).ok()?;
            match self.compression {
                Compression::Cbor => Some(cbor::publish(topic, layout.structure(), &value)),
                _ => raw(layout, &value, topic, at),
            }
        };
        // What is known of no type cannot be laid out; a client reads its text.
        let is_binary = self.compression >= Compression::Cbor;
        match is_binary.then(binary).flatten() {
            Some(bytes) => vec![Message::binary(bytes)],
            None => self.text(publish(topic, message)),
        }
    }

    /// A frame of text.
    pub(super) fn text(self, mut text: String) -> Vec<Message> {
        if self.compression == Compression::Png
            && let Some(png) = png(&text)
        {
            text = json!({"op": "png", "data": STANDARD.encode(png)}).to_string();
        }
        match self.fragment_bytes.filter(|most| *most < text.len()) {
            None => vec![Message::text(text)],
            Some(most) => fragments(&text, most.max(text.len() / MAX_SENT_FRAGMENTS + 1)),
        }
    }
}

fn raw(layout: &Layout, value: &Value, topic: &str, at: Timestamp) -> Option<Vec<u8>> {
    Some(cbor::publish_raw(topic, at, &layout.encode(value).ok()?))
}

fn fragments(text: &str, most: usize) -> Vec<Message> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let end =
            rest.char_indices().map(|(at, it)| at + it.len_utf8()).take_while(|end| *end <= most).last();
        let (part, after) =
            rest.split_at(end.or_else(|| rest.chars().next().map(char::len_utf8)).unwrap_or(1));
        parts.push(part);
        rest = after;
    }
    // One message's fragments are written together, so that the name of one does for all.
    let total = parts.len();
    let frame = |(num, data): (usize, &str)| json!({"op": "fragment", "id": "0", "data": data, "num": num, "total": total});
    parts.into_iter().enumerate().map(frame).map(|frame| Message::text(frame.to_string())).collect()
}

/// The text as the pixels of a picture, three bytes each; what is left of the last row is line feeds. Its characters are ASCII, because
/// clients take each byte for one.
fn png(text: &str) -> Option<Vec<u8>> {
    let mut bytes = ascii(text).into_owned().into_bytes();
    let width = ((bytes.len() as f64 / 3.0).sqrt() as usize).max(1);
    let height = bytes.len().div_ceil(3).div_ceil(width);
    bytes.resize(width * height * 3, b'\n');
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, width.try_into().ok()?, height.try_into().ok()?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().ok()?.write_image_data(&bytes).ok()?;
    Some(png)
}

/// JSON with all that is not ASCII escaped; it can only stand in texts.
fn ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_ascii() {
            true => out.push(letter),
            false => letter.encode_utf16(&mut [0; 2]).iter().for_each(|it| _ = write!(out, "\\u{it:04x}")),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_are_as_long_as_was_asked_and_join_to_the_text() {
        let text = "{\"data\":\"ä€😀 and on\"}".repeat(3);
        for most in 1..text.len() {
            let packing = Packing { fragment_bytes: Some(most), ..Packing::default() };
            let frames = packing.text(text.clone());
            let mut joined = String::new();
            for (num, frame) in frames.iter().enumerate() {
                let frame: Json = serde_json::from_str(frame.to_text().unwrap()).unwrap();
                assert_eq!((&frame["num"], &frame["total"]), (&json!(num), &json!(frames.len())));
                let data = frame["data"].as_str().unwrap();
                assert!(data.len() <= most.max(4), "{most}: {data}");
                joined.push_str(data);
            }
            assert_eq!(joined, text);
        }
        assert_eq!(Packing::default().text(text.clone()), vec![Message::text(text)]);
    }

    #[test]
    fn a_text_is_the_pixels_of_a_picture() {
        for text in ["7", "{\"data\":\"ä😀\"}", &"[1,2]".repeat(100)] {
            let picture = png(text).unwrap();
            let mut reader = png::Decoder::new(std::io::Cursor::new(picture)).read_info().unwrap();
            let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut bytes).unwrap();
            let read = String::from_utf8(bytes).unwrap();
            assert!(read.is_ascii());
            assert_eq!(serde_json::from_str::<Json>(read.trim_end()).ok(), serde_json::from_str(text).ok());
        }
    }
}
