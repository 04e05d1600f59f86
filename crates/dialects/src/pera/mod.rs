//! Pera Swarm: short texts and JSON over MQTT, with a simulator that answers for a mixed reality.

mod channels;
mod config;
pub mod fields;
pub mod geometry;
mod lenient;
mod lines;
pub mod map;
pub mod roster;
mod simulator;
pub mod topic;
pub mod wire;

use async_trait::async_trait;
use axum::Router;
use latimer_core::BrokerAddress;
use latimer_core::dialect::{BuildError, Built, ConfigError, Context, Dialect, Rules, Service};
use roster::Roster;
use serde::Deserialize;
use simulator::Simulator;
use tokio_util::sync::CancellationToken;

pub use config::{Connect, PeraConfig, Serve};

use crate::registry::Entry;

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "pera";

pub(crate) const REFERENCE: &str = include_str!("reference.toml");

/// What the registry knows of this dialect.
pub static ENTRY: Entry = Entry {
    name: NAME,
    robots: "Pera Swarm",
    transport: "text and JSON over MQTT",
    stream: None,
    channels: Some(channels::CHANNELS),
    messages: fields::MESSAGES,
    reference: REFERENCE,
    from_toml: |table| Ok(Box::new(PeraConfig::deserialize(table)?)),
    default: || Box::new(PeraConfig::default()),
    serve: |robot, _| format!("[[serve]]\nrobot = \"{robot}\"\n"),
    connect: |robot, address| format!("[[connect]]\nrobot = \"{robot}\"\naddress = \"{address}\"\n"),
    lines: lines::lines,
    translate: |_, _| None,
};

#[async_trait]
impl Dialect for PeraConfig {
    type Mount = Router;

    fn name(&self) -> &'static str {
        NAME
    }

    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        self.check(rules)
    }

    async fn build(self: Box<Self>, context: Context) -> Result<Built<Router>, BuildError> {
        let roster = Roster::default();
        let broker = match &self.broker {
            Some(broker) => Some(
                broker
                    .parse::<BrokerAddress>()
                    .map_err(|error| BuildError::Other(format!("pera.broker: {error}")))?,
            ),
            None => context.broker.clone(),
        };
        let simulator = Simulator::build(&self, &context, broker, roster)?;
        Ok(Built { endpoints: Vec::new(), mount: None, service: Box::new(Swarm { simulator }) })
    }
}

/// All that runs for a swarm.
struct Swarm {
    simulator: Option<Simulator>,
}

#[async_trait]
impl Service for Swarm {
    async fn run(self: Box<Self>, shutdown: CancellationToken) {
        if let Some(simulator) = self.simulator {
            simulator.run(shutdown.clone()).await;
        }
        shutdown.cancelled().await;
    }
}
