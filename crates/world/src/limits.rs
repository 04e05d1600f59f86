//! Time-outs and limits of this crate; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// How far behind the clock the world may be before steps are left out.
    pub(crate) const MAX_LAG: Duration = Duration::from_millis(200);
    /// How long the end of the gateway waits for the world's thread.
    pub(crate) const RUNTIME_END_TIMEOUT: Duration = Duration::from_secs(1);
    /// An encoder without subscribers for so long is dropped.
    pub(crate) const ENCODER_IDLE_TIME: Duration = Duration::from_secs(5);
    /// Longest time from one key frame to the next, also when fewer pictures come than were announced.
    pub(crate) const KEY_FRAME_INTERVAL: Duration = Duration::from_secs(1);
    /// Shortest time between two looks at what is wanted; changes in between are merged.
    pub(crate) const DEMAND_LOOK_INTERVAL: Duration = Duration::from_millis(50);
    /// Longest nap of the world's thread; it is woken for requests and pictures, but not for commands to robots.
    pub(crate) const MAX_NAP: Duration = Duration::from_millis(10);
}
