//! Telling a robot or the simulated world something, and telling what became of it.

use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Exit, Failure};
use crate::wire::v1::Outcome;

/// How long a robot may take to answer, unless told otherwise.
pub(super) const DEFAULT_PATIENCE: &str = "10s";

/// Posts to a robot and prints what became of it.
pub(super) async fn tell_robot(
    gateway: &GatewayArgs,
    robot: &str,
    what: &str,
    body: &impl Serialize,
    patience: Duration,
) -> Ended {
    if robot.is_empty() || robot.contains(['/', '?', '#', '%', ' ']) {
        return Err(Failure::usage(format!("{robot:?} is no robot's name; `latimer robots` lists them")));
    }
    tell(gateway, robot, &format!("/api/v1/robots/{robot}/{what}"), body, patience).await
}

/// Posts to an address and prints what became of it: a word, or a line of JSON for each reading.
pub(super) async fn tell(
    gateway: &GatewayArgs,
    whom: &str,
    path: &str,
    body: &impl Serialize,
    patience: Duration,
) -> Ended {
    let gateway = Gateway::new(gateway)?;
    let word = match gateway.post(path, body, patience).await? {
        Outcome::Done => "done",
        Outcome::Accepted => "accepted",
        Outcome::Sensed { readings } => {
            for reading in readings {
                let line = serde_json::to_string(&reading);
                let line = line.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?;
                writeln!(std::io::stdout(), "{line}")?;
            }
            return Ok(());
        }
        Outcome::Refused { reason } => return Err(Failure::new(Exit::Refused, reason)),
        Outcome::TimedOut => {
            return Err(Failure::new(Exit::TimedOut, format!("{whom} did not answer in time")));
        }
    };
    Ok(writeln!(std::io::stdout(), "{word}")?)
}

/// A word of the API, with `-` for `_`.
pub(super) fn word<T: serde::de::DeserializeOwned>(given: &str) -> Result<T, Failure> {
    serde_json::from_value(given.replace('-', "_").into())
        .map_err(|error| Failure::usage(crate::words::explained(&error.to_string())))
}

/// Reads a body that was given as JSON.
pub(super) fn body_from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| Failure::usage(crate::words::explained(&error.to_string())))
}
