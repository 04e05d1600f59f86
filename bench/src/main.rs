//! Load generator: `latimer-bench [fan-out | world]`, both without an argument, the world first.
//!
//! [`fan_out`] measures how many subscribers the gateway serves, [`world`] what the simulated world costs.

mod cpu;
mod fan_out;
mod load;
mod misty;
mod mosquitto;
mod mqtt;
mod report;
mod websocket;
mod world;

use std::process::ExitCode;

use anyhow::bail;
use latimer_core::Clock;

#[tokio::main]
async fn main() -> ExitCode {
    match run(std::env::args().nth(1).as_deref()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the benchmark failed: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(part: Option<&str>) -> anyhow::Result<()> {
    let clock = Clock::system();
    match part {
        None => {
            Box::pin(world::run(clock)).await?;
            println!();
            fan_out::run(clock).await
        }
        Some("world") => Box::pin(world::run(clock)).await,
        Some("fan-out") => fan_out::run(clock).await,
        Some(other) => bail!("there is no part {other:?}; there are: fan-out, world"),
    }
}
