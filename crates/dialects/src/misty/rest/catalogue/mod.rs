//! The commands on offer: a table, its search, and `GET help`.
//!
//! | file | commands |
//! |---|---|
//! | `audio` | sounds, recording, key phrase |
//! | `cameras` | pictures |
//! | `faces` | face detection, recognition, training |
//! | `motion` | driving, head, arms |
//! | `slam` | mapping, tracking, streaming |
//! | `system` | device, battery, lamp, serial port, skills, hazards, websockets, help |
//!
//! Names, ids, categories, types, defaults and order of arguments are those that a robot of September 2019 tells in its
//! own `GET help`. Drives to a heading and on an arc, settings of hazards, and arguments of listening came by 2021; their groups
//! and categories follow their neighbours. What Misty alone can do is described in [`calls`](crate::misty::calls).

mod audio;
mod cameras;
mod faces;
mod help;
mod motion;
mod net;
mod slam;
mod system;

pub use help::help_json;
pub use net::{ArgType, Default, ResultType};

use super::row::{Method, Row};

/// Every command on offer.
pub fn commands() -> impl Iterator<Item = &'static Row> {
    [system::ROWS, motion::ROWS, cameras::ROWS, audio::ROWS, faces::ROWS, slam::ROWS].into_iter().flatten()
}

/// The command at a path such as `drive/time`, `/api/drive/time` or the older `/api/beta/drive/time`, in any case.
pub fn find(method: Method, path: &str) -> Option<&'static Row> {
    commands().find(|command| command.method == method && at_endpoint(command, path))
}

/// The methods that a path answers to.
pub fn methods_at(path: &str) -> Vec<Method> {
    commands().filter(|command| at_endpoint(command, path)).map(|command| command.method).collect()
}

fn at_endpoint(command: &Row, path: &str) -> bool {
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

#[cfg(test)]
mod tests;
