//! What Misty II says on `/pubsub`: frames, keys, versions and the list of the specification's 21 event types. The
//! bodies of the events are [`messages`](super::messages).
//!
//! [`Message`] is one parsed event body, [`version`] says which properties a client gets to see,
//! [`envelope()`] puts the frame around an encoded body.

pub mod classes;
pub mod envelope;
mod event_type;
pub mod keys;
mod message;
pub mod version;

#[cfg(test)]
pub(super) mod tests;

pub use classes::websocket_classes;
pub use envelope::{Body, Frame, envelope};
pub use event_type::{Cadence, EventType, MESSAGES, Message, UnknownEventType};
pub use keys::pascal_case;
pub use message::{DecodeError, MAX_MESSAGE_BYTES};
pub use version::{UnknownVersion, Version};

pub use crate::describe::Extra;
