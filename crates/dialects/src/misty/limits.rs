//! Time-outs and limits of this dialect; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// Most subscriptions of one socket.
    pub(crate) const MAX_SUBSCRIPTIONS_PER_SOCKET: usize = 512;
    /// `DebounceMs` of a client that names none.
    pub(crate) const DEFAULT_DEBOUNCE_TIME: Duration = Duration::from_millis(250);
    /// How long a picture may take; in the dark there is one a second.
    pub(crate) const PICTURE_TIMEOUT: Duration = Duration::from_secs(5);
    /// How long the robot may take to answer a call.
    pub(crate) const CALL_TIMEOUT: Duration = Duration::from_secs(8);
    /// Largest answer of a robot that is read.
    pub(crate) const ANSWER_MAX_BYTES: usize = 1 << 20;
    /// Largest frame read; the largest sample has 18 kB.
    pub(crate) const RECEIVED_FRAME_MAX_BYTES: usize = 2 << 20;
    /// Largest frame written: a subscription.
    pub(crate) const SENT_FRAME_MAX_BYTES: usize = 64 << 10;
}
