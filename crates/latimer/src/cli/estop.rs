//! `latimer estop`: the emergency stop of robots, pressed or released.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use clap::Args;

use super::complete;
use super::post::{DEFAULT_PATIENCE, check_robot, lines};
use crate::api::{EmergencyStop, EmergencyStops};
use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Exit, Failure};
use latimer_wire::v1::{CommandOutcome, duration};

/// `latimer estop`.
#[derive(Debug, Args)]
pub struct EstopArgs {
    /// Which robots
    #[arg(value_name = "ROBOT", add = complete::robots(), required_unless_present = "all", conflicts_with = "all")]
    robots: Vec<String>,
    /// All that are there
    #[arg(long)]
    all: bool,
    /// Release it: the robots may move again
    #[arg(long)]
    release: bool,
    /// How long the robots may take to answer
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = DEFAULT_PATIENCE)]
    patience: Duration,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn estop(args: EstopArgs) -> Ended {
    let EstopArgs { robots, all, release, patience, gateway } = args;
    robots.iter().try_for_each(|robot| check_robot(robot))?;
    let body = EmergencyStop { robots: (!all).then_some(robots), pressed: !release };
    let gateway = Gateway::new(&gateway)?;
    let EmergencyStops { outcomes } = gateway.post("/api/v1/estop", &body, patience).await?;
    print(outcomes)
}

/// A line for each robot; the first that did not do it is the exit code, after all are printed.
fn print(outcomes: BTreeMap<String, CommandOutcome>) -> Ended {
    let mut failed = None;
    let mut out = std::io::stdout().lock();
    for (robot, CommandOutcome { outcome, command_id: _ }) in &outcomes {
        match lines(outcome, robot) {
            Ok(lines) => writeln!(out, "{robot}  {}", lines.join(" "))?,
            Err(failure) => {
                writeln!(out, "{robot}  {}", failure.message)?;
                failed.get_or_insert(failure);
            }
        }
    }
    match failed {
        Some(failure) => Err(failure),
        None if outcomes.is_empty() => Err(Failure::new(Exit::Failed, "there are no robots".to_owned())),
        None => Ok(()),
    }
}
