//! Frames as they come: JSON text, or binary with the topic in front.
//!
//! ```text
//! topic's length: u8 | topic: UTF-8 | zipped: u8 | protobuf
//! ```

/// A frame, by what can be published without reading it whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// JSON text.
    Text(&'a str),
    /// Binary, of a topic.
    Binary {
        /// The topic's name.
        topic: &'a str,
    },
    /// Neither.
    Garbage,
}

impl<'a> Frame<'a> {
    /// What a frame is.
    ///
    /// A topic of 123 letters begins as an object does, with `{`; but a slash follows, which no object has there.
    pub fn of(bytes: &'a [u8]) -> Self {
        if let Some(topic) = binary_topic(bytes) {
            return Frame::Binary { topic };
        }
        let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        match std::str::from_utf8(bytes) {
            Ok(text) if first == Some(&b'{') => Frame::Text(text),
            _ => Frame::Garbage,
        }
    }
}

/// The topic of a binary frame; `None` if it is none, or not whole up to its first byte of content.
fn binary_topic(bytes: &[u8]) -> Option<&str> {
    let (length, rest) = bytes.split_first()?;
    let (topic, content) = rest.split_at_checked(usize::from(*length))?;
    let zipped = content.first()?;
    let topic = std::str::from_utf8(topic).ok()?;
    (topic.starts_with('/') && *zipped <= 1).then_some(topic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(topic: &str, zipped: u8, content: &[u8]) -> Vec<u8> {
        let mut frame = vec![topic.len() as u8];
        frame.extend_from_slice(topic.as_bytes());
        frame.push(zipped);
        frame.extend_from_slice(content);
        frame
    }

    #[test]
    fn tells_text_from_binary() {
        assert_eq!(Frame::of(b"{\"topic\":\"/map\"}"), Frame::Text("{\"topic\":\"/map\"}"));
        assert_eq!(Frame::of(b" \n{}"), Frame::Text(" \n{}"));
        let scan = binary("/front_laser_2d/scan", 1, b"\x1f\x8b");
        assert_eq!(Frame::of(&scan), Frame::Binary { topic: "/front_laser_2d/scan" });
        let long = format!("/{}", "a".repeat(122));
        let begins_like_text = binary(&long, 0, b"");
        assert_eq!(begins_like_text[0], b'{');
        assert_eq!(Frame::of(&begins_like_text), Frame::Binary { topic: &long });
    }

    #[test]
    fn a_part_of_a_frame_is_garbage_until_its_topic_is_there() {
        let whole = binary("/submap_list", 0, b"\x08\x03");
        for length in 0..=whole.len() {
            let expected = if length < 14 { Frame::Garbage } else { Frame::Binary { topic: "/submap_list" } };
            assert_eq!(Frame::of(&whole[..length]), expected, "{length} bytes");
        }
    }

    #[test]
    fn garbage_is_garbage() {
        for garbage in
            [&b""[..], b"\xff\xfe", b"[1]", b"null", b"{\xff}", b"\x02/a\x02", b"\x01a\x00", b"\x00"]
        {
            assert_eq!(Frame::of(garbage), Frame::Garbage, "{garbage:?}");
        }
        for byte in 0..=u8::MAX {
            // Must not panic.
            let _ = Frame::of(&[byte; 3]);
        }
    }
}
