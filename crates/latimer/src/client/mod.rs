//! The gateway's API from the other side: what the command line talks to.

mod http;
mod stream;

pub use http::{Gateway, GatewayArgs, TrustArgs};
pub use stream::{Stream, Streamed};
