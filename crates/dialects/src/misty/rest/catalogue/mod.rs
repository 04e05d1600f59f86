//! The commands on offer: a table, its search, and `GET help`.
//!
//! | file | commands |
//! |---|---|
//! | `audio` | sounds, recording, key phrase |
//! | `faces` | face detection, recognition, training |
//! | `motion` | driving, head, arms |
//! | `slam` | mapping, tracking, streaming |
//! | `system` | camera, device, battery, lamp, serial port, skills, hazards, websockets, help |
//!
//! Names, ids, categories, types, defaults and order of arguments are those that a robot of September 2019 tells in its
//! own `GET help`. Commands and arguments that came later are marked `since 2021` in the tables; their groups and
//! categories follow their neighbours.

mod audio;
mod faces;
mod help;
mod motion;
mod net;
mod slam;
mod system;

pub use help::help_json;
pub use net::{ArgType, Default, ResultType};

/// HTTP method of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Method {
    Get,
    Post,
    Delete,
    Put,
}

/// How stable a command is; also the value of the header `Misty-Command-Version`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Category {
    Current,
    Alpha,
    Beta,
}

/// What kind of thing a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum CommandType {
    Information,
    Action,
    Configuration,
}

/// One argument of a command.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arg {
    /// Name, as documented; clients send it in any case.
    pub name: &'static str,
    /// Type.
    pub arg_type: ArgType,
    /// Value unless sent.
    pub default: Default,
}

/// One REST command.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Command {
    /// HTTP method.
    pub method: Method,
    /// Path behind `/api/`.
    pub endpoint: &'static str,
    /// Name, as documented.
    pub name: &'static str,
    /// Name inside the robot.
    pub id: &'static str,
    /// Part of the robot that it concerns.
    pub group: &'static str,
    /// How stable it is.
    pub category: Category,
    /// What kind of thing it does.
    pub command_type: CommandType,
    /// What the robot cannot do when it refuses: "Cannot *drive*  - Missing …".
    pub verb: &'static str,
    /// Arguments, in their order.
    pub args: &'static [Arg],
    /// Type of the result.
    pub result: ResultType,
}

impl Method {
    /// The name in HTTP.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Delete => "DELETE",
            Self::Put => "PUT",
        }
    }
}

impl Category {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Current => "Current",
            Self::Alpha => "Alpha",
            Self::Beta => "Beta",
        }
    }
}

impl CommandType {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Information => "Information",
            Self::Action => "Action",
            Self::Configuration => "Configuration",
        }
    }
}

/// Every command on offer.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    [system::COMMANDS, motion::COMMANDS, audio::COMMANDS, faces::COMMANDS, slam::COMMANDS]
        .into_iter()
        .flatten()
}

/// The command at a path such as `drive/time`, `/api/drive/time` or the older `/api/beta/drive/time`, in any case.
pub fn find(method: Method, path: &str) -> Option<&'static Command> {
    commands().find(|command| command.method == method && at_endpoint(command, path))
}

/// The methods that a path answers to.
pub fn methods_at(path: &str) -> Vec<Method> {
    commands().filter(|command| at_endpoint(command, path)).map(|command| command.method).collect()
}

fn at_endpoint(command: &Command, path: &str) -> bool {
    let path = path.trim_matches('/');
    let path = without_prefix(path, "api").unwrap_or(path);
    command.endpoint.eq_ignore_ascii_case(path)
        || ["alpha", "beta"]
            .iter()
            .filter_map(|version| without_prefix(path, version))
            .any(|path| command.endpoint.eq_ignore_ascii_case(path))
}

fn without_prefix<'a>(path: &'a str, prefix: &str) -> Option<&'a str> {
    let (first, rest) = path.split_once('/')?;
    first.eq_ignore_ascii_case(prefix).then(|| rest.trim_matches('/'))
}

const fn arg(name: &'static str, arg_type: ArgType, default: Default) -> Arg {
    Arg { name, arg_type, default }
}

#[cfg(test)]
mod tests;
