//! MQTT: a broker within the gateway, and links to any broker.
//!
//! ```text
//! [broker] ──▶ broker::Broker ──listens──▶ robots, visualisers, …
//!                 ▲ 127.0.0.1
//! dialects ──▶ Link (keeps trying) or Connection (one, until it drops) ──▶ that broker, or any other
//! ```
//!
//! The crates that speak the protocol are seen in this one only.

pub mod broker;
mod client;
pub mod connection;
pub mod link;
pub mod message;
pub mod turns;

pub use broker::{Broker, BrokerConfig};
pub use client::{
    ConnectionError, DropReason, LinkError, LossReason, MAX_PAYLOAD_BYTES, OpenError, PublishError,
};
pub use connection::{Connection, Login};
pub use link::{Heard, Link, Lost, Progress, Publisher};
pub use message::{Message, Qos, Retained};
pub use turns::{Turns, Waits};
