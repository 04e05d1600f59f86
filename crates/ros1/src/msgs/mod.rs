//! Common messages as structs, in ROS's own names; what they mean is ROS's own documentation's to say.

mod covariance;
pub mod geometry_msgs;
mod macros;
pub mod nav_msgs;
pub mod rosgraph_msgs;
pub mod sensor_msgs;
pub mod std_msgs;
pub mod tf2_msgs;

use serde::{Deserialize, Serialize};

pub use self::covariance::Covariance;

/// A struct that is a message of one type.
pub trait Message {
    /// `package/Name`.
    const TYPE: &'static str;
}

/// A moment: seconds and nanoseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Time {
    /// Seconds.
    pub secs: u32,
    /// Nanoseconds, below 1,000,000,000.
    pub nsecs: u32,
}

/// A span of time, which may be negative: -0.5 s is -1 s and 500,000,000 ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Duration {
    /// Seconds.
    pub secs: i32,
    /// Nanoseconds, 0 to 999,999,999.
    pub nsecs: i32,
}

impl From<std::time::Duration> for Time {
    /// Of the time since 1970; what does not fit is the last moment that does.
    fn from(since_1970: std::time::Duration) -> Self {
        match u32::try_from(since_1970.as_secs()) {
            Ok(secs) => Self { secs, nsecs: since_1970.subsec_nanos() },
            Err(_) => Self { secs: u32::MAX, nsecs: 999_999_999 },
        }
    }
}

impl From<Time> for std::time::Duration {
    /// The time since 1970.
    fn from(time: Time) -> Self {
        Self::from_secs(time.secs.into()) + Self::from_nanos(time.nsecs.into())
    }
}
