//! Time-outs and limits of this crate; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// How long a publisher waits for a link of the gateway that has enough to read.
    pub(crate) const BACK_PRESSURE_TIMEOUT: Duration = Duration::from_secs(2);
    /// Bytes of answers that wait for a client, above which it is read from no more.
    pub(crate) const RESPONSE_QUEUE_BYTES: usize = 64 << 10;
    /// How long a client may take to read why it is refused.
    pub(crate) const REFUSAL_READ_TIMEOUT: Duration = Duration::from_millis(300);
    /// How long a client may take to read why it is disconnected, behind all that it has not read yet, and to close its side.
    pub(crate) const DISCONNECT_READ_TIMEOUT: Duration = Duration::from_secs(5);
    /// How long the broker may take to send DISCONNECT to its clients.
    pub(crate) const BROKER_DISCONNECT_TIMEOUT: Duration = Duration::from_millis(400);
    /// Messages that a client can have received and not acknowledged; fewer if it says so.
    pub(crate) const RECEIVE_MAXIMUM: u16 = 64;
    /// Messages of QoS 0 that wait for a client.
    pub(crate) const QOS0_QUEUE_CAPACITY: usize = 4_096;
    /// Between two looks for sessions and messages whose time is over.
    pub(crate) const SESSION_EXPIRY_CHECK_INTERVAL: Duration = Duration::from_secs(1);
    /// Most levels of a topic or filter, as at mosquitto.
    pub(crate) const TOPIC_MAX_LEVELS: usize = 200;
    /// Between two publications of $SYS, as at mosquitto.
    pub(crate) const SYS_INTERVAL: Duration = Duration::from_secs(10);
    /// How long a backlog lasts at most. Where messages come faster than the broker answers, nothing shows when all that waited has come. In so long a broker far away, with an answer
    /// in 100 ms, delivers 24,000 messages by mosquitto's defaults, 20 at a time, which keep 1,000.
    pub(crate) const BACKLOG_TIMEOUT: Duration = Duration::from_secs(2 * 60);
    /// Messages of QoS 1 that were acknowledged last and are known again; at a broker without a bound of messages under way, those
    /// whose acknowledgements may be lost with a connection.
    pub(crate) const MAX_REMEMBERED_ACKNOWLEDGEMENTS: usize = 4_096;
    /// How long ending a session that the broker keeps may take.
    pub(crate) const SESSION_END_TIMEOUT: Duration = Duration::from_millis(700);
    /// Messages that wait for the broker, at most.
    pub(crate) const OUTBOX_MAX_MESSAGES: usize = 65_536;
    /// Bytes of their topics and payloads, at most.
    pub(crate) const OUTBOX_MAX_BYTES: usize = 64 << 20;
    /// How long DISCONNECT of a link may take.
    pub(crate) const LINK_DISCONNECT_TIMEOUT: Duration = Duration::from_millis(700);
    /// Most unconfirmed messages at which requests of robots are still taken; more would delay all robots.
    pub(crate) const FAIR_QUEUE_MAX_UNCONFIRMED: usize = 128;
    /// So many breaches of the protocol in a row, each another one, end a session.
    pub(crate) const MAX_PROTOCOL_BREACHES: u32 = 8;
}
