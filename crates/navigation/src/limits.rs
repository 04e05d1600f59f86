//! Time-outs and limits of this crate; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// Time between two speeds of a navigator.
    pub(crate) const SPEED_INTERVAL: Duration = Duration::from_millis(100);
    /// How long each speed lasts: one that is late is bridged, and a gateway that is gone drives no further.
    pub(crate) const SPEED_HOLD_TIME: Duration = Duration::from_millis(400);
    /// How long the robot may take to answer a speed.
    pub(crate) const SPEED_ANSWER_TIMEOUT: Duration = Duration::from_secs(1);
    /// Speeds in a row without an answer until the robot counts as gone.
    pub(crate) const MAX_UNANSWERED_SPEEDS: u32 = 3;
    /// How long a map and a first pose are waited for.
    pub(crate) const SETTING_OUT_TIMEOUT: Duration = Duration::from_secs(1);
    /// A pose that is older tells nothing.
    pub(crate) const POSE_MAX_AGE: Duration = Duration::from_secs(2);
    /// Between two reports on the way.
    pub(crate) const REPORT_INTERVAL: Duration = Duration::from_secs(1);
}
