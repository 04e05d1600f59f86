//! XML-RPC and the master, with callers of every kind.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod abuse;
mod compare;
mod ros;
mod tools;
mod xmlrpc;
