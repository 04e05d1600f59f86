//! The simulator's place in a swarm: bodies for robots that announce themselves, and answers to what they ask.
//!
//! ```text
//!  broker ──link──▶ receive ──────▶ Engine (members, arena, requests; no I/O) ──▶ answers ──link──▶ broker
//!                   │   ▲             │ appear, move, leave     ▲
//!           joining ▼   │             ├──▶ JoinedRobots (hub sources) │ readings, all that wait at once
//!                 Arrivals            ▼                         │
//!                            the world's thread ────────────────┘
//! ```
//!
//! Subscriptions and replies have a connection each: on one, the broker's confirmations of replies would wait behind a flood.
//!
//! With `observe` alone the same engine publishes nothing.
//!
//! | received | reply |
//! |---|---|
//! | `robot/create`, `robot/live`, `localization/update` | a new member gets a body and a place in the hub |
//! | `sensor/*` | a reading on the reply topic; the robot's own reading goes into the hub |
//! | `comm/out/*` | passed on to those within reach |
//! | `localization`, `localization/data/?`, `obstacles/?`, `mgt/robots/snapshot` | answered |
//!
//! The life of a member:
//!
//! ```text
//!  unknown ──create, live, update──▶ member ──silent for prune_s──▶ gone, robot/delete
//!                                     ▲    │ any message
//!                                     └────┘
//! ```

mod answers;
mod arrivals;
mod body;
mod creators;
mod engine;
mod joined_robots;
mod member;
mod readings;
mod receiving;
mod schedule;
mod task;
#[cfg(test)]
mod tests;

use crate::contract::BuildContext;
use latimer_core::BrokerAddress;
use latimer_core::service::BuildError;
use latimer_mqtt::{Login, Qos};
use latimer_simulator_api::SimulatorHandle;

use super::config::PeraConfig;
use super::roster::Roster;
use super::topic::Channel;
use creators::Creators;
use engine::Settings;
pub(super) use task::Simulator;

/// The topics that a simulator subscribes to; an observer subscribes to all.
const HEARD: [&str; 12] = [
    "robot/create",
    "robot/live",
    "robot/log",
    "localization",
    "localization/update",
    "localization/data/?",
    "sensor/+",
    "sensor/compass/",
    "comm/out/+",
    "output/neopixel",
    "obstacles/?",
    "mgt/robots/snapshot",
];

impl Simulator {
    /// The simulator or observer of a config; `None` if neither is asked for.
    pub(in crate::pera) fn build(
        config: &PeraConfig,
        context: &BuildContext,
        broker: Option<BrokerAddress>,
        roster: Roster,
    ) -> Result<Option<Self>, BuildError> {
        if !config.simulator && !config.observe {
            return Ok(None);
        }
        let key = if config.simulator { "pera.simulator" } else { "pera.observe" };
        let address = broker.ok_or_else(|| {
            BuildError::Other(format!(
                "{key}: there is no broker; add [broker] listen = \"127.0.0.1:1883\", or broker = \"mqtt://host:1883\" \
                 to [pera]"
            ))
        })?;
        let simulator = if config.simulator { Some(needed_simulator(context)?) } else { None };
        let channel = Channel::new(&config.channel);
        let incoming: Vec<String> = match config.simulator {
            true => HEARD.iter().map(|topic| channel.join(topic)).collect(),
            false => vec![channel.join("#")],
        };
        let who = if config.simulator { "simulator" } else { "observer" };
        let login = Login {
            address,
            client_id: format!("latimer-pera-{who}-{:08x}", rand::random::<u32>()),
            subscriptions: incoming.into_iter().map(|filter| (filter, Qos::AtLeastOnce)).collect(),
            will: None,
            keep_alive: std::time::Duration::from_secs(60),
            trust: context.trust.clone(),
        };
        let bounds = (config.max_robots, config.max_robots_of_client());
        // Only what comes through the gateway's own broker is known by its sender.
        let within = context.broker.as_ref().filter(|within| within.authority() == login.address.authority());
        let creators = context.watchers.as_ref().filter(|_| within.is_some()).map(|watchers| {
            Creators::watch(watchers, channel.clone(), config.simulator, bounds, context.clock)
        });
        let settings = Settings::of(config, uuid::Uuid::new_v4().to_string());
        let built = Self::new(settings, login, channel, config, context, simulator, roster);
        Ok(Some(built.with_creators(creators)))
    }
}

fn needed_simulator(context: &BuildContext) -> Result<SimulatorHandle, BuildError> {
    context.simulator.clone().ok_or_else(|| {
        BuildError::Other(
            "pera.simulator: there is no simulated world to give bodies in; add [world] file = \"pera\", or another one"
                .to_owned(),
        )
    })
}
