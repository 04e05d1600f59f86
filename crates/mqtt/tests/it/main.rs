//! The broker within and the links, against each other and against a proxy that cuts.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod backlog;
mod broker;
mod conformance;
mod connection;
mod cuts;
mod link;
mod mosquitto;
mod order;
mod paho;
mod revoked;
mod roles;
mod slow;
mod support;
mod websocket;
