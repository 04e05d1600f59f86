//! Posts to a robot or to the simulated world, and prints the outcome.

use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Exit, Failure};
use latimer_wire::v1::{Outcome, json};

/// How long a robot may take to answer if `--patience` is not given.
pub(super) const DEFAULT_PATIENCE: &str = "10s";

/// Posts to a robot and prints the outcome.
pub(super) async fn post_to_robot(
    gateway: &GatewayArgs,
    robot: &str,
    what: &str,
    body: &impl Serialize,
    patience: Duration,
) -> Ended {
    check_robot(robot)?;
    post(gateway, robot, &format!("/api/v1/robots/{robot}/{what}"), body, patience).await
}

/// Refuses what would be another address.
pub(super) fn check_robot(robot: &str) -> Ended {
    if robot.is_empty() || robot.contains(['/', '?', '#', '%', ' ']) {
        return Err(Failure::usage(format!("{robot:?} is no robot's name; `latimer robots` lists them")));
    }
    Ok(())
}

/// Posts to an address and prints the outcome: a word, or a line of JSON for each reading.
pub(super) async fn post(
    gateway: &GatewayArgs,
    whom: &str,
    path: &str,
    body: &impl Serialize,
    patience: Duration,
) -> Ended {
    let gateway = Gateway::new(gateway)?;
    let outcome = gateway.post(path, body, patience).await?;
    for line in lines(&outcome, whom)? {
        writeln!(std::io::stdout(), "{line}")?;
    }
    Ok(())
}

/// What is printed.
pub(super) fn lines(outcome: &Outcome, whom: &str) -> Result<Vec<String>, Failure> {
    match outcome {
        Outcome::Done { note } => Ok(vec![noted("done", note.as_deref())]),
        Outcome::Accepted { note } => Ok(vec![noted("accepted", note.as_deref())]),
        Outcome::Sensed { readings } => {
            let lines = readings.iter().map(serde_json::to_string).collect::<Result<_, _>>();
            lines.map_err(|error| Failure::new(Exit::Failed, format!("a reading cannot be written: {error}")))
        }
        Outcome::Refused { code: _, reason } => Err(Failure::new(Exit::Refused, reason.clone())),
        Outcome::TimedOut => Err(Failure::new(Exit::TimedOut, format!("{whom} did not answer in time"))),
    }
}

fn noted(word: &str, note: Option<&str>) -> String {
    note.map_or_else(|| word.to_owned(), |note| format!("{word}: {note}"))
}

/// The API's JSON from the command line.
pub(super) fn json_from_text<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Failure> {
    json(text).map_err(|error| Failure::usage(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_patience_is_that_of_all_commands() {
        assert_eq!(
            latimer_wire::v1::duration(DEFAULT_PATIENCE).unwrap(),
            latimer_core::limits::COMMAND_TIMEOUT
        );
    }

    #[test]
    fn a_reading_is_a_line_of_json() {
        let sensed = r#"{"outcome":"sensed","readings":[
            {"kind":"range","part":"left","data":{"distance_m":0.5}},
            {"kind":"range","data":{"distance_m":1.5}}]}"#;
        let printed = lines(&serde_json::from_str(sensed).unwrap(), "pera-1").unwrap();
        insta::assert_snapshot!(printed.join("\n"), @r#"
        {"kind":"range","part":"left","data":{"distance_m":0.5}}
        {"kind":"range","data":{"distance_m":1.5}}
        "#);
        let refused = Outcome::Refused { code: "not_now".to_owned(), reason: "no".to_owned() };
        assert_eq!(lines(&refused, "pera-1").unwrap_err().exit, Exit::Refused);
    }
}
