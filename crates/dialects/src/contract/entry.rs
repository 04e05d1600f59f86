//! A dialect as the program knows it, without naming it.

use std::net::SocketAddr;
use std::sync::Arc;

use latimer_core::RobotId;
use latimer_core::hub::{Origin, RobotInfo};
use latimer_core::model::{CallDescription, Kind, Native, RobotProfile};
use latimer_limits::Limit;

use super::{Answers, AnyDialect, Clients, Dialect, Offers, Profile, Stream, Transport};
use crate::channels::Channels;
use crate::inspect::Inspection;
use crate::pace::StopsOf;
use crate::table::MessageInfo;

/// A dialect as the program knows it: what its [`Dialect`] declares.
pub struct Entry {
    /// The word for it in configs, addresses and `--as`.
    pub name: &'static str,
    /// The robots that speak it.
    pub robots: &'static str,
    /// How it travels, e.g. `JSON events over WebSocket, REST`.
    pub protocols: &'static str,
    /// What carries its messages.
    pub transport: Transport,
    /// The directions in which it is spoken.
    pub offers: Offers,
    /// Where a robot of it, its broker or its master listens, if an address does not say it.
    pub port: u16,
    /// Whether a robot repeats its whole state at a fixed rate, so that a message may hold what was before.
    pub repeats_state: bool,
    /// What a client receives in answer to a command.
    pub answers: Answers,
    commands: &'static [&'static str],
    /// The commands of its family alone.
    pub calls: &'static [&'static CallDescription],
    /// What a client gets that asks for what a robot lacks.
    pub absent: &'static str,
    /// Where clients get its messages as they come; `None` if it has no stream on the common port.
    pub stream: Option<Stream>,
    /// Its topics at an MQTT broker; `None` if it has none.
    pub channels: Option<Channels>,
    /// Its messages, field by field beside the model.
    pub messages: &'static [MessageInfo],
    /// What programs of the family send to a robot of a name.
    pub clients: fn(&RobotId) -> Clients,
    profile: &'static Profile,
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
    /// Its time-outs and limits.
    pub limits: &'static [Limit],
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
            protocols: D::PROTOCOLS,
            transport: D::TRANSPORT,
            offers: D::OFFERS,
            port: D::PORT,
            repeats_state: D::REPEATS_STATE,
            answers: D::ANSWERS,
            commands: D::COMMANDS,
            calls: D::CALLS,
            absent: D::ABSENT,
            stream: D::STREAM,
            channels: D::CHANNELS,
            messages: D::MESSAGES,
            clients: D::CLIENTS,
            profile: D::PROFILE,
            reference: D::REFERENCE,
            from_toml: |table| Ok(Box::new(D::deserialize(table)?)),
            default: || Box::new(D::default()),
            serve: D::serve_table,
            connect: D::connect_table,
            called: D::CALLED,
            limits: D::LIMITS,
            observe: D::observe_table,
            inspect: D::inspect,
            stops: D::STOPS,
        }
    }

    /// What every robot has and can that speaks this dialect.
    pub fn profile(&self) -> &'static Arc<RobotProfile> {
        self.profile
    }

    /// The names of the commands that its programs can give.
    pub fn command_names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.commands.iter().copied().chain(self.calls.iter().map(|call| call.name))
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
