//! XML-RPC and the master, with callers of every kind.

mod abuse;
mod compare;
mod ros;
mod tools;
mod xmlrpc;
