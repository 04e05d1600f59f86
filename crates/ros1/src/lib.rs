//! ROS 1 without ROS: a node, a master, and messages of any layout.
//!
//! ```text
//!  message  ◀── encode, decode ──  msgs, or any struct of serde
//!     ▲
//!  tcpros ◀── node ──▶ xmlrpc ◀── master
//! ```
//!
//! [`message`] reads `.msg` texts, and makes MD5 sums, definitions and layouts of them; by a layout any struct of serde is a
//! message. [`node`] is a node that registers, publishes and subscribes, [`master`] a master with its parameters. Everything binds
//! to the address that it is given. TCPROS only; time comes from outside.

pub mod master;
pub mod message;
pub mod msgs;
pub mod name;
pub mod node;
pub mod tcpros;
pub mod xmlrpc;
