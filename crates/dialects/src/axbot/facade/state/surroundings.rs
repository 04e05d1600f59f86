//! What surrounds the software of a simulated chassis: its network, its host names, its clock's servers, its USB devices.
//!
//! There is no such thing beneath a simulated robot: settings are kept and returned, and have no other
//! effect. A connected robot has its own, which this gateway neither reads nor changes.

use std::collections::BTreeMap;
use std::net::IpAddr;

use serde_json::Value;

/// What was set of one robot. Nothing of it outlives the gateway.
#[derive(Debug, Default)]
pub(in super::super) struct Surroundings {
    /// The addresses that names were given.
    pub(in super::super) hostnames: BTreeMap<&'static str, IpAddr>,
    pub(in super::super) network: Network,
    /// The USB devices of the list that was saved.
    pub(in super::super) usb: Vec<Value>,
    /// The servers that its clock would go by.
    pub(in super::super) time_sources: Vec<String>,
    /// Whom its clock would tell the time.
    pub(in super::super) time_allows: Vec<String>,
}

/// How its network was set.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Network {
    /// The network to be joined; none if it has one of its own.
    pub(in super::super) station: Option<String>,
    pub(in super::super) own: bool,
    pub(in super::super) route_mode: Option<&'static str>,
}
