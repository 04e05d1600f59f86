//! What the end-to-end tests stand on: the gateway as a process of its own, and clients for it.
//!
//! | module | holds |
//! |---|---|
//! | [`cable`] | a way to a server that breaks off on demand |
//! | [`certificates`] | a root and what it has signed |
//! | [`users`] | entries of a users' file |
//! | [`gateway`] | starts the built program on free ports, waits until it is healthy, stops it |
//! | [`handshake`] | WebSocket handshakes with any headers |
//! | [`one_user`] | a gate that lets everybody in as one user |
//! | [`ports`] | ports that no other test takes |
//! | [`program`] | where the built program and the Python environments are |
//! | [`mosquitto`] | Debian's broker, and its clients |
//! | [`mqtt`] | an MQTT client that keeps sessions and fills what it can |
//! | [`ros`] | Debian's ROS 1: its master, its programs, and Python's messages of a MiRo |
//! | [`misty`] | a plain WebSocket client of `/pubsub` |
//! | [`slow_link`] | a cable that takes its time, and can be cut and mended |
//! | [`standing`] | a config of five robots that stand |
//! | [`slow_robot`] | a Misty or a chassis that takes its time, and notes what it is asked |

pub mod cable;
pub mod certificates;
pub mod gateway;
mod handshake;
pub mod misty;
pub mod mosquitto;
pub mod mqtt;
pub mod one_user;
pub mod ports;
pub mod program;
pub mod ros;
pub mod slow_link;
pub mod slow_robot;
pub mod standing;
pub mod users;

pub use cable::Cable;
pub use gateway::Gateway;
pub use handshake::handshake;
pub use latimer_testing::{PATIENCE, PROGRAM};
pub use misty::MistyClient;
pub use mosquitto::Mosquitto;
pub use one_user::OneUser;
pub use ros::{Ros, RosMaster};
pub use slow_link::SlowLink;
pub use slow_robot::SlowRobot;
