//! Time-outs and limits of this crate; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// How long a client may take for its first byte, and again for each handshake: TLS, WebSocket, MQTT.
    pub const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
    /// How long the body of a request may take.
    pub const REQUEST_BODY_TIMEOUT: Duration = Duration::from_secs(10);
    /// How long connecting to a server may take, all handshakes included.
    pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
    /// The same for a request; nothing but TLS is between.
    pub const HTTP_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
    /// How long a connection to a server is kept for the next request.
    pub const HTTP_IDLE_TIME: Duration = Duration::from_secs(90);
    /// How long an attempt to connect may take that only finds out whether a server is there. A second one goes out after a second, if
    /// the first was lost.
    pub(crate) const PROBE_TIMEOUT: Duration = Duration::from_millis(1500);
    /// Wait after the system could not give a connection, e.g. because no file handle is free.
    pub(crate) const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);
    /// Between two looks at whether a connected client may still be so.
    pub(crate) const ADMISSION_CHECK_INTERVAL: Duration = Duration::from_secs(2);
    /// Longest file of certificates or keys; revocation lists are the longest.
    pub(crate) const PEM_FILE_MAX_BYTES: u64 = 64 << 20;
    /// Addresses whose refused connections the log has; all are forgotten past it.
    pub(crate) const MAX_REPORTED_ADDRESSES: usize = 256;
    /// How long what serves a client whose certificate is revoked may take to notice by itself.
    pub(crate) const REVOKED_NOTICE_TIME: Duration = Duration::from_secs(1);
    /// Between two looks at the files of certificates.
    pub(crate) const TLS_FILES_LOOK_INTERVAL: Duration = Duration::from_secs(2);
    /// How long before its end the log warns of a revocation list.
    pub(crate) const REVOCATION_LIST_WARNING_TIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
}
