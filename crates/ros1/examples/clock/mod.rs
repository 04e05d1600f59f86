//! The wall clock, which the library asks of its program so that tests may have another.

use std::time::{SystemTime, UNIX_EPOCH};

use latimer_ros1::msgs::Time;

/// The time of now.
#[expect(clippy::disallowed_methods, reason = "a program's own clock")]
pub(crate) fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time { secs: u32::try_from(since.as_secs()).unwrap_or(u32::MAX), nsecs: since.subsec_nanos() }
}
