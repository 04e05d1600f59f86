//! How nodes of this program are made.

use std::net::IpAddr;
use std::sync::Arc;

use latimer_core::Clock;
use latimer_core::Timestamp;
use latimer_core::access::Gate;
use latimer_listen::ListenerPolicy;
use latimer_ros1::msgs::Time;
use latimer_ros1::node::{Node, NodeError, Running, Settings};

/// Where a node is, and where its master.
#[derive(Clone, Debug)]
pub(super) struct NodeAddress {
    pub(super) master: String,
    pub(super) bind: IpAddr,
    pub(super) host: Option<String>,
    pub(super) policy: ListenerPolicy,
    /// What clients may do, if the gateway has users.
    pub(super) gate: Option<Arc<dyn Gate>>,
}

/// Where stamps come from.
pub(super) type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Stamps of the gateway's clock.
pub(super) fn wall(clock: Clock) -> Now {
    Arc::new(move || clock.now())
}

/// Binds a node's ports.
pub(super) async fn bind(name: &str, place: &NodeAddress, now: Now) -> Result<(Node, Running), NodeError> {
    let settings = Settings {
        name: format!("/{name}"),
        master: place.master.clone(),
        bind: place.bind,
        host: place.host.clone(),
        policy: place.policy.clone(),
        remap: std::collections::BTreeMap::new(),
        now: Arc::new(move || time_from_timestamp(now())),
    };
    Node::bind(settings).await
}

/// A moment as ROS tells it; what ROS cannot tell is held at its bounds.
pub fn time_from_timestamp(at: Timestamp) -> Time {
    let ns = at.as_nanos().max(0);
    let secs = u32::try_from(ns / 1_000_000_000).unwrap_or(u32::MAX);
    Time { secs, nsecs: u32::try_from(ns % 1_000_000_000).unwrap_or(0) }
}

/// A stamp of ROS; zero is none.
pub fn timestamp_from_time(time: Time) -> Option<Timestamp> {
    let ns = i64::from(time.secs) * 1_000_000_000 + i64::from(time.nsecs);
    (ns > 0).then(|| Timestamp::from_nanos(ns))
}
