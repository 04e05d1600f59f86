//! MQTT: a broker within the gateway, and links to any broker.
//!
//! ```text
//! [broker] ──▶ broker::Broker ──listens──▶ robots, visualisers, …
//!                 ▲ 127.0.0.1
//! dialects ──▶ Link (reconnects) or Connection (one, until it drops) ──▶ that broker, or any other
//! ```
//!
//! No other crate imports the protocol's libraries.

pub mod broker;
mod client;
pub mod connection;
pub mod fair_queue;
pub mod limits;
pub mod link;
pub mod message;

pub use broker::{Broker, BrokerConfig};
pub use client::{
    ConnectionError, DropReason, LinkError, LossReason, MAX_PAYLOAD_BYTES, OpenError, PublishError,
};
pub use connection::{Connection, Login};
pub use fair_queue::{FairQueue, QueueItem};
pub use link::{Link, LinkEvent, Lost, Progress, Publisher, reach};
pub use message::{Message, Qos, Retained};
