//! MiRo over ROS 1.

mod config;

use async_trait::async_trait;
use axum::Router;
use latimer_core::dialect::{BuildError, Built, ConfigError, Context, Dialect, Rules, Service};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

pub use config::{Connect, Master, MiroConfig, Serve};

use crate::registry::{Answers, Entry};

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "miro";

pub(crate) const REFERENCE: &str = include_str!("reference.toml");

/// What the registry knows of this dialect.
pub static ENTRY: Entry = Entry {
    name: NAME,
    robots: "MiRo",
    transport: "ROS 1",
    answers: Answers::Never,
    stream: None,
    channels: None,
    messages: &[],
    reference: REFERENCE,
    from_toml: |table| Ok(Box::new(MiroConfig::deserialize(table)?)),
    default: || Box::new(MiroConfig::default()),
    serve: |robot, listen| format!("[master]\nlisten = \"{listen}\"\n\n[[serve]]\nrobot = \"{robot}\"\n"),
    connect: |robot, address| format!("[[connect]]\nrobot = \"{robot}\"\naddress = \"{address}\"\n"),
    lines: |_| Vec::new(),
    translate: |_, _| None,
};

#[async_trait]
impl Dialect for MiroConfig {
    type Mount = Router;

    fn name(&self) -> &'static str {
        NAME
    }

    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        self.check(rules)
    }

    async fn build(self: Box<Self>, _context: Context) -> Result<Built<Router>, BuildError> {
        Ok(Built { endpoints: Vec::new(), mount: None, service: Box::new(Running {}) })
    }
}

/// The dialect at work.
struct Running {}

#[async_trait]
impl Service for Running {
    async fn run(self: Box<Self>, shutdown: CancellationToken) {
        shutdown.cancelled().await;
    }
}
