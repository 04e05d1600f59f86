//! What [`Connection`](crate::Connection) and [`Link`](crate::Link) share: one connection to a broker and its queues.
//!
//! ```text
//!  publish ──▶ outbox ──send──▶ ┌────────────┐ ◀──▶ broker
//!              ▲ not            │  session   │
//!              └─── confirmed ──└────────────┘ ──▶ inbox ──▶ next
//! ```
//!
//! A link has a session at the broker that outlives its connections: subscriptions and messages of QoS 1 and 2 are kept on both
//! sides, and nothing of them is lost or doubled; what may have waited at the broker is marked so. Where the broker has no such session any more, messages in flight go back into the
//! outbox.

mod backlog;
mod error;
mod flow;
mod in_flight;
mod inbox;
mod open;
mod outbox;
mod session;

pub use error::{ConnectionError, DropReason, LinkError, LossReason, OpenError, PublishError};
pub(crate) use inbox::{Inbox, MAX_MESSAGES as MAX_RECEIVED};
pub(crate) use open::{Client, SessionKind};
pub(crate) use outbox::Outbox;

/// Biggest payload that is published or received, in bytes.
pub const MAX_PAYLOAD_BYTES: usize = 4 << 20;

/// Messages that the broker within has not confirmed, at most; it lets every client have at least as many.
pub(crate) const MAX_UNCONFIRMED_WITHIN: u16 = 256;

/// The same at any other broker: mosquitto disconnects a client with more than 20 messages of QoS 2 in flight.
const MAX_UNCONFIRMED: u16 = 20;

/// Messages that were handed over to the client library, at most.
const MAX_HANDED: usize = 256;
