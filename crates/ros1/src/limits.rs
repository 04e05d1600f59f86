//! Time-outs and limits of this crate; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// How long a node may take to answer the master.
    pub(crate) const NODE_ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
    /// How long to wait before a node that could not be reached is tried once more.
    pub(crate) const NOTIFICATION_RETRY_DELAY: Duration = Duration::from_millis(500);
    /// How many notifications wait for one node; then the oldest is lost.
    pub(crate) const NOTIFICATION_QUEUE_CAPACITY: usize = 4096;
    /// What the parameters among them may take.
    pub(crate) const NOTIFICATION_QUEUE_BYTES: usize = 16 << 20;
    /// How many nodes may have notifications that wait.
    pub(crate) const MAX_NOTIFIED_NODES: usize = 16 << 10;
    /// Messages of `/rosout_agg` that wait for a slow reader.
    pub(crate) const ROSOUT_QUEUE_CAPACITY: usize = 1024;
    /// How long each step of the handshake of a subscriber may take.
    pub(crate) const TCPROS_HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
    /// The same for the header of a subscriber that connects while more than half of the handshakes are in use.
    pub(crate) const TCPROS_HURRIED_HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(1);
    /// Most handshakes at a time; further subscribers are disconnected at once.
    pub(crate) const MAX_TCPROS_HANDSHAKES: usize = 256;
    /// How long each step of connecting to a publisher may take.
    pub(crate) const PUBLISHER_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
    /// Longest message that is taken from a publisher.
    pub(crate) const RECEIVED_MESSAGE_MAX_BYTES: usize = 32 << 20;
    /// Publishers of one topic, at most.
    pub(crate) const MAX_PUBLISHERS_PER_TOPIC: usize = 256;
    /// How long the master may take to answer a call on parameters, or registrations.
    pub(crate) const MASTER_ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
    /// A subscriber that takes no byte for this long is cut off.
    pub(crate) const SUBSCRIBER_WRITE_TIMEOUT: Duration = Duration::from_secs(30);
    /// Longest queue of a publisher; a message in it can be large.
    pub(crate) const PUBLISHER_QUEUE_MAX: usize = 16_384;
    /// How many registrations are made with one call.
    pub(crate) const REGISTRATIONS_PER_CALL: usize = 1024;
    /// Between two looks at whether the master still knows the node.
    pub(crate) const MASTER_LOOK_INTERVAL: Duration = Duration::from_secs(1);
    /// How long telling the master that the node ends may take.
    pub(crate) const UNREGISTER_TIMEOUT: Duration = Duration::from_secs(1);
    /// Messages of the node's `/rosout` that wait for a slow listener.
    pub(crate) const NODE_LOG_QUEUE_CAPACITY: usize = 128;
    /// How long a call to the master that is under way may keep a node that ends.
    pub(crate) const MASTER_CALL_GRACE_TIME: Duration = Duration::from_millis(500);
    /// How long the node's tasks may take to end.
    pub(crate) const NODE_GRACE_TIME: Duration = Duration::from_secs(1);
    /// How long a request of a service may take to come, and its answer to be taken.
    pub(crate) const SERVICE_TIMEOUT: Duration = Duration::from_secs(30);
    /// Longest request or response of a service.
    pub(crate) const SERVICE_MAX_BYTES: usize = 16 << 20;
    /// How long the sender of a request's body may take.
    pub(crate) const XMLRPC_BODY_TIMEOUT: Duration = Duration::from_secs(15);
    /// Longest answer of a node.
    pub(crate) const NODE_ANSWER_MAX_BYTES: usize = 64 << 10;
    /// Longest answer of a master, whose state and parameters can be many.
    pub(crate) const MASTER_ANSWER_MAX_BYTES: usize = 32 << 20;
    /// How long a connection of XML-RPC is kept for the next call.
    pub(crate) const XMLRPC_IDLE_TIME: Duration = Duration::from_secs(1);
    /// Calls in one `system.multicall`.
    pub(crate) const MULTICALL_MAX_CALLS: usize = 4096;
    /// How long a caller may take to send a request's line and headers, and how long it may keep an idle connection.
    pub(crate) const XMLRPC_HEADERS_TIMEOUT: Duration = Duration::from_secs(30);
    /// The same for a caller that connects while more than half of the connections are in use, so that silent callers
    /// give theirs back soon.
    pub(crate) const XMLRPC_HURRIED_HEADERS_TIMEOUT: Duration = Duration::from_secs(2);
    /// Room for a request's line and headers, bytes.
    pub(crate) const XMLRPC_HEADERS_MAX_BYTES: usize = 16 << 10;
    /// How long a caller may take no byte of its answer.
    pub(crate) const XMLRPC_WRITE_TIMEOUT: Duration = Duration::from_secs(12);
    /// How long a call that is being answered may keep a server that stops.
    pub(crate) const XMLRPC_GRACE_TIME: Duration = Duration::from_millis(500);
}
