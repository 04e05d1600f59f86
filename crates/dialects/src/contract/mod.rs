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

mod built;
mod clients;
mod declared;
mod entry;
pub(crate) mod prelude;

use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};

use futures_util::future::BoxFuture;
use latimer_core::broker::MQTT_PORT;
use latimer_core::hub::Shared;
use latimer_core::model::{CallDescription, Kind, Native, RobotProfile};
use latimer_core::service::{BuildError, ConfigError, Rules, Service};
use latimer_core::{Hub, RobotId};
use latimer_limits::Limit;
use serde::de::DeserializeOwned;

use crate::channels::Channels;
use crate::config::{OfRobot, Serve, Table};
use crate::inspect::{self, Inspection};
use crate::lines::{Line, LineRequest};
use crate::pace::{Stops, StopsOf};
use crate::table::MessageInfo;

pub use built::{BuildContext, Built, Endpoint, Unit, UnitKey, UnitList};
pub use clients::{ClientMessage, Clients, Sent};
pub use declared::{Answers, Envelope, Offers, Status, Stream, Translated, Transport};
pub use entry::Entry;

pub use crate::served_port::OwnPorts;

/// A profile that is put together once.
pub type Profile = LazyLock<Arc<RobotProfile>>;

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

/// The dialect of one family of robots, implemented for its config: the dialect's table in the config file.
pub trait Dialect: Table + Translator + DeserializeOwned + Default + Clone + fmt::Debug + 'static {
    /// An entry of its `connect`.
    type Connect: OfRobot;
    /// The word for it in configs, addresses and `--as`.
    const NAME: &'static str;
    /// The robots that speak it.
    const ROBOTS: &'static str;
    /// How it travels, e.g. `JSON events over WebSocket, REST`.
    const PROTOCOLS: &'static str;
    /// What carries its messages.
    const TRANSPORT: Transport;
    /// The directions in which it is spoken.
    const OFFERS: Offers = Offers::Both;
    /// Where a robot of it, its broker or its master listens, if an address does not say it.
    const PORT: u16 = MQTT_PORT;
    /// What a client receives in answer to a command.
    const ANSWERS: Answers;
    /// Its messages, field by field beside the model.
    const MESSAGES: &'static [MessageInfo];
    /// The part of `config/reference.toml` that documents every key.
    const REFERENCE: &'static str;
    /// The commands of several families that its programs can give, in the words of [`Command::name`](latimer_core::Command::name).
    const COMMANDS: &'static [&'static str] = &[];
    /// The commands of its family alone, which its programs can give too.
    const CALLS: &'static [&'static CallDescription] = &[];
    /// What a client gets that asks for what a robot lacks, with the exact message; `{robot}` stands for its name.
    const ABSENT: &'static str;
    /// Whether a robot repeats its whole state at a fixed rate, so that a message may hold what was before.
    const REPEATS_STATE: bool = false;
    /// Where clients get its messages as they come; `None` if it has no stream on the common port.
    const STREAM: Option<Stream> = None;
    /// Its topics at an MQTT broker; `None` if it has none.
    const CHANNELS: Option<Channels> = None;
    /// Its time-outs and limits.
    const LIMITS: &'static [Limit] = &[];
    /// The key of an entry of `connect` that says what the robot is called at an address where several may be.
    const CALLED: Option<&'static str> = None;
    /// What every robot has and can that speaks it.
    const PROFILE: &'static Profile;
    /// What programs of the family send to a robot of a name.
    const CLIENTS: fn(&RobotId) -> Clients;
    /// Whether a request with a method for a path of a robot's own port ends motion.
    const STOPS: StopsOf = |_, _| Stops::No;

    /// A table that serves a robot in this dialect, on a port of its own unless a broker carries its messages.
    fn serve_table(robot: &RobotId, listen: SocketAddr) -> String {
        let listen = match Self::TRANSPORT {
            Transport::Mqtt => String::new(),
            Transport::Web | Transport::Ros1 => format!("listen = \"{listen}\"\n"),
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

    /// Whether such a robot may come into the hub while the gateway runs, though no config connects to it.
    fn may_bring(&self, _: &RobotId) -> bool {
        false
    }

    /// Robots to connect to.
    fn connected(&self) -> &[Self::Connect] {
        &[]
    }

    /// Takes in a robot that is connected to. Nothing runs yet.
    fn connect(&self, connect: &Self::Connect, _: &BuildContext) -> Result<Box<dyn Service>, BuildError> {
        let (name, robot) = (Self::NAME, connect.robot());
        Err(BuildError::Other(format!("{name} has no sessions, so nothing connects to {robot}")))
    }

    /// Whether robots that are connected to can come and go while everything else of the dialect stays, which it must not know them for.
    fn connects_any_time(&self) -> bool {
        true
    }

    /// Robots that are served on ports of their own, each with its place in the list.
    fn served(&self) -> Vec<(usize, Serve)> {
        Vec::new()
    }

    /// Whether the entry at a place of that list can come and go while everything else of the dialect stays.
    fn serves_any_time(&self, _: usize) -> bool {
        true
    }

    /// Refuses robots, of any family, that clients of it could not tell apart.
    fn check_robots(&self, _: &[RobotId]) -> Result<(), ConfigError> {
        Ok(())
    }

    /// Binds what its robots share: all but the units. Nothing runs yet.
    fn build_common(self, context: BuildContext) -> BoxFuture<'static, Result<Built, BuildError>>;
}

/// A [`Dialect`] of any family with its config.
pub trait Configured: fmt::Debug + Send + Sync {
    /// The word for it.
    fn name(&self) -> &'static str;

    /// Checks what can be checked without I/O.
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError>;

    /// Refuses robots of the config, of any family, that clients of it could not tell apart.
    fn check_robots(&self, robots: &[RobotId]) -> Result<(), ConfigError>;

    /// Whether such a robot may come into the hub while the gateway runs, though no config connects to it.
    fn may_bring(&self, robot: &RobotId) -> bool;

    /// What its clients see of robots, as it is configured.
    fn translator(&self) -> Arc<dyn Translator>;

    /// Whether robots that are connected to can come and go while everything else of the dialect stays.
    fn connects_any_time(&self) -> bool;

    /// Robots that are served on ports of their own, each with its place in the list.
    fn served(&self) -> Vec<(usize, Serve)>;

    /// Whether the entry at a place of that list can come and go while everything else of the dialect stays.
    fn serves_any_time(&self, number: usize) -> bool;

    /// Takes in a robot that is connected to. Nothing runs yet.
    fn connect(&self, robot: &RobotId, context: &BuildContext) -> Result<Unit, BuildError>;

    /// Binds all ports and takes in all robots that are connected to. Nothing runs yet.
    fn build(self: Box<Self>, context: BuildContext) -> BoxFuture<'static, Result<Built, BuildError>>;
}

/// A configured dialect of any family.
pub type AnyDialect = Box<dyn Configured>;

impl<D: Dialect> Configured for D {
    fn name(&self) -> &'static str {
        D::NAME
    }

    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        Table::validate(self, rules)
    }

    fn check_robots(&self, robots: &[RobotId]) -> Result<(), ConfigError> {
        Dialect::check_robots(self, robots)
    }

    fn may_bring(&self, robot: &RobotId) -> bool {
        Dialect::may_bring(self, robot)
    }

    fn translator(&self) -> Arc<dyn Translator> {
        Arc::new(self.clone())
    }

    fn connects_any_time(&self) -> bool {
        Dialect::connects_any_time(self)
    }

    fn served(&self) -> Vec<(usize, Serve)> {
        Dialect::served(self)
    }

    fn serves_any_time(&self, number: usize) -> bool {
        Dialect::serves_any_time(self, number)
    }

    fn connect(&self, robot: &RobotId, context: &BuildContext) -> Result<Unit, BuildError> {
        let key = UnitKey { dialect: D::NAME, list: UnitList::Connect, robot: robot.clone(), listen: None };
        let connect = self.connected().iter().find(|it| it.robot() == robot);
        let none = || BuildError::Other(format!("no entry of the config connects to {robot}"));
        let service = Dialect::connect(self, connect.ok_or_else(none)?, context)?;
        Ok(Unit { key, endpoint: None, service })
    }

    fn build(self: Box<Self>, context: BuildContext) -> BoxFuture<'static, Result<Built, BuildError>> {
        Box::pin(async move {
            context.hub.declare_commands(D::NAME, Entry::of::<D>().command_names().collect());
            let connected =
                self.connected().iter().map(|it| Configured::connect(&*self, it.robot(), &context));
            let mut units = connected.collect::<Result<Vec<_>, _>>()?;
            let served = Dialect::served(&*self);
            let mut built = Dialect::build_common(*self, context).await?;
            if let Some(ports) = &built.own_ports {
                for (number, serve) in &served {
                    units.push(ports.bind(*number, serve).await?);
                }
            }
            built.units = units;
            Ok(built)
        })
    }
}
