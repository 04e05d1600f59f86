//! TCPROS: connection headers and frames.
//!
//! ```text
//!  subscriber                                   publisher
//!     │ header: topic, type, md5sum, callerid ────▶ │
//!     │ ◀──── header: type, md5sum, definition, …   │   or  error=…, and the end
//!     │ ◀──── frame, frame, frame, …                │
//! ```
//!
//! A header and a message are framed alike: their length in four bytes, little endian, then their bytes. Within a header each
//! field is framed so again. Lengths are believed only as far as bytes have come.

mod frame;
mod handshake;
mod header;

pub use frame::{Frames, TooLong};
pub use handshake::{HandshakeError, Incoming, greet, read_header, write_header};
pub use header::{BadHeader, Header, MAX_HEADER_BYTES};
