//! `latimer trace`: what robots are asked for, by whom, and what becomes of it at each station.

use std::collections::HashMap;
use std::io::{BufWriter, Write};

use clap::Args;

use super::complete;
use super::lines::{time_of_day, visible};
use super::post::check_robot;
use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Exit, Failure, remark};
use latimer_wire::v1::{CommandFrame, CommandStep, EndWhy};

/// Commands on their way that are remembered, to say how long each station took.
const REMEMBERED: usize = 4_096;

/// `latimer trace`.
#[derive(Debug, Args)]
pub struct TraceArgs {
    /// Which robot; all if none is named
    #[arg(value_name = "ROBOT", add = complete::robots())]
    robot: Option<String>,
    /// End after so many commands were answered
    #[arg(short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Print JSON, a station a line, as the API sends it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn trace(args: &TraceArgs) -> Ended {
    let robot = args.robot.as_deref();
    robot.map_or(Ok(()), check_robot)?;
    let gateway = Gateway::new(&args.gateway)?;
    let params: Vec<_> = robot.map(|robot| ("robot", robot.to_owned())).into_iter().collect();
    let mut stream = gateway.stream_at("/api/v1/commands/stream", &params).await?;
    remark(format_args!("follows commands to {}; Ctrl-C ends it", robot.unwrap_or("all robots")));
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (mut steps, mut left) = (Steps { before: HashMap::new(), names_robot: robot.is_none() }, args.count);
    loop {
        let text = tokio::select! {
            text = stream.text() => text?,
            _ = tokio::signal::ctrl_c() => return Ok(()),
        };
        let frame: CommandFrame = serde_json::from_str(&text).map_err(|error| {
            Failure::new(Exit::Failed, format!("the gateway sent what this program cannot read: {error}"))
        })?;
        match &frame {
            CommandFrame::End(end) if end.reason == EndWhy::Complete => return Ok(()),
            CommandFrame::End(end) => return Err(Failure::new(Exit::Unreachable, end.detail.clone())),
            _ if args.json => writeln!(out, "{text}")?,
            CommandFrame::Step(step) => writeln!(out, "{}", steps.line(step))?,
            CommandFrame::Missed { steps } => {
                writeln!(out, "-- {steps} stations are missing: more came than was read --")?
            }
        }
        out.flush()?;
        let is_last = matches!(&frame, CommandFrame::Step(step) if is_last(step));
        if let Some(left) = left.as_mut().filter(|_| is_last) {
            *left -= 1;
            if *left == 0 {
                return Ok(());
            }
        }
    }
}

/// Whether nothing more is to come of a command, as far as it was taken by the robot at all.
fn is_last(step: &CommandStep) -> bool {
    matches!(step.station.as_str(), "answered" | "refused" | "timed_out" | "overtaken")
}

/// When commands on their way came to their last station.
struct Steps {
    before: HashMap<(String, String), f64>,
    names_robot: bool,
}

impl Steps {
    /// `10:04:05.123 5f0c2a91-17 drive sent +1.2 ms`: how long it took since the station before, and at the end in all.
    fn line(&mut self, step: &CommandStep) -> String {
        let CommandStep { command_id, robot, command, author, station, at, after_s, outcome, code, reason } =
            step;
        let key = (command_id.clone(), command.clone());
        let before = self.before.remove(&key).unwrap_or_default();
        let took = milliseconds(after_s - before);
        let to = if self.names_robot { format!("{robot} ") } else { String::new() };
        let mut line = format!("{} {command_id} {to}{command:<9} {station:<9}", time_of_day(at));
        match station.as_str() {
            "given" => {
                let name = if author.name.is_empty() {
                    String::new()
                } else {
                    format!(" {}", visible(&author.name))
                };
                line += &format!(" by {}{name}", author.dialect);
            }
            _ => line += &format!(" +{took}"),
        }
        if is_last(step) {
            let outcome = outcome.as_deref().filter(|outcome| outcome != station);
            let what = [outcome, code.as_deref()].into_iter().flatten().map(|word| format!(" {word}"));
            line += &format!("{}, {} in all", what.collect::<String>(), milliseconds(*after_s));
        } else {
            if self.before.len() >= REMEMBERED {
                self.before.clear();
            }
            self.before.insert(key, *after_s);
        }
        if let Some(reason) = reason {
            line += &format!(": {}", visible(reason));
        }
        line
    }
}

fn milliseconds(seconds: f64) -> String {
    let ms = seconds.max(0.0) * 1e3;
    if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use latimer_wire::v1::Author;

    fn step(station: &str, after_s: f64) -> CommandStep {
        CommandStep {
            command_id: "5f0c2a91-17".to_owned(),
            robot: "misty-1".to_owned(),
            command: "drive".to_owned(),
            author: Author { dialect: "page".to_owned(), name: "127.0.0.1".to_owned() },
            station: station.to_owned(),
            at: "2026-11-21T10:04:05.123456789Z".to_owned(),
            after_s,
            outcome: None,
            code: None,
            reason: None,
        }
    }

    #[test]
    fn each_station_is_a_line_that_says_how_long_it_took() {
        let mut steps = Steps { before: HashMap::new(), names_robot: false };
        let answered = CommandStep { outcome: Some("accepted".to_owned()), ..step("answered", 0.0213) };
        let mut lines: Vec<String> =
            [step("given", 0.0), step("queued", 0.0001), step("sent", 0.0013), answered]
                .iter()
                .map(|step| steps.line(step))
                .collect();
        let refused = CommandStep {
            outcome: Some("refused".to_owned()),
            code: Some("owned".to_owned()),
            reason: Some("the page drives \u{1b}[2J".to_owned()),
            ..step("refused", 0.0002)
        };
        lines.push(Steps { before: HashMap::new(), names_robot: true }.line(&refused));
        assert!(steps.before.is_empty(), "what is answered is forgotten");
        insta::assert_snapshot!(lines.join("\n"), @r"
        10:04:05.123 5f0c2a91-17 drive     given     by page 127.0.0.1
        10:04:05.123 5f0c2a91-17 drive     queued    +0.1 ms
        10:04:05.123 5f0c2a91-17 drive     sent      +1.2 ms
        10:04:05.123 5f0c2a91-17 drive     answered  +20 ms accepted, 21 ms in all
        10:04:05.123 5f0c2a91-17 misty-1 drive     refused   +0.2 ms owned, 0.2 ms in all: the page drives \u{1b}[2J
        ");
    }
}
