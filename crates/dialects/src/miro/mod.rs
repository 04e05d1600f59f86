//! MiRo over ROS 1: the platform interface of its bridge, at a master of this program's or any other.
//!
//! | topic below `/miro/ROBOT/` | signal, command |
//! |---|---|
//! | `platform/sensors` | battery, temperature, imu, pose, velocity, joint, range, cliff, light, contact, pins |
//! | `platform/state` | device, status, alerts, playback |
//! | `platform/caml`, `platform/camr` | image |
//! | `platform/caml/compressed`, `platform/camr/compressed` | compressed_image |
//! | `platform/mics` | audio |
//! | `log` | text |
//! | `sensors/…` | velocity, pose, joint, range again, in the units of ROS |
//! | `platform/control` | the commands Drive, Joints, Lamp, Play |
//! | `platform/config` | the command Camera |
//! | `bridge/stream` | the commands Play, StopSound |
//! | `control/cmd_vel`, `control/lights` | the commands Drive, Lamp |
//!
//! [`topic`] spells the topics, `messages` holds the `.msg` texts, [`types`] the layouts made of them, [`wire`] what is understood of
//! them, [`map`] translates, [`fields`] is the same as data; `session` is a program towards a robot's bridge, `facade` is a bridge.

mod config;
mod facade;
pub mod fields;
mod lines;
pub mod map;
pub mod node;
mod profile;
mod running;
mod session;
pub mod topic;
pub mod types;
pub mod wire;

use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use latimer_core::Hub;
use latimer_core::dialect::{BuildError, Built, ConfigError, Context, Dialect, Rules};
use latimer_core::hub::Shared;
use serde::Deserialize;

pub use config::{Connect, Master, MiroConfig, Serve};

use crate::lines::{Line, LineRequest};
use crate::registry::{Answers, Carrier, Configured, Entry, Translated, Translator};

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "miro";

pub(crate) const REFERENCE: &str = include_str!("reference.toml");

/// What the registry knows of this dialect.
pub static ENTRY: Entry = Entry {
    name: NAME,
    robots: "MiRo",
    transport: "ROS 1",
    carrier: Carrier::Ros1,
    repeats_state: true,
    answers: Answers::Never,
    stream: None,
    channels: None,
    messages: fields::MESSAGES,
    profile: &profile::PROFILE,
    reference: REFERENCE,
    from_toml: |table| Ok(Box::new(MiroConfig::deserialize(table)?)),
    default: || Box::new(MiroConfig::default()),
    serve: |robot, listen| format!("[master]\nlisten = \"{listen}\"\n\n[[serve]]\nrobot = \"{robot}\"\n"),
    connect: |robot, address| format!("[[connect]]\nrobot = \"{robot}\"\naddress = \"{address}\"\n"),
};

impl Configured for MiroConfig {
    fn translator(&self) -> Arc<dyn Translator> {
        Arc::new(Words)
    }
}

/// The words of a bridge.
struct Words;

impl Translator for Words {
    fn translate(&self, hub: &Hub, update: &Shared) -> Option<Translated> {
        fields::translate(hub, update)
    }

    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line> {
        lines::lines(request)
    }
}

#[async_trait]
impl Dialect for MiroConfig {
    type Mount = Router;

    fn name(&self) -> &'static str {
        NAME
    }

    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        self.check(rules)
    }

    async fn build(self: Box<Self>, context: Context) -> Result<Built<Router>, BuildError> {
        running::build(*self, &context).await
    }
}
