//! The heart of Latimer: one typed model of the robots' signals, and the hub that carries it.
//!
//! ```text
//! source ──Update──▶ hub ──Delivery──▶ sink
//!        ◀─Command──     ◀──Command───
//! ```
//!
//! One update, from a robot to a client:
//!
//! ```
//! use latimer_core::hub::{Delivery, MailboxLimits, Origin, RobotInfo, Subscription};
//! use latimer_core::model::signal::Range;
//! use latimer_core::{Clock, Hub, PartName, RobotId, Update};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let hub = Hub::new(Clock::system());
//! let robot: RobotId = "rover-1".parse()?;
//! let source = hub.register(RobotInfo::new(robot.clone(), "rover", Origin::Simulated))?;
//! let sink = hub.sink("example", "127.0.0.1:40312", MailboxLimits::default());
//! sink.subscribe(Subscription::to("rover-1/range".parse()?));
//!
//! let range = Range::valid(0.42).into();
//! source.publish(Update::now(&robot, hub.clock().now(), range).of_part(PartName::of("front")));
//!
//! let mut deliveries = Vec::new();
//! sink.receive(&mut deliveries).await;
//! let [Delivery::Update(_, update)] = &deliveries[..] else { panic!("one update, not {deliveries:?}") };
//! assert_eq!(update.key(), "rover-1/range/front");
//! # Ok(())
//! # }
//! ```
//!
//! Nothing here opens a socket or knows a wire format; see `latimer-dialects` for those and
//! `latimer-world` for simulated robots. [`model`] is the vocabulary, [`hub`] the exchange,
//! [`authority`] who may move a robot, [`mod@derive`] what is made of what a robot publishes, [`memory`] what clients can fill, [`service`] the steps of every part of the gateway, [`sessions`] what clients have open,
//! [`supervisor`] the only place that retries, [`RateLimit`] how often a client may ask and
//! [`clock`] the only place that asks what time it is, of which [`WallClock`] has what people read.

pub mod access;
pub mod authority;
pub mod broker;
pub mod clock;
pub mod derive;
pub mod dispatcher;
mod exchange;
pub mod frames;
pub mod hub;
pub mod key_expression;
pub mod limits;
pub mod memory;
pub mod model;
mod rate_limit;
mod robot;
pub mod service;
pub mod sessions;
pub mod supervisor;
mod wall_clock;

pub use broker::BrokerAddress;
pub use clock::{Clock, Timestamp};
pub use hub::Hub;
pub use model::{Author, Command, Outcome, PartName, RobotId, Signal, Stamp, Update, Value};
pub use rate_limit::RateLimit;
#[doc(hidden)]
#[cfg(feature = "fuzzing")]
pub use robot::fuzz as fuzz_robot;
pub use robot::{Kept, MotionCondition, MotionKnown, Unstopped};
pub use wall_clock::WallClock;
