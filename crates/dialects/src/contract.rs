//! The contract of a dialect, and what the program knows of each without naming any.
//!
//! ```text
//! table ──Entry::from_toml──▶ Configured ──validate(rules)──▶ ok ──build(context)──▶ Built ──run(shutdown)──▶ stopped
//!                                          no I/O               binds every port       its service, and a unit for each
//!                                                                                      entry of connect and serve
//! ```
//!
//! A dialect implements [`Dialect`] for its config and stands in [`DIALECTS`](crate::DIALECTS) as
//! [`Entry::of::<ItsConfig>()`](Entry::of). It may have a facade, sessions or both, over any transport.

use std::borrow::Cow;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use axum::Router;
use axum::http::Method;
use bytes::Bytes;
use latimer_core::broker::MQTT_PORT;
use latimer_core::hub::{Origin, RobotInfo, Shared};
use latimer_core::model::{Kind, Native, RobotProfile};
use latimer_core::service::{BuildError, ConfigError, Rules, Service};
use latimer_core::{BrokerAddress, Clock, Hub, RobotId};
use latimer_listen::Trust;
use latimer_mqtt::broker::Watchers;
use latimer_simulator_api::SimulatorHandle;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::channels::Channels;
use crate::config::Serve;
use crate::inspect::{self, Inspection};
use crate::lines::{Line, LineRequest};
use crate::listen::Ports;
use crate::pace::{Stops, StopsOf};
pub use crate::served_port::OwnPorts;
use crate::table::Message;

/// What clients of a configured dialect see of robots.
pub trait Translator: Send + Sync {
    /// An update in the dialect's words; `None` if it has none for it.
    fn translate(&self, hub: &Hub, update: &Shared) -> Option<Translated>;

    /// Lines to copy that show what is asked for; none if the dialect has no words for it.
    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line>;

    /// The one robot that a topic of this dialect at a broker is of; `None` if it is of several, or of any.
    fn robot_of_topic(&self, _: &str) -> Option<RobotId> {
        None
    }

    /// Where robots are served that come while the gateway runs, if each has an address of its own that no config names.
    fn endpoints(&self, _: &Hub) -> Vec<Endpoint> {
        Vec::new()
    }
}

/// An update in a dialect's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// Event type or topic.
    pub topic: Cow<'static, str>,
    /// The message, without an envelope that belongs to one subscription.
    pub payload: Bytes,
}

/// Where a dialect's messages come as they happen.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    /// The address of its WebSocket on the common port, with `{robot}` for the robot.
    pub address: &'static str,
    /// How to ask for messages.
    pub summary: &'static str,
    /// What each message is wrapped in.
    pub envelope: Option<Envelope>,
    /// Texts that come in place of a message, e.g. what becomes of a subscription.
    pub status: Option<Status>,
}

/// An object around each message.
#[derive(Clone, Copy, Debug)]
pub struct Envelope {
    /// The field that names the subscription.
    pub name: &'static str,
    /// The field that holds the message.
    pub message: &'static str,
}

/// A text in place of a message.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// What it is called in descriptions.
    pub name: &'static str,
    /// When it comes.
    pub summary: &'static str,
    /// What it may say.
    pub examples: &'static [&'static str],
}

/// What a client receives in answer to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Whether it was taken, and if not, why, in the robot's words.
    InWords,
    /// Whether it was taken.
    YesOrNo,
    /// Nothing: that it was sent is all that is known.
    Never,
}

/// What carries a dialect's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// WebSockets and HTTP.
    Web,
    /// An MQTT broker.
    Mqtt,
    /// A ROS 1 master and the connections of its nodes.
    Ros1,
}

/// What a dialect is built with.
#[derive(Clone, Debug)]
pub struct Context {
    /// The exchange to publish into and to serve from.
    pub hub: Hub,
    /// The gateway's clock.
    pub clock: Clock,
    /// Where the common HTTP port is reached, e.g. `127.0.0.1:8080`.
    pub http: SocketAddr,
    /// The simulated world, if there is one.
    pub simulator: Option<SimulatorHandle>,
    /// The MQTT broker of the gateway, its own or another, if there is one.
    pub broker: Option<BrokerAddress>,
    /// Where to learn who sends what at that broker, if it is the gateway's own.
    pub watchers: Option<Watchers>,
    /// What all listeners share.
    pub ports: Ports,
    /// Which servers are trusted, robots and brokers.
    pub trust: Trust,
}

impl Context {
    /// Of a hub alone: without a world, a broker, users and a common port.
    pub fn new(hub: &Hub) -> Self {
        Self {
            hub: hub.clone(),
            clock: hub.clock(),
            http: (Ipv4Addr::LOCALHOST, 0).into(),
            simulator: None,
            broker: None,
            watchers: None,
            ports: Ports::default(),
            trust: Trust::default(),
        }
    }
}

/// Where something can be reached, and a line that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Which robot is served; `None` if any.
    pub robot: Option<RobotId>,
    /// In which dialect.
    pub dialect: &'static str,
    /// The address, e.g. `ws://127.0.0.1:8081/pubsub`.
    pub url: String,
    /// A line to paste into a terminal.
    pub try_line: String,
}

/// A dialect that holds its ports and is ready to run.
pub struct Built {
    /// Where it can be reached.
    pub endpoints: Vec<Endpoint>,
    /// What it serves on the common HTTP port.
    pub mount: Option<Router>,
    /// What runs, apart from the units.
    pub service: Box<dyn Service>,
    /// What serves robots on ports of their own; `None` if its robots share one.
    pub own_ports: Option<OwnPorts>,
    /// What runs for single robots.
    pub units: Vec<Unit>,
}

impl Built {
    /// A dialect whose robots share what they are served on.
    pub(crate) fn new(
        endpoints: Vec<Endpoint>,
        mount: Option<Router>,
        service: impl Service + 'static,
    ) -> Self {
        Self { endpoints, mount, service: Box::new(service), own_ports: None, units: Vec::new() }
    }

    /// The same with all units in its one service and their addresses in its list, where no robot goes before the others.
    #[must_use]
    pub fn whole(mut self) -> Self {
        let mut units = Vec::new();
        for Unit { endpoint, service, .. } in self.units {
            self.endpoints.extend(endpoint);
            units.push(service);
        }
        let service = Box::new(Whole { units, service: self.service });
        Self { service, units: Vec::new(), ..self }
    }
}

/// What runs for one robot of the config, and can come and go while the gateway runs.
pub struct Unit {
    /// Which entry of the dialect's table it is.
    pub key: UnitKey,
    /// Where the robot is reached by it.
    pub endpoint: Option<Endpoint>,
    /// What runs.
    pub service: Box<dyn Service>,
}

/// An entry of a dialect's table for one robot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitKey {
    /// The dialect.
    pub dialect: &'static str,
    /// Its list.
    pub list: UnitList,
    /// The robot.
    pub robot: RobotId,
    /// Where it is served, as the entry says it: a robot may have several ports.
    pub listen: Option<SocketAddr>,
}

/// A list of a dialect's table, of which each entry is of one robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitList {
    /// Robots that are connected to.
    Connect,
    /// Robots that are served on ports of their own.
    Serve,
}

impl UnitList {
    /// Its key in the dialect's table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Serve => "serve",
        }
    }
}

/// A dialect with its units, which end first.
struct Whole {
    units: Vec<Box<dyn Service>>,
    service: Box<dyn Service>,
}

#[async_trait]
impl Service for Whole {
    async fn run(self: Box<Self>, shutdown: CancellationToken) {
        let tasks = TaskTracker::new();
        for unit in self.units {
            tasks.spawn(unit.run(shutdown.clone()));
        }
        tasks.close();
        let end = CancellationToken::new();
        let units = async {
            shutdown.cancelled().await;
            tasks.wait().await;
            end.cancel();
        };
        tokio::join!(self.service.run(end.clone()), units);
    }
}

/// The dialect of one family of robots, implemented for its config: the dialect's table in the config file.
#[async_trait]
pub trait Dialect: DeserializeOwned + Default + fmt::Debug + Send + Sync + 'static {
    /// The word for it in configs, addresses and `--as`.
    const NAME: &'static str;
    /// The robots that speak it.
    const ROBOTS: &'static str;
    /// How it travels, e.g. `JSON events over WebSocket, REST`.
    const TRANSPORT: &'static str;
    /// What carries its messages.
    const CARRIER: Carrier;
    /// Where a robot of it, its broker or its master listens, if an address does not say it.
    const PORT: u16 = MQTT_PORT;
    /// What a client receives in answer to a command.
    const ANSWERS: Answers;
    /// Its messages, field by field beside the model.
    const MESSAGES: &'static [Message];
    /// The part of `config/reference.toml` that documents every key.
    const REFERENCE: &'static str;
    /// The commands that its programs can give, in the words of [`Command::name`](latimer_core::Command::name).
    const COMMANDS: &'static [&'static str] = &[];
    /// What a client gets that asks for what a robot lacks, with the exact message; `{robot}` stands for its name.
    const ABSENT: &'static str;
    /// Whether a robot repeats its whole state at a fixed rate, so that a message may hold what was before.
    const REPEATS_STATE: bool = false;
    /// Where clients get its messages as they come; `None` if it has no stream on the common port.
    const STREAM: Option<Stream> = None;
    /// Its topics at an MQTT broker; `None` if it has none.
    const CHANNELS: Option<Channels> = None;
    /// The key of an entry of `connect` that says what the robot is called at an address where several may be.
    const CALLED: Option<&'static str> = None;

    /// What every robot has and can that speaks it.
    fn profile() -> &'static LazyLock<Arc<RobotProfile>>;

    /// A table that serves a robot in this dialect, on a port of its own unless a broker carries its messages.
    fn serve_table(robot: &RobotId, listen: SocketAddr) -> String {
        let listen = match Self::CARRIER {
            Carrier::Mqtt => String::new(),
            Carrier::Web | Carrier::Ros1 => format!("listen = \"{listen}\"\n"),
        };
        format!("[[serve]]\nrobot = \"{robot}\"\n{listen}")
    }

    /// A table that connects to a robot of this dialect at `host:port`.
    fn connect_table(robot: &RobotId, address: &str) -> String {
        format!("[[connect]]\nrobot = \"{robot}\"\naddress = \"{address}\"\n")
    }

    /// A table that connects to a robot to observe it: nothing is sent to it but what makes it publish.
    fn observe_table(robot: &RobotId, address: &str) -> String {
        Self::connect_table(robot, address)
    }

    /// Holds a message of a robot, from which an update of a kind came, against its description; `None` if it has none.
    fn inspect(native: &Native, kind: Kind) -> Option<Inspection> {
        inspect::described(Self::MESSAGES, native, kind)
    }

    /// Whether a request with a method for a path of a robot's own port ends motion.
    fn stops(_: &Method, _: &str) -> Stops {
        Stops::No
    }

    /// Checks what can be checked without I/O.
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError>;

    /// Whether such a robot may come into the hub while the gateway runs, though no config connects to it.
    fn may_bring(&self, _: &RobotId) -> bool {
        false
    }

    /// What its clients see of robots, as it is configured.
    fn translator(&self) -> Arc<dyn Translator>;

    /// Robots that are connected to.
    fn connected(&self) -> Vec<&RobotId>;

    /// Takes in a robot that is connected to. Nothing runs yet.
    fn connect(&self, robot: &RobotId, context: &Context) -> Result<Box<dyn Service>, BuildError>;

    /// Whether robots that are connected to can come and go while everything else of the dialect stays, which it must not know them for.
    fn connects_any_time(&self) -> bool {
        true
    }

    /// Robots that are served on ports of their own.
    fn served(&self) -> &[Serve] {
        &[]
    }

    /// Binds what its robots share: all but the units. Nothing runs yet.
    async fn build_common(self, context: Context) -> Result<Built, BuildError>;
}

/// A [`Dialect`] of any family with its config.
#[async_trait]
pub trait Configured: fmt::Debug + Send + Sync {
    /// The word for it.
    fn name(&self) -> &'static str;

    /// Checks what can be checked without I/O.
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError>;

    /// Whether such a robot may come into the hub while the gateway runs, though no config connects to it.
    fn may_bring(&self, robot: &RobotId) -> bool;

    /// What its clients see of robots, as it is configured.
    fn translator(&self) -> Arc<dyn Translator>;

    /// Whether robots that are connected to can come and go while everything else of the dialect stays.
    fn connects_any_time(&self) -> bool;

    /// Robots that are served on ports of their own.
    fn served(&self) -> &[Serve];

    /// Takes in a robot that is connected to. Nothing runs yet.
    fn connect(&self, robot: &RobotId, context: &Context) -> Result<Unit, BuildError>;

    /// Binds all ports and takes in all robots that are connected to. Nothing runs yet.
    async fn build(self: Box<Self>, context: Context) -> Result<Built, BuildError>;
}

/// A configured dialect of any family.
pub type AnyDialect = Box<dyn Configured>;

#[async_trait]
impl<D: Dialect> Configured for D {
    fn name(&self) -> &'static str {
        D::NAME
    }

    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        Dialect::validate(self, rules)
    }

    fn may_bring(&self, robot: &RobotId) -> bool {
        Dialect::may_bring(self, robot)
    }

    fn translator(&self) -> Arc<dyn Translator> {
        Dialect::translator(self)
    }

    fn connects_any_time(&self) -> bool {
        Dialect::connects_any_time(self)
    }

    fn served(&self) -> &[Serve] {
        Dialect::served(self)
    }

    fn connect(&self, robot: &RobotId, context: &Context) -> Result<Unit, BuildError> {
        let key = UnitKey { dialect: D::NAME, list: UnitList::Connect, robot: robot.clone(), listen: None };
        let service = Dialect::connect(self, robot, context)?;
        Ok(Unit { key, endpoint: None, service })
    }

    async fn build(self: Box<Self>, context: Context) -> Result<Built, BuildError> {
        context.hub.declare_commands(D::NAME, D::COMMANDS);
        let connected =
            self.connected().into_iter().map(|robot| Configured::connect(&*self, robot, &context));
        let mut units = connected.collect::<Result<Vec<_>, _>>()?;
        let served = Dialect::served(&*self).to_vec();
        let mut built = Dialect::build_common(*self, context).await?;
        if let Some(ports) = &built.own_ports {
            for (number, serve) in served.iter().enumerate() {
                units.push(ports.bind(number, serve).await?);
            }
        }
        built.units = units;
        Ok(built)
    }
}

/// A dialect as the program knows it: what its [`Dialect`] declares.
pub struct Entry {
    /// The word for it in configs, addresses and `--as`.
    pub name: &'static str,
    /// The robots that speak it.
    pub robots: &'static str,
    /// How it travels, e.g. `JSON events over WebSocket, REST`.
    pub transport: &'static str,
    /// What carries its messages.
    pub carrier: Carrier,
    /// Where a robot of it, its broker or its master listens, if an address does not say it.
    pub port: u16,
    /// Whether a robot repeats its whole state at a fixed rate, so that a message may hold what was before.
    pub repeats_state: bool,
    /// What a client receives in answer to a command.
    pub answers: Answers,
    /// The commands that its programs can give.
    pub commands: &'static [&'static str],
    /// What a client gets that asks for what a robot lacks.
    pub absent: &'static str,
    /// Where clients get its messages as they come; `None` if it has no stream on the common port.
    pub stream: Option<Stream>,
    /// Its topics at an MQTT broker; `None` if it has none.
    pub channels: Option<Channels>,
    /// Its messages, field by field beside the model.
    pub messages: &'static [Message],
    profile: fn() -> &'static LazyLock<Arc<RobotProfile>>,
    /// The part of `config/reference.toml` that documents every key.
    pub reference: &'static str,
    /// Reads the dialect's table of the config file; errors keep their place in the file.
    pub from_toml: fn(toml::de::ValueDeserializer<'_>) -> Result<AnyDialect, toml::de::Error>,
    /// The dialect as it is when the config has no table for it.
    pub default: fn() -> AnyDialect,
    /// A table that serves a robot in this dialect on a port of its own.
    pub serve: fn(&RobotId, SocketAddr) -> String,
    /// A table that connects to a robot of this dialect at `host:port`.
    pub connect: fn(&RobotId, &str) -> String,
    /// The key of an entry of `connect` that says what the robot is called at an address where several may be.
    pub called: Option<&'static str>,
    /// A table that connects to a robot to observe it: nothing is sent to it but what makes it publish.
    pub observe: fn(&RobotId, &str) -> String,
    /// Holds a message of a robot, from which an update of a kind came, against its description; `None` if it has none.
    pub inspect: fn(&Native, Kind) -> Option<Inspection>,
    /// Whether a request with a method for a path of a robot's own port ends motion.
    pub stops: StopsOf,
}

impl Entry {
    /// The entry of a dialect.
    pub const fn of<D: Dialect>() -> Self {
        Self {
            name: D::NAME,
            robots: D::ROBOTS,
            transport: D::TRANSPORT,
            carrier: D::CARRIER,
            port: D::PORT,
            repeats_state: D::REPEATS_STATE,
            answers: D::ANSWERS,
            commands: D::COMMANDS,
            absent: D::ABSENT,
            stream: D::STREAM,
            channels: D::CHANNELS,
            messages: D::MESSAGES,
            profile: D::profile,
            reference: D::REFERENCE,
            from_toml: |table| Ok(Box::new(D::deserialize(table)?)),
            default: || Box::new(D::default()),
            serve: D::serve_table,
            connect: D::connect_table,
            called: D::CALLED,
            observe: D::observe_table,
            inspect: D::inspect,
            stops: D::stops,
        }
    }

    /// What every robot has and can that speaks this dialect.
    pub fn profile(&self) -> &'static Arc<RobotProfile> {
        (self.profile)()
    }

    /// Whether any of its messages is of a kind. What no kind fits travels as its robot sent it.
    pub fn has_message_of(&self, kind: Kind) -> bool {
        kind == Kind::Other || self.messages.iter().any(|message| message.kinds.contains(&kind))
    }

    /// A robot that speaks this dialect, as its source registers it.
    pub fn robot(&self, robot: RobotId, origin: Origin) -> RobotInfo {
        RobotInfo::new(robot, self.name, origin).with(Arc::clone(self.profile()))
    }
}
