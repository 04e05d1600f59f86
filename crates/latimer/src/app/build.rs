//! Building: every port bound, every robot in the world, nothing running.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use latimer_access::{Access, AccessError};
use latimer_core::access::Gate;
use latimer_core::derive::Deriving;
use latimer_core::frames::FrameError;
use latimer_core::service::{BuildError, Service};
use latimer_core::{Clock, Hub};
use latimer_dialects::BuildContext;
use latimer_dialects::contract::Unit;
use latimer_dialects::listen::{HttpPort, Ports};
use latimer_listen::{Address, ListenerPolicy, TlsError, from_here};
use latimer_mqtt::Broker;
use latimer_mqtt::broker::Users;
use latimer_navigation::service::Navigating;
use latimer_simulator_api::{RequestQueue, SimulatorHandle};
use latimer_world::World;

use super::reload::Reload;
use super::state::{StateError, StateFolder};
use super::topic_roles::DialectTopics;
use super::units::Units;
use super::world::{self, WorldFailure};
use super::{audit, broker, state};
use crate::api::{self, Endpoints, Translators};
use crate::config::Config;
use crate::config::authority::policies;
use crate::config::frames::tree;
use crate::doctor;

/// Why the gateway cannot start.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The world or a robot in it cannot be made.
    #[error(transparent)]
    World(#[from] WorldFailure),
    /// Users.
    #[error("access.users: {0}")]
    Access(#[from] AccessError),
    /// Certificates.
    #[error("tls: {0}")]
    Tls(#[from] TlsError),
    /// Frames.
    #[error("frame: {0}")]
    Frames(#[from] FrameError),
    /// A port or a dialect.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The state folder.
    #[error("the state folder: {0}")]
    State(#[from] StateError),
    /// The file of commands.
    #[error("audit.file: cannot append to {path}: {source}; name a file in a folder that is there")]
    Audit {
        /// Which file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

/// A world that is ready to run, with the counter at which it is asked.
pub(super) struct Staged {
    pub(super) world: World,
    pub(super) requests: RequestQueue,
    /// How many times as fast as the clock it begins.
    pub(super) speed: f64,
}

/// A gateway that holds its ports and is ready to run.
pub struct Gateway {
    pub(super) hub: Hub,
    pub(super) clock: Clock,
    pub(super) translators: Translators,
    pub(super) http: HttpPort,
    pub(super) ports: Ports,
    pub(super) access: Option<Arc<Access>>,
    pub(super) address: SocketAddr,
    pub(super) mounts: Router,
    pub(super) services: Vec<(&'static str, Box<dyn Service>)>,
    pub(super) simulator: Option<SimulatorHandle>,
    pub(super) world: Option<Staged>,
    pub(super) broker: Option<Broker>,
    pub(super) endpoints: Endpoints,
    pub(super) units: Arc<Units>,
    /// Units that are built and do not run yet.
    pub(super) staged: Vec<Unit>,
    pub(super) reload: Reload,
    /// Keys of listeners that nothing protects.
    pub(super) insecure: Vec<String>,
    /// Names of the config by which it may be called.
    pub(super) names: Vec<String>,
    /// Where commands are written down.
    pub(super) audit: Option<audit::AuditFile>,
    /// What robots are held to after the end.
    pub(super) state: Option<StateFolder>,
}

impl Gateway {
    /// Binds every port and makes the world. Nothing runs yet.
    pub async fn build(config: Config) -> Result<Self, AppError> {
        let clock = Clock::system();
        let hub = Hub::new(clock);
        let state = config.state.as_deref().map(|folder| state::open(folder, &hub)).transpose()?;
        hub.set_policies(policies(&config.authority));
        hub.set_vocabulary(latimer_dialects::vocabulary());
        hub.memory().set_total(config.limits.memory);
        let world = world::make(&config)?;
        let frames: Vec<_> = world.iter().flat_map(World::frames).collect();
        hub.set_frames(tree(&config.frames, &config.robots, &frames)?);
        let (simulator, world) = match world {
            Some(world) => {
                let (simulator, requests) = SimulatorHandle::new(clock);
                (Some(simulator), Some(Staged { world, requests, speed: config.world.speed }))
            }
            None => (None, None),
        };
        let doubts = config.doubts();
        doctor::log(&config, config.state.as_deref());
        let Config { source, tables, insecure, http, limits, tls, access, broker, dialects, audit, .. } =
            config;
        let access = access.load(hub.sessions())?;
        let gate = access.clone().map(|access| access as Arc<dyn Gate>);
        let audit = match audit.file {
            Some(path) => Some(
                audit::AuditFile::open(path.clone(), audit.fsync)
                    .await
                    .map_err(|source| AppError::Audit { path, source })?,
            ),
            None => None,
        };
        let names: Arc<[String]> = http.names.clone().into();
        let policy = ListenerPolicy::new(names, limits.connections_per_address, tls.load()?);
        let ports = Ports::new(policy.clone(), clock, limits.requests_per_s).with_gate(gate.clone());
        let trust = tls.trust()?;
        let port = HttpPort::bind(http.listen, "http.listen", http.max_connections, &ports).await?;
        let port = port.with_reserve(api::is_urgent).with_stops(api::stops).with_entrance(api::ENTRANCE);
        let port = port.behind_tls(http.behind_tls);
        let address = port.address().unwrap_or(http.listen);
        let translators = Translators::of(&dialects);
        let users = gate.map(|gate| {
            let topics = Arc::new(DialectTopics(translators.clone()));
            Users { gate, topics }
        });
        let broker = broker.build_with(policy, hub.memory(), hub.sessions(), users).await?;
        let context = BuildContext {
            hub: hub.clone(),
            clock,
            http: address,
            simulator: simulator.clone(),
            broker: broker.as_ref().map(|broker| broker.address().clone()),
            watchers: broker.as_ref().and_then(Broker::watchers),
            ports: ports.clone(),
            trust,
        };
        let mut mounts = Router::new();
        let (mut services, mut staged, mut own_ports) = (Vec::new(), Vec::new(), Vec::new());
        services.push(("derive", Box::new(Deriving(hub.clone())) as Box<dyn Service>));
        services.extend(Navigating::of(&hub).map(|it| ("navigation", Box::new(it) as Box<dyn Service>)));
        let mut addresses =
            broker.iter().flat_map(|it| broker::endpoints(it, &ports.policy)).collect::<Vec<_>>();
        for dialect in dialects {
            let name = dialect.name();
            let built = dialect.build(context.clone()).await?;
            addresses.extend(built.endpoints);
            services.push((name, built.service));
            staged.extend(built.units);
            own_ports.extend(built.own_ports);
            if let Some(mount) = built.mount {
                mounts = mounts.merge(mount);
            }
        }
        addresses.extend(staged.iter().filter_map(|unit| unit.endpoint.clone()));
        let endpoints = Endpoints::new(addresses, translators.clone());
        let units = Arc::new(Units::new(context, own_ports, endpoints.clone()));
        let reload =
            Reload::new(source, (tables, doubts), ports.clone(), access.clone(), units.clone(), frames);
        Ok(Self {
            hub,
            translators,
            clock,
            http: port,
            ports,
            access,
            address,
            mounts,
            services,
            simulator,
            world,
            endpoints,
            units,
            staged,
            broker,
            reload,
            insecure,
            names: http.names,
            audit,
            state,
        })
    }

    /// The exchange.
    pub fn hub(&self) -> &Hub {
        &self.hub
    }

    /// Where the common HTTP port listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The same as this machine reaches it, and by TLS if it has to.
    pub fn reached(&self) -> Address {
        let listens = self.address;
        self.ports.policy.address(SocketAddr::new(from_here(listens.ip()), listens.port()))
    }

    /// Where everything else is reached.
    pub fn endpoints(&self) -> Endpoints {
        self.endpoints.clone()
    }
}
