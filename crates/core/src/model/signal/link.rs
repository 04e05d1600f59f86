//! Whether the gateway is connected to the robot.

use crate::clock::Timestamp;
use crate::model::record::{record, words};

words! {
    /// The state of the connection to a robot.
    pub enum LinkState {
        /// Being made.
        Connecting = "connecting",
        /// The robot is connected.
        Up = "up",
        /// The robot is not connected; the gateway tries again.
        Down = "down",
    }
}

record! {
    /// The connection between gateway and robot.
    pub struct Link {
        /// Its state.
        pub state: LinkState,
        /// Since when, by the gateway's clock.
        pub since: Timestamp,
        /// How often it came back.
        pub reconnects: u32,
        /// Gateway clock minus robot clock, at least. It is less than at most by the resolution of the robot's stamps.
        pub skew_min_s: Option<f64>,
        /// Gateway clock minus robot clock, at most.
        pub skew_max_s: Option<f64>,
        /// Why it is down.
        pub reason: Option<String>,
    }
}
