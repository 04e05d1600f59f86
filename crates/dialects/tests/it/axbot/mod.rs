//! The facade as AutoXing's clients see it.

mod chassis;
mod miro;
mod orders;
mod sockets;
mod streams;
mod topics;
