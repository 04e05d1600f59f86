//! The facade as AutoXing's clients see it.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod chassis;
mod miro;
mod orders;
mod sockets;
mod streams;
mod topics;
