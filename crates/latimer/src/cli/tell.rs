//! Telling a robot something, and telling what became of it.

use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Exit, Failure};
use crate::wire::v1::{Outcome, Reading};

/// How long a robot may take to answer, unless told otherwise.
pub(super) const DEFAULT_PATIENCE: &str = "10s";

/// Posts to a robot and prints what became of it.
pub(super) async fn tell(
    gateway: &GatewayArgs,
    robot: &str,
    what: &str,
    body: &impl Serialize,
    patience: Duration,
) -> Ended {
    if robot.is_empty() || robot.contains(['/', '?', '#', '%', ' ']) {
        return Err(Failure::usage(format!("{robot:?} is no robot's name; `latimer robots` lists them")));
    }
    let gateway = Gateway::new(gateway)?;
    let path = format!("/api/v1/robots/{robot}/{what}");
    let word = match gateway.post(&path, body, patience).await? {
        Outcome::Done => "done",
        Outcome::Accepted => "accepted",
        Outcome::Sensed { readings } => {
            for Reading { kind, part, data } in readings {
                let part = part.map(|part| format!("/{part}")).unwrap_or_default();
                writeln!(std::io::stdout(), "{kind}{part} {data}")?;
            }
            return Ok(());
        }
        Outcome::Refused { reason } => return Err(Failure::new(Exit::Refused, reason)),
        Outcome::TimedOut => {
            return Err(Failure::new(Exit::TimedOut, format!("{robot} did not answer in time")));
        }
    };
    Ok(writeln!(std::io::stdout(), "{word}")?)
}

/// Reads a body that was given as JSON.
pub(super) fn body_from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| Failure::usage(crate::words::explained(&error.to_string())))
}
