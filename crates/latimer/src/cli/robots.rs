//! `latimer robots`: who is there.

use std::io::Write;

use clap::Args;

use super::table::table;
use crate::api::Robots;
use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Exit, Failure};
use latimer_wire::v1::Robot;

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
    let skew = robot.link.skew_min_s.zip(robot.link.skew_max_s);
    let skew = skew.map_or("-".to_owned(), |(min, max)| skew_text(min, max));
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

/// A skew, or the interval where it is if the robot's stamps say no more.
pub(super) fn skew_text(min_s: f64, max_s: f64) -> String {
    let (min, max) = (format!("{min_s:+.3}"), format!("{max_s:+.3}"));
    // Narrower than what is printed.
    match max_s - min_s > 0.0015 {
        true => format!("{min} to {max} s"),
        false => format!("{max} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skew_is_a_number_only_if_it_is_known_so_well() {
        assert_eq!(skew_text(0.0029999, 0.003), "+0.003 s");
        assert_eq!(skew_text(0.002, 0.003), "+0.003 s");
        assert_eq!(skew_text(-0.996, 0.004), "-0.996 to +0.004 s");
    }
}
