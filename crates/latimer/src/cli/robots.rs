//! `latimer robots`: who is there.

use std::io::Write;

use clap::Args;

use super::table::table;
use crate::api::Robots;
use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Exit, Failure};
use crate::wire::v1::Robot;

/// `latimer robots`.
#[derive(Debug, Args)]
pub struct RobotsArgs {
    /// Print JSON, as the API sends it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn robots(args: &RobotsArgs) -> Ended {
    let Robots { robots } = Gateway::new(&args.gateway)?.get("/api/v1/robots").await?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let json = serde_json::to_string_pretty(&robots);
        let json = json.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?;
        return Ok(writeln!(out, "{json}")?);
    }
    if robots.is_empty() {
        return Ok(writeln!(out, "no robots")?);
    }
    let headings = ["robot", "family", "origin", "link", "clock skew", "updates", "reach it at"];
    Ok(writeln!(out, "{}", table(&headings, robots.iter().map(row)))?)
}

fn row(robot: &Robot) -> Vec<String> {
    let origin = robot.address.as_ref().unwrap_or(&robot.origin);
    let link = match &robot.link.reason {
        Some(reason) => format!("{} ({reason})", robot.link.state),
        None => robot.link.state.clone(),
    };
    let skew = robot.link.skew_s.map_or("-".to_owned(), |skew| format!("{skew:+.3} s"));
    let urls: Vec<&str> = robot.endpoints.iter().map(|endpoint| endpoint.url.as_str()).collect();
    vec![
        robot.robot.clone(),
        robot.family.clone(),
        origin.clone(),
        link,
        skew,
        robot.received.to_string(),
        if urls.is_empty() { "-".to_owned() } else { urls.join(" ") },
    ]
}
