//! Frames as they come: JSON text, or binary with the topic in front.
//!
//! ```text
//! topic's length: u8 | topic: UTF-8 | zipped: u8 | protobuf
//! ```

/// A frame, by what can be told without reading it whole.
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
    pub fn of(_bytes: &'a [u8]) -> Self {
        Frame::Garbage
    }
}
