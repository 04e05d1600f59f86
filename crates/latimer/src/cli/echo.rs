//! `latimer echo`: what robots publish, a line each.

use std::io::{BufWriter, Write};
use std::time::Duration;

use clap::Args;
use latimer_core::{Clock, Timestamp};

use super::missing::say_missing;
use super::{complete, lines};
use crate::client::{Gateway, GatewayArgs, Streamed};
use crate::exit::{Ended, remark};
use latimer_wire::v1::{Frame, duration};

/// After how long a line says that nothing comes.
const SILENT: Duration = Duration::from_secs(3);

/// What to do if nothing comes.
pub(super) const TOPICS: &str = "`latimer topics` lists what comes";

/// `latimer echo`.
#[derive(Debug, Args)]
pub struct EchoArgs {
    /// What to print: robot/kind[/part], with * and **
    #[arg(add = complete::keys())]
    selector: String,
    /// Print it in a dialect's own words
    #[arg(long = "as", value_name = "DIALECT")]
    dialect: Option<String>,
    /// Only while this holds; may be given several times, then all must hold
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<String>,
    /// Coordinates in a frame of `latimer frames`, such as world, or of a robot, such as axbot-1/map
    #[arg(long = "in", value_name = "FRAME", add = complete::frames())]
    frame: Option<String>,
    /// At most once per interval and key
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    every: Option<Duration>,
    /// Only these fields
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pick: Vec<String>,
    /// End after so many updates
    #[arg(short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Print JSON, an object a line, as the API sends it
    #[arg(long)]
    json: bool,
    /// Print what the robot really sent, too
    #[arg(long)]
    native: bool,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn echo(args: &EchoArgs) -> Ended {
    let gateway = Gateway::new(&args.gateway)?;
    let mut stream = gateway.stream(&params(args)).await?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let clock = Clock::system();
    let all_there = say_missing(&gateway, &args.selector).await?;
    let mut silent_at = all_there.then(|| clock.now().after(SILENT));
    loop {
        let streamed = tokio::select! {
            streamed = stream.next() => streamed?,
            () = reached(clock, silent_at) => {
                silent_at = None;
                remark(format_args!("nothing comes for {} yet; {TOPICS}", args.selector));
                continue;
            }
            _ = tokio::signal::ctrl_c() => return Ok(()),
        };
        let Streamed::Frame(frame, text) = streamed else { return Ok(()) };
        silent_at = None;
        if args.json {
            // The robot's own words are kept byte for byte, so there may be line breaks in them.
            writeln!(out, "{}", lines::one_line(&text))?;
        } else {
            match &frame {
                Frame::Update(update) => writeln!(out, "{}", lines::update(update))?,
                Frame::Gap(gap) => writeln!(out, "{}", lines::gap(gap))?,
                Frame::End(_) | Frame::Batch(_) => {}
            }
        }
        out.flush()?;
    }
}

/// Waits until a moment, or for ever if there is none.
pub(super) async fn reached(clock: Clock, at: Option<Timestamp>) {
    match at {
        Some(at) => clock.sleep_until(at).await,
        None => std::future::pending().await,
    }
}

fn params(args: &EchoArgs) -> Vec<(&'static str, String)> {
    let mut params = vec![("select", args.selector.clone())];
    params.extend(args.conditions.iter().map(|condition| ("where", condition.clone())));
    params.extend(args.every.map(|every| ("every", format!("{}us", every.as_micros()))));
    params.extend(args.pick.iter().map(|field| ("pick", field.clone())));
    params.extend(args.dialect.iter().map(|dialect| ("as", dialect.clone())));
    params.extend(args.frame.iter().map(|frame| ("in", frame.clone())));
    params.extend(args.native.then(|| ("native", "true".to_owned())));
    params.extend(args.count.map(|count| ("n", count.to_string())));
    params
}
