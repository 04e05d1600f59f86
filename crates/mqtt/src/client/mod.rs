//! What [`Connection`](crate::Connection) and [`Link`](crate::Link) share: one connection to a broker and its queues.
//!
//! ```text
//!  publish ──▶ outbox ──feed──▶ ┌────────────┐ ◀──▶ broker
//!              ▲ what no broker │  session   │
//!              └─── confirmed ──└────────────┘ ──▶ inbox ──▶ next
//! ```
//!
//! A connection begins a session of its own at the broker and leaves none behind. What a message's quality of service
//! promises is kept here: the ledger has what was handed over and not confirmed, and it goes back into the outbox.

mod error;
mod inbox;
mod ledger;
mod open;
mod outbox;
mod session;

pub use error::{ConnectionError, DropReason, LinkError, LossReason, OpenError, PublishError};
pub(crate) use inbox::Inbox;
pub(crate) use open::open;
pub(crate) use outbox::Outbox;
pub(crate) use session::serve;

/// Biggest payload that is published or heard, in bytes.
pub const MAX_PAYLOAD_BYTES: usize = 4 << 20;

/// Messages that the broker within has not confirmed, at most; it lets every client have at least as many.
pub(crate) const MAX_UNCONFIRMED_WITHIN: u16 = 256;

/// The same at any other broker: mosquitto cuts off who has more than 20 messages of QoS 2 under way.
const MAX_UNCONFIRMED: u16 = 20;

/// Messages that were handed over to the client library, at most.
const MAX_HANDED: usize = 256;
