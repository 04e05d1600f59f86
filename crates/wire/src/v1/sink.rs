//! A subscriber, as lists show it.

use latimer_core::hub::{SinkInfo, SinkReport};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::rfc3339_from_timestamp;

/// A subscriber.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct Sink {
    /// The dialect or service that it speaks.
    pub dialect: String,
    /// Where it comes from.
    pub peer: String,
    /// Since when.
    pub since: String,
    /// Whether it is a part of the gateway, which reads for itself or for all readers of a broker, and no single client.
    pub internal: bool,
    /// Its subscriptions.
    pub subscriptions: usize,
    /// The same in words, e.g. `misty-1/imu every 250ms`.
    pub selects: Vec<String>,
    /// Updates that wait until it reads them.
    pub waiting: usize,
    /// Updates handed over.
    pub delivered: u64,
    /// States and frames that newer ones replaced before they were read.
    pub coalesced: u64,
    /// Updates lost.
    pub lost: u64,
}

impl From<&SinkReport> for Sink {
    fn from(report: &SinkReport) -> Self {
        let SinkReport { info, selects, waiting, delivered, coalesced, lost } = report;
        let SinkInfo { dialect, peer, since, is_internal } = info;
        Self {
            dialect: (*dialect).to_owned(),
            peer: peer.clone(),
            since: rfc3339_from_timestamp(*since),
            internal: *is_internal,
            subscriptions: selects.len(),
            selects: selects.clone(),
            waiting: *waiting,
            delivered: *delivered,
            coalesced: *coalesced,
            lost: *lost,
        }
    }
}
