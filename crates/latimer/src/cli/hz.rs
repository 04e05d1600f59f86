//! `latimer hz`: how often updates come, and how regularly.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use clap::Args;
use latimer_core::Clock;

use super::complete;
use super::echo::TOPICS;
use super::missing::say_missing;
use super::rate::{Figures, Rate};
use crate::client::{Gateway, GatewayArgs, Streamed};
use crate::exit::{Ended, remark};
use latimer_wire::v1::Frame;

/// How often the figures are printed.
const PRINT_EVERY: Duration = Duration::from_secs(1);

/// The class whose values are not published at the beginning.
const EVENT: &str = "event";

/// `latimer hz`.
#[derive(Debug, Args)]
pub struct HzArgs {
    /// What to measure: robot/kind[/part], with * and **
    #[arg(add = complete::keys())]
    selector: String,
    /// End after so many updates
    #[arg(short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn hz(args: &HzArgs) -> Ended {
    let mut params = vec![("select", args.selector.clone())];
    params.extend(args.count.map(|count| ("n", count.to_string())));
    let gateway = Gateway::new(&args.gateway)?;
    let mut stream = gateway.stream(&params).await?;
    let clock = Clock::system();
    let mut rates: BTreeMap<String, Rate> = BTreeMap::new();
    let mut print_at = clock.now().after(PRINT_EVERY);
    let mut silence_said = !say_missing(&gateway, &args.selector).await?;
    loop {
        tokio::select! {
            streamed = stream.next() => match streamed? {
                Streamed::Frame(Frame::Update(update), _) => {
                    // A state comes once at the beginning, whatever its age; that is no rate.
                    let came_at_once = update.class != EVENT && !rates.contains_key(&update.key);
                    let rate = rates.entry(update.key).or_default();
                    if !came_at_once {
                        rate.arrived(clock.now().as_nanos());
                    }
                }
                Streamed::Frame(Frame::Gap(gap), _) => remark(super::lines::gap(&gap)),
                Streamed::Frame(Frame::End(_) | Frame::Batch(_), _) => {}
                Streamed::Complete => return print(&rates),
            },
            () = clock.sleep_until(print_at) => {
                print_at = clock.now().after(PRINT_EVERY);
                if rates.is_empty() && !std::mem::replace(&mut silence_said, true) {
                    remark(format_args!("nothing comes for {} yet; {TOPICS}", args.selector));
                }
                print(&rates)?;
            }
            _ = tokio::signal::ctrl_c() => return print(&rates),
        }
    }
}

fn print(rates: &BTreeMap<String, Rate>) -> Ended {
    let mut out = std::io::stdout().lock();
    let width = rates.keys().map(String::len).max().unwrap_or_default();
    for (key, rate) in rates {
        match rate.figures() {
            Some(Figures { rate_hz, min_s, max_s, std_dev_s, window }) => writeln!(
                out,
                "{key:width$}  average rate: {rate_hz:.3}  min: {min_s:.3}s  max: {max_s:.3}s  \
                 std dev: {std_dev_s:.5}s  window: {window}"
            )?,
            None => writeln!(out, "{key:width$}  came at most once yet")?,
        }
    }
    Ok(out.flush()?)
}
