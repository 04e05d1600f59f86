//! ROS 1 from outside: messages against genpy's, the node and the master against Debian's ROS.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod master;
mod messages;
mod node;
