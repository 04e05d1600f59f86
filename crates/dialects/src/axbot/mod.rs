//! AutoXing chassis: JSON topics over a WebSocket, and REST around them.
//!
//! [`topic`] lists the topics and what they are told from, [`wire`] spells their words, [`map`] translates them,
//! [`fields`] is the same as data, [`session`] connects to a robot, `facade` is one.
//! [`picture`] and [`overlays`] hold maps and what is marked on them, [`codec`] the binary frames, [`rest`] the
//! requests.

pub mod codec;
mod config;
mod facade;
pub mod fields;
mod lenient;
mod lines;
pub mod map;
pub mod overlays;
pub mod picture;
pub mod rest;
pub mod session;
pub mod style;
pub mod topic;
pub mod wire;

use async_trait::async_trait;
use axum::Router;
use latimer_core::dialect::{BuildError, Built, ConfigError, Context, Dialect, Endpoint, Rules, Service};
use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::supervisor::{Backoff, supervise};
use latimer_core::{Clock, RobotId};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use config::{AxbotConfig, Connect, Serve};
pub use facade::request;
use facade::{Facade, Settings};
use session::AxbotSession;

use crate::listen::{HttpPort, MAX_CONNECTIONS};
use crate::registry::{Entry, Stream};

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "axbot";

pub(crate) const REFERENCE: &str = include_str!("reference.toml");

/// What the registry knows of this dialect.
pub static ENTRY: Entry = Entry {
    name: NAME,
    robots: "AutoXing chassis",
    transport: "JSON topics over WebSocket, REST",
    stream: Some(Stream {
        address: "/robots/{robot}/axbot/ws/v2/topics",
        summary: "Messages come after their topic was enabled: send `{\"enable_topic\": [\"/tracked_pose\", \"/battery_state\"]}`; \
                  the answer names all topics that are enabled. A robot's own port has the same at `/ws/v2/topics`.",
        envelope: None,
        status: None,
    }),
    messages: fields::MESSAGES,
    reference: REFERENCE,
    from_toml: |table| Ok(Box::new(AxbotConfig::deserialize(table)?)),
    default: || Box::new(AxbotConfig::default()),
    serve: |robot, listen| format!("[[serve]]\nrobot = \"{robot}\"\nlisten = \"{listen}\"\n"),
    connect: |robot, address| format!("[[connect]]\nrobot = \"{robot}\"\naddress = \"{address}\"\n"),
    lines: lines::lines,
    translate: facade::translate,
};

#[async_trait]
impl Dialect for AxbotConfig {
    type Mount = Router;

    fn name(&self) -> &'static str {
        NAME
    }

    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        self.check(rules)
    }

    async fn build(self: Box<Self>, context: Context) -> Result<Built<Router>, BuildError> {
        let stop = CancellationToken::new();
        let settings = Settings::new(&self);
        let facade = Facade::new(context.hub.clone(), settings, stop.clone());
        let mut endpoints = Vec::new();
        let mut ports = Vec::new();
        for (i, Serve { robot, listen }) in self.serve.iter().enumerate() {
            let port = HttpPort::bind(*listen, &format!("axbot.serve[{i}].listen"), MAX_CONNECTIONS).await?;
            let address = port.address().unwrap_or(*listen);
            endpoints.push(endpoint(robot, &address.to_string()));
            ports.push((port, facade.own_port(robot.clone())));
        }
        let mut sessions = Vec::new();
        for connect in &self.connect {
            let origin = Origin::Connected(connect.base());
            let info = RobotInfo { robot: connect.robot.clone(), family: NAME, origin };
            let source = context.hub.register(info)?;
            sessions.push((source, AxbotSession::new(connect.base(), connect.secret.clone(), context.clock)));
        }
        let mount = Some(facade.common_port());
        let service = Box::new(Running { ports, sessions, clock: context.clock, facade, stop });
        Ok(Built { endpoints, mount, service })
    }
}

fn endpoint(robot: &RobotId, authority: &str) -> Endpoint {
    Endpoint {
        robot: Some(robot.clone()),
        dialect: NAME,
        url: format!("ws://{authority}/ws/v2/topics"),
        try_line: format!("curl http://{authority}/device/info"),
    }
}

/// The dialect at work: a task per port and per robot.
struct Running {
    ports: Vec<(HttpPort, Router)>,
    sessions: Vec<(Source, AxbotSession)>,
    clock: Clock,
    facade: Facade,
    stop: CancellationToken,
}

#[async_trait]
impl Service for Running {
    async fn run(self: Box<Self>, shutdown: CancellationToken) {
        let Self { ports, sessions, clock, facade, stop } = *self;
        let tasks = TaskTracker::new();
        for (port, router) in ports {
            tasks.spawn(port.serve(router, stop.clone()));
        }
        for (source, session) in sessions {
            tasks.spawn(supervise(source, session, Backoff::default(), clock, stop.clone()));
        }
        tasks.close();
        shutdown.cancelled().await;
        stop.cancel();
        tasks.wait().await;
        facade.clients_gone().await;
    }
}
