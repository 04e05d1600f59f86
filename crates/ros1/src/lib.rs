//! ROS 1 without ROS: a node, a master, and messages of any layout.
//!
//! ```text
//!  message  ◀── encode, decode ──  msgs, or any struct of serde
//!     ▲
//!  tcpros ◀── node ──▶ xmlrpc ◀── master
//! ```
//!
//! [`message`] reads `.msg` texts, and makes MD5 sums, definitions and layouts of them; by a layout any struct of serde is
//! a message. [`node`] is a node that registers, publishes, subscribes, offers services and calls them, [`master`] a master with its parameters.
//! Everything binds to the address that it is given. TCPROS only; time comes from outside.
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::net::Ipv4Addr;
//! use std::sync::Arc;
//!
//! use latimer_ros1::master::Master;
//! use latimer_ros1::message::Catalog;
//! use latimer_ros1::msgs::{Time, std_msgs};
//! use latimer_ros1::node::{Node, Settings};
//! use tokio_util::sync::CancellationToken;
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let stop = CancellationToken::new();
//! let master = Master::bind((Ipv4Addr::LOCALHOST, 0).into(), "127.0.0.1").await?;
//! let uri = master.uri()?;
//! tokio::spawn(master.run(stop.clone()));
//!
//! let (node, running) = Node::bind(Settings {
//!     name: "/example".to_owned(),
//!     master: uri,
//!     bind: Ipv4Addr::LOCALHOST.into(),
//!     host: None,
//!     policy: Default::default(),
//!     remap: BTreeMap::new(),
//!     now: Arc::new(Time::default),
//! })
//! .await?;
//! let running = tokio::spawn(running.run(stop.clone()));
//!
//! let text = Catalog::common().layout("std_msgs/String")?;
//! let publisher = node.advertise("chatter", text, 8, true)?;
//! publisher.publish(&std_msgs::String { data: "hello".to_owned() })?;
//!
//! let mut subscription = node.subscribe("chatter", Some("std_msgs/String"), 8)?;
//! let message = subscription.next().await.expect("the node runs");
//! assert_eq!(message.decode::<std_msgs::String>()?.data, "hello");
//!
//! stop.cancel();
//! running.await?;
//! # Ok(())
//! # }
//! ```

pub mod limits;
pub mod master;
pub mod message;
pub mod msgs;
pub mod name;
pub mod node;
pub mod tcpros;
pub mod xmlrpc;
