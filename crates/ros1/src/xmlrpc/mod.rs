//! XML-RPC over HTTP: a server for one handler, and a client.
//!
//! ```text
//!  bytes ──▶ body ──▶ guard ──▶ document ──▶ Handler      a fault or an HTTP status reports to the caller what was wrong,
//!  bytes ◀── room ◀─────────── document ◀── answer        and keeps its connection
//! ```
//!
//! Calls of web pages are refused ([`latimer_http_guard`]). Bounded are the connections, the time for a request's head, its body and the reading of its answer, the length of a
//! document, its depth and the number of its values, and all bytes that a server holds at once.

mod answer;
mod body;
mod client;
mod document;
mod guard;
mod multicall;
mod offload;
mod server;
mod size;

use std::net::{IpAddr, SocketAddr};

pub use dxr::{Fault, Value};
use futures_util::future::BoxFuture;
pub use latimer_http_guard::Guard;

pub use self::client::{CallError, Client};
pub use self::document::{DocumentError, read_answer, read_call, write_answer, write_call, write_fault};
pub(crate) use self::server::MAX_CONNECTIONS;
pub use self::server::serve;
pub(crate) use self::size::size_of;

/// The guard of a port whose advertised name is `host`; other names may call it, too.
pub(crate) fn port_guard(listen: IpAddr, host: &str, names: &[String]) -> Guard {
    let names: Vec<String> = names.iter().cloned().chain([host.to_owned()]).collect();
    Guard::new(listen, names)
}

/// What answers calls.
pub trait Handler: Send + Sync + 'static {
    /// Answers a call, or refuses it.
    fn call<'a>(
        &'a self,
        method: &'a str,
        params: Vec<Value>,
        peer: SocketAddr,
    ) -> BoxFuture<'a, Result<Value, Fault>>;
}

/// The fault for a method that is none, in the words of Python's server, by which clients know it.
pub fn unsupported(method: &str) -> Fault {
    Fault::new(1, format!("<class 'Exception'>:method \"{}\" is not supported", shortened(method)))
}

/// As much of a foreign text as a message needs.
pub(crate) fn shortened(text: &str) -> String {
    const CHARACTERS: usize = 200;
    match text.char_indices().nth(CHARACTERS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
