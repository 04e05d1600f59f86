//! The gateway as a client of a chassis: one connection until it drops; it never retries.

use async_trait::async_trait;
use latimer_core::Clock;
use latimer_core::hub::Source;
use latimer_core::supervisor::{Session, SessionEnd};

/// A connection to one robot.
#[derive(Debug)]
pub(super) struct AxbotSession {
    base: String,
    _secret: Option<String>,
    _clock: Clock,
}

impl AxbotSession {
    /// `base` is `host:port`, and a path if the robot is not served at the root.
    pub(super) fn new(base: String, secret: Option<String>, clock: Clock) -> Self {
        Self { base, _secret: secret, _clock: clock }
    }
}

#[async_trait]
impl Session for AxbotSession {
    async fn run(&mut self, _source: &mut Source) -> SessionEnd {
        SessionEnd::stop(format!("cannot connect to {}", self.base))
    }
}
