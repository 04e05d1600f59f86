//! Time-outs and limits of this crate beside those of each dialect, which are in its folder; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// How long a client may take to send a request's headers.
    pub(crate) const REQUEST_HEADERS_TIMEOUT: Duration = Duration::from_secs(15);
    /// The same while more than half of the places of a port are taken, so that those of silent clients are soon free again.
    pub(crate) const HURRIED_REQUEST_HEADERS_TIMEOUT: Duration = Duration::from_secs(2);
    /// Room for a request's line and headers.
    pub(crate) const REQUEST_HEADERS_MAX_BYTES: usize = 32 << 10;
    /// How long a request that is being answered may keep a port that stops.
    pub(crate) const PORT_GRACE_TIME: Duration = Duration::from_secs(1);
    /// Connections that one port serves at once, unless `[http] max_connections` says otherwise.
    pub const MAX_CONNECTIONS: usize = 4096;
    /// Requests a second of one address, unless `[limits] requests_per_s` says otherwise.
    pub const MAX_REQUESTS_PER_S: u32 = 5000;
    /// Connections beyond a port's bound that are taken for urgent requests.
    pub(crate) const RESERVED_CONNECTIONS: usize = 64;
    /// How long a client may take no bytes while what all of them have not read takes more than its share of memory.
    pub(crate) const EXCEEDED_UNREAD_TIMEOUT: Duration = Duration::from_millis(250);
    /// How often a silent client is asked whether it is there.
    pub(crate) const PING_INTERVAL: Duration = Duration::from_secs(10);
    /// A client that sends nothing for so long is dropped.
    pub(crate) const CLIENT_SILENCE_TIMEOUT: Duration = Duration::from_secs(65);
    /// How long a client may take to read why it is dropped.
    pub(crate) const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
    /// How long a write may take that is under way when the gateway stops.
    pub(crate) const LAST_WRITE_TIMEOUT: Duration = Duration::from_millis(300);
    /// How long nothing may be written to a connection although there is something; a little longer than streams wait, which can
    /// tell more about it.
    pub(crate) const STALLED_CONNECTION_TIMEOUT: Duration = Duration::from_secs(12);
    /// Shortest time between two warnings of a kind about one robot.
    pub(crate) const WARNING_INTERVAL: Duration = Duration::from_secs(30);
    /// Longest body of a request that stops a robot.
    pub(crate) const STOP_BODY_MAX_BYTES: usize = 4 << 10;
    /// How long the body of a request may take to say whether it stops a robot; one that takes longer is as any other.
    pub(crate) const STOP_BODY_TIMEOUT: Duration = Duration::from_secs(2);
    /// Stops of one client to one robot that may be on their way.
    pub const MAX_PENDING_STOPS: usize = 64;
    /// Longest time that a command to move may have waited at the broker; an older one is refused, since nobody near the robot expects it to move then.
    pub(crate) const LATE_COMMAND_MAX_AGE: Duration = Duration::from_secs(5);
    /// A robot or bridge behind a WebSocket that sends nothing for so long is pinged.
    pub(crate) const PEER_PING_DELAY: Duration = Duration::from_secs(12);
    /// A robot or bridge behind a WebSocket that sends nothing for so long is gone.
    pub(crate) const PEER_SILENCE_TIMEOUT: Duration = Duration::from_secs(30);
    /// What of a body there always is memory for: a command is shorter, and a stop must never be refused for want of it.
    pub(crate) const GUARANTEED_BODY_BYTES: usize = 4 << 10;
}
