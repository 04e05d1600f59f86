//! MiRos at a ROS master: served ones as nodes see them, real ones as the hub does.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod bridge;
mod building;
mod programs;
mod rig;
mod robots;
