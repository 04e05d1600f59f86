//! `rosgraph_msgs`.

use super::macros::messages;
use super::std_msgs::Header;
use super::{Duration, Time};

messages! { "rosgraph_msgs";
    /// What a node says on `/rosout`; `level` is 1, 2, 4, 8 or 16.
    Log {
        header: Header,
        level: i8,
        name: String,
        msg: String,
        file: String,
        function: String,
        line: u32,
        topics: Vec<String>,
    }

    /// The simulated time.
    Clock { clock: Time }

    /// How a topic does on its way from one node to another.
    TopicStatistics {
        topic: String,
        node_pub: String,
        node_sub: String,
        window_start: Time,
        window_stop: Time,
        delivered_msgs: i32,
        dropped_msgs: i32,
        traffic: i32,
        period_mean: Duration,
        period_stddev: Duration,
        period_max: Duration,
        stamp_age_mean: Duration,
        stamp_age_stddev: Duration,
        stamp_age_max: Duration,
    }
}
