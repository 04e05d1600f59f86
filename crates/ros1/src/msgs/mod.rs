//! Common messages as structs, in ROS's own names.

use serde::{Deserialize, Serialize};

/// A moment: seconds and nanoseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Time {
    /// Seconds.
    pub secs: u32,
    /// Nanoseconds, below 1,000,000,000.
    pub nsecs: u32,
}
