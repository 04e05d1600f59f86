//! The facade as AutoXing's clients see it.

pub(crate) mod chassis;
mod drives;
mod miro;
mod orders;
mod sockets;
mod streams;
mod topics;
