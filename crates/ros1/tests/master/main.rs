//! XML-RPC and the master, with callers of every kind.

mod xmlrpc;
