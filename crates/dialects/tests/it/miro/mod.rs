//! MiRos at a ROS master: served ones as nodes see them, real ones as the hub does.

mod bridge;
mod building;
mod frames;
mod programs;
pub(crate) mod rig;
mod robots;
mod world_time;
